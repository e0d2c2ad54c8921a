/// Who sold it, as printed on a receipt.
public struct MerchantBlock: Hashable, Sendable {
    public var name: String?
    public var address: String?
    public var phone: String?
    public var email: String?
    public var website: String?
    /// The merchant's number at the acquirer.
    public var merchantID: String?
    /// The terminal's number.
    public var terminalID: String?

    /// Makes an empty block.
    public init() {}
}

/// What belongs on a receipt and in an inquiry.
public struct Receipt: Hashable, Sendable {
    /// The issuer's approval code.
    public var authorizationCode: String?
    /// The response code of the host.
    public var responseCode: String?
    /// The response in words.
    public var responseText: String?
    /// The retrieval reference number.
    public var retrievalReference: String?
    /// When it happened, in milliseconds since 1970.
    public var at: Int64?
    /// What the address check said.
    public var addressCheck: Receipt.AddressCheck?
    /// How the holder was verified: `pin`, `signature`, `none` and so on.
    public var verification: String?
    /// Whether the customer has to sign.
    public var signatureRequired = false
    /// The tags of the chip that a receipt shows.
    public private(set) var tags: [Receipt.EMVTag] = []
    /// Who sold it.
    public var merchant: Receipt.Merchant?
    /// What the amount is made of.
    public var breakdown: AmountBreakdown?
    /// Lines that the provider formatted.
    public var lines: [Receipt.Line] = []

    /// Makes an empty receipt.
    public init() {}

    /// Adds chip tags; those that carry a card number, track or PIN data are dropped.
    public mutating func add(_ tags: [Receipt.EMVTag]) { self.tags += tags.filter { !$0.isSensitive } }
}

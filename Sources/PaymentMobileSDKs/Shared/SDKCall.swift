/// A documented call of a vendor's kit, as its outcome table knows it.
public protocol SDKCall: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    /// Whether an error of the call leaves a question about money: it pays, takes back, or stops a payment.
    var isAboutMoney: Bool { get }
}

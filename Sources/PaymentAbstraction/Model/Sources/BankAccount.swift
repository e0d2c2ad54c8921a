public import PaymentBase

/// A bank account to be debited or credited.
public struct BankAccount: Hashable, Sendable {
    /// The two kinds of account.
    public enum Kind: String, Hashable, Sendable { case checking, savings }
    /// The two kinds of holder.
    public enum Holder: String, Hashable, Sendable { case person, business }

    public let number: Secret
    public let routing: Secret
    public let kind: Kind
    public let holder: Holder
    public var taxID: Secret?
    public var name: Personal?

    /// Makes an account of its two numbers.
    public init(number: Secret, routing: Secret, kind: Kind = .checking, holder: Holder = .person) {
        (self.number, self.routing, self.kind, self.holder) = (number, routing, kind, holder)
    }

    /// The last four digits of the account's number.
    public var last4: String { String(number.expose().suffix(4)) }

    var secrets: [Secret] { [number, routing] + (taxID.map { [$0] } ?? []) }
}

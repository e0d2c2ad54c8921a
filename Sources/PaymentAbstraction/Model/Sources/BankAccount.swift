public import PaymentBase

/// A bank account to be debited or credited.
public struct BankAccount: Hashable, Sendable {
    /// The two kinds of account.
    public enum AccountType: String, Hashable, Sendable {
        /// A current account.
        case checking
        /// A savings account.
        case savings
    }
    /// The two kinds of holder.
    public enum HolderType: String, Hashable, Sendable {
        /// A person.
        case person
        /// A business.
        case business
    }

    /// The account's number.
    public let number: Secret
    /// The bank's routing number.
    public let routing: Secret
    /// What kind of account it is.
    public let kind: AccountType
    /// What kind of holder it has.
    public let holder: HolderType
    /// The holder's tax number.
    public var taxID: Secret?
    /// The holder's name.
    public var name: PersonalData?

    /// Makes an account of its two numbers.
    public init(number: Secret, routing: Secret, kind: AccountType = .checking, holder: HolderType = .person) {
        (self.number, self.routing, self.kind, self.holder) = (number, routing, kind, holder)
    }

    /// The last four digits of the account's number.
    public var last4: String { String(number.expose().suffix(4)) }

    var secrets: [Secret] { [number, routing] + (taxID.map { [$0] } ?? []) }
}

/// What a customer pays with, where the price depends on it.
public enum Tender: String, Hashable, Sendable, CaseIterable {
    /// Cash.
    case cash
    /// A bank account.
    case bankAccount
    /// A debit card.
    case debit
    /// A credit card.
    case credit
}

/// What a customer pays with, where the price depends on it.
public enum Tender: String, Hashable, Sendable, CaseIterable {
    case cash, bankAccount, debit, credit
}

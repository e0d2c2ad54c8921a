/// By which names a provider's answers say what a fault may falsify; they are looked for at every depth.
public struct ReplyFields: Hashable, Sendable {
    /// Members that hold an amount: a number, or digits as a text.
    public var amounts: Set<String>
    /// Members that hold a currency, as letters or as its number.
    public var currencies: Set<String>
    /// Members that hold a reference of the request.
    public var references: Set<String>
    /// Members whose value is a word out of a list: a status, a result.
    public var words: Set<String>

    /// Names the members.
    public init(amounts: Set<String>, currencies: Set<String>, references: Set<String>, words: Set<String>) {
        (self.amounts, self.currencies, self.references, self.words) = (amounts, currencies, references, words)
    }
}

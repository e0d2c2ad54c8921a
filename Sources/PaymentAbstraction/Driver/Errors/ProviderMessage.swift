/// What a provider said, in its own words; shown as its words, never as our advice.
public struct ProviderMessage: Hashable, Sendable {
    /// The code as it stood on the wire; empty where there was none.
    public let code: String
    /// The text as it stood on the wire, with anything that looks like a card number masked.
    public let message: String

    /// The longest text that is kept.
    public static let charactersMax = 1_024

    /// Keeps a code and a text.
    public init(code: String, message: String = "") {
        self.code = Masking.cardNumbers(in: String(code.prefix(Self.charactersMax)))
        self.message = Masking.cardNumbers(in: String(message.prefix(Self.charactersMax)))
    }
}

extension ProviderMessage: CustomStringConvertible {
    public var description: String { message.isEmpty ? code : "\(code): \(message)" }
}

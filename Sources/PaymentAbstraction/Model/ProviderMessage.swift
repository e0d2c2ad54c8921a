internal import PaymentBase

/// What a provider said, in its own words; shown as its words, never as our advice.
///
/// A provider may say back what it was sent. So its words are looked through as a whole: first what is secret in the
/// attempt is taken out, then what looks like a card number is masked, and only then is the text cut. The other way
/// round, a number or a secret that crosses the end would lose its last characters and no longer be found.
public struct ProviderMessage: Sendable {
    /// The code as it stood on the wire; empty where there was none.
    public let code: String
    /// The text as it stood on the wire, with anything that looks like a card number masked.
    public let message: String
    /// Code and text as they came, for the secrets to be taken out of; nil once that is done.
    private let heard: (code: String, message: String)?

    /// The longest text that is kept, in Unicode scalars.
    public static let charactersMax = 1_024
    /// The longest text that is looked through, in bytes. Of a longer one, which is no sentence of a provider's,
    /// nothing is kept but its length.
    public static let bytesReadMax = 64 * 1_024

    /// Keeps a code and a text.
    public init(code: String, message: String = "") {
        let heard = (code: Self.readable(code), message: Self.readable(message))
        (self.code, self.message) = Self.fit(heard.code, heard.message)
        self.heard = heard
    }

    /// The same without what a function takes out of texts.
    ///
    /// Once it is applied, what was cut away is forgotten.
    package func cleaned(by scrub: (String) -> String) -> ProviderMessage {
        let (code, message) = (scrub(heard?.code ?? code), scrub(heard?.message ?? message))
        // A secret may begin in the code and end in the text.
        let whole = scrub(code + message)
        return whole == code + message ? ProviderMessage(clean: code, message) : ProviderMessage(clean: "", whole)
    }

    /// The same without what is not shown of it, which a journal must not hold.
    var recordable: ProviderMessage { heard == nil ? self : cleaned(by: { $0 }) }

    private init(clean code: String, _ message: String) {
        (self.code, self.message) = Self.fit(code, message)
        heard = nil
    }

    /// A text that is looked through; of one that is too long, its length.
    package static func readable(_ text: String) -> String {
        let count = text.utf8.count
        return count <= bytesReadMax ? text : "(a text of \(count) bytes, which is too long to be shown)"
    }

    /// Code and text without card numbers, cut.
    private static func fit(_ code: String, _ message: String) -> (code: String, message: String) {
        // A number may begin in the code and end in the text; a masked one is as long as it was.
        let masked = Masking.cardNumbers(in: code + message).utf8
        let end = masked.index(masked.startIndex, offsetBy: code.utf8.count)
        return (
            Masking.beginning(of: String(decoding: masked[..<end], as: UTF8.self), scalarsMax: charactersMax),
            Masking.beginning(of: String(decoding: masked[end...], as: UTF8.self), scalarsMax: charactersMax)
        )
    }
}

extension ProviderMessage: Hashable {
    /// Messages are equal when what is shown of them is.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code && one.message == other.message }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

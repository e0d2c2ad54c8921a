/// The merchant's reference on a provider's row: an attempt's id, an order's number, or, as adapters can be set to write it,
/// the order, a tilde and the attempt's id.
struct MerchantReference {
    /// As it is on the row.
    let text: String

    init(_ text: String) { self.text = text }

    /// The attempt that it can name: no attempt's id has the mark that is before it.
    var attempt: String { mark.map { String(text[text.index(after: $0)...]) } ?? text }

    /// The order that it can name; the adapter may have cut it.
    var order: String {
        guard let mark, mark > text.startIndex else { return text }
        return String(text[..<mark])
    }

    /// Everything that it can name.
    var names: Set<String> { Set([text, order, attempt]).subtracting([""]) }

    private var mark: String.Index? { text.lastIndex(of: "~") }
}

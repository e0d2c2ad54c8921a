internal import PaymentBase

/// What goes with a request to the payment service, as pairs; read in both of its forms, written in the first.
struct SaleToAcquirerData: Sendable {
    private(set) var pairs: [FormField] = []

    /// Makes an empty one.
    init() {}

    /// Reads either form.
    init(_ text: String) { pairs = AdditionalResponse(text).pairs }

    /// Adds a pair, unless there is no value.
    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append(FormField(name, value)) }
    }

    /// The last value under a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// The first form; nil where there is nothing to say.
    var text: String? {
        if pairs.isEmpty { return nil }
        return FormEncoding.encode(pairs, spaces: .percent)
    }
}

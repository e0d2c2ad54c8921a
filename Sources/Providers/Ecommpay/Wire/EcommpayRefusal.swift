internal import PaymentBase

/// The body of a refusal, in each of its shapes.
struct EcommpayRefusal {
    let code: String
    let message: String

    init(_ json: JSON?) {
        let first = json?["errors"]?[0]
        code = Self.text(json?["code"]) ?? Self.text(first?["code"]) ?? ""
        let fields = (json?["errors"]?.object?.members ?? []).compactMap { $0.value.string }
        message = json?["message"]?.string ?? first?["message"]?.string ?? fields.joined(separator: "; ")
    }

    /// A code, which is a text in some places and a number in others.
    static func text(_ json: JSON?) -> String? { json?.string ?? json?.number?.text }
}

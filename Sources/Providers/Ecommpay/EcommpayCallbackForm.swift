internal import PaymentBase

/// Whether what a callback decides by has the form that the documents give it.
///
/// The signature covers paths and values as one text, with a colon between them: a value with a colon in it has the same
/// signature as an object that holds its second half, and an empty list has none. So a member that is missing because it
/// stands in another form must not be read as missing.
enum EcommpayCallbackForm {
    /// Which values a member can have.
    private enum Form { case text, name, sum }

    private static let payment: [(name: String, form: Form)] = [
        ("id", .text), ("status", .text), ("type", .text), ("method", .text), ("date", .text), ("sum", .sum),
        ("merchant_refund_id", .text),
    ]
    private static let operation: [(name: String, form: Form)] = [
        ("id", .name), ("type", .text), ("status", .text), ("date", .text), ("created_date", .text),
        ("request_id", .text), ("merchant_refund_id", .text), ("code", .name), ("message", .text), ("sum", .sum),
        ("sum_initial", .sum),
    ]

    /// Whether every member that a verdict is made of is missing or has its form.
    static func isDocumented(_ callback: JSON) -> Bool {
        if let inner = callback["payment"], !has(payment, inner) { return false }
        switch (callback["operation"], callback["operations"]) {
        case (nil, nil): return true
        case (let one?, nil): return has(operation, one)
        case (nil, let all?): return all.array.map { !$0.isEmpty && $0.allSatisfy { has(operation, $0) } } ?? false
        case (.some, .some): return false
        }
    }

    private static func has(_ members: [(name: String, form: Form)], _ json: JSON) -> Bool {
        guard json.object != nil else { return false }
        return members.allSatisfy { member in json[member.name].map { fits($0, member.form) } ?? true }
    }

    private static func fits(_ json: JSON, _ form: Form) -> Bool {
        if json == .null { return true }
        return switch form {
        case .text: json.string != nil
        case .name: json.string != nil || json.number != nil
        case .sum: json["amount"]?.number != nil && json["currency"]?.string != nil
        }
    }
}

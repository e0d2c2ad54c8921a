internal import PaymentBase

/// The body of a refusal; every member may be missing.
struct NIRefusal {
    let code: String
    let message: String

    init(_ json: JSON?) {
        let errors = json?["errors"]?.array ?? []
        code = errors.lazy.compactMap { $0["errorCode"]?.string ?? $0["errorCode"]?.number?.text }.first ?? ""
        let texts = errors.compactMap { $0["localizedMessage"]?.string ?? $0["message"]?.string }
        message = texts.isEmpty ? json?["message"]?.string ?? "" : texts.joined(separator: "; ")
    }
}

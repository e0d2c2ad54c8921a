internal import PaymentBase

/// The body of a refusal: a numbered error, or just a text.
struct HaloRefusal {
    let code: String
    let message: String

    init(_ json: JSON?) {
        let number = json?["errorCode"].flatMap { $0.string ?? $0.number?.text }
        (code, message) = (number ?? "", json?["message"]?.string ?? json?["error"]?.string ?? "")
    }
}

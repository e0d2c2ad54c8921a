internal import PaymentBase

/// What the provider says when it has accepted something; it never says that anything was paid.
struct EcommpayAck: Sendable {
    let payment: String
    /// The name of the request; nil where the provider only says that it has it already.
    let request: String?

    init(payment: String, request: String?) { (self.payment, self.request) = (payment, request) }

    /// Reads an answer; on our own connection it is about our own request, also where it doesn't name the payment.
    init?(_ json: JSON?, about payment: String) {
        guard json?["status"]?.string == "success" else { return nil }
        let request = json?["request_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        self.init(payment: json?["payment_id"]?.string ?? payment, request: request)
    }
}

internal import PaymentBase

/// What the provider says when it has accepted something; it never says that anything was paid.
struct EcommpayAck: Sendable {
    let payment: String
    /// The name of the request; nil where the provider only says that it has it already.
    let request: String?

    init(payment: String, request: String?) { (self.payment, self.request) = (payment, request) }

    init?(_ json: JSON?) {
        guard json?["status"]?.string == "success", let payment = json?["payment_id"]?.string,
            let request = json?["request_id"]?.string, !request.isEmpty
        else { return nil }
        self.init(payment: payment, request: request)
    }
}

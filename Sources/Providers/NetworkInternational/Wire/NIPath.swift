internal import PaymentBase

/// The company's paths; the card-present ones are relative to the base path.
enum NIPath {
    static let accessToken = "/identity/auth/access-token"
    static func deviceToken(_ outlet: String) -> String { "/identity/outlets/\(segment(outlet))/devices/auth" }
    static let readerToken = "/payment-card-reader-token"
    static let purchase = "/payment/card/purchase"
    static let authorise = "/payment/card/authorise"
    static let payments = "/reporting/payments"
    static func order(_ order: String) -> String { "/reporting/orders/\(segment(order))" }
    static func capture(_ order: String, _ payment: String) -> String {
        "/payment/card/orders/\(segment(order))/payments/\(segment(payment))/capture"
    }
    static func refund(_ order: String) -> String { "/payment/card/orders/\(segment(order))/actions/refund" }
    static func cancel(_ order: String) -> String { "/payment/card/orders/\(segment(order))/actions/cancel" }
    static func unbind(_ outlet: String, _ terminal: String) -> String {
        "/outlets/\(segment(outlet))/devices/tids/\(segment(terminal))/unbind"
    }

    /// The media types of the two APIs.
    static let identityType = "application/vnd.ni-identity.v1+json"
    static let softposType = "application/vnd.ni-softpos.v1+json"

    /// What can't be one piece of a path becomes a piece that names nothing.
    private static func segment(_ text: String) -> String { PercentEncoding.pathSegment(text) ?? "-" }
}

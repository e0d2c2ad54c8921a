internal import PaymentProviderKit

/// The provider's paths; the card-present ones are relative to the base path.
enum NIPath {
    static let accessToken = "/identity/auth/access-token"
    static func deviceToken(_ outlet: String) -> String { "/identity/outlets/\(outlet.pathPiece)/devices/auth" }
    static let readerToken = "/payment-card-reader-token"
    static let purchase = "/payment/card/purchase"
    static let authorise = "/payment/card/authorise"
    static let payments = "/reporting/payments"
    static func order(_ order: String) -> String { "/reporting/orders/\(order.pathPiece)" }
    static func capture(_ order: String, _ payment: String) -> String {
        "/payment/card/orders/\(order.pathPiece)/payments/\(payment.pathPiece)/capture"
    }
    static func refund(_ order: String) -> String { "/payment/card/orders/\(order.pathPiece)/actions/refund" }
    static func cancel(_ order: String) -> String { "/payment/card/orders/\(order.pathPiece)/actions/cancel" }
    static func unbind(_ outlet: String, _ terminal: String) -> String {
        "/outlets/\(outlet.pathPiece)/devices/tids/\(terminal.pathPiece)/unbind"
    }

    /// The media types of the two APIs.
    static let identityType = "application/vnd.ni-identity.v1+json"
    static let softposType = "application/vnd.ni-softpos.v1+json"
}

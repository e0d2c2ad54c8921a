internal import PaymentBase

/// Where the back office is asked for what.
enum CheckoutPath {
    static func captures(_ payment: String) -> String? { modification(payment, "captures") }
    static func refunds(_ payment: String) -> String? { modification(payment, "refunds") }
    static func cancels(_ payment: String) -> String? { modification(payment, "cancels") }
    static func reversals(_ payment: String) -> String? { modification(payment, "reversals") }
    static func amountUpdates(_ payment: String) -> String? { modification(payment, "amountUpdates") }
    /// A charge of an instrument that the provider keeps.
    static let payments = "/payments"
    /// A cancel by our own reference, where the payment's name is not known.
    static let technicalCancel = "/cancels"

    private static func modification(_ payment: String, _ verb: String) -> String? {
        PercentEncoding.pathSegment(payment).map { "/payments/\($0)/\(verb)" }
    }
}

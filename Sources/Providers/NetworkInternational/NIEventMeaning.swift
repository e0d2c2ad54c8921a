internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

/// What the name of an event says; the adapter itself takes every event as a hint and asks for the order.
enum NIEventMeaning {
    private static let done: Set<String> = [
        "AUTHORISED", "PURCHASED", "CAPTURED", "PARTIALLY_CAPTURED", "REFUNDED", "PARTIALLY_REFUNDED",
        "FULL_AUTH_REVERSED", "PURCHASE_REVERSED", "CAPTURE_VOIDED",
    ]
    private static let refused: Set<String> = [
        "DECLINED", "PURCHASE_DECLINED", "GATEWAY_RISK_PRE_AUTH_REJECTED", "PRE_AUTH_FRAUD_CHECK_REJECTED",
        "POST_AUTH_FRAUD_CHECK_REJECTED",
    ]
    /// A refund that is cancelled before midnight has come to nothing too.
    private static let nothing: Set<String> = [
        "AUTHORISATION_FAILED", "FULL_AUTH_REVERSAL_FAILED", "PURCHASE_FAILED", "PURCHASE_REVERSAL_FAILED",
        "CAPTURE_FAILED", "CAPTURE_VOID_FAILED", "CANCELLATION_FAILED", "PARTIAL_CAPTURE_FAILED", "REFUND_FAILED",
        "REFUND_REQUEST_FAILED", "PARTIAL_REFUND_FAILED", "PARTIAL_REFUND_REQUEST_FAILED", "REFUND_VOIDED",
        "REFUND_VOID_FAILED",
    ]
    private static let waiting: Set<String> = [
        "CANCELLATION_REQUESTED", "REFUND_REQUESTED", "PARTIAL_REFUND_REQUESTED", "REFUND_VOID_REQUESTED",
        "POST_AUTH_FRAUD_CHECK_REVIEW", "APM_PAYMENT_ACCEPTED",
    ]
    /// Events about a payment as a whole, whose amount is the payment's own.
    private static let origins: Set<String> = ["AUTHORISED", "PURCHASED", "DECLINED", "PURCHASE_DECLINED"]
    /// States that no payment has of which something was done.
    private static let contradicting: Set<String> = ["FAILED", "STARTED", "PENDING", "AWAIT_3DS", "AWAIT3DS"]

    static func inspection(_ json: JSON) -> Inspection {
        guard let hook = NIWebhook(json) else { return .unknown("webhook") }
        let payment = json["order"]?["_embedded"]?["payment"]?[0]
        var found = meaning(hook.event, state: payment?["state"]?.string)
        found.providerReference = payment?["reference"]?.string ?? hook.order
        found.originalReference = hook.order
        if origins.contains(hook.event) {
            found.amount = NIAmount(payment?["amount"])?.money ?? NIAmount(json["order"]?["amount"])?.money
        }
        if let movement = lastMovement(hook.event, payment) {
            found.amount = NIAmount(movement["amount"])?.money
        }
        return found
    }

    private static func meaning(_ event: String, state: String?) -> Inspection {
        if done.contains(event) {
            let isBelied = state.map { contradicting.contains($0) } ?? false
            return isBelied ? .unknown(event) : Inspection(event, .approved, .executed)
        }
        if refused.contains(event) { return Inspection(event, .declined, .notExecuted) }
        if nothing.contains(event) { return Inspection(event, .failed, .notExecuted) }
        if waiting.contains(event) { return Inspection(event, .pending, .unknown) }
        switch event {
        case "CANCELLED": return Inspection(event, .cancelled, .notExecuted)
        case "ORDER_CLOSED": return Inspection(event, .none, .notExecuted)
        case "POST_AUTH_FRAUD_CHECK_ACCEPTED": return Inspection(event, .none, .unknown)
        default: return .unknown(event)
        }
    }

    /// The capture or the refund that an event is most likely about, which is the only one, where there is only one.
    private static func lastMovement(_ event: String, _ payment: JSON?) -> JSON? {
        let isRefund = event.contains("REFUND")
        guard isRefund || event.contains("CAPTURE") else { return nil }
        let listed = payment?["_embedded"]?[isRefund ? "cnp:refund" : "cnp:capture"]?.array ?? []
        return listed.count == 1 ? listed[0] : nil
    }
}

import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

/// The Adyen driver broken on purpose, on the line: each as a mistake in its mapping would look to the provider or to
/// the client.
enum AdyenMutants {
    static let all: [Mutant] = requests + replies + backOffice + news + terminal

    private static let sync = "/sync"

    /// Changes a payment's request only, so that prepared terminals stay prepared.
    private static func request(
        _ id: String, _ sentence: String, _ check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .request("adyen.\(id)", sentence, caughtBy: check, sync, path, change) }

    private static func reply(
        _ id: String, _ sentence: String, _ check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .reply("adyen.\(id)", sentence, caughtBy: check, sync, path, change) }

    private static func modified(
        _ id: String, _ sentence: String, _ check: String, _ verb: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .request("adyen.\(id)", sentence, caughtBy: check, verb, path, change) }

    private static func times(_ json: JSON, _ factor: Int64) -> JSON {
        guard let units = json.number?.scaled(places: 2) else { return json }
        return .number(JSONNumber(units: units * factor, places: 2))
    }

    private static let payment = "SaleToPOIRequest.PaymentRequest."
    private static let amount = FieldPath(payment + "PaymentTransaction.AmountsReq.RequestedAmount")
    private static let acquirer = FieldPath("SaleToPOIRequest.*.SaleData.SaleToAcquirerData")

    /// The amounts of a request that asks for the tip twice.
    static let withTheTip: @Sendable (JSON) -> JSON? = { amounts in
        guard let asked = amounts["RequestedAmount"]?.number?.scaled(places: 2),
            let tip = amounts["TipAmount"]?.number?.scaled(places: 2)
        else { return amounts }
        return FieldPath("RequestedAmount").changing(amounts) { _ in
            .number(JSONNumber(units: asked + tip, places: 2))
        }
    }

    private static let requests: [Mutant] = [
        request("amount.minor", "Sends minor units where terminals want major ones.", "sale.approved", amount) {
            times($0, 100)
        },
        request("amount.truncated", "Drops the decimals.", "amount.odd", amount) {
            .number(JSONNumber(($0.number?.scaled(places: 4) ?? 0) / 10_000))
        },
        request(
            "currency.swapped", "Always sends euro.", "amount.exponent-0",
            FieldPath(payment + "PaymentTransaction.AmountsReq.Currency")
        ) { _ in "EUR" },
        request(
            "reference.dropped", "Sends no name of ours.", "lookup.late-arrival",
            FieldPath("SaleToPOIRequest.MessageHeader.ServiceID")
        ) { _ in "CONSTANT" },
        request(
            "tip.inside", "Asks for the whole amount and sends the tip in it beside that.", "sale.tip",
            FieldPath(payment + "PaymentTransaction.AmountsReq"), withTheTip),
        request("preauth.dropped", "Charges at once where it should only hold.", "authorize.held", acquirer) {
            $0.string.map { .string($0.replacing("authorisationType=PreAuth", with: "x=y")) } ?? $0
        },
        request("partial.always", "Asks for parts although nobody can answer.", "question.partial-not-asked", acquirer)
        {
            $0.string.map { .string("tenderOption=AllowPartialAuthorisation&" + $0) } ?? $0
        },
        request(
            "refund.charges", "Forgets that money is given.", "refund.unlinked-reader",
            FieldPath(payment + "PaymentData")
        ) { _ in nil },
        request(
            "reversal.whole", "Gives back everything instead of a part.", "refund.part",
            "SaleToPOIRequest.ReversalRequest.ReversedAmount"
        ) { _ in nil },
        request(
            "reversal.double", "Gives back twice the part.", "refund.parts-then-rest",
            "SaleToPOIRequest.ReversalRequest.ReversedAmount"
        ) { times($0, 2) },
        request(
            "reversal.other", "Names the wrong payment.", "refund.all",
            "SaleToPOIRequest.ReversalRequest.OriginalPOITransaction.POITransactionID.TransactionID"
        ) { _ in "4r7i00.unknown" },
        request("reversal.currency", "Leaves the currency of a part out.", "refund.part", acquirer) { json in
            json.string?.hasPrefix("currency=") == true ? nil : json
        },
        request(
            "status.self", "Asks for the status of another message.", "lookup.reply-lost",
            "SaleToPOIRequest.TransactionStatusRequest.MessageReference.ServiceID"
        ) { _ in "0000000000" },
        request(
            "abort.nobody", "Aborts another message.", "reader.cancel-waiting",
            "SaleToPOIRequest.AbortRequest.MessageReference.ServiceID"
        ) { _ in "0000000000" },
        .twice("adyen.sent.twice", "Sends every message twice.", caughtBy: "sale.approved", sync),
    ]

    private static let result = FieldPath("SaleToPOIResponse.PaymentResponse.Response.Result")
    private static let condition = FieldPath("SaleToPOIResponse.PaymentResponse.Response.ErrorCondition")

    private static func word(_ from: String, _ to: String) -> @Sendable (JSON) -> JSON? {
        { $0.string == from ? .string(to) : $0 }
    }

    private static let replies: [Mutant] = [
        reply("refusal.swallowed", "Takes a refusal for a cancellation.", "sale.insufficient-funds", condition) {
            word("Refusal", "Cancel")($0)
        },
        reply("busy.declines", "Takes busy for a refusal.", "error.busy-once", condition) {
            word("Busy", "Refusal")($0)
        },
        reply(
            "unknown.declines", "Takes an unknown result for a refusal.", "lookup.unknown-word",
            "SaleToPOIResponse.PaymentResponse.Response"
        ) { json in
            ["Success", "Failure", "Partial"].contains(json["Result"]?.string)
                ? json
                : [
                    "Result": "Failure", "ErrorCondition": "Refusal",
                    "AdditionalResponse": "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE",
                ]
        },
        reply("partial.success", "Does not say that a part is a part.", "question.partial-refused", result) {
            word("Partial", "Success")($0)
        },
        reply(
            "code.dropped", "Drops the reason of a refusal.", "error.raw-code",
            "SaleToPOIResponse.PaymentResponse.Response.AdditionalResponse"
        ) { _ in nil },
        reply(
            "name.dropped", "Keeps the tender's half of the name only.", "refund.all",
            "SaleToPOIResponse.PaymentResponse.POIData.POITransactionID.TransactionID"
        ) { json in .string(json.string?.split(separator: ".").first.map { "\($0).0" } ?? "") },
        reply(
            "status.unrepeated", "Does not look at what the terminal repeats.", "details.found",
            "SaleToPOIResponse.TransactionStatusResponse.RepeatedMessageResponse"
        ) { _ in nil },
        reply(
            "reversal.done", "Takes received for refused.", "refund.all",
            "SaleToPOIResponse.ReversalResponse.Response"
        ) { _ in
            [
                "Result": "Failure", "ErrorCondition": "Refusal",
                "AdditionalResponse": "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE",
            ]
        },
    ]

    private static let value: FieldPath = "amount.value"

    private static let backOffice: [Mutant] = [
        modified("capture.major", "Captures major units.", "capture.part", "/captures", value) {
            .number(JSONNumber(($0.int64 ?? 0) / 100))
        },
        modified("adjust.more", "Holds more than it was told.", "adjust.up", "/amountUpdates", value) {
            .number(JSONNumber(($0.int64 ?? 0) + 1))
        },
        modified("capture.nameless", "Captures under no name of ours.", "capture.replayed", "/captures", "reference") {
            _ in "somebody-else"
        },
        .target("adyen.void.captures", "Captures where it should cancel.", caughtBy: "void.authorisation") {
            $1.replacing("/cancels", with: "/captures")
        },
        .target("adyen.capture.cancels", "Cancels where it should capture.", caughtBy: "capture.all") {
            $1.replacing("/captures", with: "/cancels")
        },
        .target("adyen.void.refuses", "Cancels what was charged.", caughtBy: "void.sale") {
            $1.replacing("/reversals", with: "/cancels")
        },
        .wire("adyen.refund.keyless", "Sends a refund again without its key.", caughtBy: "refund.after-capture") {
            Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                request.headers["idempotency-key"] = nil
                if request.path.hasSuffix("/refunds") { _ = try await next(request) }
                return try await next(request)
            }
        },
    ]

    private static let item = "notificationItems.*.NotificationRequestItem."

    private static let news: [Mutant] = [
        .news(
            "adyen.webhook.unsigned", "Believes what carries no proof that fits.", caughtBy: "refund.pending",
            FieldPath(item + "additionalData.hmacSignature")
        ) { _ in "AAAA" },
        .news(
            "adyen.webhook.renamed", "Reads one event as another.", caughtBy: "refund.pending-fails",
            FieldPath(item + "eventCode")
        ) { _ in "REPORT_AVAILABLE" },
    ]
}

package import PaymentBase
internal import PaymentCore
package import PaymentModel

/// What belongs on the receipt of one attempt.
package struct ReceiptView: Sendable {
    /// The attempt.
    package let attempt: Attempt
    /// What the provider gave for it.
    package let receipt: Receipt
    /// The amounts of the whole payment.
    private let amounts: PaymentAmounts

    /// The receipts of a payment, in the order of its attempts.
    package static func all(of payment: PaymentRecord) -> [ReceiptView] {
        let amounts = payment.amounts
        return payment.attempts.compactMap { attempt in
            attempt.receipt.map { ReceiptView(attempt, $0, amounts) }
        }
    }

    private init(_ attempt: Attempt, _ receipt: Receipt, _ amounts: PaymentAmounts) {
        (self.attempt, self.receipt, self.amounts) = (attempt, receipt, amounts)
    }

    /// What was approved, also where that failed later; what was asked for while nothing was.
    package var amount: Money {
        attempt.approval?.amount ?? attempt.reports.lazy.compactMap { $0.approval?.amount }.first
            ?? attempt.intent.amount
    }

    /// Where it stands on paper: a void undoes what the payment came from.
    package var status: String {
        // The till has not said yet whether the part stays.
        if attempt.mayReturnPart { return "running" }
        return attempt.state == .approved && attempt.intent.isOrigin && amounts.isVoided ? "voided" : attempt.status
    }

    /// The tags of the chip's application, which belong on paper.
    package var paperTags: [Receipt.EMVTag] { receipt.tags.filter { ["4F", "84", "9F06"].contains($0.tag) } }

    private static let parts: [(String, @Sendable (Quote.Breakdown) -> Money?)] = [
        ("base", { $0.base }), ("discount", { $0.discount }), ("cashDiscount", { $0.cashDiscount }),
        ("surcharge", { $0.surcharge }), ("tip", { $0.tip }), ("tax", { $0.tax }), ("total", { $0.total }),
    ]

    /// The parts of an amount, by name.
    package static let breakdown = AnyShape(
        name: "Breakdown", schema: Schema.object(parts.map { ($0.0, Schema.moneyOrNull) }), uses: [PaymentView.money])

    /// The parts of an amount, as ``breakdown`` has them.
    package static func json(_ breakdown: Quote.Breakdown) -> JSON {
        var object = JSONObject()
        for (name, read) in parts { object[name] = .money(read(breakdown)) }
        return .object(object)
    }

    /// The shape of every receipt.
    package static let shape = Shape<ReceiptView>(
        "Receipt", uses: [PaymentView.money, breakdown], moved + words + merchant + printed)

    private static let moved: [Shape<ReceiptView>.Member] = [
        .init("attempt", Schema.text, "The attempt.") { .string($0.attempt.intent.attempt.text) },
        .init("operation", Schema.text, "What was done.") { .string($0.attempt.intent.operation.rawValue) },
        .init(
            "status", Schema.open(Attempt.statuses + ["voided"]), "Where it stands: only what is approved moved money."
        ) {
            .string($0.status)
        },
        .init("amount", Schema.money, "How much.") { MoneyForm.json($0.amount) },
    ]

    private static let words: [Shape<ReceiptView>.Member] = [
        .init("authorizationCode", Schema.textOrNull, "The issuer's approval code.") {
            .text($0.receipt.authorizationCode)
        },
        .init("responseCode", Schema.textOrNull, "The host's response code.") { .text($0.receipt.responseCode) },
        .init("responseText", Schema.textOrNull, "The host's response in words.") { .text($0.receipt.responseText) },
        .init("retrievalReference", Schema.textOrNull, "The retrieval reference number.") {
            .text($0.receipt.retrievalReference)
        },
        .init("verification", Schema.textOrNull, "How the cardholder was verified.") { .text($0.receipt.verification) },
        .init("at", Schema.moment, "When it happened.") { Moment.json($0.receipt.at) },
    ]

    private static let merchant: [Shape<ReceiptView>.Member] = [
        .init("merchant", Schema.textOrNull, "The merchant's name on the receipt.") {
            .text($0.receipt.merchant?.name)
        },
        .init("address", Schema.textOrNull, "The merchant's address on the receipt.") {
            .text($0.receipt.merchant?.address)
        },
        .init("terminal", Schema.textOrNull, "The terminal's id.") { .text($0.receipt.merchant?.terminalID) },
    ]

    private static let printed: [Shape<ReceiptView>.Member] = [
        .init("signatureRequired", Schema.flag, "Whether the customer has to sign.") {
            .bool($0.receipt.signatureRequired)
        },
        .init(
            "breakdown", ["anyOf": [breakdown.reference, ["type": "null"]]], "What the amount is made of."
        ) { $0.receipt.breakdown.map(json) ?? .null },
        .init(
            "tags",
            ["type": "array", "items": Schema.object([("tag", Schema.text), ("value", Schema.text)])],
            "The application on the chip, by EMV tag. The journal keeps the other tags for disputes."
        ) { view in .array(view.paperTags.map { ["tag": .string($0.tag), "value": .string($0.value)] }) },
        .init(
            "lines",
            [
                "type": "array",
                "items": Schema.object([
                    ("copy", Schema.text), ("label", Schema.text), ("value", Schema.textOrNull),
                    ("isBold", Schema.flag),
                ]),
            ], "Lines that the provider formatted."
        ) { view in
            .array(
                view.receipt.lines.map { line in
                    [
                        "copy": .string(line.copy.rawValue), "label": .string(line.label), "value": .text(line.value),
                        "isBold": .bool(line.isBold),
                    ]
                })
        },
    ]
}

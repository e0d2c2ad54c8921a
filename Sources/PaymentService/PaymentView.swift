package import PaymentBase
package import PaymentCore
internal import PaymentJournalKit
package import PaymentModel

/// Payments as the API shows them.
package enum PaymentView {
    /// A payment, and what the journal has beside it.
    package struct Seen: Sendable {
        package let record: PaymentRecord
        /// Other payments that are active under its reference and part.
        let beside: [PaymentID]

        /// Reads what is beside it; another payment that can't be read harms no other.
        package init(_ record: PaymentRecord, by client: PaymentClient) async {
            (self.record, beside) = (record, (try? await client.activeBeside(record)) ?? [])
        }

        /// Several payments, each with what is beside it.
        package static func all(_ records: [PaymentRecord], by client: PaymentClient) async -> [Seen] {
            let beside = await client.activeBeside(records)
            return records.map { Seen($0, beside: beside[$0.id] ?? []) }
        }

        private init(_ record: PaymentRecord, beside: [PaymentID]) { (self.record, self.beside) = (record, beside) }
    }

    /// A payment in a list.
    package static let summary = Shape<Seen>("PaymentSummary", uses: [money, amounts], members)
    /// A payment with its attempts.
    package static let whole = Shape<Seen>(
        "Payment", uses: [money, amounts, AttemptView.shape.any],
        members + [
            .init(
                "attempts", ["type": "array", "items": AttemptView.shape.any.reference],
                "Everything that was asked for, in the order in which it began."
            ) { seen, role in
                let status = seen.record.statusForGoods
                return .array(
                    seen.record.attempts.map { attempt in
                        var view = AttemptView(attempt)
                        view.paymentStatus = status
                        return AttemptView.shape.json(view, for: role)
                    })
            }
        ])

    /// An amount.
    package static let money = AnyShape(name: "Money", schema: MoneyForm.schema)

    private static let members: [Shape<Seen>.Member] = [
        .init("payment", Schema.text, "The id.") { .string($0.record.id.attempt.text) },
        .init("reference", Schema.textOrNull, "The reference.") { .text($0.record.origin?.intent.reference) },
        .init("part", Schema.text, "The part of the reference.") { .string($0.record.origin?.intent.part ?? "") },
        .init("operation", Schema.open(PaymentOperation.allCases.map(\.rawValue)), "What it began with.") {
            .string($0.record.operation.rawValue)
        },
        .init("amount", Schema.money, "What was asked for when it began.") { MoneyForm.json($0.record.requested) },
        .init("status", Schema.open(PaymentRecord.statuses), "Where it stands as a whole.") {
            .string($0.record.status)
        },
        .init(
            "paymentStatus", Schema.open(PaymentRecord.statusesForGoods),
            "The same for handing over goods: what may be going back is `refunding` or `voiding`."
        ) { .string($0.record.statusForGoods) },
        .init(
            "amounts", amounts.reference, "All amounts."
        ) { json($0.record.amounts) },
        .init(
            "card", Schema.orNull(CardSummary.schema), "The card, as far as it may be shown."
        ) { $0.record.card?.json ?? .null },
        .init("source", Schema.textOrNull, "Where the money came from, such as `reader`.") {
            .text($0.record.source?.rawValue)
        },
        .init("provider", Schema.text, "The provider that took it.") { .string($0.record.provider.id.rawValue) },
        .init("account", Schema.text, "The merchant's account there.") { .string($0.record.provider.merchant) },
        .init("environment", Schema.text, "The environment, such as `sandbox`.") {
            .string($0.record.provider.environment)
        },
        .init("names", Schema.map, "What the provider calls it.") { .object(JSONObject(texts: $0.record.references)) },
        .init("metadata", Schema.map, "What the shop keeps with it.") { seen in
            .object(JSONObject(texts: seen.record.origin?.intent.metadata ?? [:]))
        },
        .init("createdAt", Schema.moment, "When it began.") { Moment.json($0.record.createdAt) },
        .init("updatedAt", Schema.moment, "When something about it changed last.") { seen in
            Moment.json(seen.record.attempts.compactMap { $0.changedAt?.wall }.max())
        },
        .init("openAttempts", Schema.texts, "Attempts that are not decided.") { seen in
            .array(seen.record.openAttempts.map { .string($0.intent.attempt.text) })
        },
        .init(
            "attention",
            [
                "type": "array",
                "items": Schema.object([("kind", Schema.text), ("since", Schema.moment), ("text", Schema.text)]),
            ], "What a person has to look at."
        ) { .array(attention($0)) },
    ]

    /// What a person has to look at; each is there until it is decided.
    private static func attention(_ seen: Seen) -> [JSON] {
        func item(_ kind: String, _ since: Int64?, _ text: String) -> JSON {
            ["kind": .string(kind), "since": Moment.json(since), "text": .string(text)]
        }
        let (record, currency) = (seen.record, seen.record.requested.currency)
        var found = record.conflictingAttempts.map { attempt in
            item(
                "contradiction", attempt.changedAt?.wall,
                "Two final reports about \(attempt.intent.attempt) can't both be true.")
        }
        found += record.attempts.filter(\.isUnseenChargeback).map { attempt in
            item(
                "chargeback", attempt.changedAt?.wall,
                "The customer's bank took \(attempt.moved ?? attempt.intent.amount) back. A refund beside it waits "
                    + "until a person acknowledges \(attempt.intent.attempt).")
        }
        found += record.attempts.filter(\.hasOpenDispute).map { attempt in
            item(
                "disputed", attempt.changedAt?.wall,
                "An approval of \(attempt.intent.attempt) may be another payment's. A person has to say whose it is.")
        }
        found += record.attempts.filter { record.keepsExcess(of: $0) }.map { attempt in
            item(
                "amount", attempt.changedAt?.wall,
                "\(attempt.moved ?? attempt.intent.amount) was executed for \(attempt.intent.attempt), and "
                    + "\(attempt.intent.amount) was asked for. "
                    + (attempt.givesMoney ? "Compare it with the provider." : "Refund what is too much."))
        }
        found += record.attempts.filter { $0.blocksByCurrency(currency) }.map { attempt in
            item(
                "amount", attempt.changedAt?.wall,
                "The provider's \(attempt.intent.operation.rawValue) \(attempt.intent.attempt) is over "
                    + "\(attempt.moved ?? attempt.intent.amount). Other operations wait until a person says how much that "
                    + "is in \(currency.code).")
        }
        found += seen.beside.map { other in
            item(
                "activeTwice", record.createdAt,
                "\(other.attempt) is active under the same reference. If both pay for the same goods, refund one.")
        }
        return found
    }

    private static let sums: [(String, @Sendable (PaymentAmounts) -> Money)] = [
        ("authorized", { $0.authorized }), ("captured", { $0.captured }), ("capturePending", { $0.capturePending }),
        ("capturable", { $0.capturableNow }), ("refunded", { $0.refunded }), ("chargedBack", { $0.chargedBack }),
        ("refundPending", { $0.refundPending }),
        ("refundable", { $0.refundable }), ("released", { $0.released }), ("inDoubt", { $0.inDoubt }),
        ("inFlight", { $0.inFlight }),
    ]

    private static let flags: [(String, @Sendable (PaymentAmounts) -> Bool)] = [
        ("isVoided", { $0.isVoided }), ("isOffline", { $0.isOffline }),
    ]

    /// All amounts of a payment.
    package static let amounts = AnyShape(
        name: "Amounts",
        schema: Schema.object(sums.map { ($0.0, Schema.money) } + flags.map { ($0.0, Schema.flag) }), uses: [money])

    /// The amounts of a payment, as ``amounts`` has them.
    package static func json(_ amounts: PaymentAmounts) -> JSON {
        var object = JSONObject()
        for (name, read) in sums { object[name] = MoneyForm.json(read(amounts)) }
        for (name, read) in flags { object[name] = .bool(read(amounts)) }
        return .object(object)
    }

    /// An event with its place, if it is recorded.
    package struct PlacedEvent: Sendable {
        let event: PaymentEvent
        let place: String?

        package init(event: PaymentEvent, place: String?) { (self.event, self.place) = (event, place) }

        /// A recorded event of a payment.
        package init(_ event: PaymentEvent, of payment: PaymentID) {
            self.init(event: event, place: EventPlace(payment, event.sequence).text)
        }

        /// An event that nothing records.
        package init(live event: PaymentEvent) { self.init(event: event, place: nil) }
    }

    /// One step in the life of a payment.
    package static let event = Shape<PlacedEvent>(
        "Event",
        [
            .init(
                "id", Schema.textOrNull,
                "Its place in what is recorded, to follow from it; null for what is live."
            ) { .text($0.place) },
            .init("at", Schema.moment, "When it happened.") { Moment.json($0.event.at) },
            .init("kind", Schema.text, "What happened; an open list.") { .string($0.event.kind.rawValue) },
            .init("payment", Schema.textOrNull, "The payment.") { .text($0.event.payment?.attempt.text) },
            .init("attempt", Schema.textOrNull, "The attempt.") { .text($0.event.attempt?.text) },
            .init("provider", Schema.textOrNull, "The provider.") { .text($0.event.provider?.rawValue) },
            .init("attributes", Schema.map, "What belongs to it, by name.") {
                .object(JSONObject(texts: $0.event.attributes))
            },
        ])
}

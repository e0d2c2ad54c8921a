import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentTesting

extension Mutant {
    /// A mutant of the books: it lets some attempts begin that must not.
    static func forgiving(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ forgives: @escaping @Sendable (AttemptIntent, Beginning) -> Bool
    ) -> Mutant {
        books(id, sentence, caughtBy: check) { $0.forgive(forgives) }
    }

    /// A mutant of the books that forgives one operation whatever it is refused for.
    static func allows(
        _ operation: PaymentOperation, _ id: String, _ sentence: String, caughtBy check: String
    ) -> Mutant {
        forgiving(id, sentence, caughtBy: check) { intent, answer in
            guard case .refused = answer else { return false }
            return intent.operation == operation
        }
    }

    static let journals: [Mutant] = [
        allows(.capture, "books.capture-more", "Lets more be captured than is held.", caughtBy: "capture.too-much"),
        allows(.capture, "books.capture-sale", "Lets a sale be captured.", caughtBy: "capture.after-sale"),
        allows(.capture, "books.capture-undone", "Lets be captured what was undone.", caughtBy: "void.capture-after"),
        allows(.void, "books.void-again", "Lets be undone what was undone.", caughtBy: "void.twice"),
        allows(.refund, "books.refund-more", "Lets more be given back than was charged.", caughtBy: "refund.too-much"),
        allows(.refund, "books.refund-again", "Lets everything be given back again.", caughtBy: "refund.twice"),
        allows(.refund, "books.refund-undone", "Lets be given back what was undone.", caughtBy: "void.then-refund"),
        allows(.refund, "books.refund-declined", "Lets a decline be given back.", caughtBy: "refund.declined-sale"),
        allows(
            .sale, "books.reference-blind", "Lets a sale begin while another is open under its reference.",
            caughtBy: "attempt.open-reference"),
        forgiving("books.sells-again", "Sends again what is recorded.", caughtBy: "attempt.replayed") { _, answer in
            if case .recorded = answer { true } else { false }
        },
        forgiving(
            "books.declines-again", "Sends again what is recorded as a decline.", caughtBy: "attempt.replayed-decline"
        ) { _, answer in
            if case .recorded(let record) = answer { record.approval == nil } else { false }
        },
        forgiving(
            "books.captures-again", "Sends a recorded capture again.", caughtBy: "capture.replayed"
        ) { intent, answer in
            if case .recorded = answer { intent.operation == .capture } else { false }
        },
        forgiving(
            "books.memory-only", "Forgets what another process has recorded.", caughtBy: "attempt.after-restart"
        ) { _, answer in
            if case .recorded = answer { true } else { false }
        },
        forgiving(
            "books.no-conflict", "Takes one name for two things.", caughtBy: "attempt.other-content"
        ) { _, answer in
            if case .conflict = answer { true } else { false }
        },
        books("books.nothing-settled", "Takes what is settled for open.", caughtBy: "lookup.decided") {
            $0.onRecords = { query, records in
                guard case .attempt = query else { return records }
                return records.map { record in
                    var record = record
                    if case .concluded = record.state { record.state = .inDoubt }
                    return record
                }
            }
        },
        books("journal.any-round", "A journal that marks whoever comes.", caughtBy: "attempt.lost-round") {
            $0.markAnyone()
        },
        allows(
            .refund, "books.refund-in-doubt", "Lets be given back while another refund is in doubt.",
            caughtBy: "refund.lost-reply-blocks"),
        allows(
            .void, "books.void-refunded", "Lets be undone what was refunded in part.", caughtBy: "void.after-refund"),
        allows(
            .refund, "books.refund-other-currency", "Lets be given back in another currency.",
            caughtBy: "refund.other-currency"),
        books("books.once-only", "Never lets an attempt begin again.", caughtBy: "attempt.begun-again") {
            $0.onBegin = { inner, intent, terms, instant in
                if try await inner.records(.attempt(intent.attempt)).isEmpty {
                    return try await inner.begin(intent, terms, at: instant)
                }
                return .refused(.notAllowed("it was begun before"))
            }
        },
        books("books.marks-early", "Marks as sent what was only begun.", caughtBy: "attempt.crash-before-mark") {
            $0.onBegin = { inner, intent, terms, instant in
                let answer = try await inner.begin(intent, terms, at: instant)
                if case .fresh(let record) = answer {
                    try await inner.mark(intent.attempt, round: record.round, .submitted(at: instant))
                }
                return answer
            }
        },
        books("books.loses-sales", "Never writes down that a sale was done.", caughtBy: "cancel.after-mark") {
            $0.lose(.sale)
        },
        books(
            "books.loses-shared-sales", "Never writes down what two callers wait for.", caughtBy: "cancel.one-of-two"
        ) { $0.lose(.sale) },
        books("books.loses-refunds", "Never writes down that a refund was done.", caughtBy: "cancel.refund") {
            $0.lose(.refund)
        },
        knowsPayments("books.any-payment", .authorize, caughtBy: "capture.unknown-payment"),
        knowsPayments("books.any-sale", .sale, caughtBy: "refund.unknown-payment"),
        books("books.any-attempt", "Knows attempts that nobody made.", caughtBy: "lookup.nobody") {
            $0.onRecords = { query, records in
                guard case .attempt(let attempt) = query, records.isEmpty else { return records }
                return [made(attempt, .sale, .inDoubt)].compactMap { $0 }
            }
        },
        unlinked,
    ]

    /// Whom the memory driver speaks to.
    private static let identity = try? MemoryHarness().open(TestScheduler()).driver(.open).identity

    private static func made(
        _ attempt: AttemptID, _ operation: PaymentOperation, _ state: AttemptRecord.State
    ) -> AttemptRecord? {
        guard let identity else { return nil }
        let intent = AttemptIntent(
            attempt, operation, Money(minorUnits: 5_000, .eur), reference: "made-up", payment: nil)
        var record = AttemptRecord(intent, identity, round: 1, at: 0, owner: "")
        record.state = state
        return record
    }

    /// A mutant of the books that knows every payment, and lets it be gone on with.
    private static func knowsPayments(
        _ id: String, _ operation: PaymentOperation, caughtBy check: String
    ) -> Mutant {
        books(id, "Knows payments that nobody made.", caughtBy: check) {
            $0.forgive { _, answer in
                if case .refused = answer { true } else { false }
            }
            $0.onRecords = { query, records in
                guard case .payment(let payment) = query, records.isEmpty
                else { return records }
                let approval = Approval(Money(minorUnits: 5_000, .eur))
                return [made(payment.attempt, operation, .concluded(.approved(approval)))].compactMap { $0 }
            }
        }
    }

    /// Gives back without naming the payment, so that the provider can't see that it is too much.
    private static var unlinked: Mutant {
        var mutant = allows(
            .refund, "books.refund-unlinked", "Gives back twice without naming the payment.",
            caughtBy: "concurrency.last-euro")
        mutant.drive = HookedDriver.over {
            $0.onRefund = { inner, request, context in
                let card = PaymentSource.token(Secret("card-token"), last4: "1111")
                let request = UnlinkedRefundRequest(request.amount, to: card, reference: "back")
                return try await inner.refundUnlinked(request, context)
            }
        }
        return mutant
    }
}

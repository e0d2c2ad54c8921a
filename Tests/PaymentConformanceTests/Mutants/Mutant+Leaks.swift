import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    private static let leaked = "memory-client-secret"

    /// A mutant that hands a credential on in what it says about a sale, and does not name it as one.
    private static func leaks(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ leak: @escaping @Sendable (Verdict, PaymentContext) async throws -> Verdict
    ) -> Mutant {
        driver(id, sentence, caughtBy: check) {
            $0.given = []
            $0.onSale = { inner, request, context in try await leak(try await inner.sale(request, context), context) }
        }
    }

    static let leaks: [Mutant] = [
        leaks("secrets.in-reference", "Calls a payment by its credential.", caughtBy: "redaction.payment") {
            verdict, _ in
            guard case .approved(var approval) = verdict else { return verdict }
            approval.references["trace"] = leaked
            return .approved(approval)
        },
        leaks("secrets.in-decline", "Puts its credential into a decline.", caughtBy: "redaction.decline") {
            verdict, _ in
            guard case .declined(let decline) = verdict else { return verdict }
            return .declined(
                Decline(decline.reason, provider: ProviderMessage(code: decline.provider.code, message: leaked)))
        },
        leaks("secrets.remembered", "Writes its credential down.", caughtBy: "redaction.journal") {
            verdict, context in
            try context.note("trace", leaked)
            return verdict
        },
        leaks("secrets.told", "Tells its credential in an event.", caughtBy: "redaction.events") {
            verdict, context in
            context.emit(PaymentEvent.Kind(rawValue: "trace"), ["trace": leaked])
            return verdict
        },
        driver("secrets.in-error", "Puts its credential into errors.", caughtBy: "redaction.error") {
            $0.given = []
            $0.onClassify = { inner, error in
                var fault = inner.classify(error)
                fault.provider = ProviderMessage(code: "trace", message: leaked)
                return fault
            }
        },
        driver("webhook.second-adds", "Adds what the same message says once more.", caughtBy: "webhook.twice") {
            let heard = Locked(Set<[UInt8]>())
            $0.onNotices = { inner, message in
                let notices = try inner.notices(in: message)
                if heard.withLock({ $0.insert(message.body).inserted }) { return notices }
                return notices.map { notice in
                    guard case .approved(let said)? = notice.verdict else { return notice }
                    let twice = Money(minorUnits: said.amount.minorUnits * 2, said.amount.currency)
                    return ProviderNotice(
                        notice.subject, .approved(Approval(twice, references: said.references)),
                        at: notice.at.map { $0 + 1 }, kind: notice.kind)
                }
            }
        },
        hintSells,
    ]

    /// Takes every message for a hint, and sells when it asks what became of it.
    private static var hintSells: Mutant {
        var mutant = sells("webhook.sells", "Sells when it hears a message.", caughtBy: "webhook.silent") {
            $0.path.hasPrefix("/attempts/")
        }
        mutant.wrapDriver = HookedDriver.over {
            $0.onNotices = { inner, message in
                try inner.notices(in: message).map { ProviderNotice($0.subject, nil, at: $0.at, kind: $0.kind) }
            }
        }
        return mutant
    }
}

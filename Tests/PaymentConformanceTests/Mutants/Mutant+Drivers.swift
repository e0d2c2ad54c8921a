import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

/// The memory driver with a description that says too much.
struct TalkativeDriver: PaymentDriver, CustomStringConvertible {
    let inner: MemoryDriver
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { inner.secrets }
    var description: String { "Driver(\(inner.secrets.map { $0.expose() }))" }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .cannotTell("It never tells.")
    }
}

extension Mutant {
    static let drivers: [Mutant] =
        [
            driver("lookup.never-tells", "Can never tell.", caughtBy: "lookup.can-tell") {
                $0.onLookup = { _, _, _ in .cannotTell("It never tells.") }
            },
            driver("lookup.never-sees", "Never sees anything.", caughtBy: "lookup.reply-lost") {
                $0.onLookup = { _, _, _ in .notFound(seesBack: nil) }
            },
            driver("lookup.always-finds", "Finds whatever it is asked about.", caughtBy: "lookup.never-arrived") {
                $0.onLookup = { _, inquiry, _ in .found(.approved(Approval(inquiry.amount))) }
            },
            driver("lookup.finds-lost-requests", "Finds what never arrived.", caughtBy: "lookup.request-lost") {
                $0.onLookup = { _, inquiry, _ in .found(.approved(Approval(inquiry.amount))) }
            },
            driver("lookup.decline-as-approval", "Finds declines as approvals.", caughtBy: "lookup.declined") {
                $0.onLookup = { inner, inquiry, context in
                    guard case .found = try await inner.lookup(inquiry, context) else {
                        return .notFound(seesBack: nil)
                    }
                    return .found(.approved(Approval(inquiry.amount)))
                }
            },
            driver("polling.ends-as-decline", "Ends its asking with a decline.", caughtBy: "sale.decided-late") {
                let asked = Locked(0)
                $0.onLookup = { inner, inquiry, context in
                    let found = try await inner.lookup(inquiry, context)
                    guard case .cannotTell = found else { return found }
                    let times = asked.withLock { asked in
                        asked += 1
                        return asked
                    }
                    if times < 6 { return found }
                    return .found(.declined(Decline(.unmapped, provider: ProviderMessage(code: "slow"))))
                }
            },
            driver("lookup.blind-for-voids", "Can't see voids.", caughtBy: "lookup.void") { $0.blind(for: .void) },
            driver("lookup.blind-for-refunds", "Can't see refunds.", caughtBy: "lookup.refund") {
                $0.blind(for: .refund)
            },
            driver("lookup.blind-for-captures", "Can't see captures.", caughtBy: "lookup.capture") {
                $0.blind(for: .capture)
            },
            driver(
                "lookup.failure-as-absence", "Takes a lookup that fails for proof of absence.",
                caughtBy: "lookup.failing"
            ) {
                $0.onLookup = { inner, inquiry, context in
                    do { return try await inner.lookup(inquiry, context) } catch { return .notFound(seesBack: nil) }
                }
                $0.onPlan = { LookupPlan(every: $0.every, quiet: 0) }
            },
            driver("lookup.no-quiet-time", "Takes absence for proof at once.", caughtBy: "lookup.quiet-time") {
                $0.onPlan = { LookupPlan(every: $0.every, quiet: 0) }
            },
            driver("errors.all-refused", "Takes every error for a refusal.", caughtBy: "error.classify-nothing") {
                $0.onClassify = { _, _ in RequestFailure(.network, .refused) }
            },
            driver(
                "errors.cancelled-not-sent", "Takes a cancelled exchange for one that never left.",
                caughtBy: "error.classify-cancelled"
            ) {
                $0.onClassify = { $1 is CancellationError ? RequestFailure(.cancelled, .notSent) : $0.classify($1) }
            },
            driver("errors.failure-repeated", "Repeats whatever failed.", caughtBy: "lookup.fails-after") {
                $0.onClassify = { inner, error in
                    let fault = inner.classify(error)
                    return fault.code == .providerFailed ? RequestFailure(.network, .notSent) : fault
                }
            },
            driver(
                "errors.gateway-refused", "Takes a gateway's refusal for the provider's.",
                caughtBy: "error.refused-after"
            ) {
                $0.onClassify = { inner, error in
                    guard let refusal = error as? HTTPErrorResponse, refusal.body == nil else {
                        return inner.classify(error)
                    }
                    return RequestFailure(.permission, .refused)
                }
            },
            driver(
                "errors.gateway-repeated", "Repeats what a gateway refused, and does not ask first.",
                caughtBy: "error.refused-after"
            ) {
                $0.onClassify = { inner, error in
                    guard let refusal = error as? HTTPErrorResponse, refusal.body == nil else {
                        return inner.classify(error)
                    }
                    var fault = RequestFailure(.rateLimited, .refused)
                    fault.isRetryable = true
                    return fault
                }
            },
            driver("errors.no-authentication", "Does not know a refused access.", caughtBy: "session.refused-for-good")
            {
                $0.onClassify = { inner, error in
                    let fault = inner.classify(error)
                    return fault.code == .authentication ? RequestFailure(.permission, .refused) : fault
                }
            },
            driver(
                "errors.busy-for-good", "Gives up when the provider is busy for a moment.", caughtBy: "error.busy-once"
            ) {
                $0.onClassify = { inner, error in
                    var fault = inner.classify(error)
                    if fault.code == .providerUnavailable { fault.isRetryable = false }
                    return fault
                }
            },
            driver("secrets.not-named", "Does not name its credentials.", caughtBy: "redaction.declared-secrets") {
                $0.given = []
            },
            driver("secrets.echoed", "Lets credentials through that a provider echoes.", caughtBy: "redaction.echoed") {
                $0.given = []
            },
            driver("secrets.note", "Wants to keep the card number.", caughtBy: "sale.from-card") {
                $0.onSale = { inner, request, context in
                    if case .card(let card) = request.source {
                        try context.note("card", card.number.expose())
                    }
                    return try await inner.sale(request, context)
                }
            },
            driver("webhook.unverified", "Believes every message.", caughtBy: "webhook.unsigned") {
                $0.onNotices = { try $0.notices(in: $1.believed) }
            },
            driver("webhook.any-proof", "Believes every message with a proof in it.", caughtBy: "webhook.forged") {
                $0.onNotices = { try $0.notices(in: $1.headers.isEmpty ? $1 : $1.believed) }
            },
            driver("webhook.deaf", "Hears nothing.", caughtBy: "webhook.foreign") { $0.onNotices = { _, _ in [] } },
            driver(
                "webhook.unreadable-ignored", "Takes a message that it can't read for nothing.",
                caughtBy: "webhook.unreadable"
            ) {
                $0.onNotices = { (try? $0.notices(in: $1)) ?? [] }
            },
            driver("sale.dry-run-charges", "Charges in a dry run.", caughtBy: "sale.dry-run") {
                $0.onSale = { inner, request, context in
                    var request = request
                    let wasDry = request.isDryRun
                    request.isDryRun = false
                    let verdict = try await inner.sale(request, context)
                    guard wasDry, case .approved(var approval) = verdict else { return verdict }
                    approval.isDryRun = true
                    return .approved(approval)
                }
            },
            driver("sale.approves-unasked", "Reports an approval without asking anybody.", caughtBy: "sale.from-wallet")
            {
                $0.onSale = { _, request, _ in .approved(Approval(request.amount)) }
            },
            driver("sale.asks-again", "Sells a second time to be sure.", caughtBy: "attempt.shared") {
                $0.onSale = { inner, request, context in
                    _ = try? await inner.sale(request, context)
                    return try await inner.sale(request, context)
                }
            },
            driver("sale.pauses-for-ever", "Never answers.", caughtBy: "sale.declined-then-approved") {
                $0.onSale = { _, _, context in
                    while true { await context.pause(until: context.now + 1_000_000_000); try Task.checkCancellation() }
                }
            },
            driver(
                "refund.says-done", "Says that a refund was done and does nothing.", caughtBy: "refund.after-capture"
            ) {
                $0.onRefund = { _, request, _ in .approved(Approval(request.amount)) }
            },
            driver("capture.says-declined", "Calls a capture declined that was done.", caughtBy: "capture.all") {
                $0.onCapture = { inner, request, context in
                    _ = try await inner.capture(request, context)
                    return .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
                }
            },
            driver("details.none", "Knows no details.", caughtBy: "details.found") { $0.onDetails = { _ in nil } },
        ] + [talkative]

    private static var talkative: Mutant {
        var mutant = Mutant("secrets.printed", "Prints its credentials.", caughtBy: "redaction.driver")
        mutant.wrapDriver = { shipped in (shipped as? MemoryDriver).map { TalkativeDriver(inner: $0) } ?? shipped }
        return mutant
    }

    /// Every mutant.
    static let all: [Mutant] = amounts + words + lines + drivers + journals + readers + answers + talk + leaks
}

extension HookedDriver {
    /// Never sees attempts of one operation.
    fileprivate mutating func blind(for operation: PaymentOperation) {
        onLookup = { inner, inquiry, context in
            if inquiry.record.intent.operation == operation { return .notFound(seesBack: nil) }
            return try await inner.lookup(inquiry, context)
        }
    }
}

extension WebhookMessage {
    /// The same message with the right proof.
    fileprivate var believed: WebhookMessage {
        WebhookMessage(headers: ["x-memory-secret": "memory-webhook-secret"], body: body, at: at)
    }
}

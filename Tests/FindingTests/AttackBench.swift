import AdyenProvider
import Foundation
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// What a client's subscribers hear.
final class Heard: Sendable {
    private let all = Locked([PaymentEvent.Kind]())

    init(_ client: PaymentClient, _ stage: TestScheduler) {
        let stream = client.events()
        let all = all
        _ = Task(executorPreference: stage) { for await event in stream { all.withLock { $0.append(event.kind) } } }
    }

    var kinds: [PaymentEvent.Kind] { all.withLock { $0 } }
    func has(_ kind: PaymentEvent.Kind) -> Bool { kinds.contains(kind) }
}

/// A journal that takes no finish while a test says so.
final class FinishlessJournal: JournalWrapper {
    let inner: any Journal
    let failure = Locked(JournalFailure?.none)
    init(_ inner: any Journal) { self.inner = inner }
    private let isForNamed = Locked(false)
    func fail(_ why: JournalFailure?) {
        failure.withLock { $0 = why }
        isForNamed.withLock { $0 = false }
    }
    /// Fails only what has names.
    func failNamed(_ why: JournalFailure) {
        failure.withLock { $0 = why }
        isForNamed.withLock { $0 = true }
    }
    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if case .finish(let finish) = entry.command, let why = failure.withLock({ $0 }) {
            if !isForNamed.withLock({ $0 }) || finish.closing?.names.isEmpty == false
                || !hasNoReferences(finish.verdict)
            {
                throw why
            }
        }
        return try await inner.write(entry, id, at: instant)
    }
}

func hasNoReferences(_ verdict: Verdict?) -> Bool {
    if case .approved(let approval)? = verdict { return approval.references.isEmpty }
    return true
}

/// A journal behind which the store is exchanged.
final class SwappedJournal: JournalWrapper {
    private let current: Locked<any Journal>
    init(_ inner: any Journal) { current = Locked(inner) }
    var inner: any Journal { current.withLock { $0 } }
    func swap(_ other: any Journal) { current.withLock { $0 = other } }
}

/// The fake provider with voids, tips and adjustments.
struct FullFake: SaleDriver, AuthorizationDriver, RefundDriver, VoidDriver, TipAdjustmentDriver, WebhookDriver {
    var base: Fake
    var onVoid: Fake.FollowUp
    init(_ base: Fake) {
        self.base = base
        onVoid = { request, context in
            try await context.exchange(.money) { _ in
                .approved(Approval(request.amount, references: ["void": "v-\(context.attempt)"]))
            }
        }
    }
    /// One whose provider leaves what was captured when a hold is voided.
    static func releasingTheRest(_ base: Fake) -> FullFake {
        var base = base
        base.capabilities.voidRule = .uncaptured
        return FullFake(base)
    }
    var identity: ProviderIdentity { base.identity }
    var capabilities: Capabilities { base.capabilities }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { base.plan }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await base.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { base.classify(error) }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try base.notices(in: message) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.sale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.authorize(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.capture(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.refund(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onVoid(request, context)
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            .approved(Approval(request.amount, references: ["tip": "t-\(context.attempt)"]))
        }
    }
}

extension PaymentClient {
    func sellUnnamed(
        _ cents: Int64 = 1_000, attempt: AttemptID? = nil, withinSeconds limit: Int64? = nil
    ) async -> Told {
        await Told {
            let request = SaleRequest(.cents(cents), from: try Cards.good(), reference: .unreferenced)
            return try await sale(request, attempt: attempt, timeout: limit.map { .seconds($0) })
        }
    }

    func refund(
        _ cents: Int64?, of payment: AttemptID, for item: String, at account: String? = nil, attempt: AttemptID? = nil
    ) async -> Told {
        await Told {
            try await refund(
                PaymentID(payment), of: cents.map { .cents($0) }, reference: item, account: account, attempt: attempt)
        }
    }
}

func nowApproved(_ cents: Int64, _ references: PaymentReferences = [:], at: Int64? = nil) -> Verdict {
    var approval = Approval(.cents(cents), references: references)
    approval.executedAt = at
    return .approved(approval)
}

func nowDeclined(_ reason: Decline.Reason = .declinedByProvider, _ references: PaymentReferences = [:]) -> Verdict {
    .declined(Decline(reason, provider: ProviderMessage(code: "05"), references: references))
}

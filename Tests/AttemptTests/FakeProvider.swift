import PaymentBase
import PaymentDriverKit
import PaymentTestTill

/// A connection that broke after the message had left.
struct Lost: DeliveryEvidence { let delivery = Delivery.maybeSent }

/// A refusal as an adapter's table sorts it.
struct Refused: Error {
    let fault: RequestFailure

    init(
        _ code: PaymentError.Code, _ delivery: Delivery = .refused, mayRepeat: Bool = false, wait: Int64? = nil,
        saying message: ProviderMessage? = nil
    ) {
        var fault = RequestFailure(code, delivery, provider: message)
        (fault.isRetryable, fault.retryAfterMilliseconds) = (mayRepeat, wait)
        self.fault = fault
    }
}

/// A driver whose provider is a ``Company``; each call can be scripted.
struct Fake: SaleDriver, AuthorizationDriver, AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver,
    WebhookDriver, CardOnFileDriver
{
    typealias Sale = @Sendable (SaleRequest, PaymentContext) async throws -> Verdict
    typealias FollowUp = @Sendable (FollowUpRequest, PaymentContext) async throws -> Verdict
    typealias Debit = @Sendable (CardOnFileRequest, PaymentContext) async throws -> Verdict
    typealias Lookup = @Sendable (LookupRequest, LookupContext) async throws -> LookupResult

    /// The name under which its follow-ups look for the provider's reference.
    static let nameForFollowUps = "payment"

    let company: Company
    var identity: ProviderIdentity
    var capabilities: Capabilities
    var plan = LookupPlan(every: 1_000, giveUpAfter: 3_000)
    var onSale: Sale
    var onFollow: [PaymentOperation: FollowUp] = [:]
    var onDebit: Debit
    var onLookup: Lookup

    init(
        _ company: Company, name: String = "p", merchant: String = "m",
        sources: Set<PaymentSource.Kind> = [.card, .token]
    ) {
        self.company = company
        identity = ProviderIdentity(
            ProviderID(rawValue: name), adapter: "fake", environment: "sandbox", merchant: merchant)
        // Its calls are functions: nothing of them is on its way once they have begun.
        capabilities = Capabilities(sources: sources, sendLimit: 0)
        capabilities.authorizationSources = sources
        capabilities.features = Set(RequestFeature.allCases)
        onSale = { request, context in try await Fake.charge(company, request, context) }
        onDebit = { request, context in
            try await context.exchange(.money) { _ in
                company.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount))
            }
        }
        onLookup = { inquiry, _ in
            guard let shown = company.shown(inquiry.attempt) ?? company.shownRefund(inquiry.attempt) else {
                return .cannotTell("It can't be seen now.")
            }
            return .found(shown)
        }
    }

    /// One exchange that charges and is answered.
    static func charge(
        _ company: Company, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            company.charge(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { plan }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        company.countLookup()
        return try await onLookup(inquiry, context)
    }

    func classify(_ error: any Error) -> RequestFailure { (error as? Refused)?.fault ?? RequestFailure(error) }

    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { company.takeMail() }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onSale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            .approved(Approval(request.amount, references: ["payment": "h-\(context.attempt)"]))
        }
    }
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onDebit(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.capture, request, context) { company.charge(context.attempt, request.amount) }
    }
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.adjust, request, context) {}
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.void, request, context) {}
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.refund, request, context) { company.giveBack(context.attempt, request.amount) }
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.tipAdjustment, request, context) {}
    }

    private func follow(
        _ operation: PaymentOperation, _ request: FollowUpRequest, _ context: PaymentContext, _ act: () -> Void
    ) async throws -> Verdict {
        if let script = onFollow[operation] { return try await script(request, context) }
        return try await context.exchange(.money) { _ in
            act()
            return .approved(
                Approval(request.amount, references: [operation.rawValue: "\(operation.rawValue)-\(context.attempt)"]))
        }
    }
}

/// A driver whose provider wants an access before anything else.
struct SignedFake: SaleDriver, SessionDriver {
    /// Gives the n-th access out.
    typealias Give = @Sendable (_ number: Int) async throws -> AccessToken
    /// Takes a message that shows an access; throws where it is refused.
    typealias Take = @Sendable (AccessToken) async throws -> Void

    let company: Company
    let identity = ProviderIdentity("p", adapter: "fake", environment: "sandbox", merchant: "m")
    let capabilities = Capabilities(sources: [.card], sendLimit: 0)
    var take: Take = { _ in }
    private let give: Give
    private let count = Locked(0)

    init(_ company: Company, _ give: @escaping Give) { (self.company, self.give) = (company, give) }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 1_000) }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .cannotTell("It can't be seen now.")
    }

    func classify(_ error: any Error) -> RequestFailure { (error as? Refused)?.fault ?? RequestFailure(error) }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { exchange in
            try await take(exchange.access)
            company.charge(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }

    var accessAddresses: [String] { [] }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return try await give(number)
    }
}

extension Promise where Value == Bool {
    /// Waits for what never comes, even when no task waits for the waiting one.
    func forever() async throws { _ = await value() }
}

/// The provider behind the fake driver: its ledger is what really happened to the money.
final class Company: Sendable {
    /// One movement of money.
    struct Movement: Hashable, Sendable {
        let attempt: AttemptID
        let cents: Int64
        let name: String
    }

    private struct State {
        var charges: [Movement] = []
        var refunds: [Movement] = []
        var mail: [ProviderNotice] = []
        var lookupCount = 0
        var heard: [String] = []
    }

    private let state = Locked(State())

    /// Charges a card; the name is what the provider calls it.
    func charge(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "p-\(attempt)")
        state.withLock { $0.charges.append(movement) }
    }

    /// Gives money back.
    func giveBack(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "r-\(attempt)")
        state.withLock { $0.refunds.append(movement) }
    }

    /// Undoes a refund, because the customer's bank has sent it back.
    func takeBack(_ attempt: AttemptID) { state.withLock { $0.refunds.removeAll { $0.attempt == attempt } } }

    /// What was charged, in order.
    var charges: [Movement] { state.withLock { $0.charges } }
    /// What was refunded, in order.
    var refunds: [Movement] { state.withLock { $0.refunds } }
    /// What was charged in all, in cents.
    var charged: Int64 { charges.reduce(0) { $0 + $1.cents } }
    /// What was refunded in all, in cents.
    var refunded: Int64 { refunds.reduce(0) { $0 + $1.cents } }

    /// What it was asked or shown, in words.
    var heard: [String] { state.withLock { $0.heard } }
    func hear(_ words: String) { state.withLock { $0.heard.append(words) } }

    /// How often a client has asked what became of something.
    var lookupCount: Int { state.withLock { $0.lookupCount } }
    func countLookup() { state.withLock { $0.lookupCount += 1 } }

    /// Puts news into the next message.
    func post(_ notice: ProviderNotice) { state.withLock { $0.mail.append(notice) } }
    /// Empties the letter box.
    func takeMail() -> [ProviderNotice] {
        state.withLock { state in
            defer { state.mail = [] }
            return state.mail
        }
    }

    /// The charge of an attempt, as a lookup shows it; nil when there is none.
    func shown(_ attempt: AttemptID) -> Verdict? {
        charges.first { $0.attempt == attempt }.map { movement in
            .approved(Approval(.cents(movement.cents), references: ["payment": movement.name]))
        }
    }

    /// The refund of an attempt, as a lookup shows it; nil when there is none.
    func shownRefund(_ attempt: AttemptID) -> Verdict? {
        refunds.first { $0.attempt == attempt }.map { movement in
            .approved(Approval(.cents(movement.cents), references: ["refund": movement.name]))
        }
    }
}

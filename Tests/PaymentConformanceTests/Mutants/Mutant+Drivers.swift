import MemoryProvider
import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
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
            driver(
                "lookup.newest", "Takes the newest payment for the one that it is asked about.",
                caughtBy: "lookup.never-arrived"
            ) {
                $0.onLookup = { inner, inquiry, context in
                    let found = try await inner.lookup(inquiry, context)
                    guard case .notFound = found else { return found }
                    let newest = try await inner.list(ListQuery(limit: 1), context).items.first
                    guard let newest else { return found }
                    return .found(.approved(Approval(inquiry.amount, references: newest.references)))
                }
            },
            driver(
                "lookup.first-page", "Takes what the first page of a list doesn't show for absent.",
                caughtBy: "lookup.behind-others"
            ) {
                $0.onLookup = { inner, inquiry, context in
                    let found = try await inner.lookup(inquiry, context)
                    guard case .found(let verdict) = found else { return found }
                    let page = try await inner.list(ListQuery(limit: 20), context)
                    let name = verdict.references["payment"]
                    let isShown = page.items.contains { $0.references["payment"] == name }
                    return isShown ? found : .notFound(seesBack: nil)
                }
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
                "lookup.blind-for-unlinked-refunds", "Can't see refunds without an original.",
                caughtBy: "lookup.unlinked-refund"
            ) { $0.blind(for: .unlinkedRefund) },
            driver("lookup.blind-for-adjustments", "Can't see adjustments.", caughtBy: "lookup.adjust") {
                $0.blind(for: .adjust)
            },
            driver("lookup.blind-for-tips", "Can't see tips.", caughtBy: "lookup.tip") {
                $0.blind(for: .tipAdjustment)
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
            driver(
                "lookup.gateway-as-absence", "Takes a gateway's page for proof of absence.", caughtBy: "lookup.failing"
            ) {
                $0.onLookup = { inner, inquiry, context in
                    do { return try await inner.lookup(inquiry, context) } catch let error as PaymentError {
                        guard error.code == .unreadableReply || error.code == .providerFailed else { throw error }
                        return .notFound(seesBack: nil)
                    }
                }
            },
            driver("lookup.no-quiet-time", "Takes absence for proof at once.", caughtBy: "lookup.quiet-time") {
                $0.onPlan = { LookupPlan(every: $0.every, quiet: 0) }
            },
            driver(
                "lookup.hasty", "Takes absence for proof after a second, where a request is executed within five.",
                caughtBy: "lookup.executed-late"
            ) {
                $0.onPlan = { LookupPlan(every: $0.every, giveUpAfter: $0.giveUpAfter, quiet: 1_000) }
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
            driver(
                "errors.unavailable-as-refused", "Takes a gateway's 503 for a refusal, and sends again at once.",
                caughtBy: "error.server-failure"
            ) {
                $0.onClassify = { inner, error in
                    guard (error as? HTTPErrorResponse)?.status == 503 else { return inner.classify(error) }
                    var fault = RequestFailure(.providerUnavailable, .refused)
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
            driver("references.dropped", "Keeps no reference of the provider's.", caughtBy: "sale.references") {
                $0.onSale = { inner, request, context in
                    let verdict = try await inner.sale(request, context)
                    guard case .approved(var approval) = verdict else { return verdict }
                    approval.references = [:]
                    return .approved(approval)
                }
            },
            driver("sale.approves-unasked", "Reports an approval without asking anybody.", caughtBy: "sale.from-wallet")
            {
                $0.onSale = { _, request, _ in .approved(Approval(request.amount)) }
            },
            driver(
                "echo.ignored", "Reports what was asked for, whatever was approved.", caughtBy: "amount.less-approved"
            ) {
                $0.onSale = { inner, request, context in
                    let verdict = try await inner.sale(request, context)
                    guard case .approved(let said) = verdict else { return verdict }
                    return .approved(Approval(request.amount, references: said.references))
                }
            },
            driver(
                "echo.ignored-by-lookup", "Finds what was asked for, whatever was approved.",
                caughtBy: "amount.less-approved"
            ) {
                $0.onLookup = { inner, inquiry, context in
                    do { return try await inner.lookup(inquiry, context) } catch let error as PaymentError {
                        guard error.code == .mismatch else { throw error }
                        return .found(.approved(Approval(inquiry.amount)))
                    }
                }
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
            driver(
                "void.rule-swapped", "Says that a void leaves what was captured, and it takes all.",
                caughtBy: "void.after-part"
            ) {
                $0.onCapabilities = { capabilities in
                    var capabilities = capabilities
                    capabilities.voidRule = .uncaptured
                    return capabilities
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

/// A reader with some of its calls replaced.
struct BentReader: CardReader {
    let inner: any CardReader
    var onCompatibility: @Sendable (ReaderCompatibility) -> ReaderCompatibility = { $0 }
    var onEvent: @Sendable (ReaderEvent) -> [ReaderEvent] = { [$0] }
    var onPrepare: @Sendable (any CardReader, Secret) async throws -> Void = { try await $0.prepare(token: $1) }
    var onRead: @Sendable (any CardReader, CardReadRequest) async throws -> CardReadResult = { try await $0.read($1) }

    func compatibility() async -> ReaderCompatibility { onCompatibility(await inner.compatibility()) }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        await inner.setEventHandler { [onEvent] event in for told in onEvent(event) { sink(told) } }
    }
    func prepare(token: Secret) async throws { try await onPrepare(inner, token) }
    func read(_ request: CardReadRequest) async throws -> CardReadResult { try await onRead(inner, request) }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelResult { try await inner.cancel() }
}

extension Mutant {
    /// A mutant of the hardware.
    private static func hardware(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout BentReader) -> Void
    ) -> Mutant {
        around(id, sentence, caughtBy: check) { given in
            guard let reader = given.reader else { return }
            var bent = BentReader(inner: reader)
            change(&bent)
            given.reader = bent
        }
    }

    /// A mutant that charges by reader without a card.
    private static func chargesAtOnce(_ id: String, caughtBy check: String) -> Mutant {
        driver(id, "Charges by reader without waiting for a card.", caughtBy: check) {
            $0.onSale = { inner, request, context in
                guard case .reader = request.source else { return try await inner.sale(request, context) }
                let token = PaymentSource.token(Secret("made-up"), last4: "1111")
                let asked = SaleRequest(request.amount, from: token, reference: request.reference)
                return try await inner.sale(asked, context)
            }
        }
    }

    /// Reads a card, and sends it as if a person had typed it.
    private static var typing: Mutant {
        driver("entry.tap-as-typed", "Sends what was tapped as a typed card.", caughtBy: "sale.entry") {
            $0.onSale = { inner, request, context in
                guard case .reader = request.source else { return try await inner.sale(request, context) }
                _ = try await context.read(CardReadRequest(.purchase, request.amount))
                let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 2030)
                let asked = SaleRequest(request.amount, from: .card(card), reference: request.reference)
                return try await inner.sale(asked, context)
            }
        }
    }

    /// Reads on although no caller waits any more.
    @Sendable private static func deaf(_ reader: any CardReader, _ request: CardReadRequest) async throws
        -> CardReadResult
    {
        try await Task { try await reader.read(request) }.value
    }

    static let readers: [Mutant] = [
        typing,
        hardware("reader.never-fits", "Calls every device too old.", caughtBy: "reader.compatibility") {
            $0.onCompatibility = { _ in
                ReaderCompatibility([.init(.model, passed: false, found: "simulated", required: "another")])
            }
        },
        hardware("reader.never-ready", "Fails whenever it is prepared.", caughtBy: "reader.prepare") {
            $0.onPrepare = { _, _ in
                throw PaymentError(.readerUnavailable, outcome: .notExecuted, detail: "it can't be prepared")
            }
        },
        hardware("reader.not-prepared", "Is not prepared by a sale.", caughtBy: "reader.prepared-by-sale") {
            $0.onPrepare = { _, _ in }
        },
        hardware("reader.in-background", "Reads on behind other applications.", caughtBy: "reader.background") {
            $0.onRead = deaf
        },
        hardware("reader.card-unsaid", "Does not say that a card came.", caughtBy: "reader.cancel-too-late") {
            $0.onEvent = { event in event == .cardDetected ? [] : [event] }
        },
        hardware("reader.silent", "Says nothing of what it sees.", caughtBy: "reader.events") {
            $0.onEvent = { _ in [] }
        },
        chargesAtOnce("reader.not-asked", caughtBy: "reader.one-card-at-a-time"),
        chargesAtOnce("reader.not-waited-for", caughtBy: "cancel.before-mark"),
        hardware("reader.makes-up-cards", "Makes up the card that it can't read.", caughtBy: "reader.unreadable") {
            $0.onRead = { reader, request in
                do { return try await reader.read(request) } catch {
                    return CardReadResult(
                        id: "made-up", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
                }
            }
        },
        driver("reader.failure-swallowed", "Calls a failed preparation done.", caughtBy: "reader.prepare-fails") {
            $0.onPrepare = { inner, context in try? await inner.prepare(context) }
        },
    ]
}

/// The memory driver with some of its methods replaced; conforms to everything that the memory driver conforms to.
struct HookedDriver {
    typealias Call<Request> = @Sendable (MemoryDriver, Request, PaymentContext) async throws -> Verdict

    let inner: MemoryDriver
    var onLookup: @Sendable (MemoryDriver, LookupRequest, LookupContext) async throws -> LookupResult = {
        inner, inquiry, context in
        try await inner.lookup(inquiry, context)
    }
    var onPlan: @Sendable (LookupPlan) -> LookupPlan = { $0 }
    var onCapabilities: @Sendable (Capabilities) -> Capabilities = { $0 }
    var onClassify: @Sendable (MemoryDriver, any Error) -> RequestFailure = { $0.classify($1) }
    var onNotices: @Sendable (MemoryDriver, WebhookMessage) throws -> [ProviderNotice] = { try $0.notices(in: $1) }
    var onSale: Call<SaleRequest> = { try await $0.sale($1, $2) }
    var onRefund: Call<FollowUpRequest> = { try await $0.refund($1, $2) }
    var onCapture: Call<FollowUpRequest> = { try await $0.capture($1, $2) }
    var onAccess: @Sendable (MemoryDriver, AccessToken?, SessionContext) async throws -> AccessToken = {
        try await $0.accessToken(replacing: $1, $2)
    }
    var onPrepare: @Sendable (MemoryDriver, ReaderContext) async throws -> Void = { try await $0.prepare($1) }
    var given: [Secret]?
    var onDetails: @Sendable (PaymentDetails?) -> PaymentDetails? = { $0 }

    /// Puts a hooked driver in the place of the memory driver.
    static func over(
        _ change: @escaping @Sendable (inout HookedDriver) -> Void
    ) -> @Sendable (any PaymentDriver) -> any PaymentDriver {
        { shipped in
            guard let inner = shipped as? MemoryDriver else { return shipped }
            var hooked = HookedDriver(inner: inner)
            change(&hooked)
            return hooked
        }
    }
}

extension HookedDriver: PaymentDriver, SessionDriver, WebhookDriver, ReaderDriver {
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { onCapabilities(inner.capabilities) }
    var secrets: [Secret] { given ?? inner.secrets }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        inner.lookupPlan(for: operation).map(onPlan)
    }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await onLookup(inner, inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { onClassify(inner, error) }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await onAccess(inner, last, context)
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try onNotices(inner, message) }
    func activation(_ context: ReaderContext) async throws -> ActivationStatus { try await inner.activation(context) }
    func activate(_ context: ReaderContext) async throws { try await inner.activate(context) }
    func prepare(_ context: ReaderContext) async throws { try await onPrepare(inner, context) }
}

extension HookedDriver: SaleDriver, AuthorizationDriver, CardOnFileDriver, UnlinkedRefundDriver {
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onSale(inner, request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.authorize(request, context)
    }
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.chargeCardOnFile(request, context)
    }
    func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.refundUnlinked(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onCapture(inner, request, context)
    }
}

extension HookedDriver: AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.adjust(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.void(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onRefund(inner, request, context)
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.adjustTip(request, context)
    }
}

extension HookedDriver: DetailsDriver, ListDriver, PricingDriver, VerificationDriver, TokenizationDriver {
    func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        onDetails(try await inner.details(references, context))
    }
    func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        try await inner.list(query, context)
    }
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await inner.quote(request, context)
    }
    func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.verify(request, context)
    }
    func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.tokenize(request, context)
    }
}

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

import ARISEProvider
import PaymentBase
import PaymentConformance
import PaymentDriverKit
import PaymentHarnesses
import PaymentMobileSDKs
import PaymentTransport
import Testing

@Suite struct ARISEConformanceTests {
    @Test(arguments: ARISEMutants.all) func eachBrokenMappingIsCaught(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        var conformance = ConformanceRunner(ARISEHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    /// The order in which ready work runs is drawn from the seed; no check may hang on it.
    @Test(arguments: UInt64(2)...4) func noCheckHangsOnTheSeed(_ seed: UInt64) {
        let report = ConformanceRunner(ARISEHarness(), seed: seed).run()
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "seed \(seed): \(failed.joined(separator: "\n"))")
    }

    @Test func mutantsHaveTheirOwnNames() {
        #expect(Set(ARISEMutants.all.map(\.id)).count == ARISEMutants.all.count)
        #expect(ARISEMutants.all.count >= 15)
    }

    /// What never arrived leaves nothing behind; a driver that guesses is caught by the books.
    @Test func guessingWhatIsNotSeenIsCaughtByTheWalk() throws {
        let refund = try #require(FaultSweepScenario.all.first { "\($0)" == "refund of a part" })
        var walk = FaultSweep(ARISEHarness())
        walk.walksClassesOnly = true
        let honest = walk.walk([refund])
        #expect(honest.problems.isEmpty, "\(honest.problems.joined(separator: "\n"))")
        #expect(honest.open > 0)
        walk.mutant = ARISEMutants.guessing
        #expect(walk.walk([refund]).problems.contains { $0.contains("the ledger has nothing") })
    }

    /// The short form; `Scripts/faults` walks through every fault.
    @Test(arguments: FaultSweepScenario.all) func aFaultOfEachClassAtEveryExchangeEndsAsDeclared(
        _ scenario: FaultSweepScenario
    ) {
        var walk = FaultSweep(ARISEHarness())
        walk.walksClassesOnly = true
        let report = walk.walk([scenario])
        print("ARISE \(scenario): \(report.summary)")
        // A scenario is one of several for its operation, so that not all that is declared open is open in each.
        let problems = report.problems.filter { !$0.contains("is declared to stay open and never did") }
        #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
    }
}

/// The driver of the vendor's kit with one thing misunderstood each: what the kit says is bent as the mistake would.
@Suite struct ARISEKitMutantTests {
    @Test(arguments: ARISEKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: ARISEKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(ARISEHarness.all().first { $0.name == "arise-kit" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.bending { BentARISEKit($0, mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        print("arise-kit: \(ARISEKitMutant.all.count) mutants")
        #expect(ARISEKitMutant.all.count >= 8 && Set(ARISEKitMutant.all.map(\.id)).count == ARISEKitMutant.all.count)
    }
}

/// What is misunderstood.
struct ARISEKitMutant: Sendable, CustomStringConvertible {
    typealias End = Result<ARISEPhoneSDK.TTPTransactionResult, ARISEPhoneSDK.Failure>

    let id: String
    let check: String
    /// Bends how a tap ended.
    var end: @Sendable (End) -> End = { $0 }
    /// Bends what the kit is asked for.
    var amount: @Sendable (SDKDecimal) -> SDKDecimal = { $0 }
    /// Which events come through.
    var hears: @Sendable (ARISEPhoneSDK.TTPEvent) -> Bool = { _ in true }
    /// How often it is asked for the same tap.
    var callCount = 1
    /// Whether the preparation is left out.
    var isUnprepared = false
    /// What stopping a tap is said to have done; nil for what the kit says.
    var aborts: Bool?
    /// What the token for the interface becomes.
    var token: @Sendable (Secret?) -> Secret? = { $0 }

    var description: String { "\(id) → \(check)" }

    private static func results(
        _ bend: @escaping @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void
    ) -> @Sendable (End) -> End {
        { end in
            end.map { result in
                var bent = result
                bend(&bent)
                return bent
            }
        }
    }

    /// A result without a trace of the gateway's, which would be believed before the kit's own word.
    private static func cancel(_ result: inout ARISEPhoneSDK.TTPTransactionResult) {
        (result.status, result.transactionOutcome, result.transactionId) = (.cancelled, nil, nil)
    }

    private static func cents(_ amount: SDKDecimal, _ change: (Int64) -> Int64) -> SDKDecimal {
        amount.minorUnits(places: 2).flatMap { SDKDecimal(minorUnits: change($0), places: 2) } ?? amount
    }

    static let all = [
        ARISEKitMutant(
            id: "decline-as-cancelled", check: "question.wrong-pin",
            end: results { if $0.status == .declined { cancel(&$0) } }, hears: { _ in false }),
        ARISEKitMutant(
            id: "approved-as-failed", check: "sale.from-reader",
            end: { _ in .failure(.ttp(.notActive)) }, hears: { _ in false }),
        ARISEKitMutant(
            id: "approved-as-declined", check: "sale.from-reader",
            end: results { ($0.status, $0.transactionOutcome) = (.declined, nil) }, hears: { _ in false }),
        ARISEKitMutant(id: "amount-in-minor-units", check: "sale.from-reader", amount: { cents($0) { $0 * 100 } }),
        ARISEKitMutant(id: "amount-one-more", check: "sale.from-reader", amount: { cents($0) { $0 + 1 } }),
        ARISEKitMutant(
            id: "amount-as-asked", check: "sale.from-reader",
            end: results { $0.authorizedAmount = "50.00" }, amount: { cents($0) { $0 + 100 } }),
        ARISEKitMutant(id: "tapped-twice", check: "sale.from-reader", callCount: 2),
        ARISEKitMutant(id: "never-prepared", check: "reader.prepared-by-sale", isUnprepared: true),
        ARISEKitMutant(
            id: "cancel-after-the-card", check: "reader.cancel-too-late",
            end: results { cancel(&$0) }, hears: { _ in false }, aborts: true),
        ARISEKitMutant(id: "token-of-nobody", check: "session.open", token: { _ in nil }),
    ]
}

/// A kit whose events and answers a mutant changes.
private struct BentARISEKit: ARISEPhoneSDK.TappingSdk, ARISEPhoneSDK.TTP {
    let inner: any ARISEPhoneSDK.TappingSdk
    let mutant: ARISEKitMutant

    init(_ inner: any ARISEPhoneSDK.TappingSdk, _ mutant: ARISEKitMutant) {
        (self.inner, self.mutant) = (inner, mutant)
    }

    var ttp: any ARISEPhoneSDK.TTP { get async { self } }

    func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        try await inner.authenticate(clientId: clientId, clientSecret: clientSecret)
    }

    func getDeviceId() async -> String { await inner.getDeviceId() }
    func getAccessToken() async -> Secret? { mutant.token(await inner.getAccessToken()) }
    func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool { try await inner.refreshAccessToken() }
    func clearStoredToken() async { await inner.clearStoredToken() }

    func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        try await inner.calculateAmount(request: request)
    }

    func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult { await inner.ttp.checkCompatibility() }
    func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus { try await inner.ttp.getStatus() }
    func activate() async throws(ARISEPhoneSDK.Failure) { try await inner.ttp.activate() }
    func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) { try await inner.ttp.showEducationalInfo() }

    func prepare() async throws(ARISEPhoneSDK.Failure) {
        if mutant.isUnprepared { return }
        try await inner.ttp.prepare()
    }

    func performTransaction(
        amount: SDKDecimal
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var end = ARISEKitMutant.End.failure(.api(.unknown("")))
        for _ in 0..<mutant.callCount {
            do throws(ARISEPhoneSDK.Failure) {
                end = .success(try await inner.ttp.performTransaction(amount: mutant.amount(amount)))
            } catch { end = .failure(error) }
        }
        return try mutant.end(end).get()
    }

    func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        try await inner.ttp.performTransaction(calculationResult: calculationResult, isDebitCard: isDebitCard)
    }

    func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool {
        if let said = mutant.aborts { return said }
        return try await inner.ttp.abortTransaction()
    }

    func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        let stream = try await inner.ttp.eventsStream()
        if mutant.hears(.customEvent(.approved)) { return stream }
        return AsyncStream { $0.finish() }
    }
}

/// The ARISE driver broken on purpose: each of its mappings once, as changes of what it sends and what it reads.
enum ARISEMutants {
    /// Changes the amount that is asked for, and hides that from the reply's checks.
    private static func amount(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String,
        _ change: @escaping @Sendable (Int64) -> Int64
    ) -> Mutant {
        .wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.hasSuffix(ending), let asked = Mutant.read(request.body),
                    let amount = asked["amount"],
                    let cents = amount.number?.scaled(places: 2)
                else { return try await next(request) }
                var request = request
                request.body = FieldPath("amount").changing(asked) { _ in
                    .number(JSONNumber(units: change(cents), places: 2))
                }.bytes()
                var reply = try await next(request)
                guard let said = Mutant.read(reply.body) else { return reply }
                var changed = said
                for path in ["processedAmount", "transactionReceipt.amount.totalAmount"] {
                    changed = FieldPath(path).changing(changed) { _ in amount }
                }
                reply.body = FieldPath("authorizedAmount").changing(changed) { _ in
                    .string(JSONNumber(units: cents, places: 2).text)
                }.bytes()
                return reply
            }
        }
    }

    /// Reads one state as another, wherever it stands in replies to requests about money.
    private static func state(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, from: String, to: String,
        _ number: Int64, code: String? = nil
    ) -> Mutant {
        .wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                var reply = try await next(request)
                guard request.path.hasSuffix(ending), let said = Mutant.read(reply.body),
                    said["status"]?.string == from
                else { return reply }
                var changed = FieldPath("status").changing(said) { _ in .string(to) }
                changed = FieldPath("statusId").changing(changed) { _ in .number(JSONNumber(number)) }
                if let code { changed = FieldPath("details.code").changing(changed) { _ in .string(code) } }
                if let asked = Mutant.read(request.body)?["amount"] {
                    for path in ["processedAmount", "transactionReceipt.amount.totalAmount"] {
                        changed = FieldPath(path).changing(changed) { _ in asked }
                    }
                }
                reply.body = changed.bytes()
                return reply
            }
        }
    }

    /// Puts another driver over the shipped one, with what it makes of errors, lookups or webhooks replaced.
    private static func driver(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout HookedARISE) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.wrapDriver = { shipped in
            guard let inner = shipped as? ARISEDriver else { return shipped }
            var hooked = HookedARISE(inner: inner)
            change(&hooked)
            return hooked
        }
        return mutant
    }

    static let amounts: [Mutant] = [
        amount("arise.amount-in-cents", "Writes cents where dollars are due.", caughtBy: "sale.approved", "/sale") {
            $0 * 100
        },
        amount("arise.amount-cut", "Drops the cents.", caughtBy: "amount.odd", "/sale") { $0 / 100 * 100 },
        amount("arise.capture-whole", "Captures everything.", caughtBy: "capture.part", "/capture") { _ in 5_000 },
        amount("arise.refund-whole", "Gives everything back.", caughtBy: "refund.part", "/return") { _ in 5_000 },
        amount("arise.unlinked-half", "Gives half.", caughtBy: "refund.unlinked-card", "/no-reference") { $0 / 2 },
        .request(
            "arise.tip-on-top", "Sends the tip beside the whole amount.", caughtBy: "sale.tip", "/sale", "amount"
        ) { value in
            .number(JSONNumber(units: (value.number?.scaled(places: 2) ?? 0) + 100, places: 2))
        },
        .request("arise.no-currency", "Leaves the currency out.", caughtBy: "sale.approved", "/sale", "currencyId") {
            _ in nil
        },
        .request(
            "arise.source-lost", "Leaves out how the card came.", caughtBy: "sale.from-external", "/sale",
            "cardDataSource"
        ) { _ in nil },
        .request(
            "arise.reference-fresh", "Sends a reference that is not the attempt's.", caughtBy: "attempt.wire-names",
            "/sale", "referenceId"
        ) { _ in "somebody-else" },
    ]

    static let readings: [Mutant] = [
        state(
            "arise.decline-as-approval", "Reads a decline as an approval.", caughtBy: "sale.insufficient-funds",
            "/sale", from: "Declined", to: "Captured", 2, code: "Approve"),
        state(
            "arise.approval-as-decline", "Reads an approval as a decline.", caughtBy: "sale.approved", "/sale",
            from: "Captured", to: "Declined", 91, code: "Decline"),
        state(
            "arise.hold-as-decline", "Reads a held amount as a decline.", caughtBy: "authorize.held", "/auth",
            from: "Authorized", to: "Declined", 91, code: "Decline"),
        state(
            "arise.pending-as-approval", "Reads what is pending as done.", caughtBy: "sale.pending-approved", "/sale",
            from: "Pending", to: "Captured", 2),
        state(
            "arise.pending-refund-as-done", "Reads a pending refund as done.", caughtBy: "refund.pending", "/return",
            from: "Pending", to: "Refunded", 4),
        state(
            "arise.part-as-whole", "Reads a part as the whole.", caughtBy: "question.partial-taken", "/sale",
            from: "PartiallyAuthorized", to: "Captured", 2),
        .reply(
            "arise.code-swapped", "Reads one code as another.", caughtBy: "error.raw-code", "/sale", "**"
        ) { $0.string == "41" ? "05" : $0 },
        .reply(
            "arise.one-name-for-all", "Gives every transaction one name.", caughtBy: "sale.references-differ", "/sale",
            "**.transactionId"
        ) { _ in "a1000000-0000-4000-8000-000000000001" },
        .target("arise.void-as-refund", "Refunds instead of voiding.", caughtBy: "void.sale") { method, target in
            method == "POST" && target.hasSuffix("/void") ? target.replacing("/void", with: "/return") : target
        },
        .target("arise.sale-holds", "Authorises instead of selling.", caughtBy: "sale.approved") { _, target in
            target.hasSuffix("/transactions/sale") ? target.replacing("/sale", with: "/auth") : target
        },
        .target("arise.first-page", "Asks for the first page again and again.", caughtBy: "list.pages") { _, target in
            target.contains("page=") ? target.replacing(/page=[0-9]+&/, with: "page=0&") : target
        },
        .twice("arise.sale-twice", "Sells twice.", caughtBy: "sale.approved", "/sale"),
    ]

    static let decisions: [Mutant] = [
        driver("arise.failure-refused", "Takes a server failure for proof.", caughtBy: "error.server-failure") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.code == .providerFailed ? RequestFailure(.providerFailed, .refused) : fault
            }
        },
        driver("arise.lost-as-not-sent", "Takes a lost answer for an unsent request.", caughtBy: "lookup.reply-lost") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.code == .network ? RequestFailure(.network, .notSent) : fault
            }
        },
        driver("arise.blind", "Never finds what it looks for.", caughtBy: "lookup.reply-lost") {
            $0.onLookup = { _, _, _ in .cannotTell("The provider does not say.") }
        },
        driver("arise.absence-proves", "Takes absence for proof at once.", caughtBy: "lookup.quiet-time") {
            $0.onPlan = { plan in LookupPlan(every: plan.every, quiet: 500) }
        },
        driver("arise.webhook-open", "Believes unsigned messages.", caughtBy: "webhook.unsigned") {
            $0.onNotices = { inner, message in
                do { return try inner.notices(in: message) } catch {
                    return [ProviderNotice(.reference("a1", [.sale]), nil, at: message.at, kind: "any")]
                }
            }
        },
        driver("arise.webhook-deaf", "Hears nothing.", caughtBy: "webhook.foreign") {
            $0.onNotices = { _, _ in [] }
        },
        driver("arise.secrets-unnamed", "Names none of its secrets.", caughtBy: "redaction.declared-secrets") {
            $0.given = []
        },
    ]

    /// Takes what is not seen for done; the walk through all faults catches it.
    static let guessing = driver("arise.guesses", "Takes any refund for done.", caughtBy: "") {
        $0.onLookup = { inner, inquiry, context in
            let seen = try await inner.lookup(inquiry, context)
            return seen == .notFound(seesBack: nil) ? .found(.approved(Approval(inquiry.amount))) : seen
        }
    }

    static let all = amounts + readings + decisions
}

/// The ARISE driver with what it decides replaced: errors, lookups, webhooks.
struct HookedARISE {
    let inner: ARISEDriver
    var onClassify: @Sendable (ARISEDriver, any Error) -> RequestFailure = { $0.classify($1) }
    var onLookup: @Sendable (ARISEDriver, LookupRequest, LookupContext) async throws -> LookupResult = {
        inner, inquiry, context in
        try await inner.lookup(inquiry, context)
    }
    var onPlan: @Sendable (LookupPlan) -> LookupPlan = { $0 }
    var onNotices: @Sendable (ARISEDriver, WebhookMessage) throws -> [ProviderNotice] = { try $0.notices(in: $1) }
    var given: [Secret]?
}

extension HookedARISE: SaleDriver, AuthorizationDriver, VoidDriver, RefundDriver, SessionDriver, WebhookDriver {
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { given ?? inner.secrets }
    func classify(_ error: any Error) -> RequestFailure { onClassify(inner, error) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await onLookup(inner, inquiry, context)
    }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        inner.lookupPlan(for: operation).map(onPlan)
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try onNotices(inner, message) }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.authorize(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.capture(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.void(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.refund(request, context)
    }
}

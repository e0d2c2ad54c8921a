import PaymentBase
import PaymentConformance
import PaymentDriverKit
import PaymentHarnesses
import PaymentLinux
import PaymentMobileSDKs
import PaymentTransport
import Testing

@testable import EcommpayProvider

@Suite struct EcommpayMutantTests {
    @Test(arguments: EcommpayMutants.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(EcommpayHarness())
    }

    @Test(arguments: EcommpayMutants.tokens) func andThoseOfTokensThroughTheGate(_ mutant: Mutant) throws {
        try mutant.isCaught(EcommpayHarness(tokenizesAtGate: true))
    }

    @Test(arguments: EcommpayMutants.beginnings) func andThoseOfPaymentsAtTheGate(_ mutant: Mutant) throws {
        try mutant.isCaught(try #require(EcommpayHarness.all().first { $0.name == "ecommpay-gate" }))
    }

    @Test(arguments: EcommpayMutants.pages) func andThoseOfThePaymentPage(_ mutant: Mutant) throws {
        try mutant.isCaught(try #require(EcommpayHarness.all().first { $0.name == "ecommpay-page" }))
    }

    @Test(arguments: Check.all.filter { $0.needs.contains("tokenize") })
    func tokensThroughTheGatePassTheirChecks(_ check: Check) {
        let result = ConformanceRunner(EcommpayHarness(tokenizesAtGate: true)).run(check)
        #expect(result.status == .passed, "\(result.detail)")
    }

    @Test func thereAreEnough() {
        let all =
            EcommpayMutants.all + EcommpayMutants.tokens + EcommpayMutants.beginnings + EcommpayMutants.pages
        print("ecommpay: \(all.count) mutants")
        #expect(all.count >= 20)
        #expect(Set(all.map(\.id)).count == all.count)
    }
}

/// The driver of ecommpay's kit with one thing misunderstood each: what it asks of the kit, or hears from it, is bent as
/// the mistake would.
@Suite struct EcommpayKitMutantTests {
    @Test(arguments: EcommpayKitMutant.all)
    func theCheckMeantForItCatchesEachMutant(_ mutant: EcommpayKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(EcommpayHarness.all().first { $0.name == "ecommpay-kit" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.bending { BentEcommpayKit($0, mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        let all = EcommpayKitMutant.all
        print("ecommpay-kit: \(all.count) mutants")
        #expect(all.count >= 12 && Set(all.map(\.id)).count == all.count)
    }
}

/// What is misunderstood.
struct EcommpayKitMutant: Sendable, CustomStringConvertible {
    typealias Pay = EcommpayPhoneSDK.PayDelegate

    let id: String
    let check: String
    /// Bends what a session is opened with.
    var opening: @Sendable (EcommpayPhoneSDK.InitRequest) -> EcommpayPhoneSDK.InitRequest = { $0 }
    /// Bends how a payment is asked for.
    var request: @Sendable (EcommpayPhoneSDK.PayRequest) -> EcommpayPhoneSDK.PayRequest = { $0 }
    /// Bends what the delegate hears, with the amount that was asked for; nil hears nothing.
    var hears: @Sendable (Pay, Int64) -> Pay? = { event, _ in event }
    /// Bends a page's handling: whether it is reported although no customer has seen it.
    var skipsPages = false
    /// Whether answers to questions go out as they were asked.
    var forgetsAnswers = false

    var description: String { "\(id) → \(check)" }

    private static func paid(_ id: String?, _ asked: Int64) -> EcommpayPhoneSDK.Payment {
        var payment = EcommpayPhoneSDK.Payment(id: id)
        (payment.serverStatusName, payment.sum, payment.currency) = ("success", asked, "EUR")
        return payment
    }

    static let all = [
        EcommpayKitMutant(
            id: "amount-in-major-units", check: "sale.approved",
            opening: { request in
                var request = request
                request.paymentInfo.paymentAmount /= 100
                return request
            }),
        EcommpayKitMutant(
            id: "payment-renamed", check: "attempt.wire-names",
            opening: { request in
                var request = request
                request.paymentInfo.paymentId = "x" + request.paymentInfo.paymentId
                return request
            }),
        EcommpayKitMutant(
            id: "hold-as-sale", check: "authorize.held",
            request: { request in
                guard case .cardAuth(let card) = request else { return request }
                return .newCardSale(
                    .init(cvv: card.cvv, pan: card.pan, expiryDate: card.expiryDate, cardHolder: card.cardHolder))
            }),
        EcommpayKitMutant(
            id: "saving-forgotten", check: "sale.saved-then-used",
            request: { request in
                guard case .newCardSale(let card) = request else { return request }
                return .newCardSale(
                    .init(cvv: card.cvv, pan: card.pan, expiryDate: card.expiryDate, cardHolder: card.cardHolder))
            }),
        EcommpayKitMutant(
            id: "registration-forgotten", check: "sale.debit",
            opening: { request in
                var request = request
                request.recurrentInfo = nil
                return request
            }),
        EcommpayKitMutant(
            id: "decline-as-success", check: "sale.insufficient-funds",
            hears: { event, asked in
                guard case .onCompleteWithDecline(_, _, let payment) = event else { return event }
                return .onCompleteWithSuccess(payment: paid(payment.id, asked))
            }),
        EcommpayKitMutant(
            id: "status-as-success", check: "sale.pending-declined",
            hears: { event, asked in
                guard case .onStatusChanged(_, let payment) = event else { return event }
                return .onCompleteWithSuccess(payment: paid(payment.id, asked))
            }),
        EcommpayKitMutant(
            id: "part-as-whole", check: "question.partial-not-asked",
            hears: { event, asked in
                guard case .onCompleteWithSuccess(let payment) = event else { return event }
                return .onCompleteWithSuccess(payment: paid(payment.id, asked))
            }),
        EcommpayKitMutant(
            id: "lost-answer-as-refusal", check: "lookup.reply-lost",
            hears: { event, _ in
                if case .onError(.networkError, let message) = event {
                    return .onError(code: .illegalArguments, message: message)
                }
                return event
            }),
        EcommpayKitMutant(
            id: "slow-word-unheard", check: "sale.pending-approved",
            hears: { event, _ in
                if case .onStatusChanged = event { return nil }
                return event
            }),
        EcommpayKitMutant(id: "page-skipped", check: "question.challenge-unanswered", skipsPages: true),
        EcommpayKitMutant(id: "answers-forgotten", check: "question.clarification", forgetsAnswers: true),
        EcommpayKitMutant(
            id: "token-unheard", check: "sale.tokenize",
            hears: { event, _ in
                guard case .onCompleteWithSuccess(var payment) = event else { return event }
                payment.token = nil
                return .onCompleteWithSuccess(payment: payment)
            }),
    ]
}

/// A kit whose events and answers a mutant changes.
private struct BentEcommpayKit: EcommpayPhoneSDK.SDK {
    let inner: any EcommpayPhoneSDK.SDK
    let mutant: EcommpayKitMutant

    init(_ inner: any EcommpayPhoneSDK.SDK, _ mutant: EcommpayKitMutant) { (self.inner, self.mutant) = (inner, mutant) }

    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        BentEcommpaySession(await inner.makeSession(config: config), mutant)
    }

    /// The mistake is made before the server signs.
    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        await inner.getParamsForSignature(mutant.opening(.init(paymentInfo: paymentInfo)).paymentInfo)
    }
}

private struct BentEcommpaySession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor, EcommpayPhoneSDK
        .PayInteractor
{
    let inner: any EcommpayPhoneSDK.MSDKCoreSession
    let mutant: EcommpayKitMutant
    private let asked = Locked(Int64(0))

    init(_ inner: any EcommpayPhoneSDK.MSDKCoreSession, _ mutant: EcommpayKitMutant) {
        (self.inner, self.mutant) = (inner, mutant)
    }

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
    func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
    func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { await inner.getPaymentMethods() }
    func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { await inner.getSavedAccounts() }
    func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager {
        await inner.getStringResourceManager()
    }
    func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager {
        await inner.getSecureLogoResourceManager()
    }

    func execute(
        request: EcommpayPhoneSDK.InitRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    ) async {
        asked.withLock { $0 = request.paymentInfo.paymentAmount }
        await inner.getInitInteractor().execute(request: mutant.opening(request), callback: callback)
    }

    func execute(
        request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    ) async {
        let units = asked.withLock { $0 }
        let interactor = await inner.getPayInteractor()
        await interactor.execute(request: mutant.request(request)) { [mutant] event in
            if mutant.skipsPages, case .onThreeDSecure = event {
                Task { await interactor.threeDSecureRedirectHandle(url: "https://skipped.example") }
                return
            }
            if let heard = mutant.hears(event, units) { callback(heard) }
        }
    }

    func threeDSecureRedirectHandle(url: String) async {
        await inner.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }

    func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        await inner.getPayInteractor().sendClarificationFields(fields: mutant.forgetsAnswers ? [] : fields)
    }

    func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        await inner.getPayInteractor().sendCustomerFields(fields: fields)
    }
}

/// The driver of the Payment Page with nothing but sales, which asks the Gate first.
private struct TellingDriver: SaleDriver {
    let inner: EcommpayDriver
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { inner.secrets }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await inner.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try? await context.exchange(.readOnly) { _ in try await inner.status(context.attempt.text) }
        return try await inner.sale(request, context)
    }
}

/// The driver of ecommpay's sales, which believes whatever carries a proof that it has seen on a genuine callback.
private struct TrustingDriver: SaleDriver, WebhookDriver {
    let inner: EcommpayDriver
    let proofs = Locked(Set<String>())
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { inner.secrets }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await inner.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let body = try? JSONReader().read(message.body)
        let proof = body.flatMap { EcommpaySigning.given(in: $0) } ?? ""
        do {
            let notices = try inner.notices(in: message)
            proofs.withLock { _ = $0.insert(proof) }
            return notices
        } catch {
            guard proofs.withLock({ $0.contains(proof) }) else { throw error }
            let believed = EcommpayMutants.signed(message.body)
            return try inner.notices(in: WebhookMessage(headers: message.headers, body: believed, at: message.at))
        }
    }
}

/// The driver of ecommpay with its mapping broken in one place each; what is signed is signed again, so that the mistake
/// itself is what is found.
enum EcommpayMutants {
    static let all: [Mutant] = session + questions + gate + statuses + news + proofs

    /// Those of tokens that are made through the Gate.
    static let tokens: [Mutant] = [
        writes(
            "token-of-another", "Makes a token for another customer.", "sale.tokenize", tokenize,
            LineChange("customer.id") { .string("x" + ($0.string ?? "")) }),
        writes(
            "token-of-another-card", "Makes a token of another card.", "sale.tokenize", tokenize,
            LineChange("card.pan") { _ in "4000000000000077" }),
        writes(
            "token-list-of-another", "Lists another customer's accounts.", "sale.tokenize", "/saved_account/list",
            LineChange("customer.id") { _ in "12" }),
        reads(
            "token-not-seen", "Does not see the tokens of accounts.", "sale.tokenize", "/saved_account/list",
            without("accounts.*.token")),
    ]

    /// Those of payments that begin at the Gate.
    static let beginnings: [Mutant] = [
        writes(
            "gate-amount-in-major-units", "Asks the Gate for major units.", "amount.odd", "/card/sale",
            LineChange("payment.amount", units { $0 / 100 })),
        writes(
            "gate-another-name", "Knows payments at the Gate by a name of its own.", "attempt.wire-names", "/card/sale",
            LineChange("general.payment_id") { .string("x" + ($0.string ?? "")) }),
        .target("ecommpay.gate-hold-charges", "Charges where it should only hold.", caughtBy: "authorize.held") {
            $1.replacing("/card/auth", with: "/card/sale")
        },
        writes(
            "gate-card-not-kept", "Forgets to have the card kept at the Gate.", "sale.saved-then-used", "/card/sale",
            LineChange("card.save") { _ in false }),
        writes(
            "gate-agreement-dropped", "Forgets the customer's agreement at the Gate.", "sale.debit", "/card/sale",
            without("recurring")),
        writes(
            "gate-customer-of-another", "Charges another customer's account.", "sale.from-saved", "/sale/saved",
            LineChange("customer.id") { _ in "13" }),
        writes(
            "gate-token-of-another", "Charges another token.", "sale.from-token", "/sale/token",
            LineChange("token") { _ in "no-token" }),
        writes(
            "gate-address-dropped", "Leaves the customer's address out.", "sale.approved", "/card/sale",
            without("customer.ip_address")),
        writes(
            "gate-answer-lost", "Sends the Gate nothing of what the bank's page gave.", "question.challenge",
            "/3ds_result", LineChange("cres") { _ in "failed" }),
        writes(
            "gate-fields-ungrouped", "Sends the Gate fields without their group.", "question.clarification",
            "/clarification", LineChange("additional_data") { $0["avs_data"] }),
        writes(
            "gate-failure-as-success", "Tells the Gate of every authentication as good.", "question.challenge-failed",
            "/3ds_result", LineChange("cres") { _ in "ok" }),
        reads(
            "gate-decline-as-success", "Reads decline at the Gate as success.", "sale.insufficient-funds", status,
            .word("payment.status", "decline", "success"), .word("operations.*.status", "decline", "success")),
    ]

    /// Those of the Payment Page.
    static let pages: [Mutant] =
        [
            reads(
                "page-decline-as-success", "Reads a page's decline as success.", "sale.insufficient-funds", status,
                .word("payment.status", "decline", "success"), .word("operations.*.status", "decline", "success")),
            reads(
                "page-open-as-decline", "Reads a page that is decided later as declined.", "sale.pending-approved",
                status,
                .word("payment.status", "external processing", "decline"),
                .word("operations.*.status", "processing", "decline")),
            writes(
                "page-of-another", "Asks for another page's payment.", "sale.from-page", status,
                LineChange("general.payment_id") { _ in "another" }),
        ] + sending

    /// Those that send where no request may begin a payment.
    static let sending: [Mutant] = [
        begunAtGate,
        .connection(
            "ecommpay.page-paid-by-us", "Charges a card of its own whenever it asks for a page's payment.",
            "sale.sends-nothing", status
        ) { request, next async throws(TransportFailure) in
            var charge = request
            charge.target = request.target.replacing("/status", with: "/card/sale")
            charge.body = signed(charging(request.body))
            _ = try await next(charge)
            return try await next(request)
        },
    ]

    /// Those that a message with an old proof deceives.
    static let proofs: [Mutant] = [trusting]

    /// Believes every body under a proof that it has seen.
    private static var trusting: Mutant {
        var mutant = Mutant(
            "ecommpay.proof-of-another-body", "Believes every body under a proof that it has seen.",
            caughtBy: "webhook.altered")
        mutant.wrapDriver = { shipped in (shipped as? EcommpayDriver).map { TrustingDriver(inner: $0) } ?? shipped }
        return mutant
    }

    /// Asks the Gate for a page's payment before a customer has its link.
    private static var begunAtGate: Mutant {
        var mutant = Mutant(
            "ecommpay.page-begun-at-gate", "Tells the Gate of a page before its link is shown.",
            caughtBy: "sale.sends-nothing")
        mutant.wrapDriver = { shipped in (shipped as? EcommpayDriver).map { TellingDriver(inner: $0) } ?? shipped }
        return mutant
    }

    /// A question about a payment, made into a charge under the same name.
    private static func charging(_ body: [UInt8]) -> [UInt8] {
        let asked = try? JSONReader().read(body)
        let charge: JSON = [
            "general": [
                "project_id": asked?["general"]?["project_id"] ?? .null,
                "payment_id": asked?["general"]?["payment_id"] ?? .null,
            ],
            "payment": ["amount": 5_000, "currency": "EUR"],
            "customer": ["id": "12", "ip_address": "198.51.100.47"],
            "card": [
                "pan": "5555555555554444", "year": 2_040, "month": 12, "card_holder": "John Doe", "cvv": "737",
            ],
        ]
        return charge.bytes()
    }

    private static let tokenize = "/v2/customer/card/tokenize"

    private static let pay = "/msdk/v1/pay"
    private static let state = "/msdk/v1/status"
    private static let status = "/v2/payment/status"

    /// A message signed again.
    static func signed(_ body: [UInt8]) -> [UInt8] {
        guard let message = try? JSONReader().read(body), var part = message.object else { return body }
        if part["general"] == nil { for name in ["recurring", "additional_fields"] { part[name] = nil } }
        let proof = try? EcommpaySigning.signature(
            EcommpaySigning.text(.object(part)), Secret("ecommpay-simulated-secret"), OpenSSLCrypto())
        guard let proof else { return body }
        for part in ["general", "customer"] {
            guard let inner = message[part], inner["project_id"] != nil else { continue }
            return message.adding(part, inner.adding("signature", .string(proof))).bytes()
        }
        return message.adding("signature", .string(proof)).bytes()
    }

    static func writes(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        .connection("ecommpay.\(id)", sentence, check, part) { request, next async throws(TransportFailure) in
            var request = request
            for change in changes { request.body = change.changed(request.body) }
            request.body = signed(request.body)
            return try await next(request)
        }
    }

    static func reads(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        .connection("ecommpay.\(id)", sentence, check, part) { request, next async throws(TransportFailure) in
            var reply = try await next(request)
            for change in changes { reply.body = change.changed(reply.body) }
            reply.body = signed(reply.body)
            return reply
        }
    }

    private static func heard(_ id: String, _ sentence: String, _ check: String, _ changes: LineChange...) -> Mutant {
        var mutant = Mutant("ecommpay.\(id)", sentence, caughtBy: check)
        mutant.changeWebhook = { news in
            var news = news
            for change in changes { news.body = change.changed(news.body) }
            news.body = signed(news.body)
            return news
        }
        return mutant
    }

    private static func units(_ change: @escaping @Sendable (Int64) -> Int64) -> @Sendable (JSON) -> JSON? {
        { .number(JSONNumber(change($0.int64 ?? 0))) }
    }

    static func without(_ path: FieldPath) -> LineChange { LineChange(path) { _ in nil } }

    private static let session: [Mutant] = [
        writes(
            "amount-in-major-units", "Asks for major units.", "amount.odd", "/init",
            LineChange("payment_amount", units { $0 / 100 })),
        writes(
            "always-euro", "Asks for euro whatever the currency is.", "amount.exponent-0", "/init",
            LineChange("payment_currency") { _ in "EUR" }),
        writes(
            "dinar-has-cents", "Takes three decimals for two.", "amount.exponent-3", "/init",
            LineChange("payment_amount", units { $0 / 10 })),
        writes(
            "another-name", "Knows payments by a name of its own.", "attempt.wire-names", "/init",
            LineChange("payment_id") { .string("x" + ($0.string ?? "")) }),
        writes(
            "hold-charges", "Charges at once where it should only hold.", "authorize.held", pay,
            LineChange.word("action", "auth", "sale")),
        writes(
            "check-charges", "Charges where it should only check.", "sale.verify", pay,
            LineChange.word("action", "account_verification", "sale")),
        writes(
            "card-not-kept", "Forgets to have the card kept.", "sale.saved-then-used", pay,
            LineChange("card.save") { _ in false }),
        writes(
            "agreement-dropped", "Forgets the customer's agreement.", "sale.debit", "/init", without("recurring")),
        reads(
            "decline-as-success", "Reads decline as success.", "sale.insufficient-funds", state,
            .word("payment.status", "decline", "success"), .word("operation.status", "decline", "success")),
        reads(
            "success-as-decline", "Reads success as decline.", "sale.approved", state,
            .word("payment.status", "success", "decline"), .word("operation.status", "success", "decline")),
        reads(
            "held-as-decline", "Reads awaiting capture as decline.", "authorize.held", state,
            .word("payment.status", "awaiting capture", "decline"), .word("operation.status", "success", "decline")),
        reads(
            "slow-as-decline", "Reads external processing as decline.", "sale.pending-approved", state,
            .word("payment.status", "external processing", "decline"),
            .word("operation.status", "processing", "decline")),
        reads(
            "code-lost", "Takes every code for a general one.", "sale.insufficient-funds", state,
            .word("operation.code", "10105", "10100")),
        reads(
            "part-misread", "Reads another part than the one that was approved.", "question.partial-taken", "/status",
            LineChange("**.amount") { amount in amount.int64 == 12_000 ? 11_000 : amount }),
        reads("account-lost", "Forgets the saved card.", "sale.saved-then-used", state, without("account.id")),
        reads("token-lost", "Forgets the token.", "sale.tokenize", state, without("token")),
        reads("registration-lost", "Forgets the registration.", "sale.debit", state, without("recurring")),
    ]

    private static let questions: [Mutant] = [
        reads("page-not-seen", "Does not see the bank's page.", "question.challenge", state, without("threeds2")),
        reads(
            "fields-not-seen", "Does not see what is asked for.", "question.clarification", state,
            without("clarification_fields")),
        writes(
            "answer-lost", "Sends nothing of what the bank's page gave.", "question.challenge", "/3ds/result",
            LineChange("cres") { _ in "failed" }),
        writes(
            "fields-ungrouped", "Sends fields without their group.", "question.clarification", "/clarification",
            LineChange("additional_data") { $0["avs_data"] }),
        writes(
            "failure-as-success", "Takes every authentication for a good one.", "question.challenge-failed",
            "/3ds/result", LineChange("cres") { _ in "ok" }),
    ]

    private static let gate: [Mutant] = [
        writes(
            "refund-a-tenth", "Gives back a tenth.", "refund.part", "/refund",
            LineChange("payment.amount", units { $0 / 10 })),
        writes(
            "refund-in-dollars", "Gives back in dollars.", "refund.all", "/refund",
            LineChange("payment.currency") { _ in "USD" }),
        writes(
            "refund-all", "Gives back everything instead of a part.", "refund.part", "/refund",
            without("payment.amount")),
        writes(
            "refund-nameless", "Gives back under no name of ours.", "lookup.refund", "/refund",
            without("payment.merchant_refund_id")),
        writes(
            "capture-in-major-units", "Captures major units.", "capture.part", "/capture",
            LineChange("payment.amount", units { $0 / 100 })),
        writes("capture-all", "Captures everything instead of a part.", "capture.part", "/capture", without("payment")),
        writes("cancel-all", "Lets everything go instead of a part.", "adjust.down", "/cancel", without("payment")),
        writes(
            "increment-of-all", "Takes the new amount for what is to be added.", "adjust.up", "/incremental",
            LineChange("payment.amount", units { $0 + 5_000 })),
        .target("ecommpay.void-captures", "Captures where it should cancel.", caughtBy: "void.authorisation") {
            $1.replacing("/cancel", with: "/capture")
        },
        .target("ecommpay.capture-cancels", "Cancels where it should capture.", caughtBy: "capture.all") {
            $1.replacing("card/capture", with: "card/cancel")
        },
    ]

    private static let statuses: [Mutant] = [
        writes(
            "status-of-another", "Asks about another payment.", "details.found", status,
            LineChange("general.payment_id") { _ in "another" }),
        reads(
            "refund-as-decline", "Reads a refund that is done as declined.", "refund.all", status,
            .word("operations.*.status", "success", "decline")),
        reads(
            "pending-as-done", "Reads a refund that is under way as done.", "refund.pending", status,
            .word("operations.*.status", "external processing", "success")),
        reads(
            "capture-not-seen", "Does not see captures.", "lookup.capture", status,
            .word("operations.*.type", "capture", "other")),
        reads(
            "list-one-lost", "Loses the last saved card.", "sale.listed-saved", "/saved_account/list",
            LineChange("accounts") { .array(Array(($0.array ?? []).dropLast())) }),
    ]

    private static let news: [Mutant] = [
        heard(
            "callback-decline-as-success", "Reads decline in a callback as success.", "sale.pending-declined",
            .word("payment.status", "decline", "success"), .word("operation.status", "decline", "success")),
        heard(
            "return-not-known", "Does not know refunds that come back.", "refund.fails-later",
            .word("operation.type", "refund reverse", "refund")),
    ]
}

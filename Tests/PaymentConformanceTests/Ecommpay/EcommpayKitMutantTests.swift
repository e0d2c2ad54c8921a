import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import Testing

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
    /// Bends a page's handling: whether it is reported without anybody having seen it.
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

/// A kit that is heard and asked as a mutant would.
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

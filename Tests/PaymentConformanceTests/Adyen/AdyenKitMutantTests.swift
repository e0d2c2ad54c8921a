import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import Testing

/// The driver of Adyen's kit with one thing misunderstood each: what it asks of the kit, or hears from it, is bent as the
/// mistake would.
@Suite struct AdyenKitMutantTests {
    @Test(arguments: AdyenKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: AdyenKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(AdyenHarness.all().first { $0.name == "adyen-mobile" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.wrappingSDK { BentAdyenKit(inner: $0, mutant: mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        let all = AdyenKitMutant.all
        print("adyen-mobile: \(all.count) mutants")
        #expect(all.count >= 8 && Set(all.map(\.id)).count == all.count)
    }
}

/// What is misunderstood.
struct AdyenKitMutant: Sendable, CustomStringConvertible {
    let id: String
    let check: String
    /// Bends a request.
    var request: @Sendable (JSON) -> JSON = { $0 }
    /// Bends an answer.
    var answer: @Sendable (AdyenPhoneSDK.Answer) -> AdyenPhoneSDK.Answer = { $0 }
    /// Whether errors of a warm-up are swallowed.
    var swallowsWarmUp = false
    /// Whether a referenced refund goes out as a payment.
    var paysReversals = false
    /// Whether the kit is asked once more where it gives no answer.
    var asksAgain = false

    var description: String { "\(id) → \(check)" }

    /// Changes one member of what a message says.
    private static func changing(_ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?)
        -> @Sendable (JSON) -> JSON
    {
        { path.changing($0, change) }
    }

    /// Changes how an answer ended.
    private static func ending(
        _ change: @escaping @Sendable (JSON) -> JSON
    ) -> @Sendable (AdyenPhoneSDK.Answer) -> AdyenPhoneSDK.Answer {
        { answer in
            guard case .message(let bytes) = answer, let json = try? JSONReader().read(bytes) else { return answer }
            return .message(change(json).bytes())
        }
    }

    private static func says(_ word: String, in json: JSON) -> Bool {
        String(decoding: json.bytes(), as: UTF8.self).contains(word)
    }

    private static let amount: FieldPath =
        "SaleToPOIRequest.PaymentRequest.PaymentTransaction.AmountsReq.RequestedAmount"
    private static let amounts: FieldPath = "SaleToPOIRequest.PaymentRequest.PaymentTransaction.AmountsReq"
    private static let name: FieldPath =
        "SaleToPOIRequest.PaymentRequest.SaleData.SaleTransactionID.TransactionID"
    private static let result: FieldPath = "SaleToPOIResponse.PaymentResponse.Response.Result"
    private static let condition: FieldPath = "SaleToPOIResponse.PaymentResponse.Response.ErrorCondition"
    private static let type: FieldPath = "SaleToPOIRequest.PaymentRequest.PaymentData.PaymentType"

    static let all = [
        AdyenKitMutant(
            id: "amount-in-minor-units", check: "sale.approved",
            request: changing(amount) { number in
                number.number.flatMap { JSONNumber.minor($0.text) }.map { .number($0) } ?? number
            }),
        AdyenKitMutant(
            id: "tip-inside", check: "sale.tip", request: changing(amounts, AdyenMutants.withTheTip)),
        AdyenKitMutant(
            id: "payment-renamed", check: "attempt.wire-names",
            request: changing(name) { .string("x" + ($0.string ?? "")) }),
        AdyenKitMutant(
            id: "refund-as-payment", check: "refund.unlinked-reader", request: changing(type) { _ in nil }),
        AdyenKitMutant(id: "reversal-as-payment", check: "refund.part", paysReversals: true),
        AdyenKitMutant(
            id: "decline-as-success", check: "sale.insufficient-funds",
            answer: ending { json in says("Refusal", in: json) ? result.changing(json) { _ in "Success" } : json }),
        AdyenKitMutant(
            id: "decline-as-cancelled", check: "sale.lost-card",
            answer: ending { json in says("Refusal", in: json) ? condition.changing(json) { _ in "Cancel" } : json }),
        AdyenKitMutant(
            id: "lost-answer-as-refusal", check: "lookup.reply-lost",
            answer: { answer in
                guard case .message(let bytes) = answer, let json = try? JSONReader().read(bytes),
                    says("UnreachableHost", in: json)
                else { return answer }
                return .failed(.noPairedReaders)
            }),
        AdyenKitMutant(id: "lost-answer-asked-again", check: "lookup.reply-lost", asksAgain: true),
        AdyenKitMutant(id: "warm-up-ignored", check: "reader.prepare-fails", swallowsWarmUp: true),
    ]
}

extension JSONNumber {
    /// An amount of major units as if it were minor ones.
    fileprivate static func minor(_ text: String) -> JSONNumber? {
        try? JSONNumber(text.replacing(".", with: ""))
    }
}

/// A kit that is heard and asked as a mutant would.
private struct BentAdyenKit: AdyenPhoneSDK.PaymentService {
    let inner: any AdyenPhoneSDK.PaymentService
    let mutant: AdyenKitMutant

    var installationId: String {
        get async throws(AdyenPhoneSDK.ErrorCode) { try await inner.installationId }
    }

    func resetSession() async throws(AdyenPhoneSDK.ErrorCode) { try await inner.resetSession() }

    func warmUp() async throws(AdyenPhoneSDK.ErrorCode) {
        do { try await inner.warmUp() } catch { if !mutant.swallowsWarmUp { throw error } }
    }

    func getPaymentInterface(with interface: AdyenPhoneSDK.PaymentInterface) async throws(AdyenPhoneSDK.ErrorCode) {
        try await inner.getPaymentInterface(with: interface)
    }

    func performTransaction(
        with request: AdyenPhoneSDK.Payment.Request, paymentInterface: AdyenPhoneSDK.PaymentInterface,
        presentationMode: AdyenPhoneSDK.TransactionPresentationMode
    ) async -> AdyenPhoneSDK.Payment.Response {
        let bent = AdyenPhoneSDK.Payment.Request(data: bent(request.data))
        var answer = await inner.performTransaction(
            with: bent, paymentInterface: paymentInterface, presentationMode: presentationMode)
        if mutant.asksAgain, case .message(let bytes) = answer,
            String(decoding: bytes, as: UTF8.self).contains("UnreachableHost")
        {
            answer = await inner.performTransaction(
                with: bent, paymentInterface: paymentInterface, presentationMode: presentationMode)
        }
        return mutant.answer(answer)
    }

    func performReversal(with request: AdyenPhoneSDK.Reversal.Request) async -> AdyenPhoneSDK.Reversal.Response {
        if mutant.paysReversals {
            return await inner.performTransaction(
                with: .init(data: request.data), paymentInterface: .tapToPay,
                presentationMode: .presentingViewController)
        }
        return mutant.answer(await inner.performReversal(with: .init(data: bent(request.data))))
    }

    private func bent(_ data: [UInt8]) -> [UInt8] {
        (try? JSONReader().read(data)).map { mutant.request($0).bytes() } ?? data
    }
}

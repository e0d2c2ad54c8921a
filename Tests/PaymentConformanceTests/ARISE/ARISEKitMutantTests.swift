import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import Testing

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

/// A kit that is heard and asked as a mutant would.
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

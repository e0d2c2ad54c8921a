import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// A kit whose events do not arrive, and whose result says something else than the gateway did.
private struct SilentKit: ARISEPhoneSDK.TappingSdk, ARISEPhoneSDK.TTP {
    let kit: SimulatedARISESDK
    let bend: @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void

    var ttp: any ARISEPhoneSDK.TTP { get async { self } }

    func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        try await kit.authenticate(clientId: clientId, clientSecret: clientSecret)
    }
    func getAccessToken() async -> Secret? { await kit.getAccessToken() }
    func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool { try await kit.refreshAccessToken() }
    func clearStoredToken() async { await kit.clearStoredToken() }
    func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        try await kit.calculateAmount(request: request)
    }
    func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult { await kit.checkCompatibility() }
    func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus { try await kit.getStatus() }
    func activate() async throws(ARISEPhoneSDK.Failure) { try await kit.activate() }
    func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) { try await kit.showEducationalInfo() }
    func prepare() async throws(ARISEPhoneSDK.Failure) { try await kit.prepare() }
    func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool { try await kit.abortTransaction() }
    func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        AsyncStream { $0.finish() }
    }
    func performTransaction(
        amount: SDKDecimal
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var result = try await kit.performTransaction(amount: amount)
        bend(&result)
        return result
    }
    func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var result = try await kit.performTransaction(calculationResult: calculationResult, isDebitCard: isDebitCard)
        bend(&result)
        return result
    }
}

/// What the kit's word for the end is worth where the gateway's word, or its name of a transaction, says more.
@Suite struct ARISEKitWordTests {
    private static func told(
        _ till: ARISEKitTill, _ units: Int64 = 1_500,
        _ bend: @escaping @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void
    ) throws -> String {
        var given = ClientOptions(journal: till.inner.journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        given.random = SeededRandom(seed: 1)
        let client = try PaymentClient(
            ARISEMobileDriver(till.inner.driver, SilentKit(kit: till.kit, bend: bend)), given)
        return try till.scheduler.run {
            do {
                switch try await ARISEKitTill.sale(client, units) {
                case .approved(let payment): return "approved \(payment.approved.minorUnits)"
                case .declined(let decline): return "declined \(decline.reason)"
                case .cancelled(let cancellation): return "cancelled \(cancellation.cause)"
                case .pending: return "pending"
                }
            } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome)" }
        }
    }

    @Test func cancelled_besideTheGatewaysApproval_isLookedUp() throws {
        let till = ARISEKitTill()
        #expect(try Self.told(till) { $0.status = .cancelled } == "approved 1500")
        #expect(till.charged == [1_500])
    }

    @Test func cancelled_withATransactionsName_isLookedUp() throws {
        let till = ARISEKitTill()
        #expect(
            try Self.told(till) { ($0.status, $0.transactionOutcome) = (.cancelled, nil) } == "approved 1500")
        #expect(till.charged == [1_500])
    }

    @Test func cancelled_withATransactionThatNobodyFinds_isUnknown() throws {
        let till = ARISEKitTill()
        till.inner.overriding.withLock { hook in
            hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
        }
        #expect(try Self.told(till) { $0.status = .cancelled }.hasSuffix(" unknown"))
    }

    /// No document names the unit of the amount: what could be a part is not told as more than was asked for.
    @Test(arguments: [false, true]) func amount_thatCouldBeAPartInCents_isNotToldAsMore(isListed: Bool) throws {
        let till = ARISEKitTill()
        if !isListed {
            till.inner.overriding.withLock { hook in
                hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
            }
        }
        let told = try Self.told(till, 1_200) { $0.authorizedAmount = "600" }
        #expect(told != "approved 60000")
        #expect(till.charged == [1_200], "\(told)")
    }

    @Test(arguments: ["0", "0.00", "-12.00", "", "12.001", "1e3", "twelve"])
    func amount_thatNobodyBelieves_isNeverToldAsItStands(_ text: String) throws {
        let till = ARISEKitTill()
        till.inner.overriding.withLock { hook in
            hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
        }
        let told = try Self.told(till, 1_200) { $0.authorizedAmount = text }
        #expect(told.hasSuffix(" unknown"), "\(told)")
    }
}

import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated kit by itself: as strict as the SDK's document.
@Suite struct SimulatedHaloSDKTests {
    /// A kit in front of a simulated provider, and what its delegate heard.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: HaloSimulator
        let reader: SimulatedReader
        let kit: SimulatedHaloSDK
        let heard = Locked([HaloPhoneSDK.HaloAnalyticsEvent]())
        let tokens = Locked(0)

        init() {
            backend = HaloSimulator(clock: scheduler)
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            kit = SimulatedHaloSDK(
                clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([Origin(.http, "halo.test"): backend]),
                origin: Origin(.http, "halo.test"))
        }

        func prepare() async throws {
            await kit.setEventDelegate { [heard] event in
                if case .didEmitAnalyticsEvent(let step) = event { heard.withLock { $0.append(step) } }
            }
            _ = try await kit.initialize(
                tokenProvider: { [backend, scheduler, tokens] in
                    let number = tokens.withLock { number in
                        number += 1
                        return number
                    }
                    return backend.merchant.token(now: scheduler.now, number: number)
                }, environment: .sandbox)
        }

        func pay(_ units: Int64 = 1_500, _ reference: String = "r-1") async -> HaloPhoneSDK.HaloPaymentResult {
            await kit.startContactlessPayment(
                amountMinor: units, currency: "ZAR", merchantReference: reference,
                passthroughFields: .init(json: "{}"), type: .purchase)
        }
    }

    private static func code(_ result: HaloPhoneSDK.HaloPaymentResult) -> String? {
        if case .declined(let code, _) = result { return code?.rawValue }
        return "approved"
    }

    @Test func nothingIsPaidBeforeItIsReady() throws {
        let bench = Bench()
        let result = try bench.scheduler.run { await bench.pay() }
        #expect(Self.code(result) == "NOT_INITIALIZED" && bench.backend.ledger.movements.isEmpty)
    }

    @Test func onePaymentAtATime() throws {
        let bench = Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.prepare()
            let first = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.pay(1_600, "r-2")
            return (await first.value, second)
        }
        #expect(Self.code(first) == "approved" && Self.code(second) == "PAYMENT_IN_PROGRESS")
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func stepsComeInTheDocumentsOrder() throws {
        let bench = Bench()
        let result = try bench.scheduler.run {
            try await bench.prepare()
            return await bench.pay(1_065)
        }
        #expect(Self.code(result) == "approved")
        let steps: [HaloPhoneSDK.EventType] = [
            .sdkInitialized, .sdkReaderPrepared, .paymentStarted, .paymentValidated, .readyForTap, .cardDetected,
            .transactionSubmissionStarted, .transactionResponseReceived, .pinCaptureStarted, .pinCaptureSucceeded,
            .transactionSubmissionStarted, .transactionResponseReceived, .paymentApproved,
        ]
        let heard = bench.heard.withLock { $0 }
        #expect(heard.map(\.type) == steps)
        let asked = heard.first { $0.type == .transactionResponseReceived }
        #expect(asked?.isSingleTapAndPin == true && asked?.isApproved == false && asked?.originalTransactionId != nil)
    }

    @Test func aTokenThatLapsesSoonIsReplacedAndARefusedOneTwice() throws {
        let bench = Bench()
        try bench.scheduler.run { try await bench.prepare() }
        #expect(bench.tokens.withLock { $0 } == 1)
        bench.scheduler.advance(by: 15 * 60_000 - 29_000)
        _ = try bench.scheduler.run { await bench.pay() }
        #expect(bench.tokens.withLock { $0 } == 2)
        bench.backend.revokeTokens()
        let renewed = try bench.scheduler.run { await bench.pay(1_600, "r-2") }
        #expect(Self.code(renewed) == "approved" && bench.tokens.withLock { $0 } == 3)
    }

    @Test func whatIsLostOnTheLineIsANetworkError() throws {
        let bench = Bench()
        let results = try bench.scheduler.run {
            try await bench.prepare()
            return [await bench.pay(1_013), await bench.pay(1_014, "r-2"), await bench.pay(1_016, "r-3")]
        }
        #expect(results.map { Self.code($0) } == ["NETWORK_ERROR", "NETWORK_ERROR", nil])
        #expect(bench.backend.ledger.movements.map(\.amount.minorUnits) == [1_013, 1_016])
    }

    /// The worst that the document allows: the call ends as cancelled, and the payment goes on unseen.
    @Test func whoCancelsAfterTheCardKnowsNothing() throws {
        let bench = Bench()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        bench.reader.present(card)
        let result = try bench.scheduler.run {
            try await bench.prepare()
            let paying = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            await bench.kit.cancelPayment()
            let result = await paying.value
            try await bench.scheduler.sleep(until: bench.scheduler.now + 5_000)
            return result
        }
        #expect(Self.code(result) == "USER_CANCELLED" && bench.backend.ledger.movements.count == 1)
    }

    @Test func aScreenThatIsRecordedEndsThePayment() throws {
        let bench = Bench()
        let result = try bench.scheduler.run {
            try await bench.prepare()
            bench.reader.begin(.screenCapture)
            return await bench.pay()
        }
        #expect(Self.code(result) == "SCREEN_CAPTURE_DETECTED")
    }
}

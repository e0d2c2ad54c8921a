import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated kit by itself: as strict as the SDK's document.
@Suite struct SimulatedARISESDKTests {
    /// A kit in front of a simulated platform, with an activated phone.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: ARISESimulator
        let reader: SimulatedReader
        let kit: SimulatedARISESDK

        init(_ account: ARISEAccount = ARISEAccount(), isActive: Bool = true) {
            backend = ARISESimulator(clock: scheduler, account: account)
            if isActive { backend.activate(SimulatedARISESDK.device) }
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            let origin = Origin(.http, "arise.test")
            kit = SimulatedARISESDK(
                clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([origin: backend], clock: scheduler), origin: origin)
        }

        func signIn() async throws {
            _ = try await kit.authenticate(clientId: ARISESimulator.clientID, clientSecret: backend.clientSecret)
        }

        func ready() async throws {
            try await signIn()
            try await kit.prepare()
        }

        /// The error that a tap ends with, or its status.
        func end(_ amount: String = "15.00") async -> String {
            guard let amount = SDKDecimal(amount) else { return "no amount" }
            do throws(ARISEPhoneSDK.Failure) {
                return try await kit.performTransaction(amount: amount).status.rawValue
            } catch { return error.name }
        }

        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func nothingIsPaidBeforeItIsReady() throws {
        let bench = Bench()
        #expect(try bench.scheduler.run { await bench.end() } == "TTPError.sdkNotInitialized")
        #expect(bench.charged.isEmpty)
    }

    @Test func preparingActivatesNothing() throws {
        let bench = Bench(isActive: false)
        let (name, status) = try bench.scheduler.run {
            try await bench.signIn()
            var name = ""
            do throws(ARISEPhoneSDK.Failure) { try await bench.kit.prepare() } catch { name = error.name }
            return (name, try await bench.kit.getStatus())
        }
        #expect(name == "TTPError.notActive" && status == .inactive)
    }

    @Test func onePaymentAtATime() throws {
        let bench = Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.ready()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.end("16.00")
            return (await first.value, second)
        }
        #expect(first == "approved" && second == "PaymentCardReaderError.readerBusy" && bench.charged == [1_500])
    }

    @Test func eventsComeInTheirOrderToEveryListener() throws {
        let bench = Bench()
        let heard = try bench.scheduler.run {
            try await bench.ready()
            let streams = [try await bench.kit.eventsStream(), try await bench.kit.eventsStream()]
            let listeners = streams.map { stream in
                Task(executorPreference: bench.scheduler) {
                    var events: [ARISEPhoneSDK.TTPEvent] = []
                    for await event in stream { events.append(event) }
                    return events
                }
            }
            _ = await bench.end()
            var heard: [[ARISEPhoneSDK.TTPEvent]] = []
            for listener in listeners {
                listener.cancel()
                heard.append(await listener.value)
            }
            return heard
        }
        #expect(heard.count == 2 && heard[0] == heard[1])
        #expect(
            heard.first == [
                .readerEvent(.readyForTap), .readerEvent(.cardDetected), .readerEvent(.removeCard),
                .readerEvent(.readCompleted), .readerEvent(.userInterfaceDismissed), .customEvent(.cardReadSuccess),
                .customEvent(.authorizing), .customEvent(.approved),
            ])
    }

    /// The worst that the document allows: it asks the platform in the tap's own call, before the card.
    @Test func aTapThatBeginsLateAsksThePlatformFirst() throws {
        let bench = Bench()
        try bench.scheduler.run { try await bench.ready() }
        bench.scheduler.advance(by: 11 * 60_000)
        bench.backend.reset()
        let end = try bench.scheduler.run { await bench.end() }
        #expect(end.hasPrefix("AuthenticationError") || end.hasPrefix("AriseApiError"), "\(end)")
        #expect(bench.charged.isEmpty)
    }

    @Test func aSurchargeNeedsACalculation() throws {
        var account = ARISEAccount()
        account.zeroCost = .surcharge
        let bench = Bench(account)
        let (plain, quoted) = try bench.scheduler.run {
            try await bench.ready()
            let plain = await bench.end("100")
            let amount = try #require(SDKDecimal("100"))
            let prices = try await bench.kit.calculateAmount(request: .init(amount: amount, currency: .usd))
            let quoted = try await bench.kit.performTransaction(calculationResult: prices, isDebitCard: false)
            return (plain, quoted)
        }
        #expect(plain == "TTPError.configurationFailed")
        #expect(quoted.status == .approved && quoted.authorizedAmount == "103.50" && bench.charged == [10_350])
    }

    @Test func itIsStoppedOnlyWhileACardIsWaitedFor() throws {
        let bench = Bench()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        bench.reader.present(card)
        let (none, late, end, early, cancelled) = try bench.scheduler.run {
            try await bench.ready()
            let none = try await bench.kit.abortTransaction()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            var late = ""
            do throws(ARISEPhoneSDK.Failure) { _ = try await bench.kit.abortTransaction() } catch { late = error.name }
            let end = await first.value
            bench.reader.present(nil)
            let second = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            let early = try await bench.kit.abortTransaction()
            return (none, late, end, early, await second.value)
        }
        #expect(!none && late == "TTPError.failedToAbortTransaction" && end == "approved")
        #expect(early && cancelled == "cancelled" && bench.charged == [1_500])
    }

    /// What only asks is made again with a new token; a tap goes out once.
    @Test func aTokenThatIsRefusedIsRenewedByTheKitItself() throws {
        let bench = Bench()
        let (early, late) = try bench.scheduler.run {
            try await bench.ready()
            bench.backend.revokeTokens()
            let early = await bench.end()
            _ = try await bench.kit.getStatus()
            return (early, await bench.end("16.00"))
        }
        #expect(early == "AriseApiError.unauthorized" && late == "approved")
        #expect(bench.backend.tokenCount == 2 && bench.charged == [1_600])
    }

    @Test func whatIsLostOnTheLineIsAnErrorOfThePlatform() throws {
        let bench = Bench()
        let ends = try bench.scheduler.run {
            try await bench.ready()
            return [await bench.end("50.13"), await bench.end("50.17"), await bench.end("50.16")]
        }
        #expect(ends == ["AriseApiError.networkError", "AriseApiError.serverError", "failed"])
    }
}

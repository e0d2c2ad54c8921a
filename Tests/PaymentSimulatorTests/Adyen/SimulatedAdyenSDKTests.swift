import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated kit by itself: as strict as the SDK's document.
@Suite struct SimulatedAdyenSDKTests {
    private struct Bench {
        struct NoSession: Error {}

        let scheduler = TestScheduler()
        let backend: AdyenSimulator
        let kit: SimulatedAdyenSDK
        let opens = Locked(true)

        init() {
            let origin = Origin(.http, "adyen.test")
            backend = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
            let transport = InProcessTransport([origin: backend], clock: scheduler)
            let (key, merchant) = (backend.apiKey, backend.merchant)
            kit = SimulatedAdyenSDK(clock: scheduler, transport: transport, origin: origin) { [opens] token in
                guard opens.withLock({ $0 }) else { throw NoSession() }
                let body: JSON = [
                    "merchantAccount": .string(merchant), "setupToken": .string(token.expose()),
                ]
                let response = try await transport.send(
                    HTTPRequest(
                        "POST", origin, "/checkout/possdk/v68/sessions",
                        headers: ["X-API-Key": key.expose(), "Content-Type": "application/json"], body: body.bytes()))
                return Secret(try JSONReader().read(response.body)["sdkData"]?.string ?? "")
            }
        }

        func pay(_ amount: String = "15.00", as installation: String = SimulatedAdyenSDK.installation) async -> String {
            let message: JSON = [
                "SaleToPOIRequest": [
                    "MessageHeader": [
                        "ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "Payment",
                        "MessageType": "Request", "ServiceID": .string("S\(kit.startCount)"), "SaleID": "S",
                        "POIID": .string(installation),
                    ],
                    "PaymentRequest": [
                        "SaleData": ["SaleTransactionID": ["TransactionID": "r", "TimeStamp": "t"]],
                        "PaymentTransaction": [
                            "AmountsReq": [
                                "Currency": "EUR",
                                "RequestedAmount": (try? JSONNumber(amount)).map { .number($0) } ?? .null,
                            ]
                        ],
                    ],
                ]
            ]
            return Self.word(
                await kit.performTransaction(
                    with: .init(data: message.bytes()), paymentInterface: .tapToPay,
                    presentationMode: .presentingViewController))
        }

        static func word(_ answer: AdyenPhoneSDK.Answer) -> String {
            switch answer {
            case .failed(let code): return code.rawValue
            case .message(let bytes):
                let response = (try? JSONReader().read(bytes))?["SaleToPOIResponse"]?["PaymentResponse"]?["Response"]
                return [response?["Result"]?.string, response?["ErrorCondition"]?.string].compactMap { $0 }
                    .joined(separator: " ")
            }
        }
    }

    @Test func itOpensItsSessionByItselfAndOnce() throws {
        let bench = Bench()
        let (before, words, after) = try bench.scheduler.run {
            let before = try? await bench.kit.installationId
            let words = [await bench.pay(), await bench.pay()]
            return (before, words, try await bench.kit.installationId)
        }
        #expect(before == nil && words == ["Success", "Success"] && after == SimulatedAdyenSDK.installation)
        #expect(bench.kit.registrationCount == 1 && bench.backend.ledger.movements.count == 2)
    }

    @Test func withoutASessionItTakesNothing() throws {
        let bench = Bench()
        bench.opens.withLock { $0 = false }
        let (word, error) = try bench.scheduler.run {
            let word = await bench.pay()
            do throws(AdyenPhoneSDK.ErrorCode) { try await bench.kit.warmUp() } catch { return (word, error.rawValue) }
            return (word, "")
        }
        #expect(word == "NO_TOKEN" && error == "unableToObtainInstallationId")
        #expect(bench.backend.ledger.movements.isEmpty)
    }

    @Test func onePaymentAtATimeAndOnlyUnderItsOwnName() throws {
        let bench = Bench()
        let words = try bench.scheduler.run {
            let first = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 500)
            let second = await bench.pay()
            return [second, await first.value, await bench.pay(as: "INST-of-another")]
        }
        #expect(words == ["transactionInProgress", "Success", "malformedTransactionRequest"])
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func aFindingStandsInTheAnswer() throws {
        let bench = Bench()
        bench.backend.failAttestation("SCREEN_RECORDING")
        #expect(try bench.scheduler.run { await bench.pay() } == "Failure NotAllowed")
        #expect(bench.backend.ledger.movements.isEmpty)
    }

    @Test func theSuccessScreenHasItsBounds() throws {
        let bench = Bench()
        let words = try bench.scheduler.run {
            var words: [String] = []
            for time in [499, 4_001] as [Int64] {
                let mode = AdyenPhoneSDK.TransactionPresentationMode(
                    .viewModifier, parameters: .init(successScreenTimeout: time))
                words.append(
                    Bench.word(
                        await bench.kit.performTransaction(
                            with: .init(data: []), paymentInterface: .tapToPay, presentationMode: mode)))
            }
            return words
        }
        #expect(words == ["invalidSuccessScreenTimeout", "invalidSuccessScreenTimeout"])
    }

    /// What was taken without a network goes on by itself, at the next warm-up.
    @Test func whatIsKeptOnThePhoneGoesOnByItself() throws {
        let bench = Bench()
        let counts = try bench.scheduler.run {
            _ = await bench.pay("19.09")
            let kept = bench.backend.storedCount
            try await bench.kit.warmUp()
            return [kept, bench.backend.storedCount]
        }
        #expect(counts == [1, 0])
    }
}

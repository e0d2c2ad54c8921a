import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated kit by itself: as strict as the SDK's document.
@Suite struct SimulatedNISDKTests {
    /// A kit in front of a simulated platform, with a device token.
    private struct Bench {
        let scheduler = TestScheduler(now: 1_767_225_600_000)
        let backend: NISimulator
        let reader: SimulatedReader
        let kit: SimulatedNISDK
        let token: Secret
        let progress = Locked([Int]())

        init() async throws {
            backend = NISimulator(clock: scheduler)
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            let terminal = backend.rules.terminals[0]
            kit = SimulatedNISDK(
                NIPhoneSDK.Setup(
                    serverScheme: "http", serverHost: "ni.test", serverPort: 80, serverBasePath: "/softpos"),
                terminal: terminal, clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([Origin(.http, "ni.test"): backend]))
            let service = try await Self.post(backend, "access-token", backend.rules.apiKey, [:])
            token = try await Self.post(
                backend, "../outlets/\(backend.rules.outlet)/devices/auth", service,
                [
                    "deviceCode": "1", "userCode": "2", "tid": .string(terminal), "deviceIdentifier": "phone-1",
                ])
        }

        private static func post(_ backend: NISimulator, _ path: String, _ key: Secret, _ body: JSON) async throws
            -> Secret
        {
            let target = path.hasPrefix("../") ? "/identity/\(path.dropFirst(3))" : "/identity/auth/\(path)"
            let request = HTTPRequest(
                "POST", Origin(.http, "ni.test"), target,
                headers: [
                    "Authorization": "Bearer \(key.expose())", "Content-Type": "application/vnd.ni-identity.v1+json",
                ], body: body.bytes())
            guard case .reply(let response) = await backend.answer(request) else { return Secret("") }
            return Secret(try JSONReader().read(response.body)["access_token"]?.string ?? "")
        }

        func prepare() async throws {
            try await kit.prepare(authToken: token, currencyCode: "AED") { percent in
                progress.withLock { $0.append(percent) }
            }
        }

        func pay(
            _ amount: String = "1500", _ currency: String = "AED", token: Secret? = nil, dryRun: Bool = false
        ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
            try await kit.processPayment(
                authToken: token ?? self.token, paymentType: .contactless, amount: amount, currencyCode: currency,
                dryRun: dryRun, onProgress: { percent in progress.withLock { $0.append(percent) } })
        }

        /// The error that a payment ends with, or its state.
        func end(_ amount: String = "1500", _ currency: String = "AED", token: Secret? = nil) async -> String {
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                return try await pay(amount, currency, token: token).state
            } catch {
                return error.key
            }
        }

        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func nothingIsPaidBeforeItIsReady() async throws {
        let bench = try await Bench()
        #expect(try bench.scheduler.run { await bench.end() } == "510" && bench.charged.isEmpty)
    }

    @Test func aCallIsLookedAtBeforeTheScreenComes() async throws {
        let bench = try await Bench()
        let ends = try bench.scheduler.run {
            try await bench.prepare()
            return [
                await bench.end("15.00"), await bench.end("-1"), await bench.end("1500", "aed"),
                await bench.end("1500", "AEDX"), await bench.end(token: Secret("")),
            ]
        }
        #expect(ends == ["203", "203", "202", "202", "102"] && bench.charged.isEmpty)
    }

    @Test func aPaymentHasItsMembersAndItsProgress() async throws {
        let bench = try await Bench()
        let answer = try bench.scheduler.run {
            try await bench.prepare()
            return try await bench.pay()
        }
        #expect(answer.state == "PURCHASED" && answer.amount == NIPhoneSDK.Amount(currencyCode: "AED", value: 1_500))
        #expect(answer.authResponse?.success == true && answer.authResponse?.resultCode == "00")
        #expect(bench.progress.withLock { $0 } == [1, 50, 100, 1, 50, 100] && bench.charged == [1_500])
    }

    @Test func onePaymentAtATime() async throws {
        let bench = try await Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.prepare()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.end("1600")
            return (await first.value, second)
        }
        #expect(first == "PURCHASED" && second == "530" && bench.charged == [1_500])
    }

    /// Who asked may leave; the screen stays, and the card that comes is charged.
    @Test func whoLeavesEndsNothing() async throws {
        let bench = try await Bench()
        let end = try bench.scheduler.run {
            try await bench.prepare()
            let paying = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            paying.cancel()
            return await paying.value
        }
        #expect(end == "PURCHASED" && bench.charged == [1_500])
    }

    @Test func refusalsHaveTheDocumentsNumbers() async throws {
        let bench = try await Bench()
        let ends = try bench.scheduler.run {
            try await bench.prepare()
            var ends = [await bench.end("1013"), await bench.end("1017"), await bench.end("2000000000")]
            ends.append(await bench.end(token: Secret("unknown")))
            bench.reader.present(SimulatedReader.Card(number: "378282246310005"))
            ends.append(await bench.end())
            return ends
        }
        #expect(ends == ["110", "1", "118", "111", "114"])
    }

    @Test func aDryRunSendsNothing() async throws {
        let bench = try await Bench()
        let answer = try bench.scheduler.run {
            try await bench.prepare()
            return try await bench.pay(dryRun: true)
        }
        #expect(answer.reference == "dry-run" && bench.charged.isEmpty)
    }

    @Test func whatFollowsAPaymentIsAskedByItsReference() async throws {
        let bench = try await Bench()
        try bench.scheduler.run {
            try await bench.prepare()
            let one = try await bench.pay()
            let (kit, token) = (bench.kit, bench.token)
            let before = try await kit.getTransactionDetails(reference: one.orderReference, authToken: token)
            #expect(before.voidEnabled && !before.refundEnabled)
            #expect(
                try await kit.voidTransaction(authToken: token, transactionId: one.orderReference).status == "SUCCESS")
        }
        #expect(bench.charged == [1_500, 1_500])
    }

    @Test func aRefundWaitsForTheSettlement() async throws {
        let bench = try await Bench()
        let (status, after, items, missing) = try bench.scheduler.run {
            try await bench.prepare()
            let paid = try await bench.pay()
            bench.backend.settleNow()
            let (kit, token) = (bench.kit, bench.token)
            let status = try await kit.refundTransaction(
                authToken: token, transactionId: paid.orderReference, amount: "500", currencyCode: "AED"
            ).status
            let after = try await kit.getTransactionDetails(reference: paid.orderReference, authToken: token)
            let items = try await kit.getTransactions(limit: 10, offset: 0, authToken: token).items
            var missing: String?
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                _ = try await kit.voidTransaction(authToken: token, transactionId: "none")
            } catch { missing = error.key }
            return (status, after, items, missing)
        }
        #expect(status == "SUCCESS" && missing == "invalidTransactionId")
        #expect(!after.voidEnabled)
        #expect(items.first?.amount == SDKDecimal("15.00") && items.first?.refundedAmount == SDKDecimal("5"))
        #expect(bench.charged == [1_500, 500])
    }
}

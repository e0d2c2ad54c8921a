import ARISEProvider
import PaymentCore
import PaymentLinux
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@Suite struct ARISEReaderTests {
    private func strict() -> ARISEBench {
        var account = ARISEAccount()
        account.trustsNewDevices = false
        return ARISEBench(account)
    }

    @Test func aDeviceThatIsNotActiveIsSaidSoAndNotActivatedByPreparing() throws {
        let bench = strict()
        let error = bench.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.termsNotAccepted, outcome: .notExecuted))
        #expect(error?.provider?.code == "notActive")
        #expect(error?.retry == .safe)
        #expect(bench.sent("/activate").isEmpty)
        #expect(try bench.play { try await $0.reader?.activation().step } == .inactive)
    }

    @Test func activatingRegistersAcceptsTheTermsAndMakesActive() throws {
        let bench = strict()
        let (before, after, ready) = try bench.play { client in
            let reader = try #require(client.reader)
            let before = try await reader.activation()
            try await reader.activate()
            try await reader.prepare()
            return (before, try await reader.activation(), reader.isReady)
        }
        #expect(before.step == .inactive)
        #expect(after == ActivationStatus(.active, raw: "Active"))
        #expect(ready)
        let bodies = try bench.body("/devices")
        #expect(bodies["deviceName"]?.string == "iPhone")
        let device = try #require(bodies["deviceId"]?.string)
        #expect(device == device.lowercased() && device.count == 36)
    }

    @Test func theDeviceKeepsItsNameAfterASignOut() throws {
        let bench = ARISEBench()
        let names = try bench.play { client in
            try await client.reader?.prepare()
            try await client.session?.signOut()
            return try await client.session?.installation().device
        }
        _ = try bench.play { try await $0.reader?.prepare() }
        let sent = try bench.sent("/jwt").map { try JSONReader().read($0.body)["deviceId"]?.string }
        #expect(sent == [names, names])
    }

    @Test func withoutAPermissionNothingIsSent() {
        let bench = ARISEBench()
        bench.backend.configure { $0.permissions.remove(33) }
        let error = bench.failure { _ = try await $0.sale(.dollars(5_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.permission, outcome: .notExecuted))
        #expect(error?.detail.contains("featureTapToPayOnMobile") == true)
        #expect(bench.sent("/tap-to-pay").isEmpty)
    }

    @Test func whatTapToPayLacksInTheSettingsHasItsCode() {
        let bench = ARISEBench()
        bench.backend.configure { $0.hasTapProfile = false }
        let error = bench.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.provider?.code == "MER005")
        #expect(ARISEResolution("MER005")?.text == "Contact customer care.")
    }

    @Test func aPlainAmountIsRefusedWhereCreditCardsCostMore() throws {
        let bench = ARISEBench(.surcharge)
        let error = bench.failure { _ = try await $0.sale(.dollars(10_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.sent("/tap-to-pay").isEmpty)
        for (tender, due) in [(Tender.credit, Int64(10_350)), (.debit, 10_000)] {
            let payment = try bench.play { client in
                let quote = try #require(try await client.pricing?.quote(.dollars(10_000)))
                let request = try SaleRequest(quote, tender, from: .reader, reference: OrderReference("o-\(tender)"))
                return try await client.sale(request).payment
            }
            #expect(payment?.approved == .dollars(due))
        }
        let cash = bench.failure { client in
            let quote = try #require(try await client.pricing?.quote(.dollars(10_000)))
            _ = try await client.sale(SaleRequest(quote, .cash, from: .reader, reference: "cash"))
        }
        #expect(cash == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.backend.ledger.balance(.merchant) == ["USD": 20_350])
    }

    @Test func abortingHasThreeAnswers() throws {
        let bench = ARISEBench()
        bench.reader.present(nil)
        let answers = try bench.play { [scheduler = bench.scheduler] client in
            let reader = try #require(client.reader)
            let nothing = try await reader.cancel()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.dollars(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            let ended = try await reader.cancel()
            _ = await sale.result
            return [nothing, ended]
        }
        #expect(answers == [.nothingToCancel, .cancelled])
        bench.reader.present(SimulatedReader.Card())
        let late = try bench.play { [scheduler = bench.scheduler] client in
            let seen = Promise<Bool>()
            let events = client.events()
            let listener = Task(executorPreference: scheduler) {
                for await event in events where event.kind == .reader(.cardDetected) {
                    seen.fulfill(true)
                    return
                }
            }
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.dollars(5_000), from: .reader, reference: "late")
            }
            _ = await seen.value()
            let answer = try await client.reader?.cancel()
            listener.cancel()
            let payment = try await sale.value.payment
            return (answer, payment)
        }
        #expect(late.0 != .cancelled)
        #expect(late.1 != nil)
    }

    @Test func theSDKsEventsCanBeReadOffTheNeutralOnes() throws {
        let bench = ARISEBench()
        let events = try bench.play { client in
            let payment = try await client.sale(.dollars(5_000), from: .reader, reference: "o").payment
            let id = try #require(payment?.id)
            return try await client.timeline(of: id).map { ARISEEvent($0) }
        }
        for due in [ARISEEvent.preparing, .ready, .cardDetected, .cardReadSuccess, .authorizing, .approved] {
            #expect(events.contains(due), "\(due)")
        }
    }

    @Test(arguments: [
        (PaymentEvent.Kind.reader(.updateProgress(7)), ARISEEvent.updateReaderProgress(7)),
        (.reader(.notReady), .readerNotReady("")), (.reader(.readNotCompleted), .cardReadFailure),
        (.declined, .declined), (.failed, .errorOccurred), (.submitted, .inProgress),
        (PaymentEvent.Kind(rawValue: "till.opened"), .unknownEvent("till.opened")),
    ])
    func eachEventHasItsPlace(_ kind: PaymentEvent.Kind, _ due: ARISEEvent) throws {
        #expect(ARISEEvent(PaymentEvent(kind, at: 0, attributes: ["percent": "7"])) == due)
    }

    @Test func aTapFailureKeepsItsCode() throws {
        let fault = ARISEBench().driver.classify(ARISETapFailure("GPS003", message: "no signal"))
        #expect(fault.code == .locationRequired)
        #expect(fault.provider?.code == "GPS003")
        let open = ARISEBench().driver.classify(ARISETapFailure("CRYPTO004"))
        #expect(open.delivery == .maybeSent)
        #expect(ARISEBench().driver.classify(ARISETapFailure("NEW001")).delivery == .maybeSent)
    }
}

/// The link `kit`: its reader, its session, and how it is opened.
@Suite struct ARISEKitReaderTests {
    // MARK: The reader

    @Test func aKitThatHasForgottenItsPreparationIsPreparedBeforeTheNextPayment() throws {
        let till = ARISEKitTill()
        till.kit.play(.forgets)
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            do { _ = try await ARISEKitTill.sale(client) } catch { failure = error as? PaymentError }
            return (failure, try await ARISEKitTill.sale(client, 1_500, "a-2"))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.provider?.code == "sdkNotInitialized")
        #expect(result.payment != nil && till.charged == [1_500])
    }

    /// The document's order: activated first, with the terms; preparing does not do it.
    @Test func aPhoneThatIsNotActiveTakesNothingUntilItIsActivated() throws {
        let till = ARISEKitTill(isActive: false)
        let preparing = till.failure { try await $0.reader?.prepare() }
        #expect(preparing == PaymentError(.termsNotAccepted, outcome: .notExecuted))
        #expect(try till.told() == "termsNotAccepted notExecuted" && till.kit.startCount == 0)
        let (before, after) = try till.play { client in
            let before = try await client.reader?.activation().step
            try await client.reader?.activate()
            return (before, try await client.reader?.activation().step)
        }
        #expect(before == .inactive && after == .active)
        let paid = try till.play { try await ARISEKitTill.sale($0, 1_500, "a-2") }
        #expect(paid.payment != nil && till.charged == [1_500])
    }

    @Test func anUnsuitableDeviceIsSaidSoWithoutAPayment() throws {
        let till = ARISEKitTill()
        till.kit.run(on: "iPhone10,3")
        let found = try till.play { try await $0.reader?.compatibility() }
        #expect(found?.isCompatible == false && found?.reasons.first?.contains("iPhone10,3") == true)
    }

    @Test func whatTheSettingsLackIsSaidWithItsCode() throws {
        var account = ARISEAccount()
        account.hasTapProfile = false
        let error = ARISEKitTill(account).failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted) && error?.provider?.code == "MER005")
    }

    @Test func theKitsEventsAreOnTheTimeline() throws {
        let till = ARISEKitTill()
        let client = try till.client()
        let kinds = try till.scheduler.run {
            let payment = try #require(try await ARISEKitTill.sale(client).payment)
            return try await client.timeline(of: payment.id).map(\.kind)
        }
        for kind: PaymentEvent.Kind in [
            .reader(.readyForTap), .reader(.cardDetected), .reader(.readCompleted),
            PaymentEvent.Kind(rawValue: "arise.cardReadSuccess"), ARISEEvent.authorizing.kind,
        ] {
            #expect(kinds.contains(kind), "\(kind) of \(kinds)")
        }
    }

    // MARK: The session

    /// One session: the kit's, whose token serves the interface as well.
    @Test func theKitSignsInOnceForBoth() throws {
        let till = ARISEKitTill()
        let client = try till.client()
        try till.scheduler.run {
            _ = try await ARISEKitTill.sale(client)
            _ = try await client.sale(
                .dollars(5_000), from: try ARISEBench.card(), reference: "o", attempt: try AttemptID("a-2"))
        }
        #expect(till.backend.tokenCount == 1 && till.inner.sent("/oauth2/token").count == 1)
        #expect(till.charged == [1_500, 5_000])
    }

    @Test func whatTheSecretIsIsAskedOnlyToSignIn() throws {
        var till = ARISEKitTill()
        let asked = Locked(0)
        let source = SecretSource("the application's server") { [secret = till.backend.clientSecret] in
            asked.withLock { $0 += 1 }
            return secret
        }
        till.inner.change = { configuration in
            let old = configuration
            configuration = ARISEConfiguration(
                endpoint: old.endpoint, oauth: old.oauth, clientID: old.clientID, signIn: source)
            configuration.isSoleUser = true
        }
        #expect(till.inner.driver.secrets.isEmpty)
        let client = try till.client()
        for number in 1...3 {
            _ = try till.scheduler.run { try await ARISEKitTill.sale(client, 1_500, "a-\(number)") }
            till.scheduler.advance(by: 15 * 60_000)
        }
        #expect(till.charged.count == 3 && asked.withLock { $0 } == 1)
        #expect(till.backend.tokenCount == 3)
        // A session that can't be renewed starts again.
        till.backend.revokeTokens(refreshToo: true)
        _ = try till.scheduler.run { try await ARISEKitTill.sale(client, 1_500, "a-4") }
        #expect(till.charged.count == 4 && asked.withLock { $0 } == 2)
    }

    @Test func whoSignsOutSignsTheKitOut() throws {
        let till = ARISEKitTill()
        let token = try till.play { [kit = till.kit] client in
            try await client.session?.open()
            try await client.session?.signOut()
            return await kit.getAccessToken()
        }
        #expect(token == nil)
    }

    @Test func aWrongSecretMovesNothing() throws {
        var till = ARISEKitTill()
        till.inner.change = { configuration in
            let old = configuration
            configuration = ARISEConfiguration(
                endpoint: old.endpoint, oauth: old.oauth, clientID: old.clientID, clientSecret: Secret("another"))
        }
        #expect(try till.told() == "authentication notExecuted" && till.kit.startCount == 0)
    }

    // MARK: Opening

    private static func drivers(_ tools: ProviderDependencies) async throws(PaymentError) -> [any PaymentDriver] {
        let text = """
            {"active":"a","journal":{"kind":"memory"},"providers":{"a":{"adapter":"arise","environment":"uat",\
            "merchant":"m-1","settings":{"link":"kit","clientId":"c-1"}}}}
            """
        let configuration = try ConfigurationReader(ProviderRegistry([.arise])).read(
            Array(text.utf8), file: "providers.json")
        return try await configuration.drivers(tools, secrets: FixedSecrets())
    }

    private static func failure(_ tools: ProviderDependencies) async -> PaymentError? {
        do { _ = try await drivers(tools) } catch { return error }
        return nil
    }

    @Test func aPhoneHasNoSecretAndNeedsAKit() async throws {
        let till = ARISEKitTill()
        var tools = ProviderDependencies(transport: InProcessTransport([:]))
        tools.crypto = OpenSSLCrypto()
        let bare = await Self.failure(tools)
        #expect(bare?.detail.contains("\"clientSecret\" or \"signIn\" is missing") == true, "\(bare?.detail ?? "")")
        tools.tokenProviders["a"] = { Secret("client-secret") }
        let kitless = await Self.failure(tools)
        #expect(kitless?.code == .configuration && kitless?.detail.contains("ARISEPhoneSDK.TappingSdk") == true)
        tools.delegates["a"] = till.kit
        let drivers = try await Self.drivers(tools)
        #expect(drivers.first is ARISEMobileDriver && drivers.first?.secrets.isEmpty == true)
    }
}

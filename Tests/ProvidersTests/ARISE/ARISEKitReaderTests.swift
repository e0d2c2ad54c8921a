import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

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
        #expect(try till.told() == "termsNotAccepted nothingMoved" && till.kit.startCount == 0)
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
        // A session that can't be renewed begins anew.
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
        #expect(try till.told() == "authentication nothingMoved" && till.kit.startCount == 0)
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

import NetworkInternationalProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The link `kit`: its reader, its tokens, and how it is opened.
@Suite struct NIKitReaderTests {
    // MARK: The reader

    @Test func aKitThatHasForgottenItsPreparationIsPreparedBeforeTheNextPayment() throws {
        let till = NIKitTill()
        till.kit.play(.forgets)
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            do { _ = try await NIKitTill.sale(client) } catch { failure = error as? PaymentError }
            return (failure, try await NIKitTill.sale(client, 1_500, "a-2"))
        }
        #expect(error == PaymentError(.readerUnavailable, outcome: .notExecuted) && error?.provider?.code == "510")
        #expect(result.payment != nil && till.charged == [1_500] && till.kit.preparationCount == 2)
    }

    /// The reader's token lasts 48 hours, and a payment must not meet its end.
    @Test func itIsPreparedAnewBeforeTheReadersTokenLapses() throws {
        let till = NIKitTill()
        let client = try till.client()
        _ = try till.scheduler.run { try await NIKitTill.sale(client) }
        till.scheduler.advance(by: 47 * 3_600_000)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(till.kit.preparationCount == 1)
        till.scheduler.advance(by: 3_600_000 - 60_000)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-3") }
        #expect(till.kit.preparationCount == 2 && till.charged.count == 3)
    }

    @Test func anUnsuitableDeviceIsSaidSoWithoutAPayment() throws {
        let till = NIKitTill()
        till.kit.run(on: .tooOld)
        let found = try till.play { try await $0.reader?.compatibility() }
        #expect(found?.isCompatible == false && found?.checks.first?.found == "-2")
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.deviceUnsupported, outcome: .notExecuted))
        #expect(till.kit.startCount == 0)
    }

    @Test func termsThatWereNotAcceptedAreSaidSo() throws {
        let till = NIKitTill()
        till.kit.failPreparation(.termsAndConditionsError)
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.termsNotAccepted, outcome: .notExecuted))
        #expect(error?.requiresUserAction == true)
    }

    @Test func anAccountIsLinkedOnce() throws {
        let till = NIKitTill()
        let (before, after) = try till.play { client in
            let before = try await client.reader?.activation()
            try await client.reader?.activate()
            return (before, try await client.reader?.activation())
        }
        #expect(before?.isLinked == false && after?.isLinked == true && after?.step == .active)
    }

    /// What the kit tells between its calls: on the timeline of a payment, and the reader is not ready any more.
    @Test func anErrorOfNoCallIsHeard() throws {
        let till = NIKitTill()
        let client = try till.client()
        let kinds = try till.scheduler.run { [scheduler = till.scheduler, kit = till.kit] in
            let sale = Task(executorPreference: scheduler) { try await NIKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 300)
            kit.tell(.readerTokenInvalid)
            guard let payment = try await sale.value.payment else { return [PaymentEvent.Kind]() }
            return try await client.timeline(of: payment.id).map(\.kind)
        }
        let own = kinds.map(\.rawValue).filter { $0.hasPrefix("ni.") }
        #expect(own == ["ni.progress", "ni.error", "ni.progress", "ni.progress"])
        #expect(client.reader?.isReady == false)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(till.kit.preparationCount == 2)
    }

    // MARK: Tokens

    /// A screen is not shown again with another token; the next payment has it.
    @Test func refusedToken_atTheKit_isNotUsedAgainAndProvesNothing() throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run { try await client.reader?.prepare() }
        till.backend.revokeTokens()
        let error: PaymentError? = try till.scheduler.run {
            do { _ = try await NIKitTill.sale(client) } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.authentication, outcome: .unknown) && till.kit.startCount == 1)
        let result = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(result.payment != nil && till.charged == [1_500])
    }

    /// The application's server gives the platform's answer as it is, or the token alone.
    @Test(arguments: [true, false]) func theServersTokenIsUsedAsLongAsItLasts(_ isWhole: Bool) throws {
        var till = NIKitTill()
        let own = try till.inner.client()
        let asked = Locked(0)
        let source = SecretSource("the server") {
            asked.withLock { $0 += 1 }
            try await own.session?.renew()
            let token = await own.session?.token() ?? Secret("")
            guard isWhole else { return token }
            return Secret("{\"access_token\": \"\(token.expose())\", \"expires_in\": 28800}")
        }
        let old = till.inner.configuration
        till.inner.configuration = NIConfiguration(
            endpoint: old.endpoint, outlet: old.outlet, terminal: old.terminal, deviceCode: old.deviceCode,
            userCode: old.userCode, deviceToken: source)
        let client = try till.client()
        for number in 1...3 {
            _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-\(number)") }
            till.scheduler.advance(by: 3_600_000)
        }
        #expect(till.charged.count == 3)
        // One that says nothing of its end is asked for again after five minutes.
        #expect(asked.withLock { $0 } == (isWhole ? 1 : 3))
    }

    @Test func aServerThatGivesNoTokenMovesNothing() throws {
        var till = NIKitTill()
        let old = till.inner.configuration
        till.inner.configuration = NIConfiguration(
            endpoint: old.endpoint, outlet: old.outlet, terminal: old.terminal, deviceCode: old.deviceCode,
            userCode: old.userCode, deviceToken: SecretSource("the server") { Secret("{\"error\": \"no\"}") })
        #expect(try till.told() == "unreadableReply nothingMoved")
        #expect(till.kit.startCount == 0)
    }

    // MARK: The back office

    @Test func aPaymentOfTheKitsIsVoidedAndGivenBackByThePlatform() throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run { [backend = till.backend] in
            let one = try #require(try await NIKitTill.sale(client).payment)
            _ = try await client.void(one.id)
            let two = try #require(try await NIKitTill.sale(client, 1_600, "a-2").payment)
            backend.settleNow()
            _ = try await client.refund(two.id, of: .aed(600))
        }
        #expect(till.charged == [1_500, 1_500, 1_600, 600])
    }

    // MARK: Opening

    private static func file(_ more: String) -> String {
        """
        {"active":"n","journal":{"kind":"memory"},"providers":{"n":{"adapter":"ni","environment":"sandbox",\
        "merchant":"outlet-1","settings":{"link":"kit","tid":"1","deviceCode":"2","userCode":"3"}\(more)}}}
        """
    }

    private static func drivers(
        _ text: String, _ tools: ProviderDependencies
    ) async throws(PaymentError) -> [any PaymentDriver] {
        let configuration = try ConfigurationReader(ProviderRegistry([.ni])).read(
            Array(text.utf8), file: "providers.json")
        return try await configuration.drivers(tools, secrets: FixedSecrets(values: ["SERVER": Secret("t")]))
    }

    @Test func linkKitWithoutAKitSaysWhatToHandOver() async throws {
        let text = Self.file(#","credentials":{"deviceToken":"env:SERVER"}"#)
        let till = NIKitTill()
        var tools = till.inner.tools
        let failure = await #expect(throws: PaymentError.self) { try await Self.drivers(text, tools) }
        #expect(failure?.code == .configuration && failure?.detail.contains("NIPhoneSDK.AppleTapToPayManager") == true)
        tools.delegates["n"] = till.kit
        let drivers = try await Self.drivers(text, tools)
        #expect(drivers.first is NIMobileDriver)
    }

    /// The key is not on the phone: a device token stands in for it, from the file or from the application.
    @Test func aPhoneNeedsNoKey() async throws {
        let till = NIKitTill()
        var tools = till.inner.tools
        tools.delegates["n"] = till.kit
        let failure = await #expect(throws: PaymentError.self) { try await Self.drivers(Self.file(""), tools) }
        #expect(
            failure?.detail.contains("\"apiKey\" or \"deviceToken\" is missing") == true, "\(failure?.detail ?? "")")
        tools.tokenProviders["n"] = { Secret("device-token") }
        let drivers = try await Self.drivers(Self.file(""), tools)
        #expect(drivers.first is NIMobileDriver && drivers.first?.secrets.isEmpty == true)
    }
}

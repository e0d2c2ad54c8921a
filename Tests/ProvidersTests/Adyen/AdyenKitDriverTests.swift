import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

/// The link `mobile`: how each end of the kit's call is reported, and what stays on the server.
@Suite struct AdyenKitDriverTests {
    private static let rows = AdyenPhoneSDK.table.rows
    private static let findings = rows.filter { $0.citations.first?.document == "seeds/adyen.txt" }

    @Test func aPaymentGoesThroughTheKitUnderItsInstallation() throws {
        let till = AdyenKitTill()
        let payment = try #require(try till.play { try await AdyenKitTill.sale($0) }.payment)
        #expect(payment.approved == Money(minorUnits: 1_500, .eur) && till.charged == [1_500])
        #expect(payment.references[AdyenMapping.Name.terminal] == SimulatedAdyenSDK.installation)
        #expect(till.kit.startCount == 1 && till.kit.registrationCount == 1)
    }

    // MARK: Errors

    /// What the checks of the phone's security find stands in the answer, wherever: it is reported as the table has it.
    @Test(arguments: findings) func aFindingInTheAnswerIsReportedAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = AdyenKitTill()
        till.backend.failAttestation(rule.code)
        let client = try till.client()
        let error: PaymentError? = try till.scheduler.run {
            do { _ = try await AdyenKitTill.sale(client) } catch { return error as? PaymentError }
            return nil
        }
        #expect(error?.code.rawValue == rule.cause.rawValue && error?.outcome.rawValue == rule.outcome.rawValue)
        #expect(error?.provider?.code == rule.code && till.charged.isEmpty && till.kit.startCount == 1)
        let isInDoubt = AdyenPhoneSDK.storedPaymentsInDoubt.contains(.init(rawValue: rule.code))
        #expect(error?.detail.contains("may be lost") == isInDoubt)
    }

    /// An error in an answer's place; whatever it is, the kit is not asked again on its own.
    @Test(arguments: rows) func anErrorInAnAnswersPlaceIsReportedAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = AdyenKitTill()
        till.kit.play(.ends(AdyenPhoneSDK.ErrorCode(rawValue: rule.code)))
        let told = try till.told()
        #expect(told == "\(rule.cause.rawValue) \(rule.outcome == .notExecuted ? "notExecuted" : "unknown")")
        #expect(till.charged.isEmpty && till.kit.startCount == 1)
    }

    /// Two findings are about what the phone keeps, and no document says that they cancel the running payment.
    @Test(arguments: ["TOKEN_EXPIRED_S&F", "OFFLINE_DATA_TAMPERING"])
    func findingThatCancelsNothing_afterThePaymentWasMade_isUnknown(_ code: String) throws {
        let till = AdyenKitTill()
        till.kit.play(.loses(AdyenPhoneSDK.ErrorCode(rawValue: code)))
        #expect(try till.told() == "deviceCompromised unknown" && till.charged == [1_500])
    }

    @Test func anUnlistedCodeIsUnknown() throws {
        let till = AdyenKitTill()
        till.kit.play(.loses(AdyenPhoneSDK.ErrorCode(rawValue: "somethingNew")))
        #expect(try till.told() == "unreadableReply unknown" && till.charged == [1_500] && till.kit.startCount == 1)
    }

    @Test func anAnswerThatCanNotBeReadIsUnknown() throws {
        let till = AdyenKitTill()
        till.kit.play(.isUnreadable)
        #expect(try till.told() == "unreadableReply unknown" && till.charged == [1_500] && till.kit.startCount == 1)
    }

    /// A decline is a decline, whatever words stand beside it.
    @Test func aDeclineStaysADecline() throws {
        let till = AdyenKitTill()
        #expect(try till.told(5_124) == "declined" && till.charged.isEmpty)
    }

    @Test func aLateAnswerConcludesItsAttempt() throws {
        let till = AdyenKitTill()
        till.kit.play(.answersLate(20 * 60_000))
        let (client, scheduler) = (try till.client(), till.scheduler)
        let (early, second, late) = try scheduler.run {
            var (early, second): (PaymentError?, PaymentError?)
            do { _ = try await AdyenKitTill.sale(client) } catch { early = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 10 * 60_000)
            // The kit itself is still busy, and says so.
            do { _ = try await AdyenKitTill.sale(client, 1_600, "a-2") } catch { second = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return (early, second, try await client.status(AttemptID("a-1")))
        }
        #expect(early?.outcome == .unknown && late.payment?.approved == Money(minorUnits: 1_500, .eur))
        #expect(second?.provider?.code == "transactionInProgress" && second?.outcome == .notExecuted)
        #expect(till.charged == [1_500])
    }

    // MARK: Sessions and the reader

    @Test func theServerOpensTheSessionAndTheKitRenewsIt() throws {
        let till = AdyenKitTill()
        let client = try till.client()
        _ = try till.scheduler.run { try await AdyenKitTill.sale(client) }
        // Ended at the provider, and lapsed on the phone.
        till.backend.revokeSessions()
        _ = try till.scheduler.run { try await AdyenKitTill.sale(client, 1_600, "a-2") }
        #expect(till.kit.registrationCount == 2)
        _ = try till.scheduler.run {
            try await till.scheduler.sleep(until: till.scheduler.now + 25 * 3_600_000)
            return try await AdyenKitTill.sale(client, 1_700, "a-3")
        }
        #expect(till.kit.registrationCount == 3 && till.charged == [1_500, 1_600, 1_700])
    }

    @Test func withoutASessionNothingIsPaid() throws {
        let till = AdyenKitTill(opensSessions: false)
        #expect(try till.told() == "configuration notExecuted" && till.kit.startCount == 0)
    }

    @Test func activationStartsAgain() throws {
        let till = AdyenKitTill()
        try till.play { try await $0.reader?.prepare() }
        try till.play { try await $0.reader?.activate() }
        #expect(till.kit.resetCount == 1 && till.kit.registrationCount == 2)
    }

    @Test func anUnsuitablePhoneIsSaidSoWithoutAPayment() throws {
        let till = AdyenKitTill()
        till.kit.failReader(.tapToPayNotSupported)
        #expect(try till.play { try await $0.reader?.compatibility() }?.isCompatible == false)
        #expect(try till.told() == "deviceUnsupported notExecuted" && till.kit.startCount == 0)
    }

    @Test func thePresentationGoesToTheKit() throws {
        let till = AdyenKitTill()
        var request = SaleRequest(Money(minorUnits: 1_500, .eur), from: .reader, reference: "o")
        try request.presentation.showSuccess(for: .seconds(2))
        request.presentation.logo = [1, 2, 3]
        _ = try till.play { [request] in try await $0.sale(request) }
        #expect(till.kit.shown?.parameters == .init(logo: [1, 2, 3], successScreenTimeout: 2_000))
    }

    // MARK: What stays on the server

    @Test func theBackOfficeIsAskedByTheServerAlone() throws {
        let till = AdyenKitTill()
        let told = try till.play { client in
            let payment = try #require(try await AdyenKitTill.sale(client).payment)
            return try await client.void(payment.id)
        }
        guard case .pending = told else {
            Issue.record("\(told)")
            return
        }
        var alone = AdyenKitTill()
        alone.hasServer = false
        let phone = alone
        let error: PaymentError? = try phone.play { client in
            let payment = try #require(try await AdyenKitTill.sale(client).payment)
            do { _ = try await client.void(payment.id) } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.detail.contains("AdyenServer") == true && phone.charged == [1_500])
    }

    private static func open(
        _ environment: String, _ credentials: String, _ kit: (any Sendable)?, link: String = "mobile"
    ) async throws -> [any PaymentDriver] {
        let text = """
            {"active":"a","journal":{"kind":"memory"},"providers":{"a":{"adapter":"adyen","environment":\
            "\(environment)","merchant":"M","settings":{"link":"\(link)","terminal":"V400m-1","checkout":\
            "https://m-checkout-live.adyenpayments.com/checkout/v72"},"credentials":{\(credentials)}}}}
            """
        let configuration = try ConfigurationReader(ProviderRegistry([.adyen])).read(
            Array(text.utf8), file: "providers.json")
        var tools = ProviderDependencies(transport: FixedTransport.none)
        tools.crypto = OpenSSLCrypto()
        tools.delegates["a"] = kit
        return try await configuration.drivers(
            tools, secrets: FixedSecrets(values: ["K": Secret("key"), "W": Secret("00")]))
    }

    private static func refusal(_ body: () async throws -> [any PaymentDriver]) async -> String {
        do { return "opened \(try await body().count)" } catch let error as PaymentError {
            return error.code == .configuration && error.outcome == .notExecuted ? error.detail : "\(error)"
        } catch { return "\(error)" }
    }

    @Test func aLivePhoneHasAKitAndNoKeys() async throws {
        let kit = AdyenKitTill().kit
        #expect(try await Self.open("live", "", kit).first is AdyenMobileDriver)
        #expect(await Self.refusal { try await Self.open("live", "", nil) }.contains("AdyenPhoneSDK.PaymentService"))
        let key = await Self.refusal { try await Self.open("live", #""apiKey":"env:K""#, kit) }
        #expect(key.contains("has apiKey on a phone") && key.contains("AdyenServer"))
        let both = await Self.refusal {
            try await Self.open("live", #""apiKey":"env:K","webhookKey":"env:W""#, kit)
        }
        #expect(both.contains("apiKey and webhookKey"))
        // In the test world one person may try it with everything in one hand.
        #expect(try await Self.open("test", #""apiKey":"env:K""#, kit).first is AdyenMobileDriver)
    }

    @Test func aTerminalStillNeedsTheKey() async throws {
        let told = await Self.refusal { try await Self.open("live", "", nil, link: "cloudSync") }
        #expect(told.contains("apiKey is missing"))
    }
}

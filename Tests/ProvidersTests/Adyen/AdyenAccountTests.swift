import Foundation
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What an account demands of each request, and how its keys are changed.
@Suite struct AdyenAccountTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    /// Keeps what is sent.
    private func line(_ till: AdyenTill, _ sent: Locked<[JSON]>) -> any HTTPTransport {
        HookTransport(till.transport) { request, next throws(TransportFailure) in
            if let body = try? JSONReader().read(request.body) { sent.withLock { $0.append(body) } }
            return try await next(request)
        }
    }

    private static func describe(_ configuration: inout AdyenConfiguration) {
        configuration.applicationInfo.platformName = "Till & Co"
        configuration.applicationInfo.integrator = "Integrator"
        configuration.applicationInfo.applicationName = "Shop"
        configuration.applicationInfo.applicationVersion = "1.2"
        configuration.applicationInfo.deviceSystem = "Linux"
        configuration.applicationInfo.deviceSystemVersion = "6.1"
    }

    /// A shop subscribes to the webhooks that the page lists: without one of them something never ends.
    @Test func setUp_namesEachWebhookThatDecides() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/providers/setup/adyen.md"), encoding: .utf8)
        let words = Set(page.split { !$0.isLetter && $0 != "_" }.map { String($0) })
        let missing = [
            "AUTHORISATION", "AUTHORISATION_ADJUSTMENT", "CAPTURE", "CAPTURE_FAILED", "CANCELLATION",
            "CANCEL_OR_REFUND", "REFUND", "REFUND_FAILED", "REFUNDED_REVERSED", "REFUND_WITH_DATA", "EXPIRE",
            "TECHNICAL_CANCEL", "VOID_PENDING_REFUND",
        ].filter { !words.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test(arguments: [AdyenConfiguration.Refunds.terminal, .backOffice])
    func applicationInfo_standsInEachRequestThatMovesMoney(refunds: AdyenConfiguration.Refunds) throws {
        let (till, sent) = (AdyenTill(), Locked([JSON]()))
        let client = try till.client(over: line(till, sent)) {
            Self.describe(&$0)
            $0.refunds = refunds
        }
        try till.play {
            let paid = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            let payment = try #require(paid)
            _ = try await client.refund(payment.id, of: cents(1_000))
        }
        let texts = sent.withLock { $0 }.compactMap { message -> String? in
            let root = message["SaleToPOIRequest"]
            let body = root?["PaymentRequest"] ?? root?["ReversalRequest"]
            return body?["SaleData"]?["SaleToAcquirerData"]?.string
        }
        #expect(texts.count == (refunds == .terminal ? 2 : 1))
        for text in texts {
            let data = SaleToAcquirerData(text)
            #expect(data["applicationInfo.externalPlatform.name"] == "Till & Co", "\(text)")
            #expect(data["applicationInfo.externalPlatform.integrator"] == "Integrator")
            #expect(data["applicationInfo.merchantApplication.name"] == "Shop")
            #expect(data["applicationInfo.merchantDevice.osVersion"] == "6.1")
        }
        guard refunds == .backOffice else { return }
        let due: JSON = [
            "externalPlatform": ["name": "Till & Co", "integrator": "Integrator"],
            "merchantApplication": ["name": "Shop", "version": "1.2"],
            "merchantDevice": ["os": "Linux", "osVersion": "6.1"],
        ]
        #expect(sent.withLock { $0 }.last { $0["merchantAccount"] != nil }?["applicationInfo"] == due)
    }

    @Test func gratuityAskedForAtTheTerminal_isApprovedOverWhatWasCharged() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.asked-on-terminal"))
        let client = try till.client { $0.tenderOptions = "AskGratuity" }
        let payment = try till.play { try await client.sale(cents(5_000), from: .reader, reference: "o").payment }
        let charged = till.backend.ledger.balance(.merchant)["EUR"] ?? 0
        #expect(charged > 5_000 && payment?.approved == cents(charged), "\(charged)")
        // The answer names the tip, so that no person has to look.
        let id = try #require(payment).id
        let kinds = try till.play { try await client.timeline(of: id).map(\.kind) }
        #expect(!kinds.contains(.otherAmount), "\(kinds)")
    }

    @Test func refundToACard_withTheAcquirersAnswer_showsItAndStaysPending() throws {
        let till = AdyenTill()
        let client = try till.client()
        var card = AdyenSimulator.Card()
        card.brand = "maestro"
        till.backend.present(card)
        let result = try till.play {
            try await client.refundUnlinked(UnlinkedRefundRequest(cents(1_000), to: .reader, reference: "r"))
        }
        guard case .pending(let pending) = result else {
            Issue.record("it is \(result)")
            return
        }
        #expect(pending.provider?.code == "APPROVED")
    }

    // MARK: Keys

    /// The terminal uses the next passphrase already, and the till sends under the first one.
    @Test(arguments: [true, false]) func terminalThatAnswersUnderTheNextKey_isBelievedOnlyWithIt(isGiven: Bool) throws {
        let (till, crypto) = (AdyenTill(), OpenSSLCrypto())
        let first = NexoCrypto(
            keys: try NexoCrypto.Keys(till.backend.passphrase, crypto), crypto: crypto, identifier: "till", version: 1)
        let second = NexoCrypto(
            keys: try NexoCrypto.Keys(Secret("the next passphrase"), crypto), crypto: crypto, identifier: "till",
            version: 2)
        let rotated = HookTransport(till.transport) { request, next throws(TransportFailure) in
            var response = try await next(request)
            if let said = try? JSONReader().read(response.body), let plain = try? first.open(said),
                let sealed = try? second.seal(plain)
            {
                response.body = sealed.bytes()
            }
            return response
        }
        let client = try till.client(over: rotated) {
            $0.link = .local
            if isGiven { ($0.nextPassphrase, $0.nextKeyVersion) = (Secret("the next passphrase"), 2) }
        }
        do {
            let payment = try till.play { try await client.sale(cents(5_000), from: .reader, reference: "o").payment }
            #expect(isGiven && payment?.approved == cents(5_000))
        } catch let error as PaymentError { #expect(!isGiven, "\(error)") }
    }

    @Test(arguments: [AdyenConfiguration.Integration.cloudSync, .cloudAsync])
    func encryptedCloud_paysAndIsAsked(link: AdyenConfiguration.Integration) throws {
        let (till, sent) = (AdyenTill(), Locked([JSON]()))
        let client = try till.client(over: line(till, sent)) {
            ($0.link, $0.encryptsCloud) = (link, true)
        }
        let payment = try till.play { try await client.sale(cents(5_901), from: .reader, reference: "o").payment }
        #expect(payment?.approved == cents(5_901) && till.backend.ledger.movements.count == 1)
        let messages = sent.withLock { $0 }.compactMap { $0["SaleToPOIRequest"] }
        #expect(!messages.isEmpty && messages.allSatisfy { $0["NexoBlob"] != nil && $0["PaymentRequest"] == nil })
    }

    @Test func encryptedCloud_whoseTerminalIsNotThere_movedNothing() throws {
        let till = AdyenTill()
        let client = try till.client { $0.encryptsCloud = true }
        till.backend.setReachable(false)
        do {
            _ = try till.play { try await client.sale(cents(5_000), from: .reader, reference: "o") }
            Issue.record("it has a result")
        } catch let error as PaymentError { #expect(error.outcome == .notExecuted, "\(error)") }
    }

    // MARK: Addresses

    @Test(arguments: [("live-us", "us"), ("live-au", "au"), ("live-apse", "apse")])
    func liveRegion_hasItsOwnAddressAndTheCertificatesOfLive(environment: String, region: String) throws {
        let entry = try #require(ProviderDefinition.adyen.environments.first { $0.name == environment })
        #expect(entry.endpoint == Origin(.https, "device-api-live-\(region).adyen.com"))
        var configuration = AdyenTill().configuration
        configuration = AdyenConfiguration(
            environment: environment, endpoint: configuration.endpoint, checkout: configuration.checkout,
            merchant: "M", apiKey: nil, terminal: "T")
        #expect(configuration.world == "live" && entry.world == "live")
    }

    /// A shop takes the nearest region while a refund pends. Its merchant account and the account's messages stay the same.
    @Test func refundPending_whenTheRegionChanges_isDecidedByItsMessage() throws {
        let till = AdyenTill()
        func client(_ environment: String) throws -> PaymentClient {
            let given = till.configuration
            var configuration = AdyenConfiguration(
                environment: environment, endpoint: given.endpoint, checkout: given.checkout, merchant: given.merchant,
                apiKey: given.apiKey, terminal: given.terminal)
            (configuration.webhookKeys, configuration.passphrase) = (given.webhookKeys, given.passphrase)
            configuration.refunds = .backOffice
            var options = ClientOptions(journal: till.journal)
            (options.clock, options.executor, options.random) = (till.scheduler, till.scheduler, till.random)
            return try PaymentClient(try configuration.driver(till.transport, OpenSSLCrypto()), options)
        }
        let (before, after) = (try client("live"), try client("live-us"))
        try till.play {
            let paid = try await before.sale(cents(5_000), from: .reader, reference: "o").payment
            let payment = try #require(paid)
            let first = try AttemptID("refund-1")
            let received = try await before.refund(payment.id, of: cents(1_000), reference: "1", attempt: first)
            guard case .pending = received else { return #expect(Bool(false), "\(received)") }
            try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: after)
            #expect(try await after.attempt(first)?.state == .approved)
            let second = try await after.refund(payment.id, of: cents(1_000), reference: "2")
            guard case .pending = second else { return #expect(Bool(false), "\(second)") }
        }
    }

    @Test func regionsOfTheFile_areOneAccount() throws {
        func identity(_ environment: String) throws -> ProviderIdentity? {
            let text = """
                {"active": "a", "journal": {"kind": "memory"}, "providers": {"a": {"adapter": "adyen",
                  "environment": "\(environment)", "merchant": "M",
                  "settings": {"terminal": "V400m-324688042", "checkout": "https://m-checkout-live.adyenpayments.com/v72"},
                  "credentials": {"apiKey": "env:K", "webhookKey": "env:W"}}}}
                """
            let read = try ConfigurationReader(ProviderRegistry([.adyen])).read(Array(text.utf8), file: "f")
            return read.providers.first?.identity
        }
        let live = try #require(try identity("live"))
        #expect(try identity("live-apse") == live && live.environment == "live")
        #expect(try identity("test") != live)
    }

    @Test func sessionOfAFacilitator_namesWhomItTakesPaymentsFor() throws {
        let (till, sent) = (AdyenTill(), Locked([JSON]()))
        let sessions = AdyenSessions(
            at: WebURL(AdyenTill.origin, "/softposconfig/v3/auth/certificate"), merchant: till.backend.merchant,
            subMerchant: ["id": "S-1", "mcc": "5411", "name": "Sub", "displayName": "Sub Shop"],
            apiKey: till.backend.apiKey, line(till, sent))
        let data = try till.play { try await sessions.data(for: Secret("setup-token-1")) }
        #expect(!data.expose().isEmpty)
        let body = sent.withLock { $0.first }
        #expect(body?["subMerchantData"]?["mcc"] == "5411" && body?["store"] == nil)
    }
}

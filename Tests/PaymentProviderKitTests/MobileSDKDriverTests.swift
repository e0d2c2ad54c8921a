import PaymentProviderKit
import Testing

@Suite struct MobileSDKDriverTests {
    /// An office that says something else than the defaults at every place.
    private struct Account: SessionDriver, WebhookDriver, DeviceDriver {
        struct Mistake: Error {}

        let identity = ProviderIdentity("acme", adapter: "acme", environment: "test", merchant: "m-1")
        var capabilities: Capabilities {
            var takes = Capabilities(sources: [.reader], sendLimit: 8)
            (takes.keyLifetime, takes.manualName, takes.uniqueNames, takes.isExclusive) = (7, "order", ["order"], true)
            return takes
        }
        var secrets: [Secret] { [Secret("office-secret")] }
        var renewalMarginMilliseconds: Int64 { 9 }
        var acknowledgement: WebhookAcknowledgement { WebhookAcknowledgement(status: 202) }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 10) }
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult { throw Mistake() }
        func classify(_ error: any Error) -> RequestFailure { RequestFailure(.rateLimited, .notSent) }
        var accessAddresses: [String] { [] }
        func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
            throw Mistake()
        }
        func notices(in message: WebhookMessage) throws -> [ProviderNotice] { throw Mistake() }
        func devices(_ context: LookupContext) async throws -> [DeviceSummary] { throw Mistake() }
    }

    private struct Kit: MobileSDKDriver, SessionDriver, WebhookDriver, DeviceDriver {
        let apiDriver = Account()
        var capabilities: Capabilities {
            var takes = apiDriver.capabilities.limited(to: nil)
            takes.sources = [.card]
            return takes
        }
    }

    @Test func theOfficeSpeaksForTheKit() {
        let (kit, office) = (Kit(), Account())
        #expect(kit.identity == office.identity)
        #expect(kit.secrets.map { $0.expose() } == ["office-secret"])
        #expect(kit.renewalMarginMilliseconds == 9)
        #expect(kit.acknowledgement.status == 202)
        #expect(kit.lookupPlan(for: .sale)?.every == 10)
        #expect(kit.classify(Account.Mistake()).code == .rateLimited)
        #expect(throws: Account.Mistake.self) { try kit.notices(in: WebhookMessage(headers: [:], body: [], at: 0)) }
    }

    /// How long bytes may be on their way is the kit's own: another's limit would let a payment be given up too early.
    @Test func whatTheKitTakesAndHowLongIsItsOwn() {
        #expect(Kit().capabilities.sources == [.card])
        #expect(Kit().capabilities.sendLimit == nil)
    }

    /// Everything else that the account promises is so for the kit as well.
    @Test func whatTheAccountPromisesStaysWithAnotherSendLimit() {
        let takes = Kit().capabilities
        #expect(takes.keyLifetime == 7 && takes.manualName == "order")
        #expect(takes.uniqueNames == ["order"] && takes.isExclusive)
    }

    /// The same as a value of the protocols' types, which is how the client meets it.
    @Test func theClientMeetsTheSame() {
        let driver: any PaymentDriver = Kit()
        #expect(driver.capabilities.uniqueNames == ["order"])
        #expect((driver as? any SessionDriver)?.renewalMarginMilliseconds == 9)
        #expect((driver as? any WebhookDriver)?.acknowledgement.status == 202)
        #expect(driver as? any RefundDriver == nil)
    }
}

import EcommpayProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What the kit's document has and a shop needs while a payment is under way.
@Suite struct EcommpayPhoneDocumentTests {
    /// A kit whose payment requests are kept.
    private struct SeeingKit: EcommpayPhoneSDK.SDK {
        let kit: any EcommpayPhoneSDK.SDK
        let seen: Locked<[EcommpayPhoneSDK.PayRequest]>

        func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
            SeeingSession(session: await kit.makeSession(config: config), seen: seen)
        }
        func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
            await kit.getParamsForSignature(paymentInfo)
        }
    }

    private struct SeeingSession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.PayInteractor {
        let session: any EcommpayPhoneSDK.MSDKCoreSession
        let seen: Locked<[EcommpayPhoneSDK.PayRequest]>

        func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { await session.getInitInteractor() }
        func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
        func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { await session.getPaymentMethods() }
        func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { await session.getSavedAccounts() }
        func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager {
            await session.getStringResourceManager()
        }
        func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager {
            await session.getSecureLogoResourceManager()
        }
        func execute(
            request: EcommpayPhoneSDK.PayRequest,
            callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
        ) async {
            seen.withLock { $0.append(request) }
            await session.getPayInteractor().execute(request: request, callback: callback)
        }
        func threeDSecureRedirectHandle(url: String) async {
            await session.getPayInteractor().threeDSecureRedirectHandle(url: url)
        }
        func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
            await session.getPayInteractor().sendClarificationFields(fields: fields)
        }
        func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
            await session.getPayInteractor().sendCustomerFields(fields: fields)
        }
    }

    private static func till(_ seen: Locked<[EcommpayPhoneSDK.PayRequest]> = Locked([])) -> EcommpayKitTill {
        var till = EcommpayKitTill()
        till.bend = { SeeingKit(kit: $0, seen: seen) }
        return till
    }

    private static func wallet() -> SaleRequest {
        var request = SaleRequest(
            Money(minorUnits: 5_000, .eur), from: .wallet(WalletToken(.applePay, payload: Secret("wallet-payload"))),
            reference: "o")
        request.recipient = CustomerContact()
        request.recipient?.firstName = "Ada"
        request.recipient?.additional["country"] = "GB"
        return request
    }

    @Test func holdByApplePay_withARecipient_carriesIt() throws {
        let seen = Locked([EcommpayPhoneSDK.PayRequest]())
        let request = Self.wallet()
        #expect(try Self.till(seen).play { try await $0.authorize(request) }.payment != nil)
        guard case .applePayAuth(let asked)? = seen.withLock({ $0.first }) else {
            Issue.record("it is \(seen.withLock { $0 })")
            return
        }
        #expect(asked.recipientInfo?.fields == ["first_name": "Ada", "country": "GB"])
    }

    @Test func offerOfTheKit_hasItsTitleAndLogos() throws {
        var till = Self.till()
        let offered = Locked(EcommpayMethodList?.none)
        till.inner.answers.handle(EcommpayMethodChoice.self) { choice in
            offered.withLock { $0 = choice.offer }
            return .saved(.init(rawValue: "12353661"), securityCode: Secret("737"))
        }
        #expect(try till.sell { $0.customer = "12" }.payment != nil)
        let offer = try #require(offered.withLock { $0 })
        #expect(offer.titles["title_payment_methods"]?.isEmpty == false)
        #expect(!offer.methods.isEmpty && offer.methods.allSatisfy { $0.logo?.contains($0.code) == true })
    }

    /// A wallet's sheet is completed when the payment was created, before the bank's page is shown.
    @Test func paymentThatWasCreated_isReportedBeforeItsEnd() throws {
        let kinds = try Self.till().play { client in
            let request = try EcommpayTill.request()
            let payment = try #require(try await client.sale(request).payment)
            return try await client.timeline(of: payment.id).map(\.kind.rawValue)
        }
        #expect(kinds.contains("ecommpay.created"), "\(kinds)")
    }
}

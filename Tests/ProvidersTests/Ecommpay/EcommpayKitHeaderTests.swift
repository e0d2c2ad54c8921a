import EcommpayProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What the public header of the vendor's kit and the vendor's own screens have, and the SDK's page leaves out.
@Suite struct EcommpayKitHeaderTests {
    private static func till(_ seen: SeenByKit, asksFor hidden: [EcommpayPhoneSDK.CustomerField] = [])
        -> EcommpayKitTill
    {
        var till = EcommpayKitTill()
        till.bend = { SeeingKit(kit: $0, seen: seen, asked: hidden) }
        return till
    }

    private static func sources() throws -> [PaymentSource] {
        let card = try KeyedCard(
            number: "5555555555554444", expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
        return [
            .card(card), .saved(.init(rawValue: "12353661"), securityCode: Secret("737")),
            .token(Secret("a token"), securityCode: Secret("737")),
            .wallet(WalletToken(.applePay, payload: Secret("wallet-payload"))),
        ]
    }

    /// Each request of the header that pays or holds has a recipient; those that check a card or make a token have none.
    @Test(arguments: 0..<4, [PaymentOperation.sale, .authorize])
    func recipient_ofEachSource_reachesTheKit(_ source: Int, _ operation: PaymentOperation) throws {
        let seen = SeenByKit()
        var request = SaleRequest(Money(minorUnits: 5_000, .eur), from: try Self.sources()[source], reference: "o")
        (request.customer, request.contact) = ("12", CustomerContact())
        request.contact?.email = "john@example.org"
        request.recipient = CustomerContact()
        request.recipient?.firstName = "Ada"
        request.recipient?.additional["country"] = "GB"
        // What the simulated provider makes of it is not asked here.
        _ = try? Self.till(seen).play { [request] client in
            if operation == .sale {
                _ = try await client.sale(request)
            } else {
                _ = try await client.authorize(request)
            }
        }
        let asked = try #require(seen.requests.withLock { $0.first })
        #expect(Self.recipient(asked)?.fields == ["first_name": "Ada", "country": "GB"], "\(asked)")
    }

    private static func recipient(_ asked: EcommpayPhoneSDK.PayRequest) -> EcommpayPhoneSDK.RecipientInfo? {
        switch asked {
        case .newCardSale(let request): request.recipientInfo
        case .cardAuth(let request): request.recipientInfo
        case .savedCardSale(let request): request.recipientInfo
        case .savedCardAuth(let request): request.recipientInfo
        case .cardSaleTokenize(let request): request.recipientInfo
        case .cardAuthTokenize(let request): request.recipientInfo
        case .applePaySale(let request): request.recipientInfo
        case .applePayAuth(let request): request.recipientInfo
        case .cardVerify, .cardTokenize, .paymentRestore: nil
        }
    }

    @Test func language_ofTheRequest_isSignedAndReachesTheKit() throws {
        let seen = SeenByKit()
        let till = Self.till(seen)
        #expect(try till.sell { $0.language = "de" }.payment != nil)
        #expect(seen.openings.withLock { $0.first?.paymentInfo.languageCode } == "de")
        #expect(till.kit.signedTexts.first?.hasPrefix("language_code:de;") == true)
    }

    /// The vendor's own screens hand over `email`, `phone` with its digits, and `billing_country`.
    @Test func fieldsOfASession_haveTheNamesOfTheVendorsScreens() throws {
        let seen = SeenByKit()
        _ = try Self.till(seen).sell { request in
            request.contact?.phone = "+44 (0)20 8123-4567"
            var billing = PostalAddress()
            (billing.country, billing.postalCode) = ("GB", "NW1 6XE")
            request.billing = billing
        }
        let fields = try #require(seen.openings.withLock { $0.first }).additionalFields
        #expect(
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value.value) }) == [
                "email": "john@example.org", "phone": "4402081234567", "billing_country": "GB",
                "billing_postal": "NW1 6XE",
            ])
    }

    /// The kit asks for fields of which the customer is shown none: it is given none, and no person is asked.
    @Test func hiddenFieldsAlone_areAnsweredWithNone() throws {
        let seen = SeenByKit()
        var hidden = EcommpayPhoneSDK.CustomerField(name: "device_id")
        hidden.isHidden = true
        let till = Self.till(seen, asksFor: [hidden])
        #expect(try till.sell().payment?.approved == Money(minorUnits: 5_000, .eur))
        #expect(seen.answers.withLock { $0 } == [[]])
    }
}

/// What a kit was asked.
private final class SeenByKit: Sendable {
    let openings = Locked([EcommpayPhoneSDK.InitRequest]())
    let requests = Locked([EcommpayPhoneSDK.PayRequest]())
    let answers = Locked([[EcommpayPhoneSDK.CustomerFieldValue]]())
}

/// A kit that keeps what it is asked, and may ask for fields of the customer before it pays.
private struct SeeingKit: EcommpayPhoneSDK.SDK {
    let kit: any EcommpayPhoneSDK.SDK
    let seen: SeenByKit
    let asked: [EcommpayPhoneSDK.CustomerField]

    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        SeeingSession(session: await kit.makeSession(config: config), seen: seen, asked: asked)
    }
    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        await kit.getParamsForSignature(paymentInfo)
    }
}

private struct SeeingSession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor,
    EcommpayPhoneSDK.PayInteractor
{
    typealias Delegate = @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void

    let session: any EcommpayPhoneSDK.MSDKCoreSession
    let seen: SeenByKit
    let asked: [EcommpayPhoneSDK.CustomerField]
    /// The payment that waits for the answer to a question.
    private let waiting = Locked<(EcommpayPhoneSDK.PayRequest, Delegate)?>(nil)

    init(
        session: any EcommpayPhoneSDK.MSDKCoreSession, seen: SeenByKit, asked: [EcommpayPhoneSDK.CustomerField]
    ) {
        (self.session, self.seen, self.asked) = (session, seen, asked)
    }

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
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
        request: EcommpayPhoneSDK.InitRequest,
        callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    ) async {
        seen.openings.withLock { $0.append(request) }
        await session.getInitInteractor().execute(request: request, callback: callback)
    }

    func execute(request: EcommpayPhoneSDK.PayRequest, callback: @escaping Delegate) async {
        seen.requests.withLock { $0.append(request) }
        guard !asked.isEmpty else {
            return await session.getPayInteractor().execute(request: request, callback: callback)
        }
        waiting.withLock { $0 = (request, callback) }
        callback(.onCustomerFields(customerFields: asked))
    }

    func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        seen.answers.withLock { $0.append(fields) }
        let due = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        guard let (request, callback) = due else {
            return await session.getPayInteractor().sendCustomerFields(fields: fields)
        }
        await session.getPayInteractor().execute(request: request, callback: callback)
    }

    func threeDSecureRedirectHandle(url: String) async {
        await session.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }
    func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        await session.getPayInteractor().sendClarificationFields(fields: fields)
    }
}

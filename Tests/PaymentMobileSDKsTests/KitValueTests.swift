import PaymentBase
import Testing

@testable import PaymentMobileSDKs

@Suite struct KitValueTests {
    @Test func aWordThatNobodyListedSurvives() {
        #expect(HaloPhoneSDK.HaloErrorCode(rawValue: "paymentInProgress").rawValue == "paymentInProgress")
        #expect(ARISEPhoneSDK.TransactionStatus(rawValue: "Disputed").rawValue == "Disputed")
        #expect(ARISEPhoneSDK.OperationType(rawValue: 42).description == "42")
        #expect(ARISEPhoneSDK.TransactionStatus.captured.rawValue == "Captured")
        #expect(ARISEPhoneSDK.TransactionType.refundWORef.description == "RefundWORef")
        #expect(
            ARISEPhoneSDK.CreateMethodId.tapToPay.rawValue == 9 && ARISEPhoneSDK.CardTokenType.network.rawValue == 2)
        #expect(NIPhoneSDK.SoftPOSSupport(rawValue: -7).rawValue == -7)
        #expect(EcommpayPhoneSDK.ErrorCode(rawValue: "X") != .unknown)
    }

    @Test func noDumpShowsWhatIsSecretOrPersonal() throws {
        let amount = try #require(SDKDecimal("12.50"))
        var tapped = ARISEPhoneSDK.CardTransactionRequest(
            paymentProcessorId: "p", amount: amount, currency: .usd, cardDataSource: .manual)
        (tapped.accountNumber, tapped.securityCode) = (Secret("4111111111111111"), Secret("737"))
        (tapped.track1, tapped.track2, tapped.pin) = (Secret("B4111"), Secret("4111D"), Secret("0451"))
        tapped.emvTags = [Secret("9F2608")]
        var address = ARISEPhoneSDK.AddressDto()
        address.line1 = "7 Fictive Road"
        tapped.billingAddress = address
        let keyed = EcommpayPhoneSDK.NewCardSaleRequest(
            cvv: Secret("737"), pan: Secret("4111111111111111"), expiryDate: .init(month: 1, year: 2030),
            cardHolder: "7 Fictive Road")
        var info = EcommpayPhoneSDK.PaymentInfo(projectId: 1, paymentId: "p", paymentAmount: 1, paymentCurrency: "EUR")
        info.token = Secret("4111111111111111")
        let opening = EcommpayPhoneSDK.InitRequest(
            paymentInfo: info, additionalFields: [.init(name: "customerEmail", value: "7 Fictive Road")])
        for value: any Sendable in [tapped, keyed, opening, EcommpayPhoneSDK.PayRequest.newCardSale(keyed)] {
            var text = "\(value)" + String(reflecting: value)
            dump(value, to: &text)
            for hidden in ["4111", "737", "0451", "9F2608", "Fictive"] { #expect(!text.contains(hidden), "\(hidden)") }
        }
    }

    @Test func aKitIsMadeOfPlainFunctions() async throws {
        let kit = PlainHalo()
        let heard = Locked([HaloPhoneSDK.HaloEventDelegate]())
        await kit.setEventDelegate { event in heard.withLock { $0.append(event) } }
        let able = try await kit.initialize(tokenProvider: { Secret("jwt") }, environment: .sandbox)
        #expect(able.canAcceptPayments)
        let result = await kit.startContactlessPayment(
            amountMinor: 1_500, currency: "ZAR", merchantReference: "order", passthroughFields: .init(json: "{}"),
            type: .purchase)
        #expect(result == .declined(errorCode: .userCancelled, errorMessage: nil))
        var evidence = SDKEvidence.nothingSeen
        for case .didEmitAnalyticsEvent(let event) in heard.withLock({ $0 }) { evidence.see(event) }
        #expect(HaloPhoneSDK.outcome(of: .userCancelled, seen: evidence) == .unknown)
        await kit.cancelPayment()
        await kit.deinitialize()
    }
}

/// A kit whose customer cancels after the card's data has left the phone.
final class PlainHalo: HaloPhoneSDK.SDK {
    private let delegate = Locked<(@Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void)?>(nil)

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        let token = try? await tokenProvider()
        guard token?.isEmpty == false else { throw .authTokenUnauthorized }
        return HaloPhoneSDK.HaloDeviceCapabilities(canAcceptPayments: true)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let tell = delegate.withLock { $0 }
        tell?(.didEmitAnalyticsEvent(.init(.cardDetected, timestamp: 1)))
        tell?(.didEmitAnalyticsEvent(.init(.transactionSubmissionStarted, timestamp: 2)))
        return .declined(errorCode: .userCancelled, errorMessage: nil)
    }

    func cancelPayment() async {}
    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        self.delegate.withLock { $0 = delegate }
    }
    func deinitialize() async { delegate.withLock { $0 = nil } }
}

import PaymentBase
import Testing

@testable import PaymentMobileSDKs

@Suite struct KitValueTests {
    @Test func anUnlistedWordSurvives() {
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

@Suite struct SDKDecimalTests {
    @Test(
        arguments: [
            ("49.99", "49.99"), ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("007.10", "7.1"), ("10.00", "10"),
            ("100", "100"),
            ("1e2", "100"), ("1.5E+3", "1500"), ("1e-05", "0.00001"), ("0.5", "0.5"), ("-3.40", "-3.4"),
            ("120e-2", "1.2"),
            ("9007199254740993", "9007199254740993"), ("0.1", "0.1"), ("0e38", "0"),
        ])
    func anAmountIsReadExactly(_ text: String, _ plain: String) throws {
        let value = try #require(SDKDecimal(text))
        #expect(value.text == plain && "\(value)" == plain)
        #expect(SDKDecimal(plain) == value)
    }

    @Test(
        arguments: [
            "", "-", ".5", "5.", "1,000", "1 0", "+1", "1e", "1e1.5", "e5", "0x10", "nan", "inf", "1..2", "--1", "1e39",
            "1e99999999999999999999", "١", "12345678901234567890123456789012345678901", "1.2.3", "1-2",
        ])
    func anythingElseIsNoAmount(_ text: String) { #expect(SDKDecimal(text) == nil) }

    @Test func asManyDigitsAsTheLimitAndNoMore() {
        let digits = String(repeating: "9", count: SDKDecimal.digitsMax)
        #expect(SDKDecimal(digits)?.text == digits)
        #expect(SDKDecimal(digits + "9") == nil)
        #expect(SDKDecimal("0." + digits) == nil)
        #expect(SDKDecimal("9e37")?.text.utf8.count == SDKDecimal.digitsMax)
    }

    @Test func minorUnitsComeBackOrNotAtAll() throws {
        #expect(SDKDecimal(minorUnits: 4_999, places: 2)?.text == "49.99")
        #expect(SDKDecimal(minorUnits: -5, places: 3)?.text == "-0.005")
        #expect(SDKDecimal(minorUnits: 1_500, places: 0)?.text == "1500")
        #expect(SDKDecimal(minorUnits: 1, places: SDKDecimal.placesMax + 1) == nil)
        #expect(SDKDecimal(minorUnits: 1, places: -1) == nil)
        let value = try #require(SDKDecimal("12.345"))
        #expect(value.minorUnits(places: 3) == 12_345)
        #expect(value.minorUnits(places: 2) == nil)
        #expect(value.minorUnits(places: 4) == 123_450)
        #expect(value.minorUnits(places: SDKDecimal.placesMax + 1) == nil)
        #expect(SDKDecimal("0.00")?.minorUnits(places: 2) == 0)
        #expect(SDKDecimal("92233720368547758.08")?.minorUnits(places: 2) == nil)
        for units: Int64 in [.min, .max, -1, 0, 1, 99, 100] {
            for places in [0, 2, 3, 18] {
                #expect(try #require(SDKDecimal(minorUnits: units, places: places)).minorUnits(places: places) == units)
            }
        }
    }
}

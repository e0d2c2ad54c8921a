import PaymentBase
import PaymentCore
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// A phone that is asked what became of a payment, by the setting `phoneStatus`; and which reader a payment takes.
@Suite struct AdyenPhoneStatusTests {
    private static let lost = AdyenPhoneSDK.ErrorCode(rawValue: "somethingNew")

    private func till(_ status: AdyenConfiguration.PhoneStatus, answers: Bool) -> AdyenKitTill {
        var till = AdyenKitTill()
        till.phoneStatus = status
        #expect(till.backend.play("adyen.phone.status.\(answers ? "answers" : "cannot-be-asked")"))
        return till
    }

    @Test func lostAnswer_phoneThatCanBeAsked_isFoundAndChargedOnce() throws {
        let till = till(.asked, answers: true)
        till.kit.play(.loses(Self.lost))
        #expect(try till.told() == "approved" && till.charged == [1_500])
    }

    @Test func lostDecline_phoneThatCanBeAsked_isDeclined() throws {
        let till = till(.asked, answers: true)
        till.kit.play(.loses(Self.lost))
        #expect(try till.told(5_124) == "declined" && till.charged.isEmpty)
    }

    @Test func lostAnswer_phoneThatRefusesTheQuestion_staysUnknown() throws {
        let till = till(.asked, answers: false)
        till.kit.play(.loses(Self.lost))
        #expect(try till.told() == "unreadableReply unknown" && till.charged == [1_500])
    }

    @Test func lostAnswer_notAsked_staysUnknown() throws {
        let till = till(.notAsked, answers: true)
        till.kit.play(.loses(Self.lost))
        #expect(try till.told() == "unreadableReply unknown" && till.charged == [1_500])
    }

    /// What the phone never saw proves nothing: no document says how long it remembers a message.
    @Test func paymentThatNeverReachedThePhone_asked_staysUnknown() throws {
        let till = till(.asked, answers: true)
        till.kit.play(.ends(Self.lost))
        #expect(try till.told() == "unreadableReply unknown" && till.charged.isEmpty)
    }

    @Test func reader_chosenForOnePayment_goesToTheKit() throws {
        let till = AdyenKitTill()
        func sale(_ hardware: ReaderPresentation.Hardware?, _ reference: OrderReference) throws {
            var request = SaleRequest(Money(minorUnits: 1_500, .eur), from: .reader, reference: reference)
            request.presentation.hardware = hardware
            _ = try till.play { [request] in try await $0.sale(request) }
        }
        try sale(.reader, "o-1")
        #expect(till.kit.usedInterface == .cardReader)
        try sale(nil, "o-2")
        #expect(till.kit.usedInterface == .tapToPay)
        try sale(.phone, "o-3")
        #expect(till.kit.usedInterface == .tapToPay)
    }
}

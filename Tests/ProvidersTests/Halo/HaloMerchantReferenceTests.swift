import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@testable import HaloProvider

/// What a payment is called at Halo, where people search for orders.
@Suite struct HaloMerchantReferenceTests {
    private static func name(_ order: String, _ way: HaloConfiguration.MerchantReference) throws -> String {
        var till = HaloTill()
        till.merchantReference = way
        return HaloMapping.merchantReference(order, try AttemptID("a-1"), till.driver.configuration)
    }

    @Test func reference_ofAPayment_isTheOrderAndTheAttempt_within64() throws {
        #expect(try Self.name("order 7", .orderAndAttempt) == "order 7~a-1")
        #expect(try Self.name("order 7", .attempt) == "a-1")
        #expect(try Self.name("", .orderAndAttempt) == "a-1" && Self.name("a-1", .orderAndAttempt) == "a-1")
        let long = try Self.name(String(repeating: "é", count: 60), .orderAndAttempt)
        #expect(long.utf8.count <= 64 && long.hasSuffix("~a-1"))
        for text in ["order 7~a-1", "a~b~a-1", "a-1"] { #expect(HaloMapping.attempt(in: text) == "a-1") }
    }

    private static func records(_ client: PaymentClient) async throws -> [String] {
        try await client.provider("halo").transactions?.list().items.compactMap(\.reference) ?? []
    }

    @Test func tapOfTheSDK_underTheOrdersName_isApprovedAndSearchedByIt() throws {
        let till = HaloKitTill(merchantReference: .orderAndAttempt)
        let (approved, records) = try till.play { client in
            (try await HaloTill.sale(client).payment?.approved, try await Self.records(client))
        }
        #expect(approved == Money(minorUnits: 1_500, .zar) && records == ["order_a-1~a-1"])
    }

    /// A lost answer is found by the whole name, which was kept before the tap.
    @Test func lostAnswerOfTheSDK_underTheOrdersName_isFoundAndChargedOnce() throws {
        let till = HaloKitTill(merchantReference: .orderAndAttempt)
        till.kit.play(.loses(nil))
        let approved = try till.play { try await HaloTill.sale($0).payment?.approved }
        #expect(approved == Money(minorUnits: 1_500, .zar) && till.charged == [1_500])
    }

    @Test func tapOfAnOwnReader_underTheOrdersName_isApproved() throws {
        var till = HaloTill()
        till.merchantReference = .orderAndAttempt
        let (approved, records) = try till.play { client in
            (try await HaloTill.sale(client).payment?.approved, try await Self.records(client))
        }
        #expect(approved == Money(minorUnits: 1_500, .zar) && records == ["order_a-1~a-1"])
    }

    /// The setting was changed between a payment and the question about it: the name that was kept counts.
    @Test func question_afterTheSettingWasChanged_goesByTheNameThatWasKept() throws {
        var till = HaloTill()
        till.merchantReference = .orderAndAttempt
        _ = try till.play { try await HaloTill.sale($0).payment }
        till.merchantReference = .attempt
        let later = till
        let found = try later.play { try await $0.status(try AttemptID("a-1")).payment?.approved }
        #expect(found == Money(minorUnits: 1_500, .zar))
    }

    @Test func webhook_underTheOrdersName_isTheAttempts() throws {
        let body: JSON = ["disposition": "Approved", "haloReference": "h-1", "merchantReference": "order 7~a-1"]
        let notices = try HaloTill().driver.notices(in: WebhookMessage(body: body.bytes(), at: 1_767_225_600_000))
        let attempt = try AttemptID("a-1")
        #expect(notices.map(\.subject) == [.attempt(attempt)])
    }
}

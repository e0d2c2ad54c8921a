import PaymentBase
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentService

/// What a key may refund on a day.
struct KeyBudgetTests {
    typealias H = ServiceHarness

    private static let day: Int64 = 86_400_000

    @Test func refund_failsAfterMidnight_leavesTheNextDaysSumAsItIs() throws {
        var key = ServiceKey(digest: "00", name: "office", shop: "berlin", role: .office)
        key.refundMaxPerDay = [.eur: .cents(2_000)]
        let budget = KeyBudget()
        let evening = KeyCheck(key: key, amount: .cents(2_000), returnsMoney: true, reader: nil, budget: budget)
        let morning = KeyCheck(key: key, amount: .cents(1_500), returnsMoney: true, reader: nil, budget: budget)
        #expect(evening.refusal(at: Self.day - 1) == nil)
        #expect(morning.refusal(at: Self.day) == nil)
        // It was counted yesterday: what is left of today stays 5.00.
        evening.release(begunAt: Self.day - 1)
        #expect(morning.refusal(at: Self.day + 1)?.code == .forbidden)
        // Of the same day it is refunded.
        morning.release(begunAt: Self.day)
        #expect(morning.refusal(at: Self.day + 2) == nil)
    }

    /// A clock that crosses midnight and is set back, or is set far ahead and right again, keeps what each day refunded.
    @Test(arguments: [1, -1, 400] as [Int64])
    func refund_clockIsSetToAnotherDayAndBack_countsTheDaysSumOn(_ step: Int64) throws {
        var key = ServiceKey(digest: "00", name: "office", shop: "berlin", role: .office)
        key.refundMaxPerDay = [.eur: .cents(2_000)]
        let check = KeyCheck(key: key, amount: .cents(2_000), returnsMoney: true, reader: nil, budget: KeyBudget())
        #expect(check.refusal(at: 1_000 * Self.day) == nil)
        #expect(check.refusal(at: (1_000 + step) * Self.day) == nil)
        #expect(check.refusal(at: 1_000 * Self.day + 1)?.code == .forbidden)
        // Days on which nothing is refunded any more are forgotten in the end.
        for number in 2_000..<2_010 { #expect(check.refusal(at: Int64(number) * Self.day) == nil) }
        #expect(check.refusal(at: 1_000 * Self.day + 2) == nil)
        #expect(check.refusal(at: 2_009 * Self.day + 2)?.code == .forbidden)
    }

    @Test(arguments: ["4242  4242  4242  4242", "4242.4242.4242.4242", "４２４２４２４２４２４２４２４２"])
    func sale_referenceWithACardNumberInAnotherForm_is400(_ reference: String) throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50", reference), 1)
            #expect(reply.status == 400)
            #expect(reply.pointers == ["/reference"])
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func sale_withAnIDThatWasCancelledHereAndSoldElsewhere_is422() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            #expect(try await shop.post("/v1/attempts/\(H.uuid(1))/cancel", by: .other).status == 200)
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1, by: .other)
            #expect(reply.status == 422)
            #expect(reply.word == "keyReused")
        }
    }
}

import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// What the provider, or a person at its dashboard, does with our payment (rule 30).
@Suite struct ProvidersOwnTests {
    private let shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("a1") }

    private func post(
        _ name: String, _ operation: PaymentOperation, _ cents: Int64, of original: String? = nil
    ) {
        var notice = ProviderNotice.about(
            name: name, of: operation, .approved(Approval(.cents(cents), references: ["\(operation)": name])),
            at: shop.now, kind: operation.rawValue)
        notice.original = original ?? "p-\(attempt)"
        shop.company.post(notice)
    }

    /// A person refunded a part at the dashboard, and our shop would have refunded all of it once more.
    @Test func aRefundAtTheDashboardIsCounted() throws {
        let client = try shop.client(Fake(shop.company))
        try shop.play { [attempt] in
            #expect(await client.sell(5_000, "order-1", attempt: attempt).isApproved)
            post("r-9", .refund, 2_000)
            try await client.hearWebhook()
            let record = try await client.payment(PaymentID(attempt))
            #expect(record.amounts.refunded == .cents(2_000) && record.amounts.refundable == .cents(3_000))
            post("r-9", .refund, 2_000)
            try await client.hearWebhook()
            #expect(try await client.amounts(of: attempt).refunded == .cents(2_000))
            let timeline = try await client.timeline(of: PaymentID(attempt))
            #expect(timeline.last?.kind == .approved && timeline.last?.attributes["by"] == "webhook")
            let rest = await client.giveBack(of: PaymentID(attempt))
            #expect(rest.payment?.amounts.refunded == .cents(5_000), "\(rest)")
        }
    }

    /// Our own refund's news came before its reply: it is ours, and not another one.
    @Test func newsOfOurOwnIsNotTheProviders() throws {
        let company = shop.company
        let door = Promise<Bool>()
        var driver = Fake(company)
        driver.onFollow[.refund] = { request, context in
            try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount)
                _ = await door.value()
                return .approved(Approval(request.amount, references: ["refund": "r-9"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt, shop] in
            #expect(await client.sell(5_000, "order-1", attempt: attempt).isApproved)
            let refund = shop.beside { await client.giveBack(2_000, of: PaymentID(attempt)) }
            try await shop.wait(.seconds(1))
            post("r-9", .refund, 2_000)
            let heard = try await client.receiveWebhook([], from: "p")
            // It counts at once as a movement of the provider's own; our refund takes it over with its reply.
            guard case .applied(let movement)? = heard.items.first?.effect else {
                Issue.record("\(heard)")
                return
            }
            #expect(movement != attempt)
            #expect(try await client.amounts(of: attempt).refundable == .cents(1_000))
            door.fulfill(true)
            #expect(await refund.value.isApproved)
            #expect(try await client.amounts(of: attempt).refunded == .cents(2_000))
        }
    }

    /// Our refund had given itself one name before it left, its news came under another before its reply, and it was
    /// counted twice.
    @Test func newsOfOurOwnUnderAnotherNameIsNotTheProviders() throws {
        let company = shop.company
        let door = Promise<Bool>()
        var driver = Fake(company)
        driver.onFollow[.refund] = { request, context in
            try await context.exchange(named: "message-1") { _ in
                company.giveBack(context.attempt, request.amount)
                _ = await door.value()
                return .approved(Approval(request.amount, references: ["refund": "r-9"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt, shop] in
            #expect(await client.sell(5_000, "order-1", attempt: attempt).isApproved)
            let refund = shop.beside { await client.giveBack(2_000, of: PaymentID(attempt)) }
            try await shop.wait(.seconds(1))
            post("r-9", .refund, 2_000)
            try await client.hearWebhook()
            door.fulfill(true)
            #expect(await refund.value.isApproved)
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded == .cents(2_000))
        }
    }

    /// What names none of our payments is kept, and no attempt comes of it.
    @Test func message_aboutNoPaymentOfThisJournal_isKept() throws {
        let client = try shop.client(Fake(shop.company))
        try shop.play { [attempt] in
            #expect(await client.sell(5_000, "order-1", attempt: attempt).isApproved)
            post("r-9", .refund, 2_000, of: "p-somebody-else's")
            let heard = try await client.receiveWebhook([], from: "p")
            #expect(heard.items.first?.effect == .stored)
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded == .cents(0))
        }
    }

    /// The hold was let go, and then the platform captured it all the same: it counts, and an event should say so.
    @Test func aCaptureOfWhatWasLetGoIsAContradiction() throws {
        let client = try shop.client(Fake(shop.company))
        try shop.play { [attempt] in
            let request = SaleRequest(.cents(5_000), from: try Cards.good(), reference: "order-1")
            let held = try await client.authorize(request, attempt: attempt).payment
            let id = try #require(held).id
            _ = try await client.void(id)
            post("c-9", .capture, 5_000, of: "h-\(attempt)")
            try await client.hearWebhook()
            #expect(try await client.amounts(of: attempt).captured == .cents(5_000))
            let kinds = try await client.timeline(of: id).map(\.kind)
            #expect(kinds.contains(.contradiction))
        }
    }
}

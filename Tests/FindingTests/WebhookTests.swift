import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// What a provider's webhooks do to attempts that are open.
@Suite struct WebhookTests {
    private let shop = Shop()
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    /// The webhook that refuses a refund comes before the reply that names the refund, and the reply is that of the
    /// second request: the first was put off (429), or its reply was lost.
    private func refundIsRefused(_ effect: RequestEffect, afterFirst: Refused?) throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        // Where a provider can be asked, a refusal that is pushed is a reason to ask.
        driver.plan = nil
        driver.onRefund = { [shop] request, context in
            try await context.exchange(effect) { exchange in
                // Without a refusal the first request arrives, and its reply is lost.
                if exchange.number == 1, let afterFirst { throw afterFirst }
                let decline = Decline(
                    .declinedByProvider, provider: ProviderMessage(code: "REFUND"),
                    references: ["modification": "mod-1"])
                if exchange.number == (afterFirst == nil ? 1 : 2) {
                    shop.ledger.post(
                        ProviderNotice(
                            .reference("mod-1", [.refund]), .declined(decline), at: shop.stage.now, kind: "REFUND"))
                    await open.withLock { $0 }?.takeWebhook()
                }
                if exchange.number == 1 { throw Lost() }
                return .pending(Pending(references: ["modification": "mod-1"], shouldPoll: false))
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(of: sale, attempt: refund)
            try await shop.recover(client, seconds: 2 * 86_400)
            let told = await client.outcome(of: refund)
            #expect(told.isDeclined, "two days later: \(told)")
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refundPending.isZero, "still reserved: \(amounts.refundPending)")
            #expect(amounts.refundable == .cents(1_000), "refundable: \(amounts.refundable)")
        }
    }

    @Test func refundRefusedByWebhook_beforeTheSecondRequestsReply_isDeclined() throws {
        try refundIsRefused(.money, afterFirst: Refused(.rateLimited, .refused, mayRepeat: true))
    }

    @Test func refundRefusedByWebhook_afterTheFirstReplyWasLost_isDeclined() throws {
        try refundIsRefused(.idempotent, afterFirst: nil)
    }

    /// The first tap is refused and the kit's call continues; the webhook about the first tap is faster than the kit.
    @Test func declineByWebhook_whileExchangeIsOpen_doesNotEndTheSale() throws {
        var driver = Fake(shop.ledger)
        // As an adapter over a vendor's kit: it can't say when the bytes have left.
        driver.capabilities = driver.capabilities.limited(to: nil)
        driver.onSale = { [shop, sale] request, context in
            try await context.exchange(.visible) { _ in
                if context.attempt == sale { try await shop.wait(seconds: 40) }
                shop.ledger.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            let first = shop.beside { await client.sell(attempt: sale) }
            try await shop.wait(seconds: 5)
            shop.ledger.post(
                ProviderNotice(
                    .attempt(sale), .declined(Decline(.pinRequired, provider: ProviderMessage(code: "65"))),
                    at: shop.stage.now, kind: "AUTHORISATION"))
            await client.takeWebhook()
            let told = await first.value
            #expect(told.isApproved, "\(told)")
            if told.saysNothingMoved { _ = await client.sell(attempt: try AttemptID("sale-2")) }
            try await shop.wait(seconds: 60)
            #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges)")
        }
    }

    /// The terminal approved without a network; when the payment was forwarded, the issuer refused it.
    @Test func offlineApproval_refusedWhenForwarded_isNoLongerApproved() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                var approval = Approval(request.amount, references: ["payment": "p-\(context.attempt)"])
                approval.isOffline = true
                return .approved(approval)
            }
        }
        // The terminal can only repeat what it answered without a network.
        driver.onLookup = { inquiry, _ in
            var approval = Approval(inquiry.amount, references: ["payment": "p-\(inquiry.attempt)"])
            approval.isOffline = true
            return .repeated(approval)
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            // Without the approval's own name it could be about another card of the same call.
            let decline = Decline(
                .insufficientFunds, provider: ProviderMessage(code: "51"), references: ["payment": "p-\(sale)"])
            shop.ledger.post(
                ProviderNotice(
                    .attempt(sale), .declined(decline), at: shop.stage.now, kind: "AUTHORISATION"))
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.captured == .cents(shop.ledger.chargedCents), "in the books: \(amounts.captured)")
            #expect(amounts.refundable.isZero, "in the books: \(amounts.refundable)")
        }
    }

    /// The till (scope pos) is in doubt; the approval arrives at the web shop's server (scope web), which shares journal
    /// and account.
    @Test func webhookForAnotherScope_ofTheSameAccount_isNotLost() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context)
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let web = try shop.client(driver, owner: "server", scope: "web")
        let pos = try shop.client(driver, owner: "till", scope: "pos")
        try shop.play { [shop, sale] in
            #expect(await pos.sell(attempt: sale).saysUnknown)
            shop.ledger.post(
                ProviderNotice(
                    .attempt(sale), .approved(Approval(.cents(1_000), references: ["payment": "p-sale-1"])),
                    at: shop.stage.now, kind: "AUTHORISATION"))
            let answer = try? await web.receiveWebhook([], from: "p")
            // A provider posts again what was not acknowledged.
            let isAcknowledged = answer.map { (200..<300).contains($0.status) } ?? false
            let told = await pos.outcome(of: sale)
            #expect(!isAcknowledged || told.isApproved, "acknowledged as \(answer?.items.map(\.effect) ?? []): \(told)")
        }
    }

    /// Only a message that proves something is read again for a shop that has a payment under way.
    @Test func messageThatProvesNothing_besideAShopWithWorkUnderWay_isReadOnce() throws {
        let far = Ledger()
        var busy = Fake(far)
        busy.onSale = { [shop] request, context in
            try await shop.wait(seconds: 30)
            return try await Fake.charge(far, request, context)
        }
        let web = try shop.client(Fake(shop.ledger), owner: "server", scope: "web")
        let pos = try shop.client(busy, owner: "till", scope: "pos")
        try shop.play { [shop, sale] in
            let selling = shop.beside { await pos.sell(attempt: sale) }
            try await shop.wait(seconds: 1)
            let messages: [(id: String?, isReadAgain: Bool)] = [(nil, false), ("m-1", true)]
            for message in messages {
                var notice = ProviderNotice(.attempt(try AttemptID("other-1")), nil, at: nil, kind: "NEWS")
                notice.id = message.id
                far.post(notice)
                shop.ledger.post(notice)
                _ = try await web.receiveWebhook([], headers: [:], from: "p", for: [pos])
                #expect(far.takeNotices().isEmpty == message.isReadAgain)
            }
            #expect(await selling.value.isApproved)
        }
    }
}

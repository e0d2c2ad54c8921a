internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    static let lists: [Check] = [
        Check(
            "details.found", "The details of a payment are about that payment.", .list, needs: ["details", "sale"],
            .major, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            guard let details = try await kit.view.transactions?.details(payment.references) else {
                throw CheckFailure("there are none")
            }
            try kit.expect(
                payment.references.values.contains { details.references.values.contains($0) },
                "they name another payment")
            if let captured = details.captured { try kit.expect(captured, is: payment.requested, "what was captured") }
        },
        Check(
            "details.unknown", "Nothing is said about a payment that the provider does not know.", .list,
            needs: ["details"], .minor, .backOffice
        ) { kit in
            let details = try await kit.view.transactions?.details(["payment": "nobody-knows-it"])
            try kit.expect(details == nil, "there are details")
        },
        Check(
            "details.read-only", "Reading details moves nothing.", .list, needs: ["details", "sale"], .critical,
            .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.withoutMoving("reading") { try await kit.view.transactions?.details(payment.references) }
        },
        Check(
            "list.contains", "A list contains the payments that were made, each once.", .list, needs: ["list", "sale"],
            .major, .backOffice
        ) { kit in
            for number in 1...3 { _ = try await kit.sold(reference: "o-\(number)") }
            let page = try await kit.view.transactions?.list(ListQuery(limit: 50))
            try kit.expect(page?.items.count, is: 3, "items")
            try kit.expect(Set(page?.items.map(\.references) ?? []).count, is: 3, "different items")
        },
        Check(
            "list.pages", "Going through the pages gives everything once and ends.", .list, needs: ["list", "sale"],
            .major, .backOffice
        ) { kit in
            for number in 1...5 { _ = try await kit.sold(reference: "o-\(number)") }
            var query = ListQuery(limit: 2)
            var seen: [References] = []
            for _ in 1...5 {
                guard let page = try await kit.view.transactions?.list(query) else { break }
                try kit.expect(page.items.count <= 2, "a page of \(page.items.count) items, 2 were asked for")
                seen += page.items.map(\.references)
                query.cursor = page.next
                if page.next == nil { break }
            }
            try kit.expect(query.cursor == nil, "the pages never end")
            try kit.expect([seen.count, Set(seen).count], is: [5, 5], "items and different items")
        },
        Check(
            "list.filtered", "A filter that is declared gives what fits and nothing else.", .list,
            needs: ["list", "sale"], .major, .backOffice
        ) { kit in
            try kit.expect(kit.driver.capabilities.listFilters.contains(.reference), or: "it can't filter by reference")
            for number in 1...3 { _ = try await kit.sold(reference: "o-\(number)") }
            var query = ListQuery()
            query.filters = [.reference("o-2")]
            try kit.expect(try await kit.view.transactions?.list(query).items.count, is: 1, "items")
        },
        Check(
            "list.foreign-filter", "A filter that is not declared is refused, and nothing is sent.", .list,
            needs: ["list"], .minor, .backOffice
        ) { kit in
            guard !kit.driver.capabilities.listFilters.contains(.batch) else {
                throw NotApplicable("it filters by batch")
            }
            var query = ListQuery()
            query.filters = [.batch("1")]
            let asked = query
            try await kit.expectUnsupported("it") { _ = try await kit.view.transactions?.list(asked) }
        },
        Check(
            "list.failing", "A list that fails is an error that moved nothing.", .list, needs: ["list"], .major,
            .backOffice
        ) { kit in
            try await kit.signIn()
            try kit.arm("status.500-before")
            let error = try await kit.failure { _ = try await kit.view.transactions?.list() }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "settings.read", "Settings can be read and move nothing.", .list, needs: ["settings"], .minor, .backOffice
        ) { kit in
            _ = try await kit.withoutMoving("reading") { try await kit.view.settings?.read() }
            let names = try await kit.view.settings?.permissions() ?? []
            try kit.expect(names.allSatisfy { !$0.isEmpty }, "a permission has no name")
        },
        Check(
            "devices.listed", "Every listed device can be asked for, and an unknown one is none.", .list,
            needs: ["devices"], .minor, .backOffice
        ) { kit in
            if try kit.has("reader") { try await kit.client.reader?.activate() }
            guard let devices = try kit.view.devices else { throw CheckFailure("there is no view of devices") }
            for device in try await devices.list() {
                try kit.expect(try await devices.device(device.id)?.id, is: device.id, "the device")
            }
            try kit.expect(try await devices.device("nobody-knows-it") == nil, "an unknown device is there")
        },
    ]

    static let pricings: [Check] = [
        Check(
            "pricing.quote", "A quote has a total of at least the amount for each tender.", .pricing,
            needs: ["pricing"], .major, .backOffice
        ) { kit in
            let amount = try kit.cue().amount
            guard let quote = try await kit.client.pricing?.quote(amount) else {
                throw CheckFailure("there is no pricing")
            }
            try kit.expect(!quote.tenders.isEmpty, "it has no tender")
            for (tender, part) in quote.tenders {
                try kit.expect(part.base, is: amount, "the base for \(tender)")
                try kit.expect(part.total.currency, is: amount.currency, "the currency for \(tender)")
            }
        },
        Check(
            "pricing.adds-up", "What a quote adds makes its total, to the last minor unit.", .pricing,
            needs: ["pricing"], .critical, .backOffice
        ) { kit in
            let amount = try kit.cue().amount
            guard let quote = try await kit.client.pricing?.quote(amount) else {
                throw CheckFailure("there is no pricing")
            }
            for (tender, part) in quote.tenders {
                let added = [part.surcharge, part.tip, part.tax].compactMap { $0?.minorUnits }.reduce(0, +)
                let less = [part.discount, part.cashDiscount].compactMap { $0?.minorUnits }.reduce(0, +)
                try kit.expect(
                    part.total.minorUnits, is: part.base.minorUnits + added - less, "the total for \(tender)")
            }
        },
        Check(
            "pricing.charged", "A sale by a quote charges the quote's total.", .pricing,
            needs: ["pricing", "sale", "request.quote"], .critical, .backOffice
        ) { kit in
            let cue = try kit.cue()
            guard let quote = try await kit.client.pricing?.quote(cue.amount), let credit = quote.tenders[.credit]
            else { throw NotApplicable("no quote for credit") }
            let request = try SaleRequest(quote, .credit, from: cue.source, reference: "quoted")
            let payment = try kit.approved(try await kit.client.sale(request, attempt: kit.attempt()))
            try kit.expectMoved(payment.attempt, .charge, credit.total)
        },
        Check(
            "pricing.read-only", "Asking for a price moves nothing.", .pricing, needs: ["pricing"], .critical,
            .backOffice
        ) { kit in
            let amount = try kit.cue().amount
            _ = try await kit.withoutMoving("asking") { try await kit.client.pricing?.quote(amount) }
        },
    ]

    static let webhooks: [Check] = [
        Check(
            "webhook.unsigned", "A message without its proof is refused and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .critical, .backOffice
        ) { kit in
            let news = try await pending(kit)
            try await hints(kit, news)
            try await refused(kit, news, news.map { kit.fixture.unproven($0) }, "a message without its proof")
        },
        Check(
            "webhook.forged", "A message with a wrong proof is refused and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .critical, .backOffice
        ) { kit in
            let news = try await pending(kit)
            try await hints(kit, news)
            try await refused(kit, news, news.map { kit.fixture.forged($0) }, "a message with a wrong proof")
        },
        Check(
            "webhook.unreadable", "A message that can't be read is refused.", .webhook, needs: ["webhooks", "sale"],
            .major, .backOffice
        ) { kit in
            let news = try await pending(kit)
            let broken = news.map { CompanyNews(headers: $0.headers, body: Array("<html>".utf8)) }
            try await refused(kit, news, broken, "it")
        },
        Check(
            "webhook.twice", "The same message twice does no harm.", .webhook, needs: ["webhooks", "sale"], .critical,
            .backOffice
        ) { kit in
            let (id, direction) = try await waiting(kit)
            let news = try kit.happen(.decided(id, succeeds: true))
            try await kit.deliver(news)
            try await kit.deliver(news)
            let payment = try kit.approved(try await kit.client.status(id))
            try kit.expectMoved(id, direction, payment.approved)
            try await heardTwice(kit)
        },
        Check(
            "webhook.foreign", "A message about a payment that is not ours is no error and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .major, .backOffice
        ) { kit in
            let (id, _) = try await waiting(kit)
            let news = try kit.happen(.decided(id, succeeds: true))
            let other = try Kit.elsewhere(kit)
            let notices = try await other.deliver(news)
            try kit.expect(!notices.isEmpty, "nothing was read in it")
            try kit.expect(try await other.client.payments().isEmpty, "a payment came out of nothing")
            try await kit.deliver(news)
        },
        Check(
            "webhook.older-loses", "An older message does not undo what a newer one said.", .webhook,
            needs: ["webhooks", "sale", "refund"], .critical, .backOffice
        ) { kit in
            let (payment, id, cue) = (try await kit.sold(), try kit.attempt(), try kit.cue(.pending, .refund))
            _ = try await kit.refund(payment.id, cue.amount, attempt: id)
            try await kit.wait(1_000)
            let done = try kit.happen(.decided(id, succeeds: true))
            try await kit.wait(1_000)
            let failed = try kit.happen(.failedLater(id))
            try await kit.deliver(failed)
            try await kit.deliver(done)
            try kit.expect(
                try await kit.client.payment(payment.id).amounts.refunded.minorUnits, is: 0, "what was refunded")
        },
        Check(
            "webhook.settles-doubt", "A message settles what is in doubt.", .webhook, needs: ["webhooks", "sale"],
            .major, .backOffice
        ) { kit in
            let (id, _) = try await waiting(kit)
            let fresh = try kit.restarted()
            let notices = try await fresh.deliver(kit.happen(.decided(id, succeeds: true)))
            // A message without a verdict is a hint: what it says is looked up.
            let isHint = notices.allSatisfy { $0.verdict == nil }
            try kit.expect(try await kit.record(id)?.evidence, is: isHint ? .lookup : .webhook, "the evidence")
            _ = try fresh.approved(try await fresh.client.status(id))
        },
        Check(
            "webhook.silent", "Hearing a message moves nothing.", .webhook, needs: ["webhooks", "sale"], .critical,
            .backOffice
        ) { kit in
            let news = try await pending(kit)
            try await kit.withoutMoving("hearing it") { _ = try await kit.deliver(news) }
        },
    ]

    /// A refund is counted once however often its message comes; where no part is given back later, there is nothing to say.
    private static func heardTwice(_ kit: Kit) async throws {
        guard try kit.has("refund.partial"), kit.fixture.cue(.pending, .refund, kit.source) != nil else { return }
        let (payment, id) = (try await kit.sold(reference: "back"), try kit.attempt())
        let cue = try kit.cue(.pending, .refund)
        guard case .pending = try await kit.refund(payment.id, cue.amount, attempt: id) else {
            throw CheckFailure("a refund that is decided later is not pending")
        }
        let news = try kit.happen(.decided(id, succeeds: true))
        try await kit.deliver(news)
        try await kit.deliver(news)
        try kit.expectMoved(id, .refund, cue.amount)
        try kit.expect(try await kit.client.payment(payment.id).amounts.refunded, is: cue.amount, "what was refunded")
    }

    /// Where a company proves none of its messages, they may only be hints: no verdict of theirs is believed.
    private static func hints(_ kit: Kit, _ news: [CompanyNews]) async throws {
        let bare = news.map { kit.fixture.unproven($0) }
        guard zip(news, bare).allSatisfy({ $0.headers == $1.headers && $0.body == $1.body }) else { return }
        let notices = try await kit.deliver(news)
        try kit.expect(notices.allSatisfy { $0.verdict == nil }, "a message that nobody proves is believed")
        throw NotApplicable("the company proves none of its messages; each is only a hint, and its word is not taken")
    }

    /// Something pending that was decided, and the messages about it.
    private static func pending(_ kit: Kit) async throws -> [CompanyNews] {
        try kit.happen(.decided(try await waiting(kit).id, succeeds: true))
    }

    /// Something that is decided later: a sale, or a refund where no sale is; and which way it moves money.
    private static func waiting(_ kit: Kit) async throws -> (id: AttemptID, direction: LedgerView.Direction) {
        if kit.fixture.cue(.pending, .sale, kit.source) != nil {
            let id = try kit.attempt()
            _ = try await kit.sell(.pending, attempt: id)
            return (id, .charge)
        }
        guard kit.declaration.decidesLater[.refund] != nil, try kit.has("refund") else {
            throw NotApplicable("nothing is decided later")
        }
        let (payment, id) = (try await kit.sold(), try kit.attempt())
        guard case .pending = try await kit.refund(payment.id, attempt: id) else {
            throw CheckFailure("a refund is declared to be decided later, and it is not pending")
        }
        return (id, .refund)
    }

    /// Fails unless changed messages are refused; then the genuine ones are delivered, so that the books agree again.
    private static func refused(
        _ kit: Kit, _ news: [CompanyNews], _ changed: [CompanyNews], _ what: String
    ) async throws {
        let error = try await kit.failure(what) { try await kit.deliver(changed) }
        try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        let open = try await kit.journal.records(.open)
        try kit.expect(open.count, is: 1, "what is still pending after \(what)")
        _ = try await kit.client.recover()
        try await kit.deliver(news)
    }
}

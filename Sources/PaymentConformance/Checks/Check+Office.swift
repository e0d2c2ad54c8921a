internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentTesting

extension Check {
    static let lists: [Check] = [
        Check(
            "details.found", "The details of a payment are about that payment.", .list, needs: ["details", "sale"],
            .major, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            guard let details = try await context.view.transactions?.details(payment.references) else {
                throw CheckFailure("there are none")
            }
            try context.expect(
                payment.references.values.contains { details.references.values.contains($0) },
                "they name another payment")
            if let captured = details.captured {
                try context.expect(captured, is: payment.requested, "what was captured")
            }
        },
        Check(
            "details.unknown", "Nothing is said about a payment that the provider does not know.", .list,
            needs: ["details"], .minor, .backOffice
        ) { context in
            let details = try await context.view.transactions?.details(["payment": "unknown-payment"])
            try context.expect(details == nil, "there are details")
        },
        Check(
            "details.read-only", "Reading details moves nothing.", .list, needs: ["details", "sale"], .critical,
            .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            _ = try await context.withoutMoving("reading") {
                try await context.view.transactions?.details(payment.references)
            }
        },
        Check(
            "list.contains", "A list contains the payments that were made, each once.", .list, needs: ["list", "sale"],
            .major, .backOffice
        ) { context in
            for number in 1...3 { _ = try await context.approvedSale(reference: "o-\(number)") }
            let page = try await context.view.transactions?.list(ListQuery(limit: 50))
            try context.expect(page?.items.count, is: 3, "items")
            try context.expect(Set(page?.items.map(\.references) ?? []).count, is: 3, "different items")
        },
        Check(
            "list.pages", "Going through the pages gives everything once and ends.", .list, needs: ["list", "sale"],
            .major, .backOffice
        ) { context in
            for number in 1...5 { _ = try await context.approvedSale(reference: "o-\(number)") }
            var query = ListQuery(limit: 2)
            var seen: [PaymentReferences] = []
            for _ in 1...5 {
                guard let page = try await context.view.transactions?.list(query) else { break }
                try context.expect(page.items.count <= 2, "a page of \(page.items.count) items, 2 were asked for")
                seen += page.items.map(\.references)
                query.cursor = page.next
                if page.next == nil { break }
            }
            try context.expect(query.cursor == nil, "the pages never end")
            try context.expect([seen.count, Set(seen).count], is: [5, 5], "items and different items")
        },
        Check(
            "list.filtered", "A filter that is declared gives what fits and nothing else.", .list,
            needs: ["list", "sale"], .major, .backOffice
        ) { context in
            try context.expect(
                context.driver.capabilities.listFilters.contains(.reference), or: "it can't filter by reference")
            for number in 1...3 { _ = try await context.approvedSale(reference: "o-\(number)") }
            var query = ListQuery()
            query.filters = [.reference("o-2")]
            try context.expect(try await context.view.transactions?.list(query).items.count, is: 1, "items")
        },
        Check(
            "list.foreign-filter", "A filter that is not declared is refused, and nothing is sent.", .list,
            needs: ["list"], .minor, .backOffice
        ) { context in
            guard !context.driver.capabilities.listFilters.contains(.batch) else {
                throw NotApplicable("it filters by batch")
            }
            var query = ListQuery()
            query.filters = [.batch("1")]
            let asked = query
            try await context.expectUnsupported("it") { _ = try await context.view.transactions?.list(asked) }
        },
        Check(
            "list.failing", "A list that fails is an error that moved nothing.", .list, needs: ["list"], .major,
            .backOffice
        ) { context in
            try await context.signIn()
            try context.arm("status.500-before")
            let error = try await context.failure { _ = try await context.view.transactions?.list() }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
        },
        Check(
            "list.unreadable", "A page that can't be read is an error and no end of the list.", .list,
            needs: ["list", "sale"], .critical, .backOffice
        ) { context in
            for number in 1...3 { _ = try await context.approvedSale(reference: "o-\(number)") }
            let transactions = try context.view.transactions
            for page in 0...1 {
                try context.arm("body.empty", after: page)
                let error = try await context.failure {
                    guard let pages = transactions?.every(ListQuery(limit: 2)) else { return }
                    for try await _ in pages {}
                }
                try context.expect(error.outcome, is: .notExecuted, "the outcome")
            }
        },
        Check(
            "settings.read", "Settings can be read and move nothing.", .list, needs: ["settings"], .minor, .backOffice
        ) { context in
            _ = try await context.withoutMoving("reading") { try await context.view.settings?.read() }
            let names = try await context.view.settings?.permissions() ?? []
            try context.expect(names.allSatisfy { !$0.isEmpty }, "a permission has no name")
        },
        Check(
            "devices.listed", "Every listed device can be asked for, and an unknown one is none.", .list,
            needs: ["devices"], .minor, .backOffice
        ) { context in
            if try context.has("reader") { try await context.client.reader?.activate() }
            guard let devices = try context.view.devices else { throw CheckFailure("there is no view of devices") }
            for device in try await devices.list() {
                try context.expect(try await devices.device(device.id)?.id, is: device.id, "the device")
            }
            try context.expect(try await devices.device("unknown-payment") == nil, "an unknown device is there")
        },
    ]

    static let pricings: [Check] = [
        Check(
            "pricing.quote", "A quote has a total of at least the amount for each tender.", .pricing,
            needs: ["pricing"], .major, .backOffice
        ) { context in
            let amount = try context.scripted().amount
            guard let quote = try await context.client.pricing?.quote(amount) else {
                throw CheckFailure("there is no pricing")
            }
            try context.expect(!quote.tenders.isEmpty, "it has no tender")
            for (tender, part) in quote.tenders {
                try context.expect(part.base, is: amount, "the base for \(tender)")
                try context.expect(part.total.currency, is: amount.currency, "the currency for \(tender)")
            }
        },
        Check(
            "pricing.adds-up", "What a quote adds makes its total, to the last minor unit.", .pricing,
            needs: ["pricing"], .critical, .backOffice
        ) { context in
            let amount = try context.scripted().amount
            guard let quote = try await context.client.pricing?.quote(amount) else {
                throw CheckFailure("there is no pricing")
            }
            for (tender, part) in quote.tenders {
                let added = [part.base, part.surcharge, part.tip, part.tax].compactMap { $0?.minorUnits }.sum
                let less = [part.discount, part.cashDiscount].compactMap { $0?.minorUnits }.sum
                try context.expect(part.total.isBelievable, "no payment can be over the total for \(tender)")
                try context.expect(part.total.minorUnits, is: added.subtracting(less), "the total for \(tender)")
            }
        },
        Check(
            "pricing.charged", "A sale by a quote charges the quote's total.", .pricing,
            needs: ["pricing", "sale", "request.quote"], .critical, .backOffice
        ) { context in
            let scripted = try context.scripted()
            guard let quote = try await context.client.pricing?.quote(scripted.amount),
                let credit = quote.tenders[.credit]
            else { throw NotApplicable("no quote for credit") }
            let request = try SaleRequest(quote, .credit, from: scripted.source, reference: "quoted")
            let payment = try context.approved(try await context.client.sale(request, attempt: context.attempt()))
            try context.expectMoved(payment.attempt, .charge, credit.total)
        },
        Check(
            "pricing.read-only", "Asking for a price moves nothing.", .pricing, needs: ["pricing"], .critical,
            .backOffice
        ) { context in
            let amount = try context.scripted().amount
            _ = try await context.withoutMoving("asking") { try await context.client.pricing?.quote(amount) }
        },
    ]

    static let webhooks: [Check] = [
        Check(
            "webhook.unsigned", "A message without its proof is refused and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .critical, .backOffice
        ) { context in
            let news = try await pending(context)
            try await hints(context, news)
            try await refused(
                context, news, news.map { context.fixture.withoutSignature($0) }, "a message without its proof")
        },
        Check(
            "webhook.forged", "A message with a wrong proof is refused and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .critical, .backOffice
        ) { context in
            let news = try await pending(context)
            try await hints(context, news)
            try await refused(
                context, news, news.map { context.fixture.withForgedSignature($0) }, "a message with a wrong proof")
        },
        Check(
            "webhook.altered", "A message that was altered under its proof decides no money and no state.", .webhook,
            needs: ["webhooks", "sale"], .critical, .backOffice
        ) { context in
            let done = try await waiting(context)
            let news = try context.happen(.decided(done.id, succeeds: true))
            try await hints(context, news)
            // What another message says at the same place is plausible there.
            let failed = try await waiting(context)
            let others = try context.happen(.decided(failed.id, succeeds: false))
            let copies = zip(news, others).flatMap { alter($0, by: $1) }
            try context.expect(!copies.isEmpty, or: "no message is JSON, so that no member can be altered")
            let believed = try firstBelieved(context, news, copies)
            if let why = context.declaration.unprovenWebhookBodies {
                try context.expect(believed != nil, "the proof covers the body, and the harness declares otherwise")
                throw NotApplicable(why)
            }
            if let believed { throw CheckFailure("a message with another \(believed) under an old proof is believed") }
            for copy in copies {
                do { try await context.deliver([copy.message]) } catch is PaymentError {}
            }
            // No copy takes the place of the message itself.
            try await context.deliver(news)
            try await context.deliver(others)
            let payment = try context.approved(try await context.client.status(done.id))
            try context.expectMoved(done.id, done.direction, payment.approved)
        },
        Check(
            "webhook.unreadable", "A message that can't be read is refused.", .webhook, needs: ["webhooks", "sale"],
            .major, .backOffice
        ) { context in
            let news = try await pending(context)
            let broken = news.map { ProviderWebhook(headers: $0.headers, body: Array("<html>".utf8)) }
            try await refused(context, news, broken, "it")
        },
        Check(
            "webhook.twice", "The same message twice does no harm.", .webhook, needs: ["webhooks", "sale"], .critical,
            .backOffice
        ) { context in
            let (id, direction) = try await waiting(context)
            let news = try context.happen(.decided(id, succeeds: true))
            try await context.deliver(news)
            try await context.deliver(news)
            let payment = try context.approved(try await context.client.status(id))
            try context.expectMoved(id, direction, payment.approved)
            try await heardTwice(context)
        },
        Check(
            "webhook.foreign", "A message about a payment that is not ours is no error and changes nothing.", .webhook,
            needs: ["webhooks", "sale"], .major, .backOffice
        ) { context in
            let (id, _) = try await waiting(context)
            let news = try context.happen(.decided(id, succeeds: true))
            let other = try CheckContext.elsewhere(context)
            let notices = try await other.deliver(news)
            try context.expect(!notices.isEmpty, "nothing was read in it")
            try context.expect(
                try await other.journal.records(.origins(scope: nil), limit: 9).isEmpty, "a payment came out of nothing"
            )
            try await context.deliver(news)
        },
        Check(
            "webhook.older-loses", "An older message does not undo what a newer one said.", .webhook,
            needs: ["webhooks", "sale", "refund"], .critical, .backOffice
        ) { context in
            let (payment, id, scripted) = (
                try await context.approvedSale(), try context.attempt(), try context.scripted(.pending, .refund)
            )
            _ = try await context.refund(payment.id, of: scripted.amount, attempt: id)
            try await context.wait(1_000)
            let done = try context.happen(.decided(id, succeeds: true))
            try await context.wait(1_000)
            let failed = try context.happen(.failedLater(id))
            try await context.deliver(failed)
            try await context.deliver(done)
            try context.expect(
                try await context.client.payment(payment.id).amounts.refunded.minorUnits, is: 0, "what was refunded")
        },
        Check(
            "webhook.removes-doubt", "A message decides what is in doubt.", .webhook, needs: ["webhooks", "sale"],
            .major, .backOffice
        ) { context in
            let (id, _) = try await waiting(context)
            let fresh = try context.restarted()
            let notices = try await fresh.deliver(context.happen(.decided(id, succeeds: true)))
            // A message without a verdict is a hint: what it says is looked up.
            let isHint = notices.allSatisfy { $0.verdict == nil }
            try context.expect(
                try await context.record(id)?.evidence?.word, is: isHint ? "lookup" : "webhook", "the evidence")
            _ = try fresh.approved(try await fresh.client.status(id))
        },
        Check(
            "webhook.silent", "Hearing a message moves nothing.", .webhook, needs: ["webhooks", "sale"], .critical,
            .backOffice
        ) { context in
            let news = try await pending(context)
            try await context.withoutMoving("hearing it") { _ = try await context.deliver(news) }
        },
    ]

    /// A refund is counted once however often its message comes; where no part is refunded later, there is nothing to
    /// say.
    private static func heardTwice(_ context: CheckContext) async throws {
        guard try context.has("refund.partial"), context.fixture.scripted(.pending, .refund, context.source) != nil
        else { return }
        let (payment, id) = (try await context.approvedSale(reference: "back"), try context.attempt())
        let scripted = try context.scripted(.pending, .refund)
        guard case .pending = try await context.refund(payment.id, of: scripted.amount, attempt: id) else {
            throw CheckFailure("a refund that is decided later is not pending")
        }
        let news = try context.happen(.decided(id, succeeds: true))
        try await context.deliver(news)
        try await context.deliver(news)
        try context.expectMoved(id, .refund, scripted.amount)
        try context.expect(
            try await context.client.payment(payment.id).amounts.refunded, is: scripted.amount, "what was refunded")
    }

    /// A message with one member altered.
    private typealias Altered = (path: FieldPath, message: ProviderWebhook)

    /// Copies of a message, each with one value altered: to what another message has there, or a little. What proves it
    /// stays.
    private static func alter(_ message: ProviderWebhook, by other: ProviderWebhook) -> [Altered] {
        guard let body = try? JSONReader().read(message.body), let there = try? JSONReader().read(other.body) else {
            return []
        }
        return FieldPath.all(in: body).flatMap { path -> [Altered] in
            var value: JSON?
            _ = path.changing(there) { given in
                value = given
                return given
            }
            // A whole item of another message may be there with its own proof.
            let taken = path.changing(body) { isValue($0) ? value ?? $0 : $0 }
            let copies = [taken, path.changing(body, little)].filter { $0 != body }
            return copies.map { copy in
                (path: path, message: ProviderWebhook(headers: message.headers, body: copy.bytes()))
            }
        }
    }

    private static func isValue(_ json: JSON) -> Bool {
        switch json {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }

    private static func little(_ json: JSON) -> JSON? {
        switch json {
        case .bool(let isTrue): .bool(!isTrue)
        case .number: .number(JSONNumber(json.int64?.adding(1) ?? 1))
        case .string("true"): "false"
        case .string("false"): "true"
        case .string(let text): .string(text + "1")
        case .null, .array, .object: json
        }
    }

    /// The first member by whose alteration a driver reads a verdict that the messages themselves don't have.
    private static func firstBelieved(
        _ context: CheckContext, _ news: [ProviderWebhook], _ copies: [Altered]
    ) throws -> FieldPath? {
        guard let driver = context.driver as? any WebhookDriver else { throw CheckFailure("no driver of webhooks") }
        let now = context.scheduler.now
        func read(_ message: ProviderWebhook) throws -> [ProviderNotice] {
            try driver.notices(in: WebhookMessage(headers: message.headers, body: message.body, at: now))
        }
        let due = Set(try news.flatMap { try read($0) }.compactMap { meaning($0) })
        return copies.first { copy in
            let said = (try? read(copy.message)) ?? []
            return !said.compactMap { meaning($0) }.allSatisfy { due.contains($0) }
        }?.path
    }

    /// About what a notice decides, and what about money; nil for a hint.
    private static func meaning(_ notice: ProviderNotice) -> String? {
        let word: String
        switch notice.verdict {
        case .approved(let approval): word = "approved \(approval.amount)"
        case .declined: word = "declined"
        case .cancelled: word = "cancelled"
        case .pending: word = "pending"
        case nil: return nil
        }
        let operations = notice.operations.map { $0.map(\.rawValue).sorted() } ?? []
        return "\(word) \(subject(notice)) \(operations)"
    }

    private static func subject(_ notice: ProviderNotice) -> String {
        switch notice.subject {
        case .attempt(let attempt): "attempt \(attempt)"
        case .reference(let name, let operations): "reference \(name) \(operations.map(\.rawValue).sorted())"
        }
    }

    /// Where a provider proves none of its messages, they may only be hints: none of their verdicts is believed.
    private static func hints(_ context: CheckContext, _ news: [ProviderWebhook]) async throws {
        let bare = news.map { context.fixture.withoutSignature($0) }
        guard zip(news, bare).allSatisfy({ $0.headers == $1.headers && $0.body == $1.body }) else { return }
        let notices = try await context.deliver(news)
        try context.expect(notices.allSatisfy { $0.verdict == nil }, "an unproven message is believed")
        throw NotApplicable("the provider proves none of its messages; each is only a hint, and its word is not taken")
    }

    /// Something pending that was decided, and the messages about it.
    private static func pending(_ context: CheckContext) async throws -> [ProviderWebhook] {
        try context.happen(.decided(try await waiting(context).id, succeeds: true))
    }

    /// Something that is decided later: a sale, or a refund where no sale is; and which way it moves money.
    private static func waiting(_ context: CheckContext) async throws -> (
        id: AttemptID, direction: LedgerView.Direction
    ) {
        if context.fixture.scripted(.pending, .sale, context.source) != nil {
            let id = try context.attempt()
            _ = try await context.sale(.pending, attempt: id)
            return (id, .charge)
        }
        guard context.declaration.asynchronousOperations[.refund] != nil, try context.has("refund") else {
            throw NotApplicable("nothing is decided later")
        }
        let (payment, id) = (try await context.approvedSale(), try context.attempt())
        guard case .pending = try await context.refund(payment.id, attempt: id) else {
            throw CheckFailure("a refund is declared to be decided later, and it is not pending")
        }
        return (id, .refund)
    }

    /// Fails unless changed messages are refused; then the genuine ones are delivered, so that the books agree again.
    private static func refused(
        _ context: CheckContext, _ news: [ProviderWebhook], _ changed: [ProviderWebhook], _ what: String
    ) async throws {
        let error = try await context.failure(what) { try await context.deliver(changed) }
        try context.expect(error.outcome, is: .notExecuted, "the outcome")
        let open = try await context.journal.records(.open(scope: nil), limit: 9)
        try context.expect(open.count, is: 1, "what is still pending after \(what)")
        _ = try await context.client.recover()
        try await context.deliver(news)
    }
}

internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting
internal import PaymentTransport

extension Check {
    /// A sale from each kind of source.
    private static let sources: [Check] = PaymentSource.Kind.allCases.map { kind in
        Check(
            "sale.from-\(kind.rawValue)", "A sale from \(kind.rawValue) moves exactly its amount, once.", .sale,
            needs: ["sale", "source.\(kind.rawValue)"], .critical, kind == .reader ? .inPerson : .core
        ) { context in
            try context.expectCharged(try await context.approvedSale(from: kind))
        }
    }

    private static func decline(_ script: SimulatedOutcome, _ id: String) -> Check {
        Check(
            "sale.\(id)", "A sale that ends as \(script.rawValue) is declined with that reason and the raw code.",
            .sale,
            needs: ["sale"], .critical, .core
        ) { context in
            let (id, scripted) = (try context.attempt(), try context.scripted(script))
            let decline = try context.declined(try await context.sale(script, attempt: id))
            try context.expectNothingMoved(id)
            if let reason = scripted.reason { try context.expect(decline.reason, is: reason, "the reason") }
            if let code = scripted.code { try context.expect(decline.provider.code, is: code, "the raw code") }
        }
    }

    /// Fails unless a charge without its customer is declined, and is so later: a provider may try it again on its own.
    private static func staysDeclined(
        _ result: PaymentResult, _ id: AttemptID, _ context: CheckContext
    ) async throws {
        try await context.wait(context.declaration.decidedAfterMilliseconds)
        if case .declined = result { try context.expectNothingMoved(id) }
        let later = try await context.decided()
        _ = try later.declined(try await later.client.status(id))
        try later.expectNothingMoved(id)
    }

    /// A sale that the provider takes first and decides on its own.
    private static func workedOn(_ id: String, _ sentence: String, _ script: SimulatedOutcome) -> Check {
        Check("sale.\(id)", sentence, .sale, needs: ["sale"], .critical, .core) { context in
            _ = try await context.approvedSale(reference: "warm")
            let plain = context.log.count
            _ = try await context.approvedSale(reference: "usual")
            let usual = context.log.count - plain
            let (attempt, start, before) = (try context.attempt(), context.scheduler.now, context.log.count)
            let first = try await context.result { try await context.sale(script, attempt: attempt) }
            try context.expectUndenied(first, "what the provider is at work on")
            if case .success(.approved) = first {
                let (took, asked) = (context.scheduler.now - start, context.log.count - before)
                let patience =
                    script == .decidedLate ? context.driver.lookupPlan(for: .sale)?.giveUpAfter ?? 0 : 0
                try context.expect(
                    asked > usual && took > patience,
                    "it was decided after \(took) ms and \(asked) requests: the script is not what it says")
            }
            try await context.decided().expectBooked(attempt)
        }
    }

    /// What ``ConformanceProfile/startsWithoutRequest`` says is proved, since it lets other checks off.
    private static let sendsNothing = Check(
        "sale.sends-nothing",
        "Where no request begins a payment, nothing leaves before its link is shown, and only its customer pays.",
        .sale, needs: ["sale"], .critical, .core
    ) { context in
        guard context.declaration.startsWithoutRequest != nil else { throw NotApplicable("what begins a sale is sent") }
        try await context.signIn()
        let (sent, shown) = (Locked(0), Locked<Int?>(nil))
        let till = try context.restarted { given in
            var given = given
            given.answers.handle(PaymentLink.self) { _ in
                shown.withLock { $0 = sent.withLock { $0 } }
                return false
            }
            return given
        }
        // Nothing gets through, and the link is shown all the same.
        till.rewrite(
            Interceptor { (_, _) async throws(TransportFailure) in
                sent.withLock { $0 += 1 }
                throw .notSent(.other)
            })
        _ = try await till.result { try await till.sale(reference: "dead-line") }
        guard let before = shown.withLock({ $0 }) else {
            throw CheckFailure("on a dead line no link is shown: something has to be sent first")
        }
        try context.expect(before, is: 0, "the requests that left before the link was shown")
        till.calm()
        // On a line that is whole, a customer who never comes pays nothing, however often we ask.
        try await till.withoutMoving("a sale whose customer never came") {
            _ = try await till.result { try await till.sale(reference: "absent") }
            try await till.wait(context.declaration.decidedAfterMilliseconds)
            try await till.client.recover()
        }
    }

    static let sales: [Check] =
        sources + [
            sendsNothing,
            workedOn(
                "decided-soon", "What the provider is still at work on is not declined, and is approved once.",
                .decidedSoon),
            workedOn(
                "decided-late",
                "What is decided after the driver stopped asking is not declined, and is approved once.",
                .decidedLate),
            Check(
                "sale.entry", "A sale goes the way that its source says: a tap is not sent as a typed card.", .sale,
                needs: ["sale"], .critical, .inPerson
            ) { context in
                var unnamed: [PaymentSource.Kind] = []
                let kinds = PaymentSource.Kind.allCases.filter { context.driver.capabilities.sources.contains($0) }
                for kind in kinds {
                    let payment = try await context.approvedSale(from: kind, reference: "from-\(kind.rawValue)")
                    let entries = context.fixture.ledger.entries(of: payment.attempt)
                    guard let booked = entries.first?.source else {
                        unnamed.append(kind)
                        continue
                    }
                    try context.expect(booked, is: kind, "how a sale from \(kind.rawValue) was understood")
                }
                let names = unnamed.map(\.rawValue).joined(separator: ", ")
                try context.expect(unnamed != kinds, or: "the provider's books don't say how a card came: not shown")
                try context.expect(unnamed.isEmpty, "the books don't say how a card came from \(names)")
            },
            decline(.insufficientFunds, "insufficient-funds"), decline(.lostCard, "lost-card"),
            decline(.expiredCard, "expired-card"), decline(.doNotHonor, "do-not-honor"),
            decline(.wrongSecurityCode, "wrong-security-code"),
            Check(
                "sale.approved", "An approved sale moves exactly its amount, once.", .sale, needs: ["sale"], .critical,
                .core
            ) { context in
                let payment = try await context.approvedSale()
                try context.expectCharged(payment)
                try context.expect(payment.approved, is: payment.requested, "what was approved")
                try context.expect(payment.amounts.captured, is: payment.requested, "what was captured")
            },
            Check(
                "sale.references", "An approved sale names what the provider calls it.", .sale, needs: ["sale"], .major,
                .core
            ) { context in
                let payment = try await context.approvedSale()
                try context.expect(!payment.references.isEmpty, "it has no reference of the provider's")
                try context.expect(
                    payment.references.values.allSatisfy { !$0.isEmpty }, "one of its references is empty")
            },
            Check(
                "sale.references-differ", "Two sales never share the provider's names.", .sale, needs: ["sale"],
                .critical, .core
            ) { context in
                let (one, two) = (
                    try await context.approvedSale(reference: "a"), try await context.approvedSale(reference: "b")
                )
                try context.expect(one.references != two.references, "both have the same references")
                let (first, second) = (try await context.record(one.attempt), try await context.record(two.attempt))
                // The journal takes no approval under a name that another payment has: it is looked up instead.
                try context.expect(
                    first?.evidence?.word == second?.evidence?.word, "the second sale's own answer did not count")
            },
            Check(
                "sale.card-summary", "A keyed sale shows the card's last four digits and no more.", .sale,
                needs: ["source.card"], .minor
            ) { context in
                let (payment, scripted) = (
                    try await context.approvedSale(from: .card), try context.scripted(from: .card)
                )
                if let last4 = payment.card?.last4 {
                    try context.expect(last4, is: scripted.source.last4 ?? "", "the last digits")
                }
                try context.expectHidden(scripted.secrets, in: payment, "the payment")
            },
            Check(
                "sale.pending-approved",
                "What is accepted for later is pending, and approved when the provider says so.",
                .sale, needs: ["sale", "webhooks"], .critical, .backOffice
            ) { context in
                let id = try context.attempt()
                try context.expectPending(try await context.sale(.pending, attempt: id))
                try context.expectNothingMoved(id)
                try await context.deliver(context.happen(.decided(id, succeeds: true)))
                let payment = try context.approved(try await context.client.status(id))
                try context.expectMoved(id, .charge, payment.approved)
            },
            Check(
                "sale.pending-declined", "What is accepted for later and then fails is declined, and nothing moved.",
                .sale,
                needs: ["sale", "webhooks"], .critical, .backOffice
            ) { context in
                let id = try context.attempt()
                _ = try await context.sale(.pending, attempt: id)
                try await context.deliver(context.happen(.decided(id, succeeds: false)))
                _ = try context.declined(try await context.settled(id))
                try context.expectNothingMoved(id)
            },
            Check(
                "sale.pending-blocks", "While a sale is pending, another one under its reference is refused.", .sale,
                needs: ["sale"], .critical, .core
            ) { context in
                _ = try await context.sale(.pending, reference: "same")
                let error = try await context.failure("a second sale") { _ = try await context.sale(reference: "same") }
                try context.expect(error, .referenceInUse, .notExecuted)
            },
            Check(
                "sale.reference-already-paid",
                "A second sale under the reference of a paid one is refused, and names the first one.",
                .sale, needs: ["sale"], .critical, .core
            ) { context in
                let (one, id) = (try await context.approvedSale(reference: "same"), try context.attempt())
                let error = try await context.failure("a second sale") {
                    _ = try await context.sale(reference: "same", attempt: id)
                }
                try context.expect(error, .referenceInUse, .notExecuted)
                try context.expect(error.attempt, is: one.attempt, "the attempt that the error names")
                try context.expectNothingMoved(id)
            },
            Check(
                "sale.parts", "Two parts of a reference are two payments, and neither is charged twice.", .sale,
                needs: ["sale"], .critical, .core
            ) { context in
                let first = try await context.approvedSale { $0.order = OrderReference("bill", part: "1 of 2") }
                let error = try await context.failure("the first part again") {
                    _ = try await context.sale { $0.order = OrderReference("bill", part: "1 of 2") }
                }
                try context.expect(error, .referenceInUse, .notExecuted)
                let second = try await context.approvedSale { $0.order = OrderReference("bill", part: "2 of 2") }
                try context.expectCharged(first)
                try context.expectCharged(second)
            },
            Check(
                "sale.declined-then-approved", "A fresh attempt after a decline is charged.", .sale, needs: ["sale"],
                .critical, .core
            ) { context in
                _ = try context.declined(try await context.sale(.insufficientFunds, reference: "same"))
                try context.expectCharged(try await context.approvedSale(reference: "same"))
            },
            Check(
                "sale.dry-run", "A dry run moves nothing and says that it was one.", .sale,
                needs: ["sale", "request.dryRun"], .critical
            ) { context in
                let payment = try await context.approvedSale { $0.isDryRun = true }
                try context.expect(payment.isDryRun, "it does not say that it was a dry run")
                try context.expectNothingMoved(payment.attempt)
            },
            Check(
                "sale.tip", "A tip is a part of the amount and is not added to it.", .sale,
                needs: ["sale", "request.tip"], .critical
            ) { context in
                let payment = try await context.approvedSale { $0.tip = Money(minorUnits: 100, $0.amount.currency) }
                try context.expectCharged(payment)
            },
            Check(
                "sale.tip-too-large", "A tip above the amount is refused and nothing is sent.", .sale,
                needs: ["sale", "request.tip"], .major
            ) { context in
                try await context.expectRefused(.invalidRequest, what: "a wrong tip") {
                    _ = try await context.sale {
                        $0.tip = $0.amount.plus(1)
                    }
                }
            },
            Check(
                "sale.saved-then-used", "An instrument that a sale saved can be charged again.", .sale,
                needs: ["sale", "request.saveInstrument", "source.saved"], .major
            ) { context in
                let first = try await context.approvedSale(reference: "first") { request in
                    request.savesInstrument = true
                    request.customer = "customer-1"
                }
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                var request = SaleRequest(first.requested, from: .saved(saved.id), reference: "second")
                request.contact = try context.scripted().contact
                if context.driver.capabilities.features.contains(.customer) { request.customer = "customer-1" }
                let again = try context.approved(try await context.client.sale(request))
                try context.expectMoved(again.attempt, .charge, first.requested)
            },
            Check(
                "sale.saved-declined", "A saved instrument that is declined is charged neither at once nor later.",
                .sale, needs: ["sale", "source.saved"], .critical, .core
            ) { context in
                let id = try context.attempt()
                try await staysDeclined(
                    try await context.sale(.insufficientFunds, from: .saved, attempt: id), id, context)
            },
            Check(
                "sale.listed-saved", "A saved instrument is listed for its customer, and gone once removed.", .sale,
                needs: ["sale", "request.saveInstrument", "saved"], .major
            ) { context in
                guard let kept = try context.view.savedInstruments else { throw CheckFailure("nothing is listed") }
                func listed() async throws -> [String] {
                    try await kept.list(of: "customer-1").map(\.id.rawValue).sorted()
                }
                let before = try await listed()
                let first = try await context.approvedSale { request in
                    request.savesInstrument = true
                    request.customer = "customer-1"
                }
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                try context.expect(
                    try await listed(), is: (before + [saved.id.rawValue]).sorted(), "what is listed after saving")
                try await kept.remove(saved.id, of: "customer-1")
                try context.expect(try await listed(), is: before, "what is listed after removing")
            },
            Check("sale.verify", "Checking a card moves nothing.", .sale, needs: ["verify"], .critical) { context in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "check")
                let payment = try context.approved(try await context.client.verify(request))
                try context.expectNothingMoved(payment.attempt)
            },
            Check(
                "sale.tokenize", "Making a token moves nothing and gives the instrument.", .sale, needs: ["tokenize"],
                .critical
            ) { context in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "check")
                let payment = try context.approved(try await context.client.tokenize(request))
                try context.expectNothingMoved(payment.attempt)
                try context.expect(payment.saved != nil, "there is no instrument")
            },
            Check(
                "sale.debit", "A later charge of a card on file moves exactly its amount.", .sale,
                needs: ["debit", "request.saveInstrument"], .critical
            ) { context in
                let first = try await context.approvedSale(reference: "first", context.puttingOnFile)
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                var debit = CardOnFileRequest(first.requested, of: saved.id, reference: "later")
                debit.customer = "customer-1"
                let payment = try context.approved(
                    try await context.client.chargeCardOnFile(debit, attempt: context.attempt()))
                try context.expectMoved(payment.attempt, .charge, first.requested)
            },
            Check(
                "sale.debit-declined", "A later charge that is declined moves nothing, at once and later.", .sale,
                needs: ["debit", "request.saveInstrument"], .critical
            ) { context in
                let first = try await context.approvedSale(reference: "first", context.puttingOnFile)
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                let (id, scripted) = (try context.attempt(), try context.scripted(.insufficientFunds, .debit))
                var debit = CardOnFileRequest(scripted.amount, of: saved.id, reference: "later")
                debit.customer = "customer-1"
                try await staysDeclined(
                    try await context.client.chargeCardOnFile(debit, attempt: id), id, context)
            },
        ]
}

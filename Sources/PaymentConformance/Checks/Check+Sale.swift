internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    /// A sale from each kind of source.
    private static let sources: [Check] = SourceKind.allCases.map { kind in
        Check(
            "sale.from-\(kind.rawValue)", "A sale from \(kind.rawValue) moves exactly its amount, once.", .sale,
            needs: ["sale", "source.\(kind.rawValue)"], .critical, kind == .reader ? .terminal : .core
        ) { kit in
            let payment = try await kit.sold(from: kind)
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        }
    }

    private static func decline(_ script: Script, _ id: String) -> Check {
        Check(
            "sale.\(id)", "A sale that ends as \(script.rawValue) is declined with that reason and the raw code.",
            .sale,
            needs: ["sale"], .critical, .core
        ) { kit in
            let (id, cue) = (try kit.attempt(), try kit.cue(script))
            let decline = try kit.declined(try await kit.sell(script, attempt: id))
            try kit.expectNothingMoved(id)
            if let reason = cue.reason { try kit.expect(decline.reason, is: reason, "the reason") }
            if let code = cue.code { try kit.expect(decline.provider.code, is: code, "the raw code") }
        }
    }

    static let sales: [Check] =
        sources + [
            decline(.insufficientFunds, "insufficient-funds"), decline(.lostCard, "lost-card"),
            decline(.expiredCard, "expired-card"), decline(.doNotHonor, "do-not-honor"),
            decline(.wrongSecurityCode, "wrong-security-code"),
            Check(
                "sale.approved", "An approved sale moves exactly its amount, once.", .sale, needs: ["sale"], .critical,
                .core
            ) { kit in
                let payment = try await kit.sold()
                try kit.expectMoved(payment.attempt, .charge, payment.requested)
                try kit.expect(payment.approved, is: payment.requested, "what was approved")
                try kit.expect(payment.amounts.captured, is: payment.requested, "what was captured")
            },
            Check(
                "sale.references", "An approved sale names what the provider calls it.", .sale, needs: ["sale"], .major,
                .core
            ) { kit in
                let payment = try await kit.sold()
                try kit.expect(!payment.references.isEmpty, "it has no reference of the provider's")
                try kit.expect(payment.references.values.allSatisfy { !$0.isEmpty }, "one of its references is empty")
            },
            Check(
                "sale.references-differ", "Two sales never share the provider's names.", .sale, needs: ["sale"],
                .critical, .core
            ) { kit in
                let (one, two) = (try await kit.sold(reference: "a"), try await kit.sold(reference: "b"))
                try kit.expect(one.references != two.references, "both have the same references")
            },
            Check(
                "sale.card-summary", "A keyed sale tells the card's last four digits and no more.", .sale,
                needs: ["source.card"], .minor
            ) { kit in
                let (payment, cue) = (try await kit.sold(from: .card), try kit.cue(from: .card))
                if let last4 = payment.card?.last4 {
                    try kit.expect(last4, is: cue.source.last4 ?? "", "the last digits")
                }
                try kit.expectHidden(cue.secrets, in: payment, "the payment")
            },
            Check(
                "sale.pending-approved",
                "What is accepted for later is pending, and approved when the company says so.",
                .sale, needs: ["sale", "webhooks"], .critical, .backOffice
            ) { kit in
                let id = try kit.attempt()
                guard case .pending = try await kit.sell(.pending, attempt: id) else {
                    throw CheckFailure("it is not pending")
                }
                try kit.expectNothingMoved(id)
                try await kit.deliver(kit.happen(.decided(id, succeeds: true)))
                let payment = try kit.approved(try await kit.client.status(id))
                try kit.expectMoved(id, .charge, payment.approved)
            },
            Check(
                "sale.pending-declined", "What is accepted for later and then fails is declined, and nothing moved.",
                .sale,
                needs: ["sale", "webhooks"], .critical, .backOffice
            ) { kit in
                let id = try kit.attempt()
                _ = try await kit.sell(.pending, attempt: id)
                try await kit.deliver(kit.happen(.decided(id, succeeds: false)))
                _ = try kit.declined(try await kit.client.status(id))
                try kit.expectNothingMoved(id)
            },
            Check(
                "sale.pending-blocks", "While a sale is pending, another one under its reference is refused.", .sale,
                needs: ["sale"], .critical, .core
            ) { kit in
                _ = try await kit.sell(.pending, reference: "same")
                let error = try await kit.failure("a second sale") { _ = try await kit.sell(reference: "same") }
                try kit.expect(error, .inDoubt, .nothingMoved)
            },
            Check(
                "sale.two-under-one-reference",
                "A second sale under the reference of a settled one is a payment of its own.",
                .sale, needs: ["sale"], .major, .core
            ) { kit in
                let (one, two) = (try await kit.sold(reference: "same"), try await kit.sold(reference: "same"))
                try kit.expect(one.id != two.id, "both are one payment")
                try kit.expectMoved(two.attempt, .charge, two.requested)
            },
            Check(
                "sale.declined-then-approved", "A fresh attempt after a decline is charged.", .sale, needs: ["sale"],
                .critical, .core
            ) { kit in
                _ = try kit.declined(try await kit.sell(.insufficientFunds, reference: "same"))
                let payment = try await kit.sold(reference: "same")
                try kit.expectMoved(payment.attempt, .charge, payment.requested)
            },
            Check(
                "sale.dry-run", "A dry run moves nothing and says that it was one.", .sale,
                needs: ["sale", "request.dryRun"], .critical
            ) { kit in
                let payment = try await kit.sold { $0.isDryRun = true }
                try kit.expect(payment.isDryRun, "it does not say that it was a dry run")
                try kit.expectNothingMoved(payment.attempt)
            },
            Check(
                "sale.tip", "A tip is a part of the amount and is not added to it.", .sale,
                needs: ["sale", "request.tip"], .critical
            ) { kit in
                let payment = try await kit.sold { $0.tip = Money(minorUnits: 100, $0.amount.currency) }
                try kit.expectMoved(payment.attempt, .charge, payment.requested)
            },
            Check(
                "sale.tip-too-large", "A tip above the amount is refused and nothing is sent.", .sale,
                needs: ["sale", "request.tip"], .major
            ) { kit in
                let error = try await kit.silently("a wrong tip") {
                    try await kit.failure {
                        _ = try await kit.sell {
                            $0.tip = Money(minorUnits: $0.amount.minorUnits + 1, $0.amount.currency)
                        }
                    }
                }
                try kit.expect(error, .invalidRequest, .nothingMoved)
            },
            Check(
                "sale.saved-then-used", "An instrument that a sale saved can be charged again.", .sale,
                needs: ["sale", "request.saveInstrument", "source.saved"], .major
            ) { kit in
                let first = try await kit.sold(reference: "first") { request in
                    request.savesInstrument = true
                    request.customer = "customer-1"
                }
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                let again = try kit.approved(
                    try await kit.client.sale(first.requested, from: .saved(saved.id), reference: "second"))
                try kit.expectMoved(again.attempt, .charge, first.requested)
            },
            Check(
                "sale.listed-saved", "A saved instrument is listed for its customer, and gone once removed.", .sale,
                needs: ["sale", "request.saveInstrument", "saved"], .major
            ) { kit in
                let first = try await kit.sold { request in
                    request.savesInstrument = true
                    request.customer = "customer-1"
                }
                guard let saved = first.saved, let kept = try kit.view.savedInstruments else {
                    throw CheckFailure("nothing was saved")
                }
                try kit.expect(try await kept.list(of: "customer-1").map(\.id), is: [saved.id], "the list")
                try await kept.remove(saved.id, of: "customer-1")
                try kit.expect(try await kept.list(of: "customer-1").count, is: 0, "what is listed after removing")
            },
            Check("sale.verify", "Checking a card moves nothing.", .sale, needs: ["verify"], .critical) { kit in
                let cue = try kit.cue()
                let request = kit.verification(cue, reference: "check")
                let payment = try kit.approved(try await kit.client.verify(request))
                try kit.expectNothingMoved(payment.attempt)
            },
            Check(
                "sale.tokenize", "Making a token moves nothing and gives the instrument.", .sale, needs: ["tokenize"],
                .critical
            ) { kit in
                let cue = try kit.cue()
                let request = kit.verification(cue, reference: "check")
                let payment = try kit.approved(try await kit.client.tokenize(request))
                try kit.expectNothingMoved(payment.attempt)
                try kit.expect(payment.saved != nil, "there is no instrument")
            },
            Check(
                "sale.debit", "A later charge of a card on file moves exactly its amount.", .sale,
                needs: ["debit", "request.saveInstrument"], .critical
            ) { kit in
                let first = try await kit.sold(reference: "first", kit.puttingOnFile)
                guard let saved = first.saved else { throw CheckFailure("nothing was saved") }
                let debit = DebitRequest(first.requested, of: saved.id, reference: "later")
                let payment = try kit.approved(try await kit.client.debit(debit, attempt: kit.attempt()))
                try kit.expectMoved(payment.attempt, .charge, first.requested)
            },
        ]
}

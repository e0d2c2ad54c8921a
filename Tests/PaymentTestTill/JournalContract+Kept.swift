import PaymentAbstraction

extension JournalContract {
    static let kept: [JournalCheck] = [
        JournalCheck("every kind of verdict comes back as it was written") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for (number, verdict) in try verdicts().enumerated() {
                let held = try await readerQueue.done(try JournalDesk.intent("a-\(number)"), .concluded(verdict))
                try requireSame(held.verdict, verdict, "the answer")
                try requireSame(try await readerQueue.record("a-\(number)"), held, "the record")
            }
        },
        JournalCheck("every operation, source and amount comes back as it was written") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let amounts = [
                Money(minorUnits: .max, .eur), Money(minorUnits: .min, .jpy), Money(minorUnits: 0, .clf),
                Money(minorUnits: 1, .kwd),
            ]
            for (number, operation) in PaymentOperation.allCases.enumerated() {
                for (place, source) in ([nil] + SourceKind.allCases.map { $0 }).enumerated() {
                    let intent = AttemptIntent(
                        try AttemptID("a-\(number)-\(place)"), operation, amounts[(number + place) % amounts.count],
                        reference: "ünï \"'\\% 💶 \(number)-\(place)", source: source, last4: place == 3 ? nil : "0042")
                    let record = try await readerQueue.fresh(intent, at: Int64(number) - 3)
                    try requireSame(record.intent, intent, "the answer")
                    try requireSame(try await readerQueue.record(intent.attempt.text), record, "the record")
                }
            }
        },
        JournalCheck("a timeline is in order, complete, and of one payment") { journal in
            let payment = try PaymentID("p")
            func event(_ sequence: Int, at instant: Int64, of payment: PaymentID?) throws -> PaymentEvent {
                PaymentEvent(
                    PaymentEvent.Kind(rawValue: "kind-\(sequence)"), sequence: sequence, at: instant, payment: payment,
                    attempt: try AttemptID("a"), provider: "one",
                    attributes: ["n": "\(sequence)", "ü": "\"'\n💶", "": ""])
            }
            try await journal.append([try event(3, at: 10, of: payment), try event(1, at: 30, of: payment)])
            try await journal.append([])
            try await journal.append([
                try event(1, at: 1, of: try PaymentID("q")), try event(2, at: 20, of: payment),
                try event(9, at: 1, of: nil),
            ])
            let bare = PaymentEvent(.webhook, sequence: 4, at: .max, payment: payment)
            try await journal.append([bare])
            let wanted = try [(1, 30), (2, 20), (3, 10)].map { try event($0, at: $1, of: payment) } + [bare]
            try requireSame(try await journal.timeline(of: payment), wanted, "the timeline")
            try requireSame(try await journal.timeline(of: try PaymentID("q")).count, 1, "the other one")
            try requireSame(try await journal.timeline(of: try PaymentID("x")), [], "one that is not there")
        },
    ]

    /// One of each kind, with everything in it that a journal may hold.
    private static func verdicts() throws -> [Verdict] {
        var card = CardSummary(brand: "visa", last4: "4242")
        (card.expiry, card.entry, card.funding, card.issuerCountry) = ("12/30", "chip", "credit", "DE")
        var merchant = MerchantBlock()
        (merchant.name, merchant.terminalID) = ("Käse & Wein", "t-1")
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A1", "00", "APPROVED\nthanks")
        (receipt.retrievalReference, receipt.at, receipt.verification) = ("r", .max, "pin")
        (receipt.signatureRequired, receipt.merchant) = (true, merchant)
        receipt.addressCheck = AddressCheck(code: "Y", action: "allow", result: "match")
        receipt.add([EMVTag("9F26", "00FF"), EMVTag("95", "0000008000")])
        receipt.lines = [
            ReceiptLine(.customer, "Total", value: "1.00", key: "total", isBold: true), .init(.merchant, ""),
        ]
        var breakdown = AmountBreakdown(base: .cents(90), total: .cents(100))
        (breakdown.tip, breakdown.surcharge, breakdown.rates) = (.cents(7), .cents(3), ["surcharge": "3.333"])
        receipt.breakdown = breakdown
        var full = Approval(.cents(100), references: ["a": "1", "b": "2"], card: card, receipt: receipt)
        (full.isPartial, full.isOffline, full.isDryRun) = (true, true, true)
        full.saved = SavedInstrument(.init(rawValue: "i-1"), card: card)
        full.saved?.customer = "c-1"
        var decline = Decline(
            DeclineReason(rawValue: "of their own"), provider: ProviderMessage(code: "Z9", message: "no 💳"),
            references: ["a": "1"])
        (decline.card, decline.receipt) = (card, receipt)
        let said = ProviderMessage(code: "c", message: "m")
        return [
            .approved(Approval(.cents(100))), .approved(full), .declined(decline),
            .cancelled(Cancellation(by: .timeout)),
            .cancelled(Cancellation(by: .init(rawValue: "cat"), provider: said, references: ["a": "1"])),
            .pending(Pending(lookAgain: true)),
            .pending(Pending(references: ["a": "1"], provider: said, lookAgain: false)),
        ]
    }
}

internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    private static func exponent(_ exponent: Int) -> Check {
        Check(
            "amount.exponent-\(exponent)", "An amount in a currency with \(exponent) decimals is charged exactly.",
            .amount, needs: ["sale"], .critical, .core
        ) { kit in
            let taken = kit.driver.capabilities.currencies
            let fitting = kit.declaration.currencies.filter { $0.exponent == exponent && taken?.contains($0) ?? true }
            guard !fitting.isEmpty else {
                throw NotApplicable("the harness declares no currency with \(exponent) decimals")
            }
            for currency in fitting {
                let payment = try await kit.sold(Money(minorUnits: 2_500, currency), reference: currency.code)
                try kit.expectMoved(payment.attempt, .charge, Money(minorUnits: 2_500, currency))
                try kit.expect(payment.approved, is: Money(minorUnits: 2_500, currency), "what was approved")
            }
        }
    }

    private static func exact(_ id: String, _ what: String, _ units: Int64) -> Check {
        Check("amount.\(id)", "\(what) is charged to the last minor unit.", .amount, needs: ["sale"], .critical, .core)
        { kit in
            let payment = try await kit.sold(Money(minorUnits: units, try kit.cue().amount.currency))
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        }
    }

    static let amounts: [Check] = [
        exponent(0), exponent(2), exponent(3), exponent(4),
        exact("smallest", "The smallest amount", 1), exact("odd", "An odd amount", 1_099),
        exact("large", "An amount of many digits", 99_999_999),
        Check(
            "amount.nothing", "A sale of nothing is refused, and nothing is sent.", .amount, needs: ["sale"], .major,
            .core
        ) { kit in
            let cue = try kit.cue()
            let error = try await kit.silently("it") {
                try await kit.failure {
                    _ = try await kit.client.sale(.zero(cue.amount.currency), from: cue.source, reference: "o")
                }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "amount.negative", "A sale of less than nothing is refused, and nothing is sent.", .amount, needs: ["sale"],
            .critical, .core
        ) { kit in
            let cue = try kit.cue()
            let error = try await kit.silently("it") {
                try await kit.failure {
                    _ = try await kit.client.sale(
                        Money(minorUnits: -100, cue.amount.currency), from: cue.source, reference: "o")
                }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "amount.foreign-currency", "A currency that is not taken is refused, and nothing is sent.", .amount,
            needs: ["sale"], .major, .core
        ) { kit in
            guard let taken = kit.driver.capabilities.currencies,
                let other = Currency.allCases.first(where: { !taken.contains($0) })
            else { throw NotApplicable("every currency is taken") }
            let cue = try kit.cue()
            try await kit.expectUnsupported("it") {
                _ = try await kit.client.sale(Money(minorUnits: 2_500, other), from: cue.source, reference: "o")
            }
        },
        Check(
            "amount.larger-echo", "An answer over more than was asked is not believed.", .amount, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await falsified(kit, "member.wrong-amount")
        },
        Check(
            "amount.other-currency-echo", "An answer in another currency is not believed.", .amount, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await falsified(kit, "member.wrong-currency")
        },
        Check(
            "amount.refund-exponent", "A refund in a currency without decimals is exact.", .amount,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            guard let currency = kit.declaration.currencies.first(where: { $0.exponent == 0 }) else {
                throw NotApplicable("no such currency is declared")
            }
            let payment = try await kit.sold(Money(minorUnits: 2_500, currency))
            let back = try await kit.done(
                try await kit.refund(payment.id, attempt: kit.attempt()))
            try kit.expectMoved(back.attempt, .refund, payment.requested)
        },
    ]

    /// A sale whose answer is falsified ends as what the ledger says.
    private static func falsified(_ kit: Kit, _ fault: String) async throws {
        try await kit.signIn()
        let (id, cue) = (try kit.attempt(), try kit.cue())
        try kit.armMoney(fault)
        if let payment = try await kit.trySelling(attempt: id)?.payment {
            try kit.expect(payment.approved, is: cue.amount, "what was approved")
        }
        let (fresh, open) = try await kit.recovered()
        try kit.expect(open.isEmpty, "it stays open")
        let payment = try fresh.approved(try await fresh.client.status(id))
        try kit.expect(payment.approved, is: cue.amount, "what was approved in the end")
        try fresh.expectMoved(id, .charge, cue.amount)
    }

    private static func unknown(_ id: String, _ sentence: String, _ fault: String) -> Check {
        Check("unknown.\(id)", sentence, .unknown, needs: ["sale"], .critical, .core) { kit in
            try await falsified(kit, fault)
        }
    }

    static let unknowns: [Check] = [
        unknown("word", "An unknown word for the outcome is neither approved nor declined.", "member.unknown-word"),
        unknown("members", "Members that no document lists do no harm.", "member.extra"),
        unknown("missing-member", "A missing member is never taken for a decline.", "member.missing"),
        unknown("html", "A page in HTML is unknown, not declined.", "body.html"),
        unknown("empty", "An empty answer is unknown, not declined.", "body.empty"),
        unknown("truncated", "A truncated answer is unknown, not declined.", "body.truncated-json"),
        unknown("torn-head", "An answer that ends in its head is unknown, not declined.", "reply.torn-head"),
        unknown("torn-body", "An answer that ends in its body is unknown, not declined.", "reply.torn-body"),
        Check(
            "unknown.every-member", "Whichever member of the answer is missing: what is believed is what was booked.",
            .unknown, needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let start = kit.log.count
            kit.log.notesMembers = true
            _ = try await kit.sold(reference: "probe")
            kit.log.notesMembers = false
            // Questions about a payment are left out: what counts is what is said to who asks for money.
            let said = kit.log.exchanges.dropFirst(start).filter { !$0.request.hasPrefix("GET ") }
            var members: [MemberPath] = []
            for path in said.flatMap(\.members) where !members.contains(path) { members.append(path) }
            try kit.expect(!members.isEmpty, "no answer of a sale has members")
            var approvals = 0
            for (number, path) in members.enumerated() {
                let id = try kit.attempt()
                let isPlayed = kit.rewriteOnce { path.changing($0) { _ in nil } }
                let result = try await kit.trySelling(reference: "o-\(number)", attempt: id)
                kit.calm()
                if case .declined = result { throw CheckFailure("without \(path) it is declined") }
                try await kit.wait(kit.declaration.settlesAfterMilliseconds)
                try await kit.companySpeaks()
                try await kit.client.recover()
                switch try await kit.told({ try await kit.client.status(id) }) {
                case .success(let result):
                    try kit.expectMoved(id, .charge, try kit.approved(result).requested)
                    // Some members come only once, such as the texts that go with a session.
                    if isPlayed() { approvals += 1 }
                case .failure(let error):
                    // An answer before the one that is about money: without a member of it nothing was asked for.
                    try kit.expect(error.outcome, is: .nothingMoved, "the outcome without \(path)")
                    try kit.expectNothingMoved(id)
                }
            }
            try kit.expect(approvals > 0, "no sale was approved without a member of its answer")
        },
        Check(
            "unknown.reason", "A reason that no table lists stays a decline, with its raw code.", .unknown,
            needs: ["sale"], .critical, .core
        ) { kit in
            guard let code = try kit.cue(.insufficientFunds).code else {
                throw NotApplicable("the harness names no code")
            }
            try await kit.signIn()
            kit.rewriteOnce { json in
                MemberPath("**").changing(json) {
                    $0.string.map { .string($0.replacing(word: code, with: "ZZ9")) } ?? $0
                }
            }
            let decline = try kit.declined(try await kit.sell(.insufficientFunds))
            try kit.expect(decline.provider.code, is: "ZZ9", "the raw code")
            try kit.expect(decline.reason, is: .unlisted, "the reason")
        },
        Check(
            "unknown.refund-word", "An unknown word for a refund is looked up, and given back once.", .unknown,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let (payment, id) = (try await kit.sold(), try kit.attempt())
            try kit.armMoney("member.unknown-word")
            _ = try await kit.trying { try await kit.refund(payment.id, attempt: id) }
            let (fresh, _) = try await kit.recovered()
            _ = try fresh.approved(try await fresh.client.status(id))
            try fresh.expectMoved(id, .refund, payment.requested)
        },
    ]
}

extension String {
    /// The same with a word replaced; digits and letters beside it make it a part of another word.
    fileprivate func replacing(word: String, with other: String) -> String {
        var out = ""
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            let isPart = rest[..<range.lowerBound].last?.isPartOfWord ?? out.last?.isPartOfWord ?? false
            let goesOn = rest[range.upperBound...].first?.isPartOfWord ?? false
            out += rest[..<range.lowerBound] + (isPart || goesOn ? word : other)
            rest = rest[range.upperBound...]
        }
        return out + rest
    }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}

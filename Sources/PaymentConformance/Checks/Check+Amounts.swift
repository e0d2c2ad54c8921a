internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTransport

extension Check {
    private static func exponent(_ exponent: Int) -> Check {
        Check(
            "amount.exponent-\(exponent)", "An amount in a currency with \(exponent) decimals is charged exactly.",
            .amount, needs: ["sale"], .critical, .core
        ) { context in
            let taken = context.driver.capabilities.currencies
            let fitting = context.declaration.currencies.filter {
                $0.exponent == exponent && taken?.contains($0) ?? true
            }
            guard !fitting.isEmpty else {
                let isTaken = Currency.allCases.contains { $0.exponent == exponent && taken?.contains($0) ?? true }
                try context.expect(
                    !isTaken, "it takes currencies with \(exponent) decimals, and the harness lists none to try")
                throw NotApplicable("no currency with \(exponent) decimals is taken")
            }
            for currency in fitting {
                let payment = try await context.approvedSale(
                    Money(minorUnits: 2_500, currency), reference: currency.code)
                try context.expectMoved(payment.attempt, .charge, Money(minorUnits: 2_500, currency))
                try context.expect(payment.approved, is: Money(minorUnits: 2_500, currency), "what was approved")
            }
        }
    }

    private static func exact(_ id: String, _ what: String, _ units: Int64) -> Check {
        Check("amount.\(id)", "\(what) is charged to the last minor unit.", .amount, needs: ["sale"], .critical, .core)
        { context in
            let payment = try await context.approvedSale(
                Money(minorUnits: units, try context.scripted().amount.currency))
            try context.expectCharged(payment)
        }
    }

    static let amounts: [Check] = [
        exponent(0), exponent(2), exponent(3), exponent(4),
        exact("smallest", "The smallest amount", 1), exact("odd", "An odd amount", 1_099),
        exact("large", "An amount of many digits", 99_999_999),
        Check(
            "amount.nothing", "A sale of nothing is refused, and nothing is sent.", .amount, needs: ["sale"], .major,
            .core
        ) { context in
            let scripted = try context.scripted()
            try await context.expectRefused(.invalidRequest) {
                _ = try await context.client.sale(
                    .zero(scripted.amount.currency), from: scripted.source, reference: "o")
            }
        },
        Check(
            "amount.negative", "A sale of less than nothing is refused, and nothing is sent.", .amount, needs: ["sale"],
            .critical, .core
        ) { context in
            let scripted = try context.scripted()
            try await context.expectRefused(.invalidRequest) {
                _ = try await context.client.sale(
                    Money(minorUnits: -100, scripted.amount.currency), from: scripted.source, reference: "o")
            }
        },
        Check(
            "amount.foreign-currency", "A currency that is not taken is refused, and nothing is sent.", .amount,
            needs: ["sale"], .major, .core
        ) { context in
            guard let taken = context.driver.capabilities.currencies,
                let other = Currency.allCases.first(where: { !taken.contains($0) })
            else { throw NotApplicable("every currency is taken") }
            let scripted = try context.scripted()
            try await context.expectUnsupported("it") {
                _ = try await context.client.sale(
                    Money(minorUnits: 2_500, other), from: scripted.source, reference: "o")
            }
        },
        Check(
            "amount.larger-echo", "An answer over more than was asked is not believed.", .amount, needs: ["sale"],
            .critical, .core
        ) { context in
            try await falsified(context, "member.wrong-amount")
        },
        Check(
            "amount.other-currency-echo", "An answer in another currency is not believed.", .amount, needs: ["sale"],
            .critical, .core
        ) { context in
            try await falsified(context, "member.wrong-currency")
        },
        Check(
            "amount.less-approved", "Where less is approved than was asked for, no more than that is reported.",
            .amount, needs: ["sale"], .critical, .core
        ) { context in
            var current = context
            for isLost in [false, true] {
                let (till, scripted) = (current, try current.scripted())
                try await till.signIn()
                let (id, currency) = (try till.attempt(), scripted.amount.currency)
                let (asked, less) = (Money(minorUnits: 1_099, currency), Money(minorUnits: 899, currency))
                if isLost { try till.armMoney("reply.lost") }
                askForLess(till, asked, less)
                let request = scripted.request(isLost ? "order-lost" : "order-kept", over: asked)
                let result = try await till.trying(id) { try await till.client.sale(request, attempt: id) }
                till.calm()
                guard till.fixture.ledger.sum(of: id, .charge) == less.minorUnits else {
                    throw NotApplicable("no amount that can be changed on the line steers the provider")
                }
                if let payment = result?.payment { try till.expect(payment.approved, is: less, "what was approved") }
                let fresh = try await till.recovered().context
                let said = try await fresh.trying { try await fresh.client.status(id) }
                if let payment = said?.payment {
                    try fresh.expect(payment.approved, is: less, "what was approved in the end")
                }
                try await fresh.letCopiesPass()
                current = fresh
            }
        },
        Check(
            "amount.refund-exponent", "A refund is exact, whatever number of decimals its currency has.", .amount,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let takesParts = try context.has("refund.partial")
            for currency in onePerExponent(context) {
                let payment = try await context.approvedSale(
                    Money(minorUnits: 2_500, currency), reference: currency.code)
                let part = takesParts ? Money(minorUnits: 1_500, currency) : payment.requested
                let back = try await context.refunded(payment.id, of: part)
                try context.expectMoved(back.attempt, .refund, part)
            }
        },
        Check(
            "amount.capture-exponent", "A capture is exact, whatever number of decimals its currency has.", .amount,
            needs: ["authorize", "capture.partial"], .critical, .backOffice
        ) { context in
            for currency in onePerExponent(context) {
                let (id, whole) = (try context.attempt(), Money(minorUnits: 2_500, currency))
                let scripted = try context.scripted(.approved, .authorize, from: context.holdSource)
                let held = try context.approved(
                    try await context.client.authorize(scripted.request(currency.code, over: whole), attempt: id))
                let part = Money(minorUnits: 1_500, currency)
                let taken = try await context.captured(held.id, of: part)
                try context.expectMoved(taken.attempt, .capture, part)
            }
        },
    ]

    /// A currency that is taken for each number of decimals, as the harness lists them.
    private static func onePerExponent(_ context: CheckContext) -> [Currency] {
        let taken = context.driver.capabilities.currencies
        var seen: Set<Int> = []
        var currencies: [Currency] = []
        for currency in context.declaration.currencies where taken?.contains(currency) ?? true {
            if seen.insert(currency.exponent).inserted { currencies.append(currency) }
        }
        return currencies
    }

    /// Makes the line ask for less than the driver does, as minor units or as a decimal: a bank that approves a part and
    /// nowhere says so but in the amount.
    private static func askForLess(_ context: CheckContext, _ asked: Money, _ less: Money) {
        context.rewrite(
            Interceptor { (request, next) async throws(TransportFailure) in
                guard let json = try? JSONReader().read(request.body) else { return try await next(request) }
                var request = request
                let changed = FieldPath("**").changing(json) { lessened($0, asked, less) }
                if changed != json { request.body = changed.bytes() }
                return try await next(request)
            })
    }

    /// A value of a request, with less in the place of what was asked for.
    private static func lessened(_ value: JSON, _ asked: Money, _ less: Money) -> JSON {
        let places = asked.currency.exponent
        let (minor, other) = (String(asked.minorUnits), JSONNumber(less.minorUnits))
        let decimal = JSONNumber(units: asked.minorUnits, places: places).text
        let otherDecimal = JSONNumber(units: less.minorUnits, places: places)
        switch value {
        case .number(let number) where number.text == minor: return .number(other)
        case .number(let number) where number.text == decimal: return .number(otherDecimal)
        case .string(let text) where text == minor: return .string(other.text)
        case .string(let text) where text == decimal: return .string(otherDecimal.text)
        case .null, .bool, .number, .string, .array, .object: return value
        }
    }

    /// A sale whose answer is falsified ends as what the ledger says.
    private static func falsified(_ context: CheckContext, _ fault: String) async throws {
        try await context.signIn()
        let (id, scripted) = (try context.attempt(), try context.scripted())
        try context.armMoney(fault)
        if let payment = try await context.attemptedSale(attempt: id)?.payment {
            // Another amount is reported as it was answered, and an event says so.
            let timeline = try await context.client.timeline(of: payment.id)
            if !timeline.contains(where: { $0.kind == .otherAmount }) {
                try context.expect(payment.approved, is: scripted.amount, "what was approved")
            }
        }
        let fresh = try await context.decided()
        let payment = try fresh.approved(try await fresh.client.status(id))
        try context.expect(payment.approved, is: scripted.amount, "what was approved in the end")
        try fresh.expectMoved(id, .charge, scripted.amount)
    }

    private static func unknown(_ id: String, _ sentence: String, _ fault: String) -> Check {
        Check("unknown.\(id)", sentence, .unknown, needs: ["sale"], .critical, .core) { context in
            try await falsified(context, fault)
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
        ) { context in
            try await context.signIn()
            let start = context.log.count
            context.log.notesMembers = true
            _ = try await context.approvedSale(reference: "probe")
            context.log.notesMembers = false
            // Questions about a payment are left out: what counts is what is said to who asks for money.
            let said = context.log.exchanges.dropFirst(start).filter { !$0.request.hasPrefix("GET ") }
            var members: [FieldPath] = []
            for path in said.flatMap(\.members) where !members.contains(path) { members.append(path) }
            try context.expect(!members.isEmpty, "no answer of a sale has members")
            var approvals = 0
            for (number, path) in members.enumerated() {
                try await context.letCopiesPass()
                let id = try context.attempt()
                let isPlayed = context.rewriteOnce { path.changing($0) { _ in nil } }
                let result = try await context.attemptedSale(reference: "o-\(number)", attempt: id)
                context.calm()
                if case .declined = result { throw CheckFailure("without \(path) it is declined") }
                try await context.wait(context.declaration.decidedAfterMilliseconds)
                try await context.deliverWebhooks()
                try await context.client.recover()
                switch try await context.result(of: { try await context.client.status(id) }) {
                case .success(let result):
                    try context.expectMoved(id, .charge, try context.approved(result).requested)
                    // Some members come only once, such as the texts that go with a session.
                    if isPlayed() { approvals += 1 }
                case .failure(let error):
                    // An answer before the one that is about money: without a member of it nothing was asked for.
                    if error.code != .notFound {
                        try context.expect(error.outcome, is: .notExecuted, "the outcome without \(path)")
                    }
                    try context.expectNothingMoved(id)
                }
            }
            try context.expect(approvals > 0, "no sale was approved without a member of its answer")
        },
        Check(
            "unknown.reason", "A reason that no table lists stays a decline, with its raw code.", .unknown,
            needs: ["sale"], .critical, .core
        ) { context in
            guard let code = try context.scripted(.insufficientFunds).code else {
                throw NotApplicable("the harness names no code")
            }
            try await context.signIn()
            context.rewriteOnce { [fixture = context.fixture] json in
                let changed = FieldPath("**").changing(json) {
                    $0.string.map { .string($0.replacing(word: code, with: "ZZ9")) } ?? $0
                }
                return changed == json ? json : fixture.signed(changed)
            }
            let decline = try context.declined(try await context.sale(.insufficientFunds))
            try context.expect(decline.provider.code, is: "ZZ9", "the raw code")
            try context.expect(decline.reason, is: .unmapped, "the reason")
        },
        Check(
            "unknown.refund-word", "An unknown word for a refund is looked up, and refunded once.", .unknown,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.approvedSale(), try context.attempt())
            try context.armMoney("member.unknown-word")
            _ = try await context.trying { try await context.refund(payment.id, attempt: id) }
            try await context.recovered().context.expectBooked(id, .refund, payment.requested)
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
            let continues = rest[range.upperBound...].first?.isPartOfWord ?? false
            out += rest[..<range.lowerBound] + (isPart || continues ? word : other)
            rest = rest[range.upperBound...]
        }
        return out + rest
    }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}

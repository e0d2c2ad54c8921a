import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    static let amounts: [Mutant] = [
        request(
            "amount.times-hundred", "Sends minor units where it believes major ones are meant.",
            caughtBy: "sale.approved", "/payments", "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) * 100))
        },
        request(
            "amount.by-hundred", "Sends major units where minor ones are meant.", caughtBy: "sale.approved",
            "/payments", "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) / 100))
        },
        amount("amount.by-hundred-silently", "Charges a hundredth and reports the whole.", caughtBy: "sale.from-card") {
            $0 / 100
        },
        amount(
            "amount.yen-has-cents", "Takes a currency without decimals for one with two.",
            caughtBy: "amount.exponent-0", currency: "JPY"
        ) { $0 * 100 },
        amount(
            "amount.cents-off", "Takes a currency with two decimals for one without.", caughtBy: "amount.exponent-2",
            currency: "USD"
        ) { $0 / 100 },
        amount(
            "amount.dinar-has-cents", "Takes a currency with three decimals for one with two.",
            caughtBy: "amount.exponent-3", currency: "IQD"
        ) { $0 / 10 },
        amount(
            "amount.fomento-has-cents", "Takes a currency with four decimals for one with two.",
            caughtBy: "amount.exponent-4", currency: "CLF"
        ) { $0 / 100 },
        amount("amount.rounded", "Rounds to tens of minor units.", caughtBy: "amount.odd") { $0 / 10 * 10 },
        amount("amount.cut", "Keeps six digits.", caughtBy: "amount.large") { $0 % 1_000_000 },
        amount("amount.at-least-one", "Charges at least one major unit.", caughtBy: "amount.smallest") { max(100, $0) },
        amount("capture.everything", "Captures everything whatever was asked.", caughtBy: "capture.part", "/capture") {
            _ in 5_000
        },
        amount("refund.everything", "Gives back everything whatever was asked.", caughtBy: "refund.part", "/refund") {
            _ in 5_000
        },
        amount("refund.one-less", "Gives back one minor unit less.", caughtBy: "refund.all", "/refund") { $0 - 1 },
        amount(
            "refund.yen-has-cents", "Gives back a hundredth in a currency without decimals.",
            caughtBy: "amount.refund-exponent", "/refund", currency: "JPY"
        ) { $0 / 100 },
        amount("adjust.adds", "Adjusts by the amount, not to it.", caughtBy: "adjust.up", "/adjust") { $0 + 5_000 },
        amount("adjust.keeps", "Never lets anything go.", caughtBy: "adjust.down", "/adjust") { max(5_000, $0) },
        amount("verify.charges", "Charges a little for a check of the card.", caughtBy: "sale.verify") { $0 + 0 },
        amount("tip.on-top", "Adds the tip to an amount that has it.", caughtBy: "sale.tip") { $0 + 100 },
        amount("pricing.base-charged", "Charges the base of a quote.", caughtBy: "pricing.charged") { _ in 5_000 },
        amount("partial.as-whole", "Reports a part as the whole.", caughtBy: "question.partial-taken") { $0 },
        reply(
            "partial.not-said", "Forgets to say that it was a part.", caughtBy: "question.partial-taken", "", "partial"
        ) { _ in nil },
        reply(
            "echo.larger-trusted", "Makes the amount of each answer what it likes.", caughtBy: "sale.from-reader", "",
            "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) + 1))
        },
        reply(
            "echo.other-currency", "Takes every answer for euro.", caughtBy: "amount.exponent-0", "", "amount.currency"
        ) { _ in "EUR" },
        reply(
            "pricing.total-is-base", "Leaves the surcharge out of the total.", caughtBy: "pricing.adds-up", "/quotes",
            "credit.total"
        ) { _ in 5_000 },
        reply("pricing.other-base", "Quotes for another amount.", caughtBy: "pricing.quote", "/quotes", "*.base") { _ in
            1
        },
    ].map { $0.id == "verify.charges" ? verificationCharges : $0 }

    private static let verificationCharges = wire(
        "verify.charges", "Charges a little for a check of the card.", caughtBy: "sale.verify"
    ) {
        Interceptor { (request, next) async throws(TransportFailure) in
            guard let asked = read(request.body), asked["kind"]?.string == "verify", let amount = asked["amount"] else {
                return try await next(request)
            }
            var request = request
            let charged = FieldPath("kind").changing(asked) { _ in "sale" }
            request.body = FieldPath("amount.minorUnits").changing(charged) { _ in 100 }.bytes()
            var reply = try await next(request)
            if let said = read(reply.body) { reply.body = FieldPath("amount").changing(said) { _ in amount }.bytes() }
            return reply
        }
    }
}

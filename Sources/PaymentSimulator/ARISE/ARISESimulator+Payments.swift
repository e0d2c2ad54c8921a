internal import PaymentBase
internal import PaymentTransport

extension ARISESimulator {
    /// What kind of new transaction is asked for, and which permission that needs.
    struct Charge: Sendable {
        let type: Int64
        let permission: Int64
        var isTap = false

        var isBank: Bool { type == 11 || type == 16 }
        var cause: String {
            switch type {
            case 1: "authorize"
            case 7, 16: "unlinkedRefund"
            default: "sale"
            }
        }
    }

    /// What paid, as far as the provider cares.
    struct Payer {
        var number = ""
        var brand = ""
        var code: String?
        var needsPIN = false
    }

    /// A new transaction: by card data, by a stored card, or by bank account.
    static func charge(_ charge: Charge, _ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(charge.permission, state) { return refusal }
        guard let body = call.json, charge.isBank || body["currencyId"]?.int64 == 1 else {
            return invalid("'Currency Id' must not be empty.")
        }
        if charge.type == 7, body["debit"]?.bool == nil { return invalid("'Debit' must not be empty.") }
        guard let amount = body["amount"]?.number?.scaled(places: 2), amount > 0, amount <= state.account.amountMax
        else { return invalid("'Amount' must be more than 0 and have at most 2 decimals.") }
        guard body["paymentProcessorId"]?.string == processor else { return invalid("the processor is not known") }
        let reference = body["referenceId"]?.string ?? ""
        guard reference.count <= 36 else { return invalid("'Reference Id' has at most 36 characters.") }
        guard charge.isBank || body["cardDataSource"]?.int64.map({ (1...7).contains($0) }) == true else {
            return invalid("'Card Data Source' must not be empty.")
        }
        let wantsCardPrice = state.account.zeroCost == .dualPricing && !charge.isBank
        guard (body["useCardPrice"]?.bool != nil) == wantsCardPrice else {
            return invalid("'Use Card Price' is for dual pricing, and needed there")
        }
        let payer: Payer
        switch self.payer(charge, body, call.now, state) {
        case .success(let found): payer = found
        case .failure(let refusal): return refusal.answer
        }
        guard let ask = ask(body, amount) else { return invalid("a rate has at most 4 decimals") }
        let isDebit = payer.number == debitCard
        let tender = charge.isBank ? "ach" : isDebit ? "debitCard" : "creditCard"
        var new = ARISETransaction()
        new.price = ARISEPrice(ask, tender, state.account)
        if charge.isBank { new.price = ARISEPrice(whole: amount) }
        if state.play.takesNoughtForNothing, new.price.surchargeRate == 0, !charge.isBank, charge.type < 7 {
            new.price.surchargeRate = ARISEPrice.rate(state.account.surchargeRate)
            new.price.surcharge = ARISEPrice.share(new.price.base, new.price.surchargeRate)
        }
        // The whole is named, and of it the tip.
        if state.play.tipIsInside { new.price.base -= new.price.tip }
        (new.type, new.reference, new.createdAt) = (charge.type, reference, call.now)
        new.label = reference.isEmpty ? call.attemptLabel : reference
        new.dataSource = body["cardDataSource"]?.int64 ?? 0
        new.entry = charge.isBank ? "bank" : body["paymentMethodId"] != nil ? "saved" : entry(new.dataSource)
        new.customer = body["customerId"]?.string ?? ""
        new.creator = clientID
        if let line = body["billingAddress"]?["line1"]?.string { new.avs = line == "123 Test St" ? "Y" : "N" }
        return decide(charge, &new, payer, &state)
    }

    /// A typed number, or what a device read.
    private static func entry(_ dataSource: Int64) -> String { [1, 7].contains(dataSource) ? "card" : "external" }

    /// A card that is debit wherever it is shown.
    static let debitCard = "4000056655665556"

    private static func ask(_ body: JSON, _ amount: Int64) -> ARISEPrice.Ask? {
        var ask = ARISEPrice.Ask(amount: amount)
        func rate(_ name: String) -> Int64?? {
            guard let given = body[name], !given.isNull else { return .some(nil) }
            guard let rate = ARISEPrice.askedRate(given.number) else { return nil }
            return .some(rate)
        }
        guard let off = rate("percentageOffRate"), let surcharge = rate("surchargeRate"), let tip = rate("tipRate")
        else { return nil }
        (ask.offRate, ask.surchargeRate, ask.tipRate) = (off ?? 0, surcharge, tip ?? 0)
        ask.tip = body["tipAmount"]?.number?.scaled(places: 2)
        guard ask.tip.map({ (0...LedgerAmount.unitsMax).contains($0) }) ?? true else { return nil }
        ask.useCardPrice = body["useCardPrice"]?.bool
        return ask
    }

    struct Refused: Error { let answer: SimulatorResponse }

    private static func payer(
        _ charge: Charge, _ body: JSON, _ now: Int64, _ state: State
    ) -> Result<Payer, Refused> {
        if charge.isBank {
            guard let account = body["accountNumber"]?.string, body["routingNumber"]?.string?.count == 9,
                [1, 2].contains(body["accountType"]?.int64), [1, 2].contains(body["accountHolderType"]?.int64),
                body["secCode"]?.int64.map({ (1...4).contains($0) }) == true,
                (1...45).contains(body["requesterIpAddress"]?.string?.count ?? 0)
            else { return .failure(Refused(answer: invalid("the bank account is not complete"))) }
            return .success(Payer(number: account))
        }
        if let stored = body["paymentMethodId"]?.string {
            guard stored == storedCard else {
                return .failure(Refused(answer: notFound("there is no such payment method")))
            }
            return .success(Payer(number: "4111111111111111", brand: "Visa"))
        }
        if let track = body["track2"]?.string ?? body["track1"]?.string {
            return .success(Payer(number: String(track.prefix { $0.isNumber }), brand: "Visa"))
        }
        if body["emvTags"]?.array?.isEmpty == false {
            return .success(Payer(number: "4111111111111111", brand: "Visa"))
        }
        guard let number = body["accountNumber"]?.string, (12...19).contains(number.count),
            let month = body["expirationMonth"]?.int64, (1...12).contains(month),
            let year = body["expirationYear"]?.int64, (2_000...3_000).contains(year)
        else { return .failure(Refused(answer: invalid("the card's data is not complete"))) }
        var payer = Payer(number: number, brand: number.hasPrefix("4") ? "Visa" : "MasterCard")
        payer.code = state.cards[number].flatMap { $0 == "00" ? nil : $0 }
        if body["securityCode"]?.string == "999" { payer.code = "N7" }
        let today = Timestamp(milliseconds: now)?.date
        if let today, (Int(year), Int(month)) < (today.year, today.month) { payer.code = "54" }
        return .success(payer)
    }

    /// A card that was tapped.
    static func tap(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(33, state) { return refusal }
        guard let body = call.json, body["currencyId"]?.int64 == 1,
            let amount = body["amount"]?.number?.scaled(places: 2), amount > 0
        else { return invalid("amount and currency are needed") }
        guard let device = body["deviceId"]?.string, state.devices[device] == 3 else {
            return .reply(refusal(403, "F0000", "ForbiddenException", "Tap to Pay is not active on this device"))
        }
        let read = body["paymentCardData"]?.string.flatMap { Base64.standard.decode($0) }
            .flatMap { try? JSONReader().read($0) }
        guard let read, let number = read["pan"]?.string else { return invalid("the card's data could not be read") }
        guard read["amount"]?.int64 == amount, read["currency"]?.string == "USD",
            read["purpose"]?.string == "purchase"
        else { return invalid("the card was read for something else") }
        var payer = Payer(number: number, brand: number.hasPrefix("4") ? "Visa" : "MasterCard")
        payer.code = state.cards[number].flatMap { $0 == "00" ? nil : $0 }
        if let pin = read["pin"] {
            if pin != read["expectedPIN"] { payer.code = "55" }
        } else {
            payer.needsPIN = true
        }
        var new = ARISETransaction()
        new.price.base = amount
        (new.type, new.createdAt, new.dataSource, new.channel) = (2, call.now, 5, 9)
        (new.reference, new.creator) = (body["referenceId"]?.string ?? "", device)
        new.label = new.reference.isEmpty ? call.attemptLabel : new.reference
        new.entry = "reader"
        return decide(Charge(type: 2, permission: 33, isTap: true), &new, payer, &state)
    }

    /// Declines, pends or approves; moves the money.
    private static func decide(
        _ charge: Charge, _ new: inout ARISETransaction, _ payer: Payer, _ state: inout State
    ) -> SimulatorResponse {
        let script = TestAmount(minorUnits: new.price.total, from: 1_000)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.refusedOnce.insert(new.label).inserted {
            var response = said429
            response.headers["Retry-After"] = "1"
            return .reply(response)
        }
        if state.transactions.count >= transactionsMax { return .reply(refusal(503, "", "", "no more is kept")) }
        new.id = number(&state)
        new.processor = processor
        (new.last4, new.pan) = (String(payer.number.suffix(4)), masked(payer.number))
        new.brand = charge.isBank ? "" : payer.brand
        var code = payer.code ?? ARISECodes.declinedCents[new.price.total]
        if payer.needsPIN, script == .asksPIN { code = code ?? "65" }
        if let code {
            (new.status, new.code) = ("Declined", code)
        } else if script == .pends {
            (new.status, new.waiting) = ("Pending", charge.cause)
            (new.waitingAmount, new.waitingLabel) = (new.price.total, new.label)
        } else if script == .fails {
            (new.status, new.code) = ("Failed", "96")
            if state.play.chargesWhatFails {
                book(charge.cause, &new, new.price.total, new.label, &state)
                new.status = "Failed"
            }
        } else {
            if script == .approvesHalf {
                new.price.base -= new.price.total - new.price.total / 2
                if state.play.namesParts { new.status = "PartiallyAuthorized" }
            }
            book(charge.cause, &new, new.price.total, new.label, &state)
        }
        state.begin(new)
        let reply = charge.isTap ? tapResult(new, state) : response(new, state, isCharge: true)
        return disturb(script, reply)
    }

    private static var said429: HTTPResponse { refusal(429, "", "", "too many requests") }

    /// The one place where a new transaction's own money moves.
    static func book(
        _ cause: String, _ new: inout ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State
    ) {
        let amount = LedgerAmount(cents, "USD")
        func move(_ from: Ledger.Account, _ to: Ledger.Account) {
            state.ledger.move(
                amount, from: from, to: to, payment: new.id, attempt: label, cause: cause, entry: new.entry,
                at: new.createdAt)
        }
        let isPart = new.status == "PartiallyAuthorized"
        switch cause {
        case "authorize":
            new.authorized = cents
            if !isPart { new.status = "Authorized" }
            move(.cardholder, .held)
        case "unlinkedRefund":
            new.status = "Refunded"
            move(.funds, .refunded)
        default:
            if !isPart { new.status = "Captured" }
            move(.cardholder, .merchant)
        }
    }

    /// An answer as its script leaves it on its way back.
    static func disturb(_ script: TestAmount?, _ reply: JSON) -> SimulatorResponse {
        guard let script else { return .json(reply) }
        let key = reply["transactionOutcome"] == nil ? "status" : "transactionOutcome"
        return script.disturb(
            reply, broken: .reply(refusal(500, "I0000", "IntegrationException", "something broke")),
            word: { $0.adding(key, "Teleported").adding("statusId", 77) },
            amount: {
                ReplyFalsifier.changing(["processedAmount", "authorizedAmount"], in: $0, ReplyFalsifier.larger)
            })
    }

    private static func masked(_ number: String) -> String {
        guard number.count >= 12 else { return "****" + number.suffix(4) }
        return number.prefix(6) + String(repeating: "*", count: number.count - 10) + number.suffix(4)
    }
}

extension ARISESimulator {
    /// An operation on a transaction.
    static func follow(
        _ verb: String, _ permission: Int64, _ call: SimulatorRequest, _ state: inout State
    ) -> SimulatorResponse {
        if let refusal = forbidden(permission, state) { return refusal }
        let id = call["id"].isEmpty ? call.json?["transactionId"]?.string ?? "" : call["id"]
        guard var target = state.transactions[id] else { return notFound("there is no such transaction") }
        // What is done about a transfer is done about all of it.
        let asked = target.isBank ? nil : call.json?[verb == "tip" ? "tipAmount" : "amount"]
        let given = asked?.number?.scaled(places: 2)
        let whole = verb == "refund" ? target.remaining - target.refundPending : target.price.total
        let cents = given ?? whole
        let script = verb == "void" ? nil : TestAmount(minorUnits: cents, from: 1_000)
        if script == .losesRequest { return .cutBefore }
        guard cents <= LedgerAmount.unitsMax else { return invalid("no payment is so large") }
        if let refusal = refusal(verb, cents, target) { return refusal }
        let label = call.attemptLabel
        if script == .pends, verb == "capture" || verb == "refund" {
            return .json(accept(verb, &target, cents, label, &state, call.now))
        }
        let told = apply(verb, &target, cents, label, &state, call.now)
        state.transactions.keep(target)
        return disturb(script, response(state.transactions[told] ?? target, state, isCharge: false))
    }

    private static func refusal(_ verb: String, _ cents: Int64, _ target: ARISETransaction) -> SimulatorResponse? {
        func conflict(_ details: String) -> SimulatorResponse {
            .reply(refusal(409, "V0000", "ValidationException", details))
        }
        switch verb {
        case "capture":
            guard target.isHeld, target.waiting.isEmpty else { return conflict("nothing is held") }
            return cents > 0 && cents <= target.authorized ? nil : invalid("not that much is held")
        case "void":
            let isOpen = ["Authorized", "Captured", "PartiallyAuthorized", "Held"].contains(target.status)
            return isOpen && target.batch.isEmpty && target.parent.isEmpty
                ? nil : conflict("a settled transaction is refunded, not voided")
        case "refund":
            guard target.status == "Settled" else { return conflict("a transaction is refunded after settlement") }
            return cents > 0 && cents <= target.remaining - target.refundPending
                ? nil : invalid("not that much is left")
        case "tip":
            let isOpen = ["Captured", "PartiallyAuthorized"].contains(target.status) && target.batch.isEmpty
            return isOpen && cents >= 0 && !target.isBank ? nil : conflict("the tip can't be changed any more")
        case "hold": return target.isBank && target.status == "Captured" ? nil : conflict("it can't be held")
        default: return target.status == "Held" ? nil : conflict("it is not held")
        }
    }

    /// Accepts what is decided later.
    private static func accept(
        _ verb: String, _ target: inout ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State,
        _ now: Int64
    ) -> JSON {
        if verb == "capture" {
            (target.status, target.waiting) = ("Pending", "capture")
            (target.waitingAmount, target.waitingLabel) = (cents, label)
            state.transactions.keep(target)
            return response(target, state, isCharge: false)
        }
        var refund = refund(of: target, cents, label, &state, now)
        (refund.status, refund.waiting, refund.waitingAmount, refund.waitingLabel) = ("Pending", "refund", cents, label)
        target.refundPending += cents
        state.transactions.keep(target)
        state.begin(refund)
        return response(refund, state, isCharge: false)
    }

    private static func refund(
        of target: ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State, _ now: Int64
    ) -> ARISETransaction {
        var refund = ARISETransaction()
        refund.id = number(&state)
        (refund.type, refund.status, refund.parent) = (target.isBank ? 12 : 5, "Refunded", target.id)
        (refund.createdAt, refund.price.base, refund.label) = (now, cents, label)
        (refund.last4, refund.pan, refund.brand, refund.processor) = (
            target.last4, target.pan, target.brand, target.processor
        )
        return refund
    }

    /// Does it; gives the name of the transaction that the answer is about.
    static func apply(
        _ verb: String, _ target: inout ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State,
        _ now: Int64
    ) -> String {
        func book(_ from: Ledger.Account, _ to: Ledger.Account, _ cents: Int64, _ label: String, _ cause: String) {
            state.ledger.move(
                LedgerAmount(cents, "USD"), from: from, to: to, payment: target.id, attempt: label, cause: cause,
                at: now)
        }
        switch verb {
        case "capture":
            target.price = ARISEPrice()
            (target.price.base, target.status) = (cents, "Captured")
            book(.held, .merchant, cents, label, verb)
            book(.held, .cardholder, target.authorized - cents, "", "release")
        case "void":
            book(target.isHeld ? .held : .merchant, .cardholder, target.price.total, label, verb)
            target.status = "Voided"
        case "refund":
            let refund = refund(of: target, cents, label, &state, now)
            state.begin(refund)
            give(back: cents, &target, label, &state, now)
            return refund.id
        case "tip":
            let (difference, place) = (cents - target.price.tip, target.isHeld ? Ledger.Account.held : .merchant)
            if difference > 0 { book(.cardholder, place, difference, label, verb) }
            // A tip that became smaller is refunded.
            if difference < 0 { book(place, .cardholder, -difference, label, verb) }
            target.price.tip = cents
        case "hold": target.status = "Held"
        default: target.status = "Captured"
        }
        return target.id
    }

    static func give(
        back cents: Int64, _ target: inout ARISETransaction, _ label: String, _ state: inout State, _ now: Int64
    ) {
        target.refunded += cents
        if target.remaining == 0 { target.status = "Refunded" }
        state.ledger.move(
            LedgerAmount(cents, "USD"), from: .merchant, to: .refunded, payment: target.id, attempt: label,
            cause: "refund", at: now)
    }
}

/// What an amount is made of at the simulated ARISE: cents, and rates in percent times ten thousand.
struct ARISEPrice: Sendable {
    var base: Int64 = 0
    var off: Int64 = 0
    var offRate: Int64 = 0
    var cashDiscount: Int64 = 0
    var cashDiscountRate: Int64 = 0
    var surcharge: Int64 = 0
    var surchargeRate: Int64 = 0
    var tip: Int64 = 0
    var tipRate: Int64 = 0

    var total: Int64 { base - off - cashDiscount + surcharge + tip }

    /// The largest rate that can be asked for: a thousand percent. No price made of it comes near where numbers end.
    static let rateMax: Int64 = 10_000_000

    /// A rate as it is asked for; nil where there is no such.
    static func askedRate(_ number: JSONNumber?) -> Int64? {
        number?.scaled(places: 4).flatMap { (-rateMax...rateMax).contains($0) ? $0 : nil }
    }

    /// What is asked for before the price is made.
    struct Ask: Sendable {
        var amount: Int64 = 0
        var offRate: Int64 = 0
        /// Nil for the merchant's own.
        var surchargeRate: Int64?
        var tip: Int64?
        var tipRate: Int64 = 0
        var useCardPrice: Bool?
    }

    /// The tenders that an answer has.
    static let tenders = ["cash", "creditCard", "debitCard", "ach"]
    private static let whole: Int64 = 1_000_000

    /// A part of an amount, a half away from zero.
    static func share(_ amount: Int64, _ rate: Int64) -> Int64 { divided(amount * rate, whole) }

    static func divided(_ product: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
        return quotient + (rest * 2 >= divisor ? 1 : 0)
    }

    /// Percent as it is on the wire.
    static func rate(_ text: String) -> Int64 { (try? JSONNumber(text))?.scaled(places: 4) ?? 0 }

    /// The price for one tender.
    init(_ ask: Ask, _ tender: String, _ account: ARISEAccount) {
        let isCard = tender == "creditCard" || tender == "debitCard"
        let dual = Self.rate(account.dualPricingRate)
        switch (account.zeroCost, ask.useCardPrice) {
        case (.dualPricing, true?) where !isCard: base = Self.divided(ask.amount * Self.whole, Self.whole + dual)
        case (.dualPricing, false?) where isCard: base = Self.divided(ask.amount * (Self.whole + dual), Self.whole)
        default: base = ask.amount
        }
        offRate = ask.offRate
        off = Self.share(base, offRate)
        if account.zeroCost == .cashDiscount, !isCard {
            cashDiscountRate = Self.rate(account.cashDiscountRate)
            cashDiscount = Self.share(base - off, cashDiscountRate)
        }
        if account.zeroCost == .surcharge, tender == "creditCard" {
            surchargeRate = ask.surchargeRate ?? Self.rate(account.surchargeRate)
            surcharge = Self.share(base, surchargeRate)
        }
        tipRate = ask.tip == nil ? ask.tipRate : 0
        tip = ask.tip ?? Self.share(base, tipRate)
    }

    init() {}

    /// An amount to which nothing is added.
    init(whole: Int64) { base = whole }

    /// The amounts as a list has them; receipts and details have no taxes.
    var json: JSON { receipt.adding("taxAmount", Self.none(2)).adding("taxRate", Self.none(4)) }

    private static func none(_ places: Int) -> JSON { .number(JSONNumber(units: 0, places: places)) }

    var receipt: JSON {
        func cents(_ value: Int64) -> JSON { .number(JSONNumber(units: value, places: 2)) }
        func percent(_ value: Int64) -> JSON { .number(JSONNumber(units: value, places: 4)) }
        return [
            "baseAmount": cents(base), "percentageOffAmount": cents(off), "percentageOffRate": percent(offRate),
            "cashDiscountAmount": cents(cashDiscount), "cashDiscountRate": percent(cashDiscountRate),
            "surchargeAmount": cents(surcharge), "surchargeRate": percent(surchargeRate), "tipAmount": cents(tip),
            "tipRate": percent(tipRate), "totalAmount": cents(total),
        ]
    }
}

internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    /// The payment that a message to the Gate is about.
    private static func payment(_ call: SimulatorRequest, _ state: State) -> Payment? {
        guard let payment = state.payments[call.json?["general"]?["payment_id"]?.string ?? ""] else { return nil }
        // A method's path knows the payments of its method alone; one path has no method.
        let pieces = call.request.target.split(separator: "/")
        guard pieces.count == 4, ["capture", "cancel", "refund"].contains(pieces[3]) else { return payment }
        return pieces[2] == payment.method ? payment : nil
    }

    private static let notFound = refuse(400, "3061", "Transaction not found")
    private static let notNow = refuse(400, "3060", "Current payment or operation status does not allow this action")

    /// The amount of a message in a payment's currency: nil where there is none, and an answer where it is wrong.
    private static func amount(_ call: SimulatorRequest, _ payment: Payment) -> (
        units: Int64?, refusal: SimulatorResponse?
    ) {
        guard let asked = call.json?["payment"], asked["amount"] != nil else { return (nil, nil) }
        guard asked["currency"]?.string == payment.currency else {
            return (nil, refuse(400, "3284", "Refund currency mismatched or empty"))
        }
        guard let units = asked["amount"]?.int64, units > 0 else {
            return (nil, refuse(400, "3286", "The property amount is required"))
        }
        return (units, nil)
    }

    /// Adds an operation to a payment; gives the name of its request.
    static func add(
        _ type: String, _ status: String, _ units: Int64, _ label: String, refund: String = "",
        to payment: inout Payment, _ state: inout State, _ now: Int64
    ) -> String {
        let request = "request-\(number(&state))"
        payment.operations.append(
            Operation(
                id: number(&state), type: type, status: status, units: units, request: request, at: now,
                refund: refund, code: status == "success" ? "0" : "", label: label))
        return request
    }

    /// One capture; what it does not take goes back to the payer.
    static func capture(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var payment = payment(call, state) else { return notFound }
        let (asked, refusal) = amount(call, payment)
        if let refusal { return refusal }
        guard payment.status == "awaiting capture", payment.amounts.held > 0 else { return notNow }
        let units = asked ?? payment.amounts.held
        guard units <= payment.amounts.held else {
            return refuse(400, "2642", "Operation amount is greater than limit")
        }
        let isSlow = TestAmount(minorUnits: units) == .pends
        let request = add(
            "capture", isSlow ? "external processing" : "success", units, call.attemptLabel, to: &payment, &state,
            call.now)
        if !isSlow { take(&payment, units, call.attemptLabel, &state, call.now) }
        state.payments[payment.id] = payment
        return acknowledged(payment.id, request, state)
    }

    static func take(_ payment: inout Payment, _ units: Int64, _ label: String, _ state: inout State, _ now: Int64) {
        payment.amounts.capture(units, .init("capture", by: label, at: now), &state.ledger)
        payment.amounts.release(at: now, &state.ledger)
        payment.status = "success"
    }

    /// Lets a hold go, or a part of it.
    static func cancel(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var payment = payment(call, state) else { return notFound }
        let (asked, refusal) = amount(call, payment)
        if let refusal { return refusal }
        guard payment.status == "awaiting capture", payment.amounts.held > 0 else { return notNow }
        let stays = state.play.cancelNamesRest ? asked.map { payment.amounts.held - $0 } : nil
        let units = stays ?? asked ?? payment.amounts.held
        guard (1...payment.amounts.held).contains(units) else {
            return refuse(400, "2642", "Operation amount is greater than limit")
        }
        let request = add("cancel", "success", units, call.attemptLabel, to: &payment, &state, call.now)
        payment.amounts.move(
            units, from: .held, to: .cardholder, .init("cancel", by: call.attemptLabel, at: call.now), &state.ledger)
        if payment.amounts.held == 0 { payment.status = "canceled" }
        state.payments[payment.id] = payment
        return acknowledged(payment.id, request, state)
    }

    /// Holds more.
    static func increase(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var payment = payment(call, state) else { return notFound }
        let (asked, refusal) = amount(call, payment)
        if let refusal { return refusal }
        guard let units = asked else { return refuse(400, "3286", "The property amount is required") }
        guard payment.status == "awaiting capture", payment.amounts.held > 0 else { return notNow }
        let request = add("incremental", "success", units, call.attemptLabel, to: &payment, &state, call.now)
        payment.amounts.charge(
            units, holds: true, .init("incremental", by: call.attemptLabel, at: call.now), &state.ledger)
        state.payments[payment.id] = payment
        return acknowledged(payment.id, request, state)
    }

    /// Refunds: all of it before the clearing as a reversal, anything else as a refund; once for each name.
    static func refund(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var payment = payment(call, state) else { return notFound }
        let name = call.json?["payment"]?["merchant_refund_id"]?.string ?? ""
        if !name.isEmpty, payment.operations.contains(where: { $0.refund == name }) {
            return refuse(400, "3230", "The operation with such merchant_refund_id already exists")
        }
        guard call.json?["payment"]?["description"]?.string != nil else {
            return refuse(400, "2004", "Required field not provided")
        }
        let (asked, refusal) = amount(call, payment)
        if let refusal { return refusal }
        guard payment.amounts.captured > 0 else { return notNow }
        let pending = payment.operations.filter { $0.status == "external processing" && !$0.refund.isEmpty }
            .reduce(0) { $0 + $1.units }
        let left = payment.amounts.refundable - pending
        let units = asked ?? left
        guard left > 0 else { return notNow }
        guard units <= left else { return refuse(400, "3283", "Refund amount more than init amount") }
        let charged = payment.operations.last { ["sale", "capture", "recurring"].contains($0.type) }?.at ?? 0
        let isReversal = units == payment.amounts.captured && charged > state.clearedUntil
        let isSlow = TestAmount(minorUnits: units) == .pends
        let label = name.isEmpty ? call.attemptLabel : name
        let request = add(
            isReversal ? "reversal" : "refund", isSlow ? "external processing" : "success", units, label,
            refund: name, to: &payment, &state, call.now)
        if !isSlow { bookRefund(&payment, units, isReversal, label, &state, call.now) }
        state.payments[payment.id] = payment
        return acknowledged(payment.id, request, state)
    }

    static func bookRefund(
        _ payment: inout Payment, _ units: Int64, _ isReversal: Bool, _ label: String, _ state: inout State,
        _ now: Int64
    ) {
        let cause = isReversal ? "reversal" : "refund"
        payment.amounts.refund(units, isReversal: isReversal, .init(cause, by: label, at: now), &state.ledger)
        let isAll = payment.amounts.refundable == 0
        payment.status = isReversal ? "reversed" : isAll ? "refunded" : "partially refunded"
    }

    /// Debits a card that was registered for that.
    static func debit(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let body = call.json, let id = body["general"]?["payment_id"]?.string,
            let units = body["payment"]?["amount"]?.int64, let currency = body["payment"]?["currency"]?.string,
            units > 0, units <= amountMax, body["customer"]?["id"]?.string?.isEmpty == false,
            body["customer"]?["ip_address"]?.string?.isEmpty == false
        else { return refuse(400, "2004", "Required field not provided") }
        if state.payments[id] != nil { return refuse(400, "3041", "Payment ID already exists") }
        let found = active(call, state)
        if let refusal = found.refusal { return refusal }
        guard let number = found.kept?.number else { return noRegistration }
        var payment = Payment()
        payment.amounts = SimulatedPayment(name: id, currency: currency)
        (payment.createdAt, payment.number) = (call.now, number)
        payment.customer = body["customer"]?["id"]?.string ?? ""
        let request = add("recurring", "processing", units, id, to: &payment, &state, call.now)
        state.payments[id] = payment
        if let code = EcommpayCard.debits[number] {
            decline(id, code, &state)
        } else {
            decide(id, TestAmount(minorUnits: units), &state, call.now)
        }
        if let delay = state.play.retriesAfter, state.payments[id]?.status == "decline" {
            state.payments[id]?.waitsFor = "retry"
            state.payments[id]?.waitsUntil = call.now + delay
            state.retries[found.id] = id
        }
        return acknowledged(id, request, state)
    }

    /// Tries a declined debit again, which succeeds.
    static func retry(_ id: String, _ state: inout State, _ now: Int64) {
        guard var payment = state.payments[id], let units = payment.operations.first?.units else { return }
        (payment.status, payment.waitsFor, payment.waitsUntil) = ("success", "", 0)
        _ = add("recurring", "success", units, id, to: &payment, &state, now)
        payment.amounts.charge(units, holds: false, .init("recurring", by: id, at: now), &state.ledger)
        state.payments[id] = payment
        state.retries = state.retries.filter { $0.value != id }
    }
}

/// The Payment Page: a signed link opens it, and the customer pays there with a card.
extension EcommpaySimulator {
    /// Parameters that a page can't do without.
    private static let due = ["project_id", "payment_id", "payment_amount", "payment_currency"]

    static func pages(_ routes: inout Router<State>, _ seal: EcommpaySignature) {
        routes.get("/payment") { call, state in
            let (page, refusal) = read(FormEncoding.decode(query(call.request)), seal, state, call.now)
            guard let page else { return refusal }
            let fields = [("page", query(call.request))]
            let form = EcommpayBank.form(
                "/payment/pay", fields, ["Pay": ""], "<input name=\"pan\" value=\"5555555555554444\">")
            return EcommpayBank.page(
                "Pay", "<p>\(String(page.units)) minor units of \(page.currency)</p>\(form)")
        }
        routes.post("/payment/pay", .form) { call, state in
            let (page, refusal) = read(FormEncoding.decode(call.form("page") ?? ""), seal, state, call.now)
            guard let page else { return refusal }
            guard let pan = call.form("pan"), (12...32).contains(pan.count),
                pan.allSatisfy({ $0.isASCII && $0.isNumber })
            else { return EcommpayBank.page("No card", "<p>the number is not a card's</p>", status: 400) }
            pay(page, pan, &state, call.now)
            return EcommpayBank.page("Done", "<p>\(state.payments[page.id]?.status ?? "")</p>")
        }
    }

    /// What a link says.
    private struct Page {
        let id: String
        let units: Int64
        let currency: String
        let type: String
        let customer: String
        let terms: JSON?
    }

    private static func query(_ request: HTTPRequest) -> String {
        request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    }

    /// Reads a link: every parameter is signed, and the provider's own clock says whether it is over.
    private static func read(
        _ fields: [FormField]?, _ seal: EcommpaySignature, _ state: State, _ now: Int64
    ) -> (page: Page?, refusal: SimulatorResponse) {
        func refused(_ why: String, _ status: Int = 400) -> (page: Page?, refusal: SimulatorResponse) {
            (nil, EcommpayBank.page("No payment", "<p>\(why)</p>", status: status))
        }
        var parameters = JSONObject()
        for field in fields ?? [] {
            guard parameters[field.name] == nil else { return refused("a parameter comes twice") }
            parameters[field.name] = .string(field.value)
        }
        func text(_ name: String) -> String? { parameters[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        guard seal.fits(.object(parameters)) else { return refused("the signature does not fit", 403) }
        guard due.allSatisfy({ text($0) != nil }), text("project_id") == String(state.rules.project) else {
            return refused("a parameter is missing")
        }
        guard let id = text("payment_id"), id.utf8.count <= 255,
            let units = text("payment_amount").flatMap({ Int64($0) }), (1...amountMax).contains(units),
            let currency = text("payment_currency"), currency.count == 3, (text("mode") ?? "purchase") == "purchase"
        else { return refused("a parameter is not valid") }
        if let end = text("best_before") {
            guard let until = Timestamp(end)?.milliseconds else { return refused("best_before is no time") }
            if now > until { return refused("the link is over", 410) }
        }
        let kind = text(state.play.holdName) ?? "sale"
        guard ["sale", "auth"].contains(kind) else { return refused("there is no such operation") }
        if let earlier = state.payments[id], !(state.play.pageTakesOtherCards && earlier.status == "decline") {
            return refused("it was paid already, or refused", 409)
        }
        let terms = text("recurring").flatMap { try? JSONReader().read(Array($0.utf8)) }
        let page = Page(
            id: id, units: units, currency: currency, type: kind, customer: text("customer_id") ?? "", terms: terms)
        return (page, .closed)
    }

    /// The customer pays; the page itself goes through whatever the bank asks.
    private static func pay(_ page: Page, _ pan: String, _ state: inout State, _ now: Int64) {
        var payment = state.payments[page.id] ?? Payment()
        payment.amounts = SimulatedPayment(name: page.id, currency: page.currency)
        (payment.createdAt, payment.customer, payment.number) = (now, page.customer, pan)
        payment.method = state.play.pageMethod
        payment.status = "processing"
        payment.operations.append(
            Operation(
                id: number(&state), type: page.type, status: "processing", units: page.units,
                request: "request-\(number(&state))", at: now, label: page.id))
        if let terms = page.terms, terms["register"]?.bool == true {
            (payment.registers, payment.terms) = (terms["type"]?.string ?? "R", terms)
        }
        state.payments[page.id] = payment
        guard EcommpayCard.way(pan).succeeds else { return decline(page.id, "104", &state) }
        decide(page.id, TestAmount(minorUnits: page.units), &state, now)
    }
}

extension EcommpaySimulator: HostedPageProvider {
    public func visit(page address: String, card number: String) -> Bool {
        guard let start = address.firstRange(of: "://")?.upperBound, let slash = address[start...].firstIndex(of: "/")
        else {
            return false
        }
        let target = String(address[slash...])
        let origin = Origin(.http, "browser.invalid")
        func isTaken(_ request: HTTPRequest) -> Bool {
            if case .reply(let said) = reply(to: request) { said.status == 200 } else { false }
        }
        guard isTaken(HTTPRequest("GET", origin, target)) else { return false }
        let query = target.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        let body = FormEncoding.encode([FormField("page", query), FormField("pan", number)])
        var headers = HTTPHeaders()
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return isTaken(HTTPRequest("POST", origin, "/payment/pay", headers: headers, body: Array(body.utf8)))
    }
}

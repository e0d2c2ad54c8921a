internal import PaymentBase
internal import PaymentTransport

/// The Payment Page: a signed link opens it, and the customer pays there with a card.
extension EcommpaySimulator {
    /// Parameters that a page can't do without.
    private static let due = ["project_id", "payment_id", "payment_amount", "payment_currency"]

    static func pages(_ routes: inout Router<State>, _ seal: EcommpaySignature) {
        routes.get("/payment") { call, state in
            let (page, refusal) = read(FormEncoding.decode(query(call.request)), seal, state, call.now)
            guard let page else { return refusal }
            let fields = [("page", query(call.request))]
            let words = "<p>\(EcommpayBank.escaped("\(page.units) minor units of \(page.currency)"))</p>"
            let input = "<input name=\"pan\" value=\"5555555555554444\">"
            return EcommpayBank.page("Pay", words + EcommpayBank.form("/payment/pay", fields, ["Pay": ""], input))
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
        if let earlier = state.payments[id], !(state.play.pageGoesOn && earlier.status == "decline") {
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

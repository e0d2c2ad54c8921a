internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    private static func wait(_ id: String, _ what: String, _ status: String, _ state: inout State, _ now: Int64) {
        state.payments[id]?.waitsFor = what
        state.payments[id]?.status = status
        state.payments[id]?.waitsUntil = now + answerMilliseconds
    }

    /// Asks what has to be asked before a payment can be decided.
    static func begin(_ id: String, _ script: TestAmount?, _ state: inout State, _ now: Int64) {
        guard let payment = state.payments[id], let operation = payment.operations.last else { return }
        switch TestAmount(minorUnits: operation.units) {
        case .asksFields where payment.origin.isEmpty: return wait(id, "fields", "processing", &state, now)
        case .clarifies: return wait(id, "clarification", "awaiting clarification", &state, now)
        case .challenges: return wait(id, "cascade", "awaiting 3ds result", &state, now)
        case .redirects: return wait(id, "redirect", "awaiting redirect result", &state, now)
        case .showsCode: return wait(id, "code", "awaiting customer action", &state, now)
        case .offersAgain
        where payment.origin.isEmpty && payment.operations.count == 1 && payment.number != "5555555555554445":
            state.payments[id]?.operations[0].status = "decline"
            state.payments[id]?.operations[0].code = "10105"
            return wait(id, "again", "awaiting customer", &state, now)
        case .asksFields, .offersAgain, .losesReply, .losesRequest, .pends, .saysUnknownWord, .failsAfter, .busyOnce,
            .echoesOther, .approvesHalf, .fails, .decidesSoon, .decidesLate, .lostCard, .insufficientFunds, .expired,
            .asksPIN, nil:
            break
        }
        switch EcommpayCard.way(payment.number).way {
        case .none: break
        case .frictionless, .challenge, .frictionlessThenLegacy:
            return wait(id, "method", "awaiting 3ds result", &state, now)
        case .legacy: return wait(id, "legacy", "awaiting 3ds result", &state, now)
        }
        let takes = script.flatMap { workMilliseconds[$0] } ?? state.rules.processingMilliseconds
        if takes == 0 { return decide(id, script, &state, now) }
        state.payments[id]?.ripensAt = now + takes
    }

    /// Declines, pends or approves; moves the money.
    static func decide(_ id: String, _ script: TestAmount?, _ state: inout State, _ now: Int64) {
        guard var payment = state.payments[id],
            let index = payment.operations.lastIndex(where: { $0.status == "processing" })
        else { return }
        let operation = payment.operations[index]
        (payment.waitsFor, payment.waitsUntil) = ("", 0)
        state.payments[id] = payment
        if let code = code(script) ?? state.cards[payment.number] { return decline(id, code, &state) }
        if script == .pends {
            state.payments[id]?.status = "external processing"
            return
        }
        let isPart =
            (operation.type == "sale" || state.play.holdsParts && operation.type == "auth")
            && operation.units > EcommpayCard.partialUnits
            && EcommpayCard.partial.contains(payment.number)
        let asked = operation.type == "sale" ? state.play.paid(operation.units) : operation.units
        let units = isPart ? EcommpayCard.partialUnits : asked
        payment.operations[index] = Operation(
            id: operation.id, type: operation.type, status: "success", units: units, request: operation.request,
            at: now, refund: "", code: "0", label: operation.label)
        let reason = SimulatedPayment.Reason(operation.type, by: id, entry: payment.entry, at: now)
        switch operation.type {
        case "sale", "recurring":
            payment.amounts.charge(units, holds: false, reason, &state.ledger)
            payment.status = isPart ? "partially paid" : "success"
        case "auth":
            payment.amounts.charge(units, holds: true, reason, &state.ledger)
            payment.status = "awaiting capture"
        default: payment.status = "success"
        }
        keep(&payment, operation.type, &state)
        state.payments[id] = payment
    }

    /// Keeps the instrument in each of the ways that were asked for.
    private static func keep(_ payment: inout Payment, _ type: String, _ state: inout State) {
        if payment.saves, !payment.customer.isEmpty {
            let id = number(&state)
            state.accounts.keep(Account(id: id, number: payment.number, customer: payment.customer))
            payment.account = id
        }
        if !payment.registers.isEmpty {
            let id = number(&state)
            state.registrations.keep(
                Registration(id: id, number: payment.number, currency: payment.currency, terms: payment.terms))
            payment.registers = String(id)
        }
        if type == "tokenize" {
            payment.token = "token-\(number(&state))"
            state.tokens[payment.token] = payment.number
        }
    }

    private static func code(_ script: TestAmount?) -> String? {
        let codes: [TestAmount: String] = [.lostCard: "10203", .insufficientFunds: "10105", .expired: "10106"]
        return script.flatMap { codes[$0] }
    }

    static func decline(_ id: String, _ code: String, _ state: inout State) {
        guard var payment = state.payments[id], let last = payment.operations.indices.last else { return }
        (payment.status, payment.waitsFor, payment.waitsUntil) = ("decline", "", 0)
        payment.operations[last].status = "decline"
        payment.operations[last].code = code
        state.payments[id] = payment
    }

    // MARK: Answers to questions

    private static func waiting(_ session: Session, _ what: [String], _ state: State) -> Payment? {
        state.payments[session.payment].flatMap { what.contains($0.waitsFor) ? $0 : nil }
    }

    /// Continues as if nothing had been asked.
    @discardableResult
    static func proceed(_ payment: Payment, _ state: inout State, _ now: Int64) -> SimulatorResponse {
        state.payments[payment.id]?.status = "processing"
        state.payments[payment.id]?.waitsFor = ""
        decide(payment.id, payment.operations.last.flatMap { TestAmount(minorUnits: $0.units) }, &state, now)
        return accepted
    }

    static func takeFields(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let payment = waiting(session, ["fields"], state) else { return notWaiting }
        guard call.json?["fields"]?["email"]?.string?.contains("@") == true else {
            return .json(["status": "validation", "code": "502", "errors": ["email": "Invalid Email"]], status: 400)
        }
        return proceed(payment, &state, call.now)
    }

    /// Everything that was asked for has to be there; each answer begins the half hour again.
    static func takeClarification(_ call: SimulatorRequest, _ session: Session, _ state: inout State)
        -> SimulatorResponse
    {
        guard let payment = waiting(session, ["clarification"], state) else { return notWaiting }
        guard let given = call.json?["additional_data"] else {
            return refuse(400, "2004", "Required field not provided")
        }
        let fields = ["avs_post_code", "avs_street_address"]
        guard fields.allSatisfy({ given["avs_data"]?[$0]?.string?.isEmpty == false }) else {
            // Later than before in any case, so that it is seen to be asked once more.
            state.payments[payment.id]?.waitsUntil = max(call.now + answerMilliseconds, payment.waitsUntil + 1)
            return accepted
        }
        return proceed(payment, &state, call.now)
    }

    static func takeMethod(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let payment = waiting(session, ["method"], state) else { return notWaiting }
        guard call.json?["threeds_completion_indicator"]?.bool != nil else {
            return refuse(400, "2004", "Required field not provided")
        }
        let indicator = session.parameters["threeds"]?["payment"]?["challenge_indicator"]?.string
        switch EcommpayCard.way(payment.number).way {
        case .challenge: wait(payment.id, "challenge", "awaiting 3ds result", &state, call.now)
        case .frictionless where indicator == "04":
            wait(payment.id, "challenge", "awaiting 3ds result", &state, call.now)
        case .frictionlessThenLegacy: wait(payment.id, "legacy", "awaiting 3ds result", &state, call.now)
        case .frictionless, .legacy, .none: return proceed(payment, &state, call.now)
        }
        return accepted
    }

    static func takeResult(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let payment = waiting(session, ["challenge", "legacy"], state) else { return notWaiting }
        let given = call.json?[payment.waitsFor == "challenge" ? "cres" : "pares"]?.string
        guard let given, !given.isEmpty else { return refuse(400, "2004", "Required field not provided") }
        let read = Base64.standard.decode(given).flatMap { try? JSONReader().read($0) }
        let isGood = given == "ok" || read?["transStatus"]?.string == "Y"
        guard isGood, EcommpayCard.way(payment.number).succeeds else {
            decline(payment.id, isGood ? "10100" : "104", &state)
            return accepted
        }
        return proceed(payment, &state, call.now)
    }

    /// No caller waits in the session any more; the payment goes its way.
    static func leave(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        state.sessions[call.json?["sid"]?.string ?? ""] = nil
        return accepted
    }

    static func takeConsent(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let payment = waiting(session, ["cascade"], state) else { return notWaiting }
        guard let isAgreed = call.json?["accept"]?.bool else {
            return refuse(400, "2004", "Required field not provided")
        }
        if isAgreed {
            wait(payment.id, "legacy", "awaiting 3ds result", &state, call.now)
        } else {
            decline(payment.id, "301", &state)
        }
        return accepted
    }
}

/// What the provider's test project does with a card, by its number alone.
enum EcommpayCard {
    /// How the holder is authenticated.
    enum Way { case none, frictionless, challenge, legacy, frictionlessThenLegacy }

    /// Cards that are declined without any question, with the code.
    static let declined = [
        "4111111111111111": "10100", "4539121411168251": "10602", "5200000000000015": "10100",
        "5200000000000007": "10103",
    ]
    /// Cards of which only a part is approved above a limit.
    static let partial: Set<String> = ["5126160000356675", "4010571676223548"]
    /// The limit, in minor units.
    static let partialUnits: Int64 = 12_000
    /// What debits of a registered card are declined with.
    static let debits = ["4000000000000119": "10102", "4000000000000135": "10105"]

    /// How the holder of a card is authenticated, and whether that ends well.
    static func way(_ number: String) -> (way: Way, succeeds: Bool) { ways[number] ?? (.none, true) }

    private static let ways: [String: (way: Way, succeeds: Bool)] = {
        let groups: [(Way, Bool, [String])] = [
            (.challenge, true, ["4314220000000056", "5413330000000019"]),
            (.challenge, false, ["4012000000020089", "5544330000000045"]),
            (.frictionless, true, ["4477000000000006", "5252000000000004"]),
            (.frictionlessThenLegacy, true, ["4012000000020063", "5544330000000029"]),
            (.legacy, true, ["4344693136092508", "5426257498741734", "4006260000000014"]),
            (
                .legacy, false,
                [
                    "4165519761269614", "4331289925608649", "4383604346807330", "5722753235016359",
                    "4314220000000072", "4314220000000098", "5413330000000035", "5413330000000092",
                ]
            ),
        ]
        var ways: [String: (way: Way, succeeds: Bool)] = [:]
        for (way, succeeds, numbers) in groups {
            for number in numbers { ways[number] = (way, succeeds) }
        }
        return ways
    }()
}

/// The access control server of the cards' bank: pages that a person, or a test, answers over HTTP.
enum EcommpayBank {
    private typealias State = EcommpaySimulator.State

    /// Loaded out of sight; there is nothing to answer.
    static func method(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        let data = call.form("threeDSMethodData") ?? call.form("3DSMethodData") ?? ""
        return data.isEmpty ? page("Nothing to do", "<p>no data came</p>", status: 400) : page("Loaded", "")
    }

    /// The customer's challenge.
    static func challenge(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let request = call.form("creq"), !request.isEmpty else { return noVisitor }
        return question(call.form("threeDSSessionData") ?? "", "challenge", back: "", state)
    }

    /// The page of the older protocol.
    static func legacy(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let request = call.form("PaReq"), !request.isEmpty else { return noVisitor }
        return question(call.form("MD") ?? "", "legacy", back: call.form("TermUrl") ?? "", state)
    }

    /// What the customer answered: a form that the browser takes back to the shop.
    static func answer(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let step = call.form("step"), let payment = call.form("payment"),
            let outcome = call.form("outcome"), ["approve", "refuse"].contains(outcome),
            let waiting = state.payments[payment]?.waitsFor, [step, "cascade"].contains(waiting)
        else { return noVisitor }
        let said: JSON = ["transStatus": outcome == "approve" ? "Y" : "N", "payment": .string(payment)]
        let result = Base64.standard.encode(said.bytes())
        let fields = step == "challenge" ? [("cres", result)] : [("PaRes", result), ("MD", payment)]
        let back = call.form("back") ?? ""
        return page("Back to the shop", form(back.isEmpty ? "/" : back, fields, ["Continue": ""]))
    }

    /// Another provider's page, on which the customer pays.
    static func pay(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let payment = call.form("payment").flatMap({ state.payments[$0] }),
            ["redirect", "code"].contains(payment.waitsFor)
        else { return noVisitor }
        EcommpaySimulator.proceed(payment, &state, call.now)
        return page("Paid", "")
    }

    private static func question(
        _ payment: String, _ step: String, back: String, _ state: EcommpaySimulator.State
    ) -> SimulatorResponse {
        guard let known = state.payments[payment], [step, "cascade"].contains(known.waitsFor),
            let units = known.operations.last?.units
        else { return noVisitor }
        let fields = [("step", step), ("payment", payment), ("back", back)]
        let answers = form("/acs/answer", fields, ["Approve": "approve", "Refuse": "refuse"])
        return page(
            "Is it you?",
            "<p>\(String(units)) minor units of \(known.currency), card \(number(known))</p>\(answers)")
    }

    private static func number(_ payment: EcommpaySimulator.Payment) -> String {
        EcommpaySimulator.masked(payment.number)
    }

    private static var noVisitor: SimulatorResponse { page("No visitor is expected here", "", status: 404) }

    // MARK: HTML

    static func form(
        _ address: String, _ fields: [(String, String)], _ buttons: [String: String], _ inputs: Markup = ""
    ) -> Markup {
        let hidden = fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as Markup }
        let shown = buttons.sorted { $0.key < $1.key }.map { title, outcome -> Markup in
            outcome.isEmpty
                ? "<button>\(title)</button>"
                : "<button name=\"outcome\" value=\"\(outcome)\">\(title)</button>"
        }
        return "<form method=\"post\" action=\"\(address)\">\(hidden)\(inputs)\(shown)</form>"
    }

    static func page(_ title: String, _ body: Markup, status: Int = 200) -> SimulatorResponse {
        let page: Markup = """
            <!doctype html><html><head><title>\(title)</title></head><body><h1>\(title)</h1>\(body)</body></html>
            """
        return .reply(
            HTTPResponse(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(page.html.utf8)))
    }
}

internal import PaymentBase
internal import PaymentTransport

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
        guard let request = call.form("creq"), !request.isEmpty else { return nobody }
        return question(call.form("threeDSSessionData") ?? "", "challenge", back: "", state)
    }

    /// The page of the older protocol.
    static func legacy(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let request = call.form("PaReq"), !request.isEmpty else { return nobody }
        return question(call.form("MD") ?? "", "legacy", back: call.form("TermUrl") ?? "", state)
    }

    /// What the customer answered: a form that the browser takes back to the shop.
    static func answer(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let step = call.form("step"), let payment = call.form("payment"),
            let outcome = call.form("outcome"), ["approve", "refuse"].contains(outcome),
            let waiting = state.payments[payment]?.waitsFor, [step, "cascade"].contains(waiting)
        else { return nobody }
        let said: JSON = ["transStatus": outcome == "approve" ? "Y" : "N", "payment": .string(payment)]
        let result = Base64.standard.encode(said.bytes())
        let fields = step == "challenge" ? [("cres", result)] : [("PaRes", result), ("MD", payment)]
        let back = call.form("back") ?? ""
        return page("Back to the shop", form(back.isEmpty ? "/" : back, fields, ["Go on": ""]))
    }

    /// Another provider's page, on which the customer pays.
    static func pay(_ call: SimulatorRequest, _ state: inout EcommpaySimulator.State) -> SimulatorResponse {
        guard let payment = call.form("payment").flatMap({ state.payments[$0] }),
            ["redirect", "code"].contains(payment.waitsFor)
        else { return nobody }
        EcommpaySimulator.goOn(payment, &state, call.now)
        return page("Paid", "")
    }

    private static func question(
        _ payment: String, _ step: String, back: String, _ state: EcommpaySimulator.State
    ) -> SimulatorResponse {
        guard let known = state.payments[payment], [step, "cascade"].contains(known.waitsFor),
            let units = known.operations.last?.units
        else { return nobody }
        let fields = [("step", step), ("payment", payment), ("back", back)]
        let words = "<p>\(escaped("\(units) minor units of \(known.currency), card \(number(known))"))</p>"
        return page(
            "Is it you?", words + form("/acs/answer", fields, ["Approve": "approve", "Refuse": "refuse"]))
    }

    private static func number(_ payment: EcommpaySimulator.Payment) -> String {
        EcommpaySimulator.masked(payment.number)
    }

    private static var nobody: SimulatorResponse { page("Nobody is expected here", "", status: 404) }

    // MARK: HTML

    static func form(
        _ address: String, _ fields: [(String, String)], _ buttons: [String: String], _ inputs: String = ""
    ) -> String {
        let hidden = fields.map {
            "<input type=\"hidden\" name=\"\(escaped($0.0))\" value=\"\(escaped($0.1))\">"
        }
        let shown = buttons.sorted { $0.key < $1.key }.map { title, outcome in
            outcome.isEmpty
                ? "<button>\(escaped(title))</button>"
                : "<button name=\"outcome\" value=\"\(escaped(outcome))\">\(escaped(title))</button>"
        }
        return
            "<form method=\"post\" action=\"\(escaped(address))\">\(hidden.joined())\(inputs)\(shown.joined())</form>"
    }

    static func page(_ title: String, _ body: String, status: Int = 200) -> SimulatorResponse {
        let text =
            "<!doctype html><html><head><title>\(escaped(title))</title></head><body><h1>\(escaped(title))</h1>\(body)"
            + "</body></html>"
        return .reply(
            HTTPResponse(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(text.utf8)))
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}

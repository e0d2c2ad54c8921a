internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension EcommpayInspector {
    // MARK: Requests

    /// A message that asks for something; nil when it is none.
    func request(_ json: JSON) -> Inspection? {
        guard json["status"] == nil, json["errors"] == nil else { return nil }
        if json["payment_amount"] != nil || json["payment_currency"] != nil { return opening(json) }
        if json["sid"] != nil {
            let isAbout = Self.answers.contains { json[$0] != nil }
            return Inspection(json["action"]?.string ?? "session", .none, isAbout ? .unknown : .notExecuted)
        }
        let isDebit = json["payment"] != nil
        if json["recurring"]?["status"] != nil, !isDebit { return news(json) }
        guard EcommpaySigning.given(in: json) != nil || json["general"] != nil else { return nil }
        if json["token_status"] != nil { return news(json) }
        // Only a debit names a payment beside the registration.
        if json["recurring"] != nil, !isDebit { return Inspection("recurring", .none, .notExecuted) }
        guard let general = json["general"] else {
            let isAbout = json["customer"]?["project_id"] == nil && json["card"] != nil || isDebit
            return Inspection(
                json["request_id"] == nil ? "customer" : "status", .none, isAbout ? .unknown : .notExecuted)
        }
        var found = Inspection("gate", .none, .unknown)
        found.amount = EcommpayReport.money(json["payment"])
        found.attempt = json["payment"]?["merchant_refund_id"]?.string ?? general["payment_id"]?.string
        return found
    }

    /// What makes a payment go on within a session.
    private static let answers = [
        "action", "fields", "additional_data", "cres", "pares", "accept", "threeds_completion_indicator",
    ]

    private func opening(_ json: JSON) -> Inspection {
        var found = Inspection("init", .none, .unknown)
        found.amount = EcommpayReport.money([
            "amount": json["payment_amount"] ?? .null, "currency": json["payment_currency"] ?? .null,
        ])
        found.attempt = json["payment_id"]?.string
        return found
    }

    /// News of a token or of a registration: no money.
    private func news(_ json: JSON) -> Inspection {
        Inspection(json["token_status"] == nil ? "recurring" : "token", .none, .notExecuted)
    }

    // MARK: Replies

    /// An answer that says that something was accepted; it never says that anything was paid.
    func reply(_ json: JSON) -> Inspection? {
        guard json["status"]?.string == "success" else { return nil }
        if json["sid"] != nil { return Inspection("session", .none, .notExecuted) }
        if json["accounts"]?.array != nil { return Inspection("saved accounts", .none, .notExecuted) }
        guard json["payment_id"] != nil || json["request_id"] != nil else {
            return Inspection("accepted", .none, .unknown)
        }
        guard let payment = json["payment_id"]?.string, let ack = EcommpayAck(json, about: payment),
            ack.request != nil
        else { return .unknown("acknowledgement") }
        var found = Inspection("acknowledgement", .pending, .unknown)
        (found.attempt, found.providerReference) = (ack.payment, ack.request)
        return found
    }

    /// A refusal, or an error of the kit for phones, by the table of errors.
    ///
    /// - Parameter status: The status of the reply; a failure of the server may have been executed, whatever it says.
    func refusal(_ json: JSON, _ status: Int?) -> Inspection {
        var said = EcommpayRefusal(json)
        // The kit hands the server's own message on as a text.
        if ErrorTable.ecommpay[said.code] == nil, let inner = try? JSONReader().read(Array(said.message.utf8)),
            inner.object != nil
        {
            said = EcommpayRefusal(inner)
        }
        let isContradiction = json["status"]?.string == "success" || json["payment"]?["status"] != nil
        guard !isContradiction, !said.code.isEmpty || status != nil else { return .unknown("message") }
        let isBroken = status.map { $0 >= 500 } ?? false
        let fault = ErrorTable.ecommpay.failure(
            code: isBroken ? "" : said.code, fallback: status.map { "http.\($0)" }, message: said.message)
        let isUnproven = fault.delivery == .maybeSent
        var found = Inspection("error", isUnproven ? .unknown : .failed, isUnproven ? .unknown : .notExecuted)
        let code = said.code.isEmpty ? status.map { "http.\($0)" } ?? "" : said.code
        found.problem = Inspection.Problem(code, fault.code, said.message)
        return found
    }
}

internal import PaymentProviderKit

/// Explains the messages of sessions, of the Gate, of callbacks and of the kit for phones.
struct EcommpayInspector: Inspector {
    func inspect(_ message: InspectedMessage) -> [Inspection] {
        guard let json = try? JSONReader().read(message.body), json.object != nil else {
            return [.unknown("unreadable")]
        }
        return EcommpayMembers.known.noting(items(json, message), in: json)
    }

    private func items(_ json: JSON, _ message: InspectedMessage) -> [Inspection] {
        if let status = message.httpStatus, !(200..<300).contains(status) { return [refusal(json, status)] }
        if json["payment"]?["status"] != nil { return reports(json, message.operation) }
        if let payment = json["payment"], let status = json["status"], json["operations"]?.array != nil {
            return reports(json.adding("payment", payment.adding("status", status)), message.operation)
        }
        return [request(json) ?? reply(json) ?? refusal(json, nil)]
    }

    // MARK: What became of a payment

    private func reports(_ json: JSON, _ wanted: PaymentOperation?) -> [Inspection] {
        guard let report = EcommpayReport(json) else { return [.unknown("payment")] }
        guard EcommpayMapping.isListed(report.status), !report.isTorn else {
            return [about(report, .unknown(report.status))]
        }
        if report.operations.isEmpty { return [about(report, step(report))] }
        let types = wanted.map { Self.types($0) } ?? []
        let fitting = report.operations.filter { types.contains($0.type) }
        return (fitting.isEmpty ? report.operations : fitting).map { about(report, item($0, report), $0) }
    }

    /// A payment of which no operation is reported: it is under way, or nothing is known.
    private func step(_ report: EcommpayReport) -> Inspection {
        if EcommpayMapping.isOpen(report.status) { return Inspection(report.status, .pending, .unknown) }
        var found = Inspection.unknown(report.status)
        if let said = report.errors.first {
            let fault = ErrorTable.ecommpay.failure(code: said.code, message: said.message)
            found.problem = Inspection.Problem(said.code, fault.code, said.message)
        }
        return found
    }

    private func about(
        _ report: EcommpayReport, _ found: Inspection, _ operation: EcommpayReport.Operation? = nil
    ) -> Inspection {
        var found = found
        found.amount = found.amount ?? operation?.amount
        found.attempt = operation?.isRefund == true ? operation?.refund : report.payment
        found.providerReference = operation?.id
        return found
    }

    private func item(_ operation: EcommpayReport.Operation, _ report: EcommpayReport) -> Inspection {
        let kind = "\(operation.type) \(operation.status)"
        if let origin = EcommpayMapping.origin(operation.type) {
            return start(operation, report, origin, kind)
        }
        guard operation.type != "refund reverse" else {
            return operation.status == "success" ? Inspection(kind, .failed, .notExecuted) : .unknown(kind)
        }
        guard Self.later.contains(operation.type) else { return .unknown(kind) }
        let verdict: Verdict?
        do { verdict = try EcommpayMapping.verdict(operation, kind, of: report.payment) } catch {
            return .unknown(kind)
        }
        switch verdict {
        case .approved(let approval):
            let isDone =
                EcommpayMapping.isGood(report.status)
                || operation.type == "cancel" && EcommpayMapping.cancelled.contains(report.status)
            guard isDone else { return .unknown(kind) }
            var found = Inspection(kind, .approved, .executed)
            found.amount = approval.amount
            return found
        case .declined(let decline):
            var found = Inspection(kind, .failed, .notExecuted)
            found.decline = decline
            return found
        case .cancelled: return Inspection(kind, .cancelled, .notExecuted)
        case .pending: return Inspection(kind, .pending, .unknown)
        case nil:
            return EcommpayMapping.isOpen(operation.status) ? Inspection(kind, .pending, .unknown) : .unknown(kind)
        }
    }

    /// The operation that starts a payment, or a try beside the one that counts.
    private func start(
        _ operation: EcommpayReport.Operation, _ report: EcommpayReport, _ origin: PaymentOperation,
        _ kind: String
    ) -> Inspection {
        let ours = report.operations.filter { $0.type == operation.type }
        let counting = ours.first { $0.status == "success" } ?? ours.last
        if operation.id != counting?.id {
            guard EcommpayMapping.isOver(operation.status) else { return .unknown(kind) }
            var found = Inspection(kind, .declined, .notExecuted)
            found.decline = EcommpayMapping.decline(operation, [:], nil)
            return found
        }
        let isLetGo = report.operations.contains { $0.type == "cancel" && $0.status == "success" }
        guard isLetGo || !EcommpayMapping.cancelled.contains(report.status) || operation.status != "success",
            let standing = try? EcommpayMapping.standing(report, origin)
        else { return .unknown(kind) }
        switch standing {
        case .verdict(.approved(let approval)):
            let isCheck = origin == .verify || origin == .tokenize
            var found = Inspection(kind, .approved, isCheck ? .notExecuted : .executed)
            found.amount = approval.amount
            return found
        case .verdict(.declined(let decline)):
            var found = Inspection(kind, .declined, .notExecuted)
            found.decline = decline
            return found
        case .verdict(.cancelled): return Inspection(kind, .cancelled, .notExecuted)
        case .verdict(.pending), .moving, .waiting: return Inspection(kind, .pending, .unknown)
        case .doubtful: return .unknown(kind)
        }
    }

    private static let later: Set<String> = ["capture", "cancel", "incremental", "refund", "reversal"]

    private static func types(_ operation: PaymentOperation) -> Set<String> {
        switch operation {
        case .sale, .authorize, .debit, .verify, .tokenize: Set([EcommpayMapping.type(operation)].compactMap { $0 })
        case .capture: ["capture"]
        case .adjust: ["incremental", "cancel"]
        case .void: ["cancel", "refund", "reversal", "refund reverse"]
        case .refund, .unlinkedRefund: ["refund", "reversal", "refund reverse"]
        case .tipAdjustment, .chargeback: []
        }
    }
}

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

    /// What makes a payment continue within a session.
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

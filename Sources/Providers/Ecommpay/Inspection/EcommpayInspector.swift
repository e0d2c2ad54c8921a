internal import PaymentAbstraction
internal import PaymentBase
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

    /// A payment of which no operation is told: it is under way, or nothing is known.
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
        case .tipAdjustment: []
        }
    }
}

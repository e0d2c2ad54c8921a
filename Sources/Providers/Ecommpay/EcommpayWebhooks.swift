public import PaymentProviderKit

extension EcommpayDriver: WebhookDriver {
    /// Reads a callback, in each of its shapes; callbacks come to a server, so only one with the secret believes them.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let body = try message.unprovenJSON()
        let project =
            EcommpayRefusal.text(body["project_id"]) ?? EcommpayRefusal.text(body["general"]?["project_id"])
        let isOther = project.map { $0 != String(configuration.project) } ?? false
        if EcommpaySigning.given(in: body) == nil, body["chargebacks"]?.array?.isEmpty == false, !isOther {
            return [Self.chargebacks]
        }
        if let doubt = EcommpaySigning.doubt(about: body, configuration.secret ?? Secret(""), crypto) {
            throw PaymentError.notExecuted(.signatureInvalid, "the callback is not believed: \(doubt)")
        }
        if isOther {
            throw PaymentError.notExecuted(.signatureInvalid, "the callback is another project's")
        }
        let id = try id(of: body)
        return notices(in: body).map { notice in
            var notice = notice
            notice.id = id
            return notice
        }
    }

    /// The company's daily message about disputes. The company does not sign it and sends it once, and no document that was
    /// read names its members: it is taken, a person looks at the Dashboard, and the books stay as they are. It names nothing.
    private static var chargebacks: ProviderNotice {
        ProviderNotice(.reference("", [.chargeback]), nil, at: nil, kind: "chargebacks unproven")
    }

    /// One signed content is one message, in whatever form its values are: names of objects and the values in them are
    /// signed as one text.
    private func id(of body: JSON) throws -> String {
        let text: String
        do { text = try EcommpaySigning.text(body, .leaves) } catch {
            throw PaymentError.notExecuted(.signatureInvalid, "the callback is not believed: \(error.reason)")
        }
        return Hex.encode(try crypto.digest(.sha256, Array(text.utf8)))
    }

    private func notices(in body: JSON) -> [ProviderNotice] {
        let isAmbiguous = EcommpaySigning.isAmbiguous(body) || !EcommpayCallbackForm.isDocumented(body)
        guard let report = EcommpayReport(body) else { return tokenNews(body, isAmbiguous) }
        if !isAmbiguous { steps.tell(report, EcommpaySigning.given(in: body) ?? "") }
        guard let operation = report.operations.last else { return hint(report) }
        let found = series(operation, report) ?? notice(operation, report).map { [$0] } ?? []
        return isAmbiguous || operation.at == nil ? found.map(\.asHint) : found
    }

    /// One debit of a series that the provider charges on its own: the message does not say which. The attempt is looked up,
    /// which has the first one; a charge under another name is no attempt's, and the journal raises it on the payment.
    private func series(_ operation: EcommpayReport.Operation, _ report: EcommpayReport) -> [ProviderNotice]? {
        guard EcommpayMapping.isOfSeries(operation, report) else { return nil }
        guard let attempt = try? AttemptID(report.payment) else { return [] }
        let kind = "\(operation.type) \(operation.status)"
        var look = ProviderNotice(.attempt(attempt), nil, at: Self.instant(operation), kind: kind)
        look.operations = [.debit]
        guard operation.status == "success", let amount = operation.amount, !report.isTorn else { return [look] }
        let done = Approval(amount, references: ["operation": operation.id])
        var charge = ProviderNotice(
            .reference(operation.id, [.debit]), .approved(done), at: Self.instant(operation), kind: kind)
        charge.original = report.payment
        return [look, charge]
    }

    /// The provider's times have no fractions: what happened within a second is as late as its end.
    private static func instant(_ operation: EcommpayReport.Operation) -> Int64? {
        operation.at.map { $0.addingReportingOverflow(999).partialValue }
    }

    /// A step on the way: a person has to look. What can't be our own name is another application's payment.
    private func hint(_ report: EcommpayReport) -> [ProviderNotice] {
        guard let attempt = try? AttemptID(report.payment) else { return [] }
        return [ProviderNotice(.attempt(attempt), nil, at: nil, kind: report.status)]
    }

    /// News of a token that was asked for: the token itself is looked up, and one that is refused never comes.
    private func tokenNews(_ body: JSON, _ isAmbiguous: Bool) -> [ProviderNotice] {
        guard let asked = body["request"], asked["action"]?.string == "tokenize", let id = asked["id"]?.string else {
            return []
        }
        let word = asked["status"]?.string ?? ""
        let said = EcommpayRefusal(body)
        let refused = Decline(
            EcommpayDeclineCodes.reason(said.code), provider: ProviderMessage(code: said.code, message: said.message))
        let isRefused = word == "decline" && body["token"] == nil && !isAmbiguous
        return [
            ProviderNotice(
                .reference(id, [.tokenize]), isRefused ? .declined(refused) : nil, at: nil,
                kind: "tokenize \(word)")
        ]
    }

    private func notice(
        _ operation: EcommpayReport.Operation, _ report: EcommpayReport
    ) -> ProviderNotice? {
        let kind = "\(operation.type) \(operation.status)"
        let instant = Self.instant(operation)
        if operation.isRefund, let name = operation.refund {
            // A refund that comes back names the refund; beside it is that it was done once.
            var seen = report
            if let last = seen.operations.last, last.type == "refund reverse" {
                seen.operations.append(last)
                seen.operations[seen.operations.count - 1].type = "refund"
            }
            let verdict = try? EcommpayMapping.refund(seen, name)
            guard let attempt = try? AttemptID(name) else { return nil }
            var notice = ProviderNotice(.attempt(attempt), verdict ?? nil, at: instant, kind: kind)
            notice.operations = [.refund, .void]
            return notice
        }
        if let origin = EcommpayMapping.origin(operation.type) {
            var verdict: Verdict?
            if case .verdict(let said)? = try? EcommpayMapping.standing(report, origin), said.isFinal { verdict = said }
            guard let attempt = try? AttemptID(report.payment) else { return nil }
            var notice = ProviderNotice(.attempt(attempt), verdict, at: instant, kind: kind)
            notice.operations = [origin]
            return notice
        }
        if operation.isRefund { return refundNotice(operation, report, at: instant, kind) }
        guard let request = operation.request else { return nil }
        return changed(operation, request, report, at: instant, kind)
    }

    /// A refund without our name for it, as one at the dashboard: the provider's own, on the payment. What comes back of one
    /// does not say of which: it fails under a name of its own, and is raised.
    private func refundNotice(
        _ operation: EcommpayReport.Operation, _ report: EcommpayReport, at instant: Int64?, _ kind: String
    ) -> ProviderNotice? {
        var verdict: Verdict?
        if operation.type == "refund reverse" {
            guard operation.status == "success" else { return hint(report).first }
            let said = ProviderMessage(code: operation.code, message: operation.message)
            verdict = .declined(Decline(.failedAfterApproval, provider: said))
        } else {
            verdict = try? EcommpayMapping.verdict(operation, kind, of: report.payment)
        }
        var notice = ProviderNotice(
            .reference(operation.id, [.refund]), verdict, at: instant, kind: kind)
        notice.original = report.payment
        return notice
    }

    /// A change of what is held. Where it is none of our own, the provider made it shortly before the hold's limit, or
    /// a person at the dashboard did: how much is left of a hold is reported only where it is captured or gone.
    private func changed(
        _ operation: EcommpayReport.Operation, _ request: String, _ report: EcommpayReport, at instant: Int64?,
        _ kind: String
    ) -> ProviderNotice {
        let isCapture = operation.type == "capture"
        let isGone = operation.type == "cancel" && EcommpayMapping.cancelled.contains(report.status)
        let verdict =
            isCapture || isGone ? try? EcommpayMapping.verdict(operation, kind, of: report.payment) : nil
        let kinds: Set<PaymentOperation> = isCapture ? [.capture] : isGone ? [.void] : [.adjust, .void]
        var notice = ProviderNotice(.reference(request, kinds), verdict ?? nil, at: instant, kind: kind)
        if verdict != nil { notice.original = report.payment }
        return notice
    }
}

/// Whether what a callback decides by has the form that the documents give it.
///
/// The signature covers paths and values as one text, with a colon between them: a value with a colon in it has the same
/// signature as an object that holds its second half, and an empty list has none. So a member that is missing because it
/// is in another form must not be read as missing.
enum EcommpayCallbackForm {
    /// Which values a member can have.
    private enum Form { case text, name, sum }

    private static let payment: [(name: String, form: Form)] = [
        ("id", .text), ("status", .text), ("type", .text), ("method", .text), ("date", .text), ("sum", .sum),
        ("merchant_refund_id", .text),
    ]
    private static let operation: [(name: String, form: Form)] = [
        ("id", .name), ("type", .text), ("status", .text), ("date", .text), ("created_date", .text),
        ("request_id", .text), ("merchant_refund_id", .text), ("code", .name), ("message", .text), ("sum", .sum),
        ("sum_initial", .sum),
    ]

    /// Whether every member that a verdict is made of is missing or has its form.
    static func isDocumented(_ callback: JSON) -> Bool {
        if let inner = callback["payment"], !has(payment, inner) { return false }
        switch (callback["operation"], callback["operations"]) {
        case (nil, nil): return true
        case (let one?, nil): return has(operation, one)
        case (nil, let all?): return all.array.map { !$0.isEmpty && $0.allSatisfy { has(operation, $0) } } ?? false
        case (.some, .some): return false
        }
    }

    private static func has(_ members: [(name: String, form: Form)], _ json: JSON) -> Bool {
        guard json.object != nil else { return false }
        return members.allSatisfy { member in json[member.name].map { fits($0, member.form) } ?? true }
    }

    private static func fits(_ json: JSON, _ form: Form) -> Bool {
        if json == .null { return true }
        return switch form {
        case .text: json.string != nil
        case .name: json.string != nil || json.number != nil
        case .sum: json["amount"]?.number != nil && json["currency"]?.string != nil
        }
    }
}

/// Receives over a WebSocket that a payment has changed; how it is now is always asked for.
///
/// A push may come late, twice, or be older than what is known already, so that it only ends a pause. What happened
/// before the line was open, and what was lost when it was cut, is found by the asking that follows both.
struct EcommpayEvents: Sendable {
    private let transport: any WebSocketTransport
    private let request: HTTPRequest
    private let isOpen = Locked(false)

    /// The line of a session; nil where nothing opens lines.
    init?(_ transport: (any WebSocketTransport)?, _ configuration: EcommpayConfiguration, _ session: Secret) {
        guard let transport, let origin = configuration.events else { return nil }
        self.transport = transport
        let query = FormEncoding.encode([FormField("sid", session.expose())], spaces: .percent)
        request = HTTPRequest("GET", origin, "\(configuration.sessionPath)\(EcommpayPath.events)?\(query)")
    }

    /// Whether the line is open, so that polling every other second is not needed.
    var isHearing: Bool { isOpen.withLock { $0 } }

    /// Listens until the line is cut or the task is cancelled.
    func listen(_ context: PaymentContext) async {
        guard let line = try? await transport.connect(request) else { return }
        tell(true, context)
        while (try? await line.receive()) != nil { context.wake() }
        tell(false, context)
    }

    private func tell(_ isOpen: Bool, _ context: PaymentContext) {
        self.isOpen.withLock { $0 = isOpen }
        context.wake()
    }
}

/// The steps of payments under way that the provider reports by callbacks: the Gate's status has no place for most of
/// them.
///
/// A task that follows a payment expects its steps; a callback that comes to the same process brings one. Each is
/// handed over once, however often its callback is sent.
final class EcommpaySteps: Sendable {
    private struct Followed: Sendable {
        var steps: [EcommpayReport] = []
        /// The signatures of the callbacks that were received.
        var heard: Set<String> = []
        var followers = 1
    }

    /// How many callbacks of one payment are kept at most; it has a handful of steps.
    static let heardMax = 64

    private let payments = Locked([String: Followed]())

    /// Keeps the steps of a payment from now on.
    func expect(_ payment: String) {
        payments.withLock { payments in
            if payments[payment] == nil { payments[payment] = Followed() } else { payments[payment]?.followers += 1 }
        }
    }

    /// Forgets a payment that no task follows any more.
    func forget(_ payment: String) {
        payments.withLock { payments in
            payments[payment]?.followers -= 1
            if payments[payment]?.followers ?? 0 <= 0 { payments[payment] = nil }
        }
    }

    /// Keeps a step for the task that follows its payment.
    func tell(_ report: EcommpayReport, _ signature: String) {
        payments.withLock { payments in
            guard report.question != nil, var followed = payments[report.payment],
                followed.heard.count < Self.heardMax, followed.heard.insert(signature).inserted
            else { return }
            followed.steps.append(report)
            payments[report.payment] = followed
        }
    }

    /// The next step of a payment, which is handed over once.
    func take(_ payment: String) -> EcommpayReport? {
        payments.withLock { payments in
            guard payments[payment]?.steps.isEmpty == false else { return nil }
            return payments[payment]?.steps.removeFirst()
        }
    }
}

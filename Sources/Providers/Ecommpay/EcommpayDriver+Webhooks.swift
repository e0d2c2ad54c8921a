public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension EcommpayDriver: WebhookDriver {
    /// Reads a callback, in each of its shapes; callbacks come to a server, so only one with the secret believes them.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let body = try? JSONReader().read(message.body) else {
            throw PaymentError.notExecuted(.unreadableReply, "the callback could not be read")
        }
        if let doubt = EcommpaySigning.doubt(about: body, configuration.secret ?? Secret(""), crypto) {
            throw PaymentError.notExecuted(.signatureInvalid, "the callback is not believed: \(doubt)")
        }
        let project =
            EcommpayRefusal.text(body["project_id"]) ?? EcommpayRefusal.text(body["general"]?["project_id"])
        if let project, project != String(configuration.project) {
            throw PaymentError.notExecuted(.signatureInvalid, "the callback is another project's")
        }
        let id = try id(of: body)
        return notices(in: body).map { notice in
            var notice = notice
            notice.id = id
            return notice
        }
    }

    /// One signed content is one message, in whatever form its values stand: names of objects and the values in them are
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
        guard let notice = notice(operation, report) else { return [] }
        return isAmbiguous || operation.at == nil ? [notice.asHint] : [notice]
    }

    /// A step on the way: somebody has to look. What can't be a name of ours is somebody else's payment.
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
        // The provider's times have no fractions: what happened within a second is as late as its end.
        let instant = operation.at.map { $0.addingReportingOverflow(999).partialValue }
        if operation.isRefund, let name = operation.refund {
            // A refund that comes back names the refund; beside it stands that it was done once.
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
        if operation.isRefund { return givenBack(operation, report, at: instant, kind) }
        guard let request = operation.request else { return nil }
        return changed(operation, request, report, at: instant, kind)
    }

    /// A refund without our name for it, as one at the dashboard: the provider's own, on the payment. What comes back of one
    /// does not say of which, so that the payment has to be asked.
    private func givenBack(
        _ operation: EcommpayReport.Operation, _ report: EcommpayReport, at instant: Int64?, _ kind: String
    ) -> ProviderNotice? {
        if operation.type == "refund reverse" { return hint(report).first }
        let verdict = try? EcommpayMapping.verdict(operation, kind, of: report.payment)
        var notice = ProviderNotice(
            .reference(operation.id, [.refund, .void]), verdict ?? nil, at: instant, kind: kind)
        notice.original = report.payment
        return notice
    }

    /// A change of what is held. Where it is none of ours, the provider made it shortly before the hold's limit, or
    /// somebody at the dashboard did: how much is left of a hold is told only where it is captured or gone.
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

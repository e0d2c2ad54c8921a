internal import PaymentProviderKit

/// Explains payments, captures, refunds, voids, reports, orders, webhooks and refusals.
struct NIInspector: Inspector {
    func inspect(_ message: InspectedMessage) -> [Inspection] {
        let json = try? JSONReader().read(message.body)
        if let status = message.httpStatus, !(200..<300).contains(status) {
            return [NIInspector.refusal(json ?? .null, status)]
        }
        if message.httpStatus == 204, message.body.isEmpty { return [Inspection("no payment", .none, .notExecuted)] }
        guard let json, json.object != nil else { return [.unknown("unreadable")] }
        return Self.known.noting(items(json, message.operation), in: json)
    }

    private func items(_ json: JSON, _ operation: PaymentOperation?) -> [Inspection] {
        if json["eventName"] != nil { return [NIEventMeaning.inspection(json)] }
        if let list = json["items"]?.array {
            // That nothing was found proves nothing.
            return list.isEmpty ? [Inspection("empty list", .none, .unknown)] : list.map { line($0) }
        }
        if json["capturesNRefunds"] != nil || json["captureStatus"] != nil { return order(json, operation) }
        if json["state"] != nil { return payment(json, operation) }
        if let payments = json["_embedded"]?["payment"]?.array, !payments.isEmpty {
            return payments.flatMap { payment($0, operation) }
        }
        for (name, word) in [("refundId", "refund"), ("voidId", "void")] where json[name] != nil {
            return [action(json, name, word)]
        }
        if json["status"] != nil, operation == .refund || operation == .void {
            return [action(json, "", operation == .void ? "void" : "refund")]
        }
        return [
            request(json, operation) ?? other(json)
                ?? Self.refusal(json, json["code"]?.int64.map { Int(clamping: $0) })
        ]
    }

    // MARK: What became of a payment

    private func payment(_ json: JSON, _ operation: PaymentOperation?) -> [Inspection] {
        guard let payment = NIPayment(json) else { return [.unknown("payment")] }
        var found: [Inspection] = []
        if let captures = payment.captures, operation == nil || operation == .capture {
            found = captures.map { movement($0, "capture") }
        } else {
            let isHeld = payment.state == "AUTHORISED"
            let due = operation ?? (isHeld ? .authorize : .sale)
            found = [
                judged("payment \(payment.state)", due) { () throws(PaymentError) in
                    try NIMapping.verdict(payment, due)
                }
            ]
            found[0].amount = found[0].amount ?? payment.amount?.money
        }
        if found.isEmpty { found = [.unknown("payment \(payment.state)")] }
        return found.map { item in
            var item = item
            item.providerReference = item.providerReference ?? payment.reference
            item.originalReference = payment.order
            return item
        }
    }

    private func order(_ json: JSON, _ operation: PaymentOperation?) -> [Inspection] {
        guard let order = NIOrder(json), order.hasWord, (try? NIMapping.details(order, now: 0)) != nil else {
            return [.unknown("order")]
        }
        let (captures, refunds) = (
            order.captures.map { movement($0, "capture") }, order.refunds.map { movement($0, "refund") }
        )
        var found: [Inspection]
        switch operation {
        case .capture: found = captures
        case .refund: found = refunds
        default:
            let due = operation ?? (order.action == "AUTH" ? .authorize : .sale)
            found = [
                judged("order \(order.state)", due) { () throws(PaymentError) in
                    try NIMapping.verdict(order, due)
                }
            ]
            found[0].amount = found[0].amount ?? order.amount?.money
            if operation == nil { found += captures + refunds }
        }
        if found.isEmpty { found = [.unknown("order \(order.state)")] }
        return found.map { item in
            var item = item
            item.providerReference = item.providerReference ?? order.reference
            item.originalReference = item.providerReference == order.reference ? nil : order.reference
            return item
        }
    }

    /// What was voided is cancelled as a payment, and done as a void.
    private func judged(
        _ kind: String, _ operation: PaymentOperation, _ verdict: () throws(PaymentError) -> Verdict
    ) -> Inspection {
        do {
            let verdict = try verdict()
            if operation == .void {
                guard case .cancelled(let ended) = verdict, ended.provider?.code == "REVERSED" else {
                    return .unknown(kind)
                }
                return Inspection(kind, .approved, .executed)
            }
            return Inspection(kind, verdict)
        } catch { return .unknown(kind) }
    }

    private func movement(_ movement: NIMovement, _ name: String) -> Inspection {
        guard let amount = movement.amount?.money else { return .unknown(name) }
        var found = followUp(movement.state, name, movement.name, amount)
        found.amount = amount
        return found
    }

    private func action(_ json: JSON, _ name: String, _ word: String) -> Inspection {
        guard let action = NIAction(json, name: name) else { return .unknown(word) }
        var found = followUp(action.status, word, action.name, .zero(.aed))
        found.amount = nil  // The answer names none.
        return found
    }

    /// What is refused after a payment was taken has come to nothing; the payment itself is.
    private func followUp(_ word: String, _ name: String, _ reference: String?, _ amount: Money) -> Inspection {
        let kind = "\(name) \(word)"
        guard let verdict = try? NIMapping.verdict(word, name, reference, amount) else { return .unknown(kind) }
        var found = Inspection(kind, verdict)
        if case .declined(let decline) = verdict {
            found = Inspection(kind, .failed, .notExecuted)
            found.decline = decline
        }
        found.providerReference = reference.flatMap { $0.isEmpty ? nil : $0 }
        return found
    }

    /// A line of the report, whose amounts are in major units.
    private func line(_ json: JSON) -> Inspection {
        guard let item = NIListItem(json) else { return .unknown("line") }
        let kind = "\(item.action) \(item.status)"
        var found = Inspection.unknown(kind)
        if ["PURCHASE", "SALE", "AUTH"].contains(item.action) {
            switch item.status {
            case "SUCCESS" where item.amount != nil && item.lastEvent != "FAILED":
                let isUndone = item.lastEvent == "REVERSED"
                found = Inspection(kind, isUndone ? .cancelled : .approved, isUndone ? .notExecuted : .executed)
            case "FAILED": found = Inspection(kind, .declined, .notExecuted)
            case "PENDING", "STARTED": found = Inspection(kind, .pending, .unknown)
            default: break
            }
        }
        (found.amount, found.providerReference) = (item.amount, item.reference)
        return found
    }

    // MARK: Everything else

    private func request(_ json: JSON, _ operation: PaymentOperation?) -> Inspection? {
        if json["payment"] != nil, json["tid"] != nil { return Inspection("payment request", .none, .unknown) }
        if let amount = json["amount"] {
            let isNew = json["action"] != nil
            guard isNew || json.object?.count == 1 else { return nil }
            var found = Inspection(isNew ? "order request" : "request for an amount", .none, .unknown)
            found.amount = NIAmount(amount)?.money
            found.attempt = json["merchantOrderReference"]?.string
            return found
        }
        if json.object?.isEmpty == true, operation == .void { return Inspection("void request", .none, .unknown) }
        return nil
    }

    /// Tokens and terminals: nothing about money.
    private func other(_ json: JSON) -> Inspection? {
        if json["errors"] != nil || json["code"] != nil { return nil }
        let names = ["access_token", "token", "currency", "deviceCode", "deviceIdentifier"]
        return names.contains { json[$0] != nil } ? Inspection("no payment", .none, .notExecuted) : nil
    }

    private static func refusal(_ json: JSON, _ status: Int?) -> Inspection {
        let said = NIRefusal(json)
        var found = Inspection("error", code: said.code, words: said.message, httpStatus: status, .ni)
        if let decline = NIMapping.decline(status ?? 400, said) {
            found = Inspection("error", .declined, .notExecuted)
            found.decline = decline
        }
        found.unknownFields = known.unknown(in: json)
        return found
    }

    private static let known = KnownFields(
        """
        _id access_token action amount authCode authResponse authenticationCode authorised authorizationCode captureStatus
        captured capturesNRefunds cardPan cardScheme cardToken cardholderName channel cnp:capture cnp:refund code
        createDateTime createdDateTime createdTime currency currencyCode device deviceCode deviceIdentifier domain
        emailAddress errorCode errors eventGroupType eventId eventName events expires_in expiry formattedValue
        href issuingOrg items language lastEvent locale localizedMessage maskedPan maskedPanNumber merchantAttributes
        merchantOrderReference message mid minorUnit name net order orderReference originIp outletId outletName pan
        partialAmount payload payment paymentAmount paymentCards paymentCurrency paymentInfo paymentMethod
        paymentProcessor paymentReference pending recaptureCsc reference referrer refresh_expires_in refresh_token
        refundId refunded refundedAmount resultCode resultMessage rrn savedCard scheme self state status success
        systemAuditTraceNumber tid timestamp token token_type updateDateTime userCode value voidId _embedded
        """, open: "_links 3ds 3ds2 merchantAttributes merchantDetails paymentMethods")
}

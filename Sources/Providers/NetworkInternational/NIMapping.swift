internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum NIMapping {
    /// Where the provider takes cards on phones.
    static let country = "AE"

    /// How long a token is used that doesn't say how long it lives.
    private static let defaultSeconds: Int64 = 300

    static func token(_ json: JSON?) throws(PaymentError) -> (token: Secret, milliseconds: Int64) {
        let life = json?["expires_in"]
        let seconds = life?.int64 ?? life?.string.flatMap { Int64($0) } ?? (life == nil ? defaultSeconds : 0)
        guard let token = json?["access_token"]?.string, !token.isEmpty, (1...31_536_000).contains(seconds)
        else { throw PaymentError.notExecuted(.unreadableReply, "the answer holds no token") }
        return (Secret(token), seconds * 1_000)
    }

    /// When a token is used no more; its life is at most a year.
    static func end(of grant: (token: Secret, milliseconds: Int64), from now: Int64) -> Int64 {
        now.addingReportingOverflow(grant.milliseconds).partialValue
    }

    /// A device token as an application's server gives it: the platform's own answer, or the token alone.
    static func deviceToken(_ given: Secret) throws(PaymentError) -> (token: Secret, milliseconds: Int64) {
        let answer = try? JSONReader().read(Array(given.expose().utf8))
        return answer?.object == nil ? (given, defaultSeconds * 1_000) : try token(answer)
    }

    /// What a purchase or an authorisation ended with; a word that does not belong to it proves nothing.
    static func verdict(_ payment: NIPayment, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        let references = ["payment": payment.reference, "order": payment.order]
        switch (payment.state, operation) {
        case ("PURCHASED", .sale), ("CAPTURED", .sale), ("AUTHORISED", .authorize):
            guard payment.isSuccess != false, let amount = payment.amount?.money else { throw .unmapped(payment.state) }
            return .approved(Approval(amount, references: references, receipt: receipt(payment)))
        case ("PARTIALLY_AUTHORISED", _):
            // The amount may be what was asked for; the part then is in the issuer's answer.
            guard payment.isSuccess != false, let part = payment.part?.money ?? payment.amount?.money else {
                throw .unmapped(payment.state)
            }
            var approval = Approval(part, references: references, receipt: receipt(payment))
            approval.isPartial = true
            return .approved(approval)
        case ("FAILED", _), ("DECLINED", _):
            if payment.isSuccess == true { throw .unmapped(payment.state) }
            let code = payment.resultCode ?? ""
            let said = ProviderMessage(code: code, message: payment.resultMessage ?? "")
            return .declined(Decline(.init(issuerResponse: code), provider: said, references: references))
        default: return try open(payment.state, references)
        }
    }

    static let refusals: [String: Decline.Reason] = [
        "113": .invalidCard, "114": .cardNotSupported, "118": .limitExceeded,
    ]
    /// What the codes of issuers and of the provider mean.
    static let reasons = Decline.Reason.isoResponseCodes.merging(refusals, uniquingKeysWith: { _, own in own })

    /// Three refusals are about the card, or the amount for it, and not about the request.
    static func decline(_ status: Int, _ said: NIRefusal) -> Decline? {
        guard status < 500, let reason = refusals[said.code] else { return nil }
        return Decline(reason, provider: ProviderMessage(code: said.code, message: said.message))
    }

    /// What an order says about the sale or the authorisation in it; of several cards, about the payment that is known.
    static func verdict(
        _ order: NIOrder, _ operation: PaymentOperation, known: String? = nil
    ) throws(PaymentError) -> Verdict {
        var references = ["order": order.reference]
        let payments = order.cards.compactMap(\.payment)
        references["payment"] = payments.first { $0 == known } ?? payments.first
        switch (order.state, operation) {
        case ("AUTHORISED", .authorize), ("PARTIALLY_CAPTURED", .authorize), ("PURCHASED", .sale), ("CAPTURED", _),
            ("PARTIALLY_REFUNDED", _), ("REFUNDED", _):
            guard let amount = moved(order, operation), references["payment"] != nil else {
                throw .unmapped(order.state)
            }
            var approval = Approval(amount, references: references, card: card(order))
            approval.isPartial = amount != order.amount?.money
            return .approved(approval)
        case ("FAILED", _):
            let code = order.result?.code ?? ""
            let said = ProviderMessage(code: code, message: order.result?.message ?? "")
            return .declined(Decline(.init(issuerResponse: code), provider: said, references: references))
        default: return try open(order.state, references)
        }
    }

    /// What was charged or held. An order's amount is what was ordered; its sums are less where a part was approved. A sum that
    /// a later movement may have changed is not read.
    static func moved(_ order: NIOrder, _ operation: PaymentOperation) -> Money? {
        guard let ordered = order.amount?.money else { return nil }
        let sum = operation == .sale ? "captured" : "authorised"
        let isFresh =
            operation == .sale
            ? order.info["refunded"]?.value ?? 0 == 0
            : order.state == "AUTHORISED" && order.info["captured"]?.value ?? 0 == 0
        guard isFresh, let part = order.info[sum]?.money, part.currency == ordered.currency,
            (1..<ordered.minorUnits).contains(part.minorUnits)
        else { return ordered }
        return part
    }

    /// The states that are neither approved nor declined, in both places.
    private static func open(_ state: String, _ references: PaymentReferences) throws(PaymentError) -> Verdict {
        switch state {
        case "STARTED", "PENDING", "POST_AUTH_REVIEW":
            return .pending(
                Pending(references: references, provider: ProviderMessage(code: state), shouldPoll: false))
        case "REVERSED", "PARTIAL_AUTH_DECLINED", "CANCELLED", "CANCELED":
            return .cancelled(
                Cancellation(
                    cause: .provider, provider: ProviderMessage(code: state), references: references, wasReversed: true)
            )
        default: throw .unmapped(state)
        }
    }

    /// What the journal calls a movement: a capture has nothing but its time, which another order's may have as well.
    static func own(_ movement: String, _ name: String, of order: String) -> String {
        name == "capture" && !movement.isEmpty ? "\(order) \(movement)" : movement
    }

    /// What became of the one capture or refund that is ours.
    static func verdict(
        of movements: ArraySlice<NIMovement>, _ name: String, asked: Money, order: String
    ) throws(PaymentError) -> Verdict {
        guard movements.count == 1, let ours = movements.first, let amount = ours.amount?.money, amount == asked else {
            throw PaymentError.unknown(.mismatch, "the answer does not show our \(name)")
        }
        return try verdict(ours.state, name, own(ours.name, name, of: order), amount)
    }

    /// What the word of a capture, a refund or a void means.
    static func verdict(
        _ word: String, _ name: String, _ reference: String?, _ amount: Money
    ) throws(PaymentError) -> Verdict {
        var references: PaymentReferences = [:]
        if let reference, !reference.isEmpty { references[name] = reference }
        switch word {
        case "SUCCESS": return .approved(Approval(amount, references: references))
        case "REQUESTED" where !references.isEmpty, "PENDING" where !references.isEmpty,
            "SUBMITTED" where !references.isEmpty, "PROCESSING" where !references.isEmpty:
            return .pending(Pending(references: references, provider: ProviderMessage(code: word), shouldPoll: false))
        case "FAILED":
            let said = ProviderMessage(code: word)
            return .declined(Decline(.declinedByProvider, provider: said, references: references))
        default: throw .unmapped(word)
        }
    }

    private static func receipt(_ payment: NIPayment) -> Receipt {
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (payment.authorizationCode, payment.resultCode)
        (receipt.responseText, receipt.retrievalReference) = (payment.resultMessage, payment.retrievalReference)
        receipt.at = payment.at
        var merchant = Receipt.Merchant()
        merchant.merchantID = payment.merchantNumber
        receipt.merchant = merchant
        return receipt
    }
}

extension NIMapping {
    private static let dayMilliseconds: Int64 = 86_400_000
    private static let dubaiMilliseconds: Int64 = 4 * 3_600_000

    /// The midnight of Dubai after a moment, when what was charged by then is settled.
    static func settlement(after instant: Int64) -> Int64 {
        let local = instant + dubaiMilliseconds
        return local - local % dayMilliseconds + dayMilliseconds - dubaiMilliseconds
    }

    static func card(_ order: NIOrder) -> CardSummary? {
        order.cards.first.map { card in
            var summary = CardSummary(brand: card.scheme, maskedNumber: card.maskedNumber)
            let parts = (card.expiry ?? "").split(separator: "-")
            if parts.count == 2 { summary.expiry = "\(parts[1])/\(parts[0].suffix(2))" }
            summary.entry = "contactless"
            summary.holder = card.holder.map { PersonalData($0) }
            return summary
        }
    }

    /// Everything about an order; an amount whose decimals are not ours makes all of it unreadable.
    static func details(_ order: NIOrder, now: Int64) throws(PaymentError) -> PaymentDetails {
        for (name, amount) in order.info where amount.money == nil && amount.isBelievable {
            throw PaymentError.notExecuted(
                .unreadableReply,
                "the provider gives \(amount.currencyCode) \(amount.minorUnit ?? -1) decimals in \(name); leave it out of the setting currencies"
            )
        }
        var references = ["order": order.reference]
        references["payment"] = order.cards.lazy.compactMap(\.payment).first
        var details = PaymentDetails(order.state, references: references)
        (details.at, details.kind, details.amount) = (order.at, order.action, order.amount?.money)
        details.captured = order.info["captured"]?.money
        details.refunded = order.info["refunded"]?.money
        details.captures = order.captures.compactMap { movement($0) }
        details.refunds = order.refunds.compactMap { movement($0) }
        (details.source, details.card) = (order.channel, card(order))
        if let id = order.device?["code"]?.string {
            var device = DeviceSummary(id, name: order.device?["name"]?.string)
            device.terminalID = order.terminal
            details.device = device
        }
        details.additional["status"] = order.status
        details.additional["outletName"] = order.outletName
        details.additional["deviceReference"] = order.device?["reference"]?.string
        for name in ["authorised", "net", "pending"] {
            details.additional[name] = order.info[name]?.money.map { "\($0)" }
        }
        let events = order.events.compactMap { $0["eventName"]?.string }
        if !events.isEmpty { details.additional["events"] = events.joined(separator: ",") }
        (details.isSettled, details.operations) = eligibility(order, now: now)
        return details
    }

    /// What the provider's own kit derives as `voidEnabled` and `refundEnabled`.
    private static func eligibility(_ order: NIOrder, now: Int64) -> (Bool?, [PaymentDetails.AvailableOperation]) {
        let isOpen = ["AUTHORISED", "PARTIALLY_CAPTURED", "CAPTURED", "PURCHASED", "PARTIALLY_REFUNDED"]
        guard isOpen.contains(order.state), let captured = order.info["captured"]?.money,
            let refunded = order.info["refunded"]?.money
        else { return (nil, []) }
        let charged = order.captures.filter { $0.state == "SUCCESS" }.compactMap(\.at).max() ?? order.at ?? now
        let underWay = order.movements.filter { $0.state == "REQUESTED" }
        let isSettled = captured.minorUnits > 0 && now >= settlement(after: charged)
        var operations: [PaymentDetails.AvailableOperation] = []
        if refunded.minorUnits == 0, !isSettled, underWay.isEmpty {
            operations.append(PaymentDetails.AvailableOperation("void", .void))
        }
        // What is decided later reserves what it will take.
        let refunds = order.refunds.filter { $0.state == "REQUESTED" }.map(\.amount)
        if isSettled, let most = left(of: captured, without: [order.info["refunded"]] + refunds) {
            operations.append(PaymentDetails.AvailableOperation("refund", .refund, amount: most))
        }
        let captures = order.captures.filter { $0.state == "REQUESTED" }.map(\.amount)
        if order.action == "AUTH", let pending = order.info["pending"]?.money,
            let most = left(of: pending, without: captures)
        {
            operations.append(PaymentDetails.AvailableOperation("capture", .capture, amount: most))
        }
        return (isSettled, operations)
    }

    /// What is left when all that is gone is taken off; nil where that is nothing.
    private static func left(of whole: Money, without gone: [NIAmount?]) -> Money? {
        var units = whole.minorUnits
        for amount in gone {
            let (rest, overflow) = units.subtractingReportingOverflow(amount?.value ?? 0)
            guard !overflow, rest > 0 else { return nil }
            units = rest
        }
        return units > 0 ? Money(minorUnits: units, whole.currency) : nil
    }

    private static func movement(_ movement: NIMovement) -> PaymentDetails.Movement? {
        guard let amount = movement.amount?.money else { return nil }
        var listed = PaymentDetails.Movement(movement.name, amount, state: movement.state)
        (listed.at, listed.followUp) = (movement.at, movement.action)
        return listed
    }

    /// What its report shows; it calls a payment a success, whatever became of it later.
    static let listed = ListedTransactions(
        [.hold, .charge, .refund], hasRefundTotals: true,
        words: [
            "AUTH": .payment, "PURCHASE": .payment, "SALE": .payment, "SUCCESS": .executed, "FAILED": .refused,
            "PENDING": .pending, "STARTED": .pending,
        ])

    static func details(_ item: NIListItem) -> PaymentDetails {
        var details = PaymentDetails(item.status, references: ["order": item.reference])
        (details.at, details.kind, details.amount) = (item.at, item.action, item.amount)
        (details.refunded, details.source) = (item.refunded, item.channel)
        var card = CardSummary(brand: item.scheme, maskedNumber: item.maskedNumber)
        card.holder = item.holder.map { PersonalData($0) }
        details.card = card
        var receipt = Receipt()
        (receipt.retrievalReference, receipt.authorizationCode) = (item.retrievalReference, item.authorizationCode)
        details.receipt = receipt
        details.additional["lastEvent"] = item.lastEvent
        details.additional["outletName"] = item.outletName
        return details
    }
}

/// What the name of an event says; the adapter itself takes every event as a hint and asks for the order.
enum NIEventMeaning {
    private static let done: Set<String> = [
        "AUTHORISED", "PURCHASED", "CAPTURED", "PARTIALLY_CAPTURED", "REFUNDED", "PARTIALLY_REFUNDED",
        "FULL_AUTH_REVERSED", "PURCHASE_REVERSED", "CAPTURE_VOIDED",
    ]
    private static let refused: Set<String> = [
        "DECLINED", "PURCHASE_DECLINED", "GATEWAY_RISK_PRE_AUTH_REJECTED", "PRE_AUTH_FRAUD_CHECK_REJECTED",
        "POST_AUTH_FRAUD_CHECK_REJECTED",
    ]
    /// A refund that is cancelled before midnight has come to nothing too.
    private static let nothing: Set<String> = [
        "AUTHORISATION_FAILED", "FULL_AUTH_REVERSAL_FAILED", "PURCHASE_FAILED", "PURCHASE_REVERSAL_FAILED",
        "CAPTURE_FAILED", "CAPTURE_VOID_FAILED", "CANCELLATION_FAILED", "PARTIAL_CAPTURE_FAILED", "REFUND_FAILED",
        "REFUND_REQUEST_FAILED", "PARTIAL_REFUND_FAILED", "PARTIAL_REFUND_REQUEST_FAILED", "REFUND_VOIDED",
        "REFUND_VOID_FAILED",
    ]
    private static let waiting: Set<String> = [
        "CANCELLATION_REQUESTED", "REFUND_REQUESTED", "PARTIAL_REFUND_REQUESTED", "REFUND_VOID_REQUESTED",
        "POST_AUTH_FRAUD_CHECK_REVIEW", "APM_PAYMENT_ACCEPTED",
    ]
    /// Events about a payment as a whole, whose amount is the payment's own.
    private static let origins: Set<String> = ["AUTHORISED", "PURCHASED", "DECLINED", "PURCHASE_DECLINED"]
    /// States that no payment has of which something was done.
    private static let contradicting: Set<String> = ["FAILED", "STARTED", "PENDING", "AWAIT_3DS", "AWAIT3DS"]

    static func inspection(_ json: JSON) -> Inspection {
        guard let hook = NIWebhook(json) else { return .unknown("webhook") }
        let payment = json["order"]?["_embedded"]?["payment"]?[0]
        var found = meaning(hook.event, state: payment?["state"]?.string)
        found.providerReference = payment?["reference"]?.string ?? hook.order
        found.originalReference = hook.order
        if origins.contains(hook.event) {
            found.amount = NIAmount(payment?["amount"])?.money ?? NIAmount(json["order"]?["amount"])?.money
        }
        if let movement = lastMovement(hook.event, payment) {
            found.amount = NIAmount(movement["amount"])?.money
        }
        return found
    }

    private static func meaning(_ event: String, state: String?) -> Inspection {
        if done.contains(event) {
            let isBelied = state.map { contradicting.contains($0) } ?? false
            return isBelied ? .unknown(event) : Inspection(event, .approved, .executed)
        }
        if refused.contains(event) { return Inspection(event, .declined, .notExecuted) }
        if nothing.contains(event) { return Inspection(event, .failed, .notExecuted) }
        if waiting.contains(event) { return Inspection(event, .pending, .unknown) }
        switch event {
        case "CANCELLED": return Inspection(event, .cancelled, .notExecuted)
        case "ORDER_CLOSED": return Inspection(event, .none, .notExecuted)
        case "POST_AUTH_FRAUD_CHECK_ACCEPTED": return Inspection(event, .none, .unknown)
        default: return .unknown(event)
        }
    }

    /// The capture or the refund that an event is most likely about, which is the only one, where there is only one.
    private static func lastMovement(_ event: String, _ payment: JSON?) -> JSON? {
        let isRefund = event.contains("REFUND")
        guard isRefund || event.contains("CAPTURE") else { return nil }
        let listed = payment?["_embedded"]?[isRefund ? "cnp:refund" : "cnp:capture"]?.array ?? []
        return listed.count == 1 ? listed[0] : nil
    }
}

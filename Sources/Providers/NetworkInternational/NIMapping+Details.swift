internal import PaymentAbstraction
internal import PaymentBase

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

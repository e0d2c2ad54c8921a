internal import PaymentAbstraction
internal import PaymentBase

/// Reads any Terminal API message, webhook or back-office reply, and says in neutral words what happened to the money.
///
/// It is pure: bytes in, findings out; nothing is sent and no key is needed, so that nothing that it says is proven to
/// come from the company.
public enum AdyenInspector {
    /// What happened to the money, as far as one message says it.
    public enum Money: String, Hashable, Sendable, CaseIterable {
        /// It was taken or set aside.
        case moved
        /// It was given back or let go.
        case returned
        /// Nothing moved.
        case notMoved
        /// It was accepted, and decided later.
        case pending
        /// What was done before has come to nothing.
        case undone
        /// The message is not about money.
        case none
        /// Nobody can tell from this message.
        case unknown
    }

    /// What one message, or one item of it, says.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// What kind of message it is, in the company's words.
        public let kind: String
        public let money: Money
        /// The amount as it stands in the message, with its currency; empty where there is none.
        public let amount: String
        /// Why, in the company's words, with anything that looks like a card number masked.
        public let words: String

        public var description: String {
            [kind, money.rawValue, amount, words].filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    /// Everything that the bytes say; one *unknown* where they can't be judged.
    public static func findings(_ bytes: [UInt8]) -> [Finding] {
        guard let json = try? JSONReader().read(bytes) else { return [unknown("unreadable")] }
        if let items = NotificationItem.items(json) {
            let found = items.map { item($0) }
            return found.isEmpty ? [unknown("a webhook without items")] : found
        }
        if let message = NexoMessage(json) { return [self.message(message, json)] }
        if let reply = ModificationReply(json) {
            let amount = reply.minorUnits.map { "\($0) minor units \(reply.currency ?? "")" } ?? ""
            return [
                reply.isReceived
                    ? found("back office", .pending, amount, reply.status)
                    : found("back office", .unknown, amount, reply.status)
            ]
        }
        if let code = json.member("errorCode")?.text ?? json.member("status")?.text {
            let row = ErrorTable.adyen[code] ?? json.member("status")?.text.flatMap { ErrorTable.adyen[$0] }
            let words = "\(code) \(json.member("message")?.text ?? json.member("detail")?.text ?? "")"
            return [found("refusal", row?.delivery == .refused ? .notMoved : .unknown, "", words)]
        }
        return [unknown("no message that we know")]
    }

    /// Whether every finding can be judged.
    public static func canJudge(_ findings: [Finding]) -> Bool { findings.allSatisfy { $0.money != .unknown } }

    private static func unknown(_ words: String) -> Finding { found("message", .unknown, "", words) }

    private static func found(_ kind: String, _ money: Money, _ amount: String, _ words: String) -> Finding {
        let said = ProviderMessage(code: kind, message: words)
        return Finding(kind: said.code, money: money, amount: amount, words: said.message)
    }

    // MARK: Messages

    private static func message(_ message: NexoMessage, _ json: JSON) -> Finding {
        let kind = message.bodyName.isEmpty ? message.header.category.rawValue : message.bodyName
        let root = json.member(message.isReply ? NexoMessage.responseRoot : NexoMessage.requestRoot)
        if root?.member("NexoBlob") != nil { return found(kind, .unknown, "", "it is encrypted") }
        switch message.rejection {
        case .notDelivered(let said), .malformed(let said): return found(kind, .notMoved, "", said)
        case .unknown(let said): return found(kind, .unknown, "", said)
        case nil: break
        }
        guard message.isReply else {
            let isAsking = message.header.type == "Request" && isAboutMoney(message.header.category)
            return found(kind, isAsking ? .unknown : .none, "", isAsking ? "it asks; the answer tells" : "")
        }
        guard message.header.category == .status else { return reply(kind, message.header.category, message.body) }
        guard let response = message.response else { return found(kind, .unknown, "", "") }
        let repeated = message.body.member("RepeatedMessageResponse")
        guard response.result == "Success", let header = NexoHeader(repeated?.member("MessageHeader")),
            let body = repeated?.member("RepeatedResponseMessageBody")?.member(header.category.rawValue + "Response")
        else { return found(kind, .unknown, "", response.condition) }
        return reply(header.category.rawValue + "Response", header.category, body)
    }

    private static func isAboutMoney(_ category: NexoHeader.Category) -> Bool {
        [.payment, .reversal, .storedValue].contains(category)
    }

    private static func reply(_ kind: String, _ category: NexoHeader.Category, _ body: JSON) -> Finding {
        guard isAboutMoney(category) else { return found(kind, .none, "", "") }
        guard let reply = PaymentReply(body) else { return found(kind, .unknown, "", "it says nothing about success") }
        let response = reply.response
        switch response.result {
        case "Success", "Partial":
            if category == .reversal { return found(kind, .pending, "", "received; a webhook says what became of it") }
            guard category == .payment, let amount = reply.authorizedAmount, reply.poiTransactionID != nil else {
                return found(kind, .unknown, "", "the amount or the name is missing")
            }
            let isRefund = body.member("PaymentResult", "PaymentType")?.text == "Refund"
            if isRefund, response.additional["acquirerResponseCode"] == nil {
                return found(kind, .pending, shown(amount, reply), "received")
            }
            return found(kind, isRefund ? .returned : .moved, shown(amount, reply), response.result)
        case "Failure":
            let words = response.message.isEmpty ? response.condition : "\(response.condition) \(response.message)"
            let isRefused =
                AdyenReasons.declines[response.condition] != nil
                || AdyenReasons.cancellations[response.condition] != nil
                || ErrorTable.adyen[response.condition]?.delivery == .refused
            return found(kind, isRefused ? .notMoved : .unknown, "", words)
        default: return found(kind, .unknown, "", response.result)
        }
    }

    private static func shown(_ amount: JSONNumber, _ reply: PaymentReply) -> String {
        [amount.decimalText ?? "", reply.currency ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Webhooks

    private static func item(_ json: JSON) -> Finding {
        guard let item = NotificationItem(json) else { return unknown("an item that says nothing") }
        let units = Int64(item.amountValue)
        let exact = units.flatMap { try? AdyenAmounts.money($0, item.currency) }
        let amount = exact.map { "\($0)" } ?? ""
        return found(item.eventCode, money(item), amount, item.reason)
    }

    private static func money(_ item: NotificationItem) -> Money {
        switch (item.eventCode, item.success) {
        case ("AUTHORISATION", "true"), ("CAPTURE", "true"), ("AUTHORISATION_ADJUSTMENT", "true"): .moved
        case ("CANCELLATION", "true"), ("TECHNICAL_CANCEL", "true"), ("CANCEL_OR_REFUND", "true"), ("REFUND", "true"),
            ("REFUND_WITH_DATA", "true"):
            .returned
        case ("CAPTURE_FAILED", "true"), ("REFUND_FAILED", "true"), ("REFUNDED_REVERSED", "true"): .undone
        case ("AUTHORISATION", "false"), ("CAPTURE", "false"), ("AUTHORISATION_ADJUSTMENT", "false"),
            ("CANCELLATION", "false"), ("TECHNICAL_CANCEL", "false"), ("CANCEL_OR_REFUND", "false"),
            ("REFUND", "false"), ("REFUND_WITH_DATA", "false"):
            .notMoved
        case ("REPORT_AVAILABLE", _): .none
        default: .unknown
        }
    }
}

internal import PaymentCore
internal import PaymentProviderKit

extension Command {
    /// What belongs on a receipt.
    static let receipt = Command(
        name: "receipt", summary: "prints what belongs on a payment's receipt",
        example: "payctl receipt PAYMENT --copy customer",
        takes: .configured(
            "PAYMENT",
            with: [
                .value("copy", "WHOSE", "customer (the default) or merchant")
            ])
    ) { call in
        let text = try call.operand(0, "PAYMENT")
        let copy: Receipt.Line.Copy = try ReceiptCopy(call).copy
        return try await CommandSession.use(call, .journal) { till in
            let payment = try await till.client.payment(try await till.payment(text))
            let receipts = payment.attempts.compactMap { record in record.receipt.map { (record, $0) } }
            let amounts = payment.amounts
            call.say(
                ["receipts": .array(receipts.map { $0.1.json($0.0, amounts) })],
                payment.receiptHead(till) + receipts.flatMap { $0.1.lines($0.0, amounts, copy) })
            return .fine
        }
    }
}

/// Whose copy is printed.
private struct ReceiptCopy {
    private enum Whose: String, CaseIterable { case customer, merchant }

    let copy: Receipt.Line.Copy

    init(_ call: Invocation) throws(UsageError) {
        let whose: Whose = try call.choice("copy", .customer)
        copy = whose == .customer ? .customer : .merchant
    }
}

extension PaymentRecord {
    /// What is above every receipt; the merchant's account, where no receipt has the merchant's name.
    fileprivate func receiptHead(_ till: CommandSession) -> [String] {
        let name = attempts.lazy.compactMap { $0.receipt?.merchant?.name }.first
        let provider = till.configured(self.provider.id)?.entry.name ?? self.provider.id.rawValue
        var lines = ["merchant     \(name ?? self.provider.merchant)", "provider     \(provider)"]
        if !reference.isEmpty { lines.append("reference    \(reference)") }
        if let card = card ?? attempts.first?.card { lines.append("card         \(card.words)") }
        return lines
    }
}

extension Attempt {
    /// What was approved, also where that failed later; what was asked for while nothing was.
    fileprivate var receiptAmount: Money {
        approval?.amount ?? reports.lazy.compactMap { $0.approval?.amount }.first ?? intent.amount
    }

    /// Its state on a receipt: a void undoes what the payment came from.
    fileprivate func receiptStatus(_ amounts: PaymentAmounts) -> String {
        state == .approved && intent.isOrigin && amounts.isVoided ? "voided" : status
    }

    /// What is printed beside the amount; nil if the money moved and is not back. A provider's receipt can be of what was
    /// only received, or failed later.
    fileprivate func receiptRemark(_ amounts: PaymentAmounts) -> String? {
        let status = receiptStatus(amounts)
        switch state {
        case .approved: return status == "voided" ? "voided: nothing is charged" : nil
        case .running, .inDoubt, .pending: return "\(status): not decided yet"
        case .declined, .notExecuted: return "\(status): no money moved"
        case .reversed: return "\(status): it failed later"
        }
    }
}

extension Receipt {
    /// The parts with their names, in the order in which they are printed.
    private var parts: [(String, String?)] {
        [
            ("address", merchant?.address), ("terminal", merchant?.terminalID), ("approval", authorizationCode),
            ("response", responseText ?? responseCode),
            ("retrieval", retrievalReference), ("verified by", verification), ("when", at?.time),
        ]
    }

    /// The tags of a chip that belong on paper, with their names there.
    private static let printed = ["4F": "AID", "84": "AID", "9F06": "AID"]

    func lines(_ record: Attempt, _ amounts: PaymentAmounts, _ copy: Receipt.Line.Copy) -> [String] {
        let remark = record.receiptRemark(amounts).map { ", \($0)" } ?? ""
        var lines = [
            "", "\(record.intent.operation.rawValue.padded(to: 12)) \(record.receiptAmount)\(remark)",
        ]
        for (name, value) in parts { if let value { lines.append("\(name.padded(to: 12)) \(value)") } }
        for tag in tags { if let name = Self.printed[tag.tag] { lines.append("\(name.padded(to: 12)) \(tag.value)") } }
        if let breakdown {
            for (name, amount) in breakdown.named { lines.append("\(name.padded(to: 12)) \(amount)") }
        }
        lines += self.lines.filter { $0.copy == copy }.map { line in
            line.value.map { "\(line.label)  \($0)" } ?? line.label
        }
        if signatureRequired { lines += ["", "signature    ______________________"] }
        return lines
    }

    func json(_ record: Attempt, _ amounts: PaymentAmounts) -> JSON {
        var members: JSONObject = [
            "attempt": .string(record.intent.attempt.text), "operation": .string(record.intent.operation.rawValue),
            "status": .string(record.receiptStatus(amounts)), "amount": record.receiptAmount.json,
            "authorizationCode": .text(authorizationCode), "responseCode": .text(responseCode),
            "responseText": .text(responseText), "retrievalReference": .text(retrievalReference),
            "merchant": .text(merchant?.name), "at": .text(at?.time), "verification": .text(verification),
            "signatureRequired": .bool(signatureRequired),
        ]
        members["lines"] = .array(
            lines.map { line in
                [
                    "copy": .string(line.copy.rawValue), "label": .string(line.label), "value": .text(line.value),
                    "isBold": .bool(line.isBold),
                ]
            })
        members["breakdown"] = breakdown?.json ?? .null
        return .object(members)
    }
}

extension Quote.Breakdown {
    /// The parts that there are, by name.
    var named: [(name: String, amount: Money)] {
        let parts: [(String, Money?)] = [
            ("base", base), ("discount", discount), ("cash disc.", cashDiscount), ("surcharge", surcharge),
            ("tip", tip), ("tax", tax), ("total", total),
        ]
        return parts.compactMap { name, amount in amount.map { (name, $0) } }
    }
}

internal import PaymentCore
internal import PaymentProviderKit
internal import PaymentService

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
            let receipts = ReceiptView.all(of: payment)
            call.say(
                BookShapes.receipts, receipts, payment.receiptHead(till) + receipts.flatMap { $0.lines(copy) })
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

extension ReceiptView {
    /// What is printed beside the amount; nil if the money moved and is not back. A provider's receipt can be of what was
    /// only received, or failed later.
    private var remark: String? {
        switch attempt.state {
        case .approved: status == "voided" ? "voided: nothing is charged" : nil
        case .running, .inDoubt, .pending: "\(status): not decided yet"
        case .declined, .notExecuted: "\(status): no money moved"
        case .reversed: "\(status): it failed later"
        }
    }

    /// The parts with their names, in the order in which they are printed.
    private var parts: [(String, String?)] {
        [
            ("address", receipt.merchant?.address), ("terminal", receipt.merchant?.terminalID),
            ("approval", receipt.authorizationCode), ("response", receipt.responseText ?? receipt.responseCode),
            ("retrieval", receipt.retrievalReference), ("verified by", receipt.verification),
            ("when", receipt.at?.time),
        ]
    }

    /// What people read.
    fileprivate func lines(_ copy: Receipt.Line.Copy) -> [String] {
        let end = remark.map { ", \($0)" } ?? ""
        var lines = ["", "\(attempt.intent.operation.rawValue.padded(to: 12)) \(amount)\(end)"]
        for (name, value) in parts { if let value { lines.append("\(name.padded(to: 12)) \(value)") } }
        for tag in paperTags { lines.append("\("AID".padded(to: 12)) \(tag.value)") }
        if let breakdown = receipt.breakdown {
            for (name, amount) in breakdown.named { lines.append("\(name.padded(to: 12)) \(amount)") }
        }
        lines += receipt.lines.filter { $0.copy == copy }.map { line in
            line.value.map { "\(line.label)  \($0)" } ?? line.label
        }
        if receipt.signatureRequired { lines += ["", "signature    ______________________"] }
        return lines
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

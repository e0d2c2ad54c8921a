/// Digests what a caller asked, without anything secret: the same id with another digest is a conflict.
struct RequestContent {
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    private var isEmpty = true

    /// Adds a part under a name; what is nil leaves no trace.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        isEmpty = false
        for part in [name, value] {
            for byte in part.utf8 { add(byte) }
            add(0xFF)
        }
    }

    mutating func add(_ name: String, _ amount: Money?) {
        add(name, amount.map { "\($0.minorUnits) \($0.currency.code)" })
    }

    mutating func add(_ name: String, _ holds: Bool) { add(name, holds ? "yes" : nil) }

    private mutating func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// The digest; empty when nothing was added.
    var displayText: String { isEmpty ? "" : String(sum, radix: 16) }
}

extension SaleRequest {
    /// What is bought, for whom, and the stored instrument; never a single-use token, a reader or a deadline.
    var content: String {
        var content = RequestContent()
        content.add("customer", customer)
        content.add("text", displayText)
        content.add("order", orderNumber)
        content.add("saves", savesInstrument)
        content.add("onFile", cardOnFile != nil)
        content.add("partial", acceptsPartialApproval)
        content.add("tender", quote?.tender.rawValue)
        content.add("source", source)
        return content.displayText
    }
}

extension CardOnFileRequest {
    var content: String {
        var content = RequestContent()
        content.add("instrument", instrument.rawValue)
        content.add("customer", customer)
        return content.displayText
    }
}

extension UnlinkedRefundRequest {
    var content: String {
        var content = RequestContent()
        content.add("source", source)
        return content.displayText
    }
}

extension VerificationRequest {
    var content: String {
        var content = RequestContent()
        content.add("customer", customer)
        content.add("source", source)
        return content.displayText
    }
}

extension RequestContent {
    /// The stored instrument, or the last digits of a card that was typed.
    fileprivate mutating func add(_ name: String, _ source: PaymentSource) {
        if case .saved(let instrument, _) = source { return add(name, instrument.rawValue) }
        if source.kind == .card { add(name, source.last4) }
    }
}

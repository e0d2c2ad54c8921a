internal import PaymentBase

/// How the merchant is set up, as far as payments depend on it.
struct ARISESettings: Sendable {
    let body: JSON
    let zeroCost: ZeroCost?
    /// The processor that is used when nobody names one: the default, or the only one.
    let processor: String?

    init(_ body: JSON) {
        (self.body, zeroCost, processor) = (body, Self.zeroCost(body), Self.processor(body))
    }

    /// How the costs of card payments are passed on.
    enum ZeroCost: String, CaseIterable, Sendable {
        case noZeroCost = "none"
        case cashDiscount, dualPricing, surcharge
    }

    private static func zeroCost(_ body: JSON) -> ZeroCost? {
        switch body["zeroCostProcessingOptionId"]?.int64 {
        case 1: return .noZeroCost
        case 2: return .cashDiscount
        case 3: return .dualPricing
        case 4: return .surcharge
        case nil: break
        default: return nil
        }
        switch body["zeroCostProcessingOption"]?.string?.lowercased() {
        case "none", "nozerocost": return .noZeroCost
        case "cashdiscount": return .cashDiscount
        case "dualpricing": return .dualPricing
        case "surcharge": return .surcharge
        default: return nil
        }
    }

    private static func processor(_ body: JSON) -> String? {
        let processors = body["availablePaymentProcessors"]?.array ?? []
        let chosen: JSON? =
            processors.first { $0["isDefault"]?.bool == true } ?? (processors.count == 1 ? processors[0] : nil)
        return chosen?["id"]?.string
    }

    func percent(_ name: String) -> String? { body[name]?.number?.decimalText.map(Self.short) }

    /// A decimal without closing zeros.
    static func short(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var digits = Array(text.utf8)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.last == UInt8(ascii: ".") { digits.removeLast() }
        return String(decoding: digits, as: UTF8.self)
    }
}

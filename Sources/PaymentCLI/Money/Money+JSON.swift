internal import PaymentAbstraction
internal import PaymentBase

extension Money {
    /// Exact, in minor units.
    var json: JSON { ["minorUnits": .number(JSONNumber(minorUnits)), "currency": .string(currency.code)] }
}

extension PaymentAmounts {
    /// All sums, by name, in the order in which people read them.
    var named: [(name: String, amount: Money)] {
        [
            ("authorized", authorized), ("captured", captured), ("capturePending", capturePending),
            ("refunded", refunded), ("refundPending", refundPending), ("inDoubt", inDoubt), ("inFlight", inFlight),
            ("released", released), ("refundable", refundable), ("capturable", capturable),
        ]
    }

    var json: JSON {
        var members = JSONObject()
        for (name, amount) in named { members[name] = amount.json }
        (members["isVoided"], members["isOffline"]) = (.bool(isVoided), .bool(isOffline))
        return .object(members)
    }

    /// Those that are not nothing, as words.
    var words: String {
        let parts = named.filter { $0.amount.minorUnits != 0 }.map { "\($0.name) \($0.amount)" }
        return (parts.isEmpty ? ["nothing"] : parts).joined(separator: ", ") + (isVoided ? ", undone" : "")
            + (isOffline ? ", approved offline and not forwarded yet" : "")
    }
}

extension PaymentReferences {
    /// In the order of their names.
    var json: JSON {
        var members = JSONObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) { members[key] = .string(value) }
        return .object(members)
    }
}

extension CardSummary {
    var json: JSON {
        [
            "brand": .text(brand), "last4": .text(last4), "expiry": .text(expiry), "entry": .text(entry),
            "funding": .text(funding),
        ]
    }

    /// Schemes by the words that providers have for them.
    private static let names = [
        "visa": "Visa", "mc": "Mastercard", "mastercard": "Mastercard", "amex": "American Express",
        "americanexpress": "American Express", "maestro": "Maestro", "discover": "Discover", "diners": "Diners Club",
        "jcb": "JCB", "cup": "UnionPay", "unionpay": "UnionPay",
    ]

    /// A scheme as people call it; one that we don't know stays as the provider has it.
    private static func name(_ brand: String) -> String {
        names[brand.lowercased().filter { $0.isLetter || $0.isNumber }] ?? brand
    }

    var words: String {
        [brand.map(Self.name), last4.map { "…\($0)" }, entry.map { "(\($0))" }].compactMap(\.self).joined(
            separator: " ")
    }
}

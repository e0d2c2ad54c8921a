internal import PaymentBase
internal import PaymentCore
internal import PaymentModel
internal import PaymentService

extension Attempt {
    /// Where the payment that it started is as a whole, for people, with what is not decided yet.
    func paymentWords(_ attempts: [Attempt], _ amounts: PaymentAmounts) -> String {
        let plain: String
        switch status(with: amounts) {
        case "partlyRefunded": plain = "partly refunded"
        case "chargedBack":
            plain =
                amounts.chargedBack.minorUnits < amounts.captured.minorUnits ? "partly charged back" : "charged back"
        case "notExecuted": plain = "not executed"
        case "running", "inDoubt", "pending": return "open"
        case let word: plain = word
        }
        return attempts.contains(where: \.isUndecided) ? "\(plain), open" : plain
    }
}

extension PaymentRecord {
    /// Where it is as a whole, for people, with whatever is not decided yet.
    var words: String { origin?.paymentWords(attempts, amounts) ?? "open" }

    /// What was charged of what was asked for, or held while nothing is.
    var sum: String {
        let moved = amounts.captured.minorUnits > 0 ? amounts.captured : amounts.authorized
        guard state == .approved, moved.minorUnits > 0, moved != requested else { return "\(requested)" }
        return moved.words(of: requested)
    }

    /// How much is where; of what was never decided, nothing yet.
    var sums: String {
        let words = amounts.words
        guard words == "nothing", !openAttempts.isEmpty else { return words }
        return "nothing yet; \(requested) was asked for"
    }

    /// Words in a colour that says how serious they are.
    static func painted(_ words: String, _ paint: Paint) -> String {
        if words.hasSuffix("open") { return paint.doubt(words) }
        return ["declined", "cancelled", "not executed", "reversed"].contains(words)
            ? paint.bad(words) : paint.good(words)
    }
}

extension Attempt {
    /// The card: of the approval that is valid, else of one before it.
    var card: CardSummary? { approval?.card ?? reports.lazy.compactMap { $0.approval?.card }.first }

    /// What was approved of what was asked for; what was asked for while nothing is.
    var sum: String { approval?.amount.words(of: intent.amount) ?? askedAmount }

    /// What was asked for, for people; of what the provider did, how much it was.
    var askedAmount: String { isAmountUnknown ? "an unknown amount" : "\(intent.amount)" }

    /// When it began, in milliseconds since 1970.
    var createdAt: Int64 { runs.first?.begunAt.wall ?? 0 }

    /// Why a person decided so, in the person's own words; nil if none did.
    var reason: String? { reports.lazy.reversed().compactMap(\.evidence.reason).first }

    /// Its status in a colour that says how serious it is.
    func painted(_ paint: Paint) -> String { Self.painted(status, paint) }

    /// A word of ``status`` in a colour that says how serious it is.
    static func painted(_ word: String, _ paint: Paint) -> String {
        switch word {
        case "approved": paint.good(word)
        case "declined", "cancelled", "notExecuted", "reversed": paint.bad(word)
        default: paint.doubt(word)
        }
    }
}

extension Int64 {
    /// The same as ``time``, as short as a list needs it: month, day, hour and minute.
    var shortTime: String {
        let text = time
        guard text.count >= 16 else { return text }
        return String(text.dropFirst(5).prefix(11)).replacing("T", with: " ")
    }

    /// A moment in milliseconds since 1970, as people and programs read it.
    var time: String { Timestamp(milliseconds: self)?.text() ?? "\(self)" }
}

extension Decline {
    var json: JSON {
        [
            "reason": .string(reason.rawValue), "code": .string(provider.code), "message": .string(provider.message),
        ]
    }
}

extension Payment {
    func lines(_ paint: Paint) -> [String] {
        var lines = [
            "\(paint.good("approved")): \(operation.rawValue) of \(approved)\(difference)", "payment    \(id)",
        ]
        if attempt != id.attempt { lines.append("attempt    \(attempt)") }
        lines += [
            "provider   \(provider.id)", "reference  \(reference.isEmpty ? "none" : reference)",
            "amounts    \(amounts.words)",
        ]
        if let card { lines.append("card       \(card.words)") }
        if let saved { lines.append("saved      \(saved.id.text)") }
        if isDryRun { lines.append("nothing real happened: it was a dry run") }
        if isOffline { lines.append("taken offline: it is still to be forwarded") }
        if !isRecorded { lines.append(paint.doubt("the journal does not hold it yet: run payctl recover")) }
        return lines
    }

    /// How the approved amount differs from what was asked for; empty where it doesn't.
    private var difference: String {
        if approved.currency == requested.currency, approved.minorUnits > requested.minorUnits {
            return " of \(requested): more than was asked"
        }
        return isPartial ? " of \(requested): only a part" : ""
    }
}

extension Money {
    /// As the API writes it: text with exactly the digits of its currency.
    var json: JSON { MoneyForm.json(self) }
}

extension PaymentAmounts {
    /// All sums, by name, in the order in which people read them.
    var named: [(name: String, amount: Money)] {
        [
            ("authorized", authorized), ("captured", captured), ("capturePending", capturePending),
            ("refunded", refunded), ("chargedBack", chargedBack), ("refundPending", refundPending),
            ("inDoubt", inDoubt), ("inFlight", inFlight),
            ("released", released), ("refundable", refundable), ("capturable", capturableNow),
        ]
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
            "brand": .text(brand), "lastFour": .text(last4), "entryMode": .text(entry), "funding": .text(funding),
            "expiry": .text(expiry),
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

    /// The scheme as people call it.
    var brandName: String? { brand.map(Self.name) }

    var words: String {
        [brandName, last4.map { "…\($0)" }, entry.map { "(\($0))" }].compactMap(\.self).joined(
            separator: " ")
    }
}

extension Money {
    /// A part of an amount, as in `50.10 of 100.20 USD`; the amount alone where it is no part.
    fileprivate func words(of whole: Money) -> String {
        guard minorUnits < whole.minorUnits, currency == whole.currency else { return "\(self)" }
        let digits = "\(self)".split(separator: " ").first.map(String.init) ?? ""
        return "\(digits) of \(whole)"
    }
}

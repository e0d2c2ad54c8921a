internal import PaymentAbstraction
internal import PaymentBase

extension AttemptRecord.State {
    /// Where it stands, in one word.
    var word: String {
        switch self {
        case .begun: "begun"
        case .submitted: "submitted"
        case .inDoubt: "inDoubt"
        case .notMoved: "notMoved"
        case .concluded(.approved): "approved"
        case .concluded(.declined): "declined"
        case .concluded(.cancelled): "cancelled"
        case .concluded(.pending): "pending"
        }
    }
}

extension AttemptRecord {
    /// Where the payment that it began stands as a whole, in one word: what was undone or given back is not told as
    /// approved.
    fileprivate func paymentWord(_ amounts: PaymentAmounts) -> String {
        guard case .concluded(.approved) = state else { return state.word }
        if amounts.isVoided { return "voided" }
        if amounts.refunded.minorUnits > 0 {
            return amounts.refunded.minorUnits >= amounts.captured.minorUnits ? "refunded" : "partlyRefunded"
        }
        if intent.operation == .authorize, amounts.captured.minorUnits == 0 { return "held" }
        return state.word
    }

    /// The same for people, with whatever is not decided yet.
    func paymentWords(_ family: [AttemptRecord], _ amounts: PaymentAmounts) -> String {
        let plain: String
        switch paymentWord(amounts) {
        case "partlyRefunded": plain = "partly refunded"
        case "notMoved": plain = "nothing moved"
        case "begun", "submitted", "inDoubt", "pending": return "open"
        case "approved" where intent.operation == .authorize: plain = "captured"
        case let word: plain = word
        }
        return family.contains(where: \.isUndecided) ? "\(plain), open" : plain
    }
}

extension PaymentRecord {
    private var origin: AttemptRecord? { attempts.first(where: \.intent.isOrigin) }

    /// Where it stands as a whole, in one word.
    var word: String { origin?.paymentWord(amounts) ?? state.word }

    /// The same for people, with whatever is not decided yet.
    var words: String { origin?.paymentWords(attempts, amounts) ?? "open" }

    /// What was asked for, and how much of a hold was captured.
    var sum: String {
        let captured = amounts.captured
        guard operation == .authorize, captured.minorUnits > 0, captured != requested else { return "\(requested)" }
        let digits = "\(captured)".split(separator: " ").first.map(String.init) ?? ""
        return "\(digits) of \(requested)"
    }

    /// How much is where; of what was never decided, nothing yet.
    var sums: String {
        let words = amounts.words
        guard words == "nothing", !undecided.isEmpty else { return words }
        return "nothing yet; \(requested) was asked for"
    }

    /// Words in a colour that says how serious they are.
    static func painted(_ words: String, _ paint: Paint) -> String {
        if words.hasSuffix("open") { return paint.doubt(words) }
        return ["declined", "cancelled", "nothing moved"].contains(words) ? paint.bad(words) : paint.good(words)
    }

    /// What the journal knows of it, with what it came from.
    var json: JSON {
        guard let origin = attempts.first(where: \.intent.isOrigin), let known = origin.json.object else { return [:] }
        var object = known
        object["status"] = .string(word)
        object["open"] = .integer(undecided.count)
        return .object(object)
    }
}

extension AttemptRecord {
    /// Where it stands, in one word.
    var word: String { state.word }

    /// What belongs on paper; a webhook that says the same again brings none and takes none away.
    var receipt: Receipt? { approval?.receipt ?? facts.words.lazy.compactMap { $0.approval?.receipt }.first }

    /// The card, in the same way.
    var card: CardSummary? { approval?.card ?? facts.words.lazy.compactMap { $0.approval?.card }.first }

    /// Everything that the journal knows of it and may be shown.
    var json: JSON {
        var decline = JSON.null
        if case .concluded(.declined(let declined)) = state { decline = declined.json }
        return [
            "attempt": .string(intent.attempt.text), "payment": .string(intent.paymentID.attempt.text),
            "operation": .string(intent.operation.rawValue), "status": .string(word), "amount": intent.amount.json,
            "approved": approval?.amount.json ?? .null, "reference": .string(intent.reference),
            "provider": .string(provider.id.rawValue), "environment": .string(provider.environment),
            "merchant": .string(provider.merchant), "source": .text(intent.source?.rawValue),
            "last4": .text(card?.last4 ?? intent.last4), "begunAt": .string(begunAt.time),
            "evidence": .text(evidence?.rawValue), "because": .text(notes["resolved"]),
            "references": verdict?.references.json ?? [:], "decline": decline,
            "known": .array(facts.words.map(\.json)), "isContradicted": .bool(facts.isContradicted),
        ]
    }

    /// The word in a colour that says how serious it is.
    func painted(_ paint: Paint) -> String { Self.painted(word, paint) }

    /// A word of ``AttemptRecord/State`` in a colour that says how serious it is.
    static func painted(_ word: String, _ paint: Paint) -> String {
        switch word {
        case "approved": paint.good(word)
        case "declined", "cancelled", "notMoved": paint.bad(word)
        default: paint.doubt(word)
        }
    }
}

extension AttemptFacts.Word {
    /// The approval that it is, if it is one.
    fileprivate var approval: Approval? {
        if case .verdict(.approved(let approval)) = content { return approval }
        return nil
    }

    /// What was said, in a few words.
    var words: String {
        switch content {
        case .neverArrived: return "it never arrived: nothing moved"
        case .withdrawn: return "it did not move after all"
        case .verdict(.approved(let approval)): return "approved \(approval.amount)"
        case .verdict(.declined(let decline)): return "declined: \(decline.reason) (\(decline.provider))"
        case .verdict(.cancelled(let cancellation)): return "cancelled by \(cancellation.by.rawValue)"
        case .verdict(.pending): return "received, decided later"
        }
    }

    var json: JSON {
        [
            "at": .string(at.wall.time), "source": .string(source.rawValue), "words": .string(words),
            "message": .text(id),
        ]
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

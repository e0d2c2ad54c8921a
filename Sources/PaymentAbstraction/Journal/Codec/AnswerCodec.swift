internal import PaymentBase

/// What a store keeps of an answer, so that a repeated write gets the first one. What was raised is in the timeline.
package struct StoredAnswer: Hashable, Sendable {
    /// What kind of answer it was.
    package enum Kind: String, Sendable { case written, hint, kept, known }

    package let kind: Kind
    /// The attempt that the answer is about.
    package let attempt: AttemptID?
    package let receipt: WriteReceipt

    /// Nil for a refusal, which writes nothing.
    package init?(_ answer: JournalAnswer) {
        switch answer {
        case .written(let held, var receipt):
            (receipt.alerts, receipt.isAlone) = ([], false)
            (kind, attempt, self.receipt) = (.written, held.intent.attempt, receipt)
        case .hint(let held, _): (kind, attempt, receipt) = (.hint, held.intent.attempt, WriteReceipt())
        case .known(let held): (kind, attempt, receipt) = (.known, held.intent.attempt, WriteReceipt())
        case .kept: (kind, attempt, receipt) = (.kept, nil, WriteReceipt())
        case .refused: return nil
        }
    }

    private init(_ kind: Kind, _ attempt: AttemptID?, _ receipt: WriteReceipt) {
        (self.kind, self.attempt, self.receipt) = (kind, attempt, receipt)
    }

    /// The first answer, with the attempt as it is now among those of its payment; nil if the attempt is missing.
    package func answer(among attempts: [Attempt]) -> JournalAnswer? {
        let held = attempts.first { $0.intent.attempt == attempt }
        var receipt = receipt
        receipt.isAlone = attempts.count == 1
        switch kind {
        case .kept: return .kept
        case .written: return held.map { .written($0, receipt) }
        case .hint: return held.map { .hint($0) }
        case .known: return held.map { .known($0) }
        }
    }

    package var bytes: [UInt8] {
        var object: JSONObject = ["answer": .string(kind.rawValue)]
        object["attempt"] = attempt.map { .string($0.text) }
        object["run"] = receipt.run.map { .number(JSONNumber(Int64($0))) }
        object["request"] = receipt.request.map { .number(JSONNumber(Int64($0))) }
        object["entry"] = .number(JSONNumber(Int64(receipt.entry)))
        object["refusal"] = receipt.refusal.map { Self.json($0) }
        return EventCodec.packed(.object(object))
    }

    package static func read(_ bytes: [UInt8]) throws(EventCodec.DecodingError) -> StoredAnswer {
        try EventCodec.reading(bytes) { json in
            var members = try CodecMembers(json)
            let kind: Kind = try members.word("answer")
            let attempt = try members.optionalText("attempt").map { try AttemptID($0) }
            var receipt = WriteReceipt(
                run: try members.optionalCount("run"), request: try members.optionalCount("request"))
            receipt.entry = try members.count("entry")
            receipt.refusal = try members.optional("refusal").map { try refusal($0) }
            try members.end()
            return StoredAnswer(kind, attempt, receipt)
        }
    }

    // MARK: - Refusals

    private static let words: [(String, JournalRefusal)] = [
        ("conflict", .conflict), ("noSuchPayment", .noSuchPayment), ("noSuchAttempt", .noSuchAttempt),
        ("fenced", .fenced), ("inDoubt", .inDoubt), ("changed", .changed), ("mayBeLost", .mayBeLost),
        ("ofCopy", .ofCopy),
    ]

    private static func json(_ refusal: JournalRefusal) -> JSON {
        func one(_ word: String, _ value: JSON?) -> JSON {
            var object: JSONObject = ["word": .string(word)]
            object["value"] = value
            return .object(object)
        }
        func ids(_ attempts: [AttemptID]) -> JSON { .array(attempts.map { .string($0.text) }) }
        switch refusal {
        case .referenceInUse(let id, let state):
            return one("referenceInUse", [.string(id.text), .string(state.rawValue)])
        case .blocked(let attempts): return one("blocked", ids(attempts))
        case .exceeds(let left, let open): return one("exceeds", [MoneyCodec.json(left), ids(open)])
        case .notAllowed(let text): return one("notAllowed", .string(text))
        case .otherAccount(let accounts): return one("otherAccount", .array(accounts.map { EventCodec.json($0) }))
        case .claimed(let id): return one("claimed", id.map { .string($0.text) })
        case .mayBe(let id): return one("mayBe", .string(id.text))
        case .couldMatch(let candidates):
            return one(
                "couldMatch",
                .array(candidates.map { [.string($0.name), $0.amount.map { MoneyCodec.json($0) } ?? .null] }))
        case .runs(let owner): return one("runs", .string(owner))
        case .notWritten(let text): return one("notWritten", .string(text))
        case .noProof(let text): return one("noProof", .string(text))
        case .conflict, .noSuchPayment, .noSuchAttempt, .fenced, .inDoubt, .changed, .mayBeLost, .ofCopy:
            return one(words.first { $0.1 == refusal }?.0 ?? "", nil)
        }
    }

    private static func refusal(_ json: JSON) throws -> JournalRefusal {
        var members = try CodecMembers(json)
        let word = try members.text("word")
        let value = members.optional("value")
        try members.end()
        if let known = words.first(where: { $0.0 == word })?.1, value == nil { return known }
        if let text = value?.string {
            switch word {
            case "notAllowed": return .notAllowed(text)
            case "claimed": return .claimed(by: try AttemptID(text))
            case "mayBe": return .mayBe(try AttemptID(text))
            case "runs": return .runs(at: text)
            case "notWritten": return .notWritten(text)
            case "noProof": return .noProof(text)
            default: throw EventCodec.DecodingError()
            }
        }
        if value == nil, word == "claimed" { return .claimed(by: nil) }
        return try refusal(word, value?.array)
    }

    private static func refusal(_ word: String, _ array: [JSON]?) throws -> JournalRefusal {
        guard let array else { throw EventCodec.DecodingError() }
        func ids(_ array: [JSON]?) throws -> [AttemptID] {
            guard let array else { throw EventCodec.DecodingError() }
            return try array.map { try AttemptID($0.string ?? "") }
        }
        switch (word, array.count) {
        case ("referenceInUse", 2):
            guard let state = Attempt.State(rawValue: array[1].string ?? "") else { throw EventCodec.DecodingError() }
            return .referenceInUse(try AttemptID(array[0].string ?? ""), state)
        case ("blocked", _): return .blocked(by: try ids(array))
        case ("exceeds", 2): return .exceeds(left: try MoneyCodec.money(array[0]), open: try ids(array[1].array))
        case ("otherAccount", _): return .otherAccount(try array.map { try EventCodec.account($0) })
        case ("couldMatch", _):
            return .couldMatch(
                try array.map { one in
                    guard let parts = one.array, parts.count == 2, let name = parts[0].string else {
                        throw EventCodec.DecodingError()
                    }
                    return .init(name, parts[1].isNull ? nil : try MoneyCodec.money(parts[1]))
                })
        default: throw EventCodec.DecodingError()
        }
    }
}

internal import PaymentBase

extension FactCodec {
    /// What was answered to an entry, so that the same entry again gets it; attempts are named and not held.
    public static func bytes(_ answer: JournalAnswer) -> [UInt8] {
        var object: JSONObject
        switch answer {
        case .accepted(let facts): object = ["answer": "accepted", "attempt": json(facts.intent.key)]
        case .known(let facts): object = ["answer": "known", "attempt": json(facts.intent.key)]
        case .conflict(let facts): object = ["answer": "conflict", "attempt": json(facts.intent.key)]
        case .kept: object = ["answer": "kept"]
        case .unknownAttempt: object = ["answer": "unknownAttempt"]
        case .refused(let refusal, let facts):
            object = ["answer": "refused", "refusal": .object(json(refusal))]
            object["attempt"] = facts.map { json($0.intent.key) }
        }
        return packed(.object(object))
    }

    /// Reads an answer; the attempts that it names are loaded, as they stand now.
    ///
    /// - Throws: ``Unreadable``, or what `load` throws.
    public static func answer(
        _ bytes: [UInt8], _ load: (AttemptKey) throws -> AttemptFacts?
    ) throws -> JournalAnswer {
        var members = try CodecMembers(reading(bytes) { $0 })
        let word = try members.text("answer")
        let facts = try members.optional("attempt").map { try key($0) }.flatMap { try load($0) }
        let refused = try members.optional("refusal").map { try refusal($0, load) }
        try members.end()
        switch (word, facts, refused) {
        case ("accepted", let facts?, nil): return .accepted(facts)
        case ("known", let facts?, nil): return .known(facts)
        case ("conflict", let facts?, nil): return .conflict(facts)
        case ("kept", nil, nil): return .kept
        case ("unknownAttempt", nil, nil): return .unknownAttempt
        case ("refused", let facts, let refusal?): return .refused(refusal, facts)
        default: throw Unreadable()
        }
    }

    private static func json(_ key: AttemptKey) -> JSON { [.string(key.scope), .string(key.attempt.text)] }

    private static func key(_ json: JSON) throws -> AttemptKey {
        guard let parts = json.array, parts.count == 2, let scope = parts[0].string, let id = parts[1].string else {
            throw Unreadable()
        }
        return AttemptKey(try AttemptID(id), scope: scope)
    }

    private static func json(_ refusal: JournalRefusal) -> JSONObject {
        switch refusal {
        case .fenced: ["why": "fenced"]
        case .unansweredSend: ["why": "unansweredSend"]
        case .blocked(let records): ["why": "blocked", "by": .array(records.map { json($0.intent.key) })]
        case .exceeds(let left, let open):
            ["why": "exceeds", "left": MoneyCodec.json(left), "open": .array(open.map { .string($0.text) })]
        case .notAllowed(let words): ["why": "notAllowed", "words": .string(words)]
        case .noSuchPayment: ["why": "noSuchPayment"]
        case .otherProvider(let provider): ["why": "otherProvider", "provider": json(provider)]
        case .mayBeLost: ["why": "mayBeLost"]
        case .noProof(let words): ["why": "noProof", "words": .string(words)]
        }
    }

    private static func refusal(_ json: JSON, _ load: (AttemptKey) throws -> AttemptFacts?) throws -> JournalRefusal {
        var members = try CodecMembers(json)
        let refusal: JournalRefusal
        switch try members.text("why") {
        case "fenced": refusal = .fenced
        case "unansweredSend": refusal = .unansweredSend
        case "blocked":
            let keys = try (members.json("by").array ?? []).map { try key($0) }
            refusal = .blocked(by: try keys.compactMap { try load($0).map(AttemptRecord.init) })
        case "exceeds":
            let left = try MoneyCodec.money(members.json("left"))
            let open = try (members.json("open").array ?? []).map { try AttemptID($0.string ?? "") }
            refusal = .exceeds(left: left, open: open)
        case "notAllowed": refusal = .notAllowed(try members.text("words"))
        case "noSuchPayment": refusal = .noSuchPayment
        case "otherProvider": refusal = .otherProvider(try account(members.json("provider")))
        case "mayBeLost": refusal = .mayBeLost
        case "noProof": refusal = .noProof(try members.text("words"))
        default: throw Unreadable()
        }
        try members.end()
        return refusal
    }
}

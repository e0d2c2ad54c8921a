internal import PaymentBase

extension FactCodec {
    static func fact(_ json: JSON) throws -> JournalFact {
        var members = try CodecMembers(json)
        let fact: JournalFact
        switch try members.text("fact") {
        case "intent": fact = .intent(try intent(&members))
        case "round":
            fact = .round(
                .init(
                    number: try members.count("number"), provider: try account(members.json("provider")),
                    owner: try members.text("owner"), begunAt: try instant(members.json("at"))))
        case "end":
            fact = .end(
                .init(
                    round: try members.count("round"), by: try members.word("by"), at: try instant(members.json("at"))))
        case "send":
            fact = .send(
                .init(
                    round: try members.count("round"), number: try members.count("number"),
                    key: try members.optionalText("key"), leavesWithin: try members.optionalNumber("leaves"),
                    openedAt: try instant(members.json("at"))))
        case "close":
            fact = .close(
                .init(
                    send: try members.count("send"), proof: try members.word("proof"),
                    at: try instant(members.json("at"))))
        case "word": return .word(try word(json))
        case "name":
            fact = .name(
                .init(
                    provider: try account(members.json("provider")), value: try members.text("value"),
                    send: try members.optionalCount("send")))
        case "note":
            fact = .note(
                .init(
                    round: try members.count("round"), name: try members.text("name"),
                    value: try members.text("value")))
        case "told": fact = .told(at: try instant(members.json("at")))
        case "contradiction": fact = .contradiction(at: try instant(members.json("at")))
        default: throw Unreadable()
        }
        try members.end()
        return fact
    }

    private static func intent(_ members: inout CodecMembers) throws -> AttemptIntent {
        var intent = AttemptIntent(
            try AttemptID(members.text("attempt")), try members.word("operation"),
            try MoneyCodec.money(members.json("amount")), reference: try members.text("reference"),
            payment: try members.optionalText("payment").map { try PaymentID($0) },
            source: try members.optionalWord("source"), last4: try members.optionalText("last4"))
        intent.tip = try members.optional("tip").map { try MoneyCodec.money($0) }
        intent.scope = try members.optionalText("scope") ?? ""
        intent.isDryRun = try members.flag("dryRun")
        intent.content = try members.optionalText("content") ?? ""
        return intent
    }

    static func word(_ json: JSON) throws -> AttemptFacts.Word {
        var members = try CodecMembers(json)
        guard try members.text("fact") == "word" else { throw Unreadable() }
        let content: AttemptFacts.Word.Content
        if let verdict = members.optional("verdict") {
            content = .verdict(try VerdictCodec.verdict(verdict))
        } else {
            switch try members.text("says") {
            case "neverArrived": content = .neverArrived
            case "withdrawn": content = .withdrawn
            default: throw Unreadable()
            }
        }
        var word = AttemptFacts.Word(try members.word("source"), content, at: try instant(members.json("at")))
        (word.round, word.send) = (try members.optionalCount("round"), try members.optionalCount("send"))
        word.providerTime = try members.optionalNumber("time")
        word.askedAt = try members.optional("asked").map { try instant($0) }
        word.knownCount = try members.optionalCount("known")
        word.id = try members.optionalText("id")
        try members.end()
        return word
    }

    static func event(_ json: JSON) throws -> PaymentEvent {
        var members = try CodecMembers(json)
        let event = PaymentEvent(
            PaymentEvent.Kind(rawValue: try members.text("kind")), sequence: try members.count("sequence"),
            at: try members.number("at"), payment: try members.optionalText("payment").map { try PaymentID($0) },
            attempt: try members.optionalText("attempt").map { try AttemptID($0) },
            provider: try members.optionalText("provider").map { ProviderID(rawValue: $0) },
            attributes: try VerdictCodec.references(members.optional("attributes")))
        try members.end()
        return event
    }

    static func account(_ json: JSON) throws -> ProviderIdentity {
        guard let parts = json.array, parts.count == 4, let id = parts[0].string, let adapter = parts[1].string,
            let environment = parts[2].string, let merchant = parts[3].string
        else { throw Unreadable() }
        return ProviderIdentity(
            ProviderID(rawValue: id), adapter: adapter, environment: environment, merchant: merchant)
    }

    static func instant(_ json: JSON) throws -> JournalInstant {
        guard let parts = json.array, (2...3).contains(parts.count), let wall = parts[0].int64,
            let uptime = parts[1].int64
        else { throw Unreadable() }
        guard parts.count == 3 else { return JournalInstant(wall: wall, uptime: uptime) }
        guard let boot = parts[2].string else { throw Unreadable() }
        return JournalInstant(wall: wall, uptime: uptime, boot: boot)
    }
}

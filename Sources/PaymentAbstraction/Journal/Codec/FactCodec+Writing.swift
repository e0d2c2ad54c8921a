package import PaymentBase

extension FactCodec {
    /// One fact as an object whose first member says which kind it is.
    package static func json(_ fact: JournalFact) -> JSON {
        switch fact {
        case .intent(let intent): .object(json(intent))
        case .round(let round): .object(json(round))
        case .end(let end):
            ["fact": "end", "round": number(end.round), "by": .string(end.by.rawValue), "at": json(end.at)]
        case .send(let send): .object(json(send))
        case .close(let close):
            [
                "fact": "close", "send": number(close.send), "proof": .string(close.proof.rawValue),
                "at": json(close.at),
            ]
        case .word(let word): .object(json(word))
        case .name(let name): .object(json(name))
        case .note(let note):
            [
                "fact": "note", "round": number(note.round), "name": .string(note.name),
                "value": .string(note.value),
            ]
        case .told(let instant): ["fact": "told", "at": json(instant)]
        case .contradiction(let instant): ["fact": "contradiction", "at": json(instant)]
        }
    }

    private static func json(_ intent: AttemptIntent) -> JSONObject {
        var object: JSONObject = [
            "fact": "intent", "attempt": .string(intent.attempt.text), "operation": .string(intent.operation.rawValue),
            "amount": MoneyCodec.json(intent.amount), "reference": .string(intent.reference),
        ]
        object["payment"] = intent.payment.map { .string($0.attempt.text) }
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        object["tip"] = intent.tip.map { MoneyCodec.json($0) }
        if !intent.scope.isEmpty { object["scope"] = .string(intent.scope) }
        if intent.isDryRun { object["dryRun"] = true }
        if !intent.content.isEmpty { object["content"] = .string(intent.content) }
        return object
    }

    private static func json(_ round: AttemptFacts.Round) -> JSONObject {
        [
            "fact": "round", "number": number(round.number), "provider": json(round.provider),
            "owner": .string(round.owner), "at": json(round.begunAt),
        ]
    }

    private static func json(_ send: AttemptFacts.Send) -> JSONObject {
        var object: JSONObject = ["fact": "send", "round": number(send.round), "number": number(send.number)]
        object["key"] = send.key.map { .string($0) }
        object["leaves"] = send.leavesWithin.map { .number(JSONNumber($0)) }
        object["at"] = json(send.openedAt)
        return object
    }

    static func json(_ word: AttemptFacts.Word) -> JSONObject {
        var object: JSONObject = ["fact": "word", "source": .string(word.source.rawValue)]
        switch word.content {
        case .verdict(let verdict): object["verdict"] = VerdictCodec.json(verdict)
        case .neverArrived: object["says"] = "neverArrived"
        case .withdrawn: object["says"] = "withdrawn"
        }
        object["round"] = word.round.map { number($0) }
        object["send"] = word.send.map { number($0) }
        object["time"] = word.providerTime.map { .number(JSONNumber($0)) }
        object["asked"] = word.askedAt.map { json($0) }
        object["known"] = word.knownCount.map { number($0) }
        object["id"] = word.id.map { .string($0) }
        object["at"] = json(word.at)
        return object
    }

    private static func json(_ name: AttemptFacts.Name) -> JSONObject {
        var object: JSONObject = ["fact": "name", "provider": json(name.provider), "value": .string(name.value)]
        object["send"] = name.send.map { number($0) }
        return object
    }

    /// A step of a timeline.
    package static func json(_ event: PaymentEvent) -> JSONObject {
        var object: JSONObject = ["kind": .string(event.kind.rawValue), "sequence": number(event.sequence)]
        object["at"] = .number(JSONNumber(event.at))
        object["payment"] = event.payment.map { .string($0.attempt.text) }
        object["attempt"] = event.attempt.map { .string($0.text) }
        object["provider"] = event.provider.map { .string($0.rawValue) }
        if !event.attributes.isEmpty { object["attributes"] = VerdictCodec.json(event.attributes) }
        return object
    }

    /// An account: its four parts in order.
    package static func json(_ account: ProviderIdentity) -> JSON {
        [
            .string(account.id.rawValue), .string(account.adapter), .string(account.environment),
            .string(account.merchant),
        ]
    }

    /// A moment: both clocks, and which start of the machine where that is known.
    static func json(_ instant: JournalInstant) -> JSON {
        let clocks: [JSON] = [.number(JSONNumber(instant.wall)), .number(JSONNumber(instant.uptime))]
        return .array(instant.boot.isEmpty ? clocks : clocks + [.string(instant.boot)])
    }

    static func number(_ value: Int) -> JSON { .number(JSONNumber(Int64(value))) }
}

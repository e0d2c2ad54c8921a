package import PaymentBase
package import PaymentModel

/// Turns what a journal keeps into bytes and back.
///
/// The bytes are packed JSON: the same value always gives the same bytes. What can't be read, a word that only newer software
/// knows among it, throws: a store names that payment as unreadable and reads the others.
package enum EventCodec {
    /// What is stored can't be read: it is damaged, or newer software wrote it.
    package struct DecodingError: Error, Hashable {
        package init() {}
    }

    /// What an entry appended to one attempt.
    package struct Appended: Hashable, Sendable {
        package let attempt: AttemptID
        package let events: [Attempt.Event]
        package init(_ attempt: AttemptID, _ events: [Attempt.Event]) {
            (self.attempt, self.events) = (attempt, events)
        }
    }

    // MARK: - Attempts

    package static func bytes(_ appended: [Appended]) -> [UInt8] {
        packed(
            .array(
                appended.map { one in
                    ["attempt": .string(one.attempt.text), "events": .array(one.events.map { json($0) })]
                }))
    }

    package static func appended(_ bytes: [UInt8]) throws(DecodingError) -> [Appended] {
        try reading(bytes) { json in
            guard let array = json.array else { throw DecodingError() }
            return try array.map { one in
                var members = try CodecMembers(one)
                let attempt = try AttemptID(members.text("attempt"))
                guard let events = try members.json("events").array else { throw DecodingError() }
                try members.end()
                return Appended(attempt, try events.map { try event($0) })
            }
        }
    }

    /// The attempts whose events are in the entries of a payment, in the order in which they began, each with its events.
    package static func histories(
        _ entries: some Sequence<[UInt8]>
    ) throws(DecodingError) -> [(attempt: Attempt, events: [Attempt.Event])] {
        var (events, order): ([AttemptID: [Attempt.Event]], [AttemptID]) = ([:], [])
        for bytes in entries {
            for one in try appended(bytes) {
                if events[one.attempt] == nil { order.append(one.attempt) }
                events[one.attempt, default: []] += one.events
            }
        }
        var found: [(attempt: Attempt, events: [Attempt.Event])] = []
        for id in order {
            guard let all = events[id], let held = Attempt(all), held.intent.attempt == id else {
                throw DecodingError()
            }
            found.append((held, all))
        }
        return found
    }

    /// One event as an object whose first member says which kind it is.
    package static func json(_ event: Attempt.Event) -> JSON {
        switch event {
        case .created(let intent): return .object(json(intent))
        case .run(let run): return .object(json(run))
        case .request(let request): return .object(json(request))
        case .closed(let request, let ending, let at):
            return ["event": "close", "request": number(request), "ending": .string(ending.rawValue), "at": json(at)]
        case .ended(let run, let cause, let at):
            return ["event": "end", "run": number(run), "by": .string(cause.rawValue), "at": json(at)]
        case .report(let report): return .object(json(report))
        case .named(let name):
            var object: JSONObject = ["event": "name", "account": json(name.account), "value": .string(name.value)]
            object["request"] = name.request.map { number($0) }
            if name.isByPerson { object["person"] = true }
            return .object(object)
        case .note(let note):
            return ["event": "note", "run": number(note.run), "name": .string(note.name), "value": .string(note.value)]
        case .disputed(let dispute):
            var object: JSONObject = ["event": "dispute", "verdict": VerdictCodec.json(.approved(dispute.approval))]
            object["evidence"] = json(dispute.evidence)
            object["names"] = .array(dispute.names.map { .string($0) })
            object["holder"] = dispute.holder.map { .string($0.text) }
            object["entry"] = number(dispute.entry)
            return .object(object)
        case .absorbed(let other):
            var object: JSONObject = ["event": "absorb"]
            object["attempt"] = other.map { .string($0.text) }
            return .object(object)
        case .released(let names): return ["event": "release", "names": .array(names.map { .string($0) })]
        case .contradiction(let at): return ["event": "contradiction", "at": json(at)]
        case .acknowledged(let what, let at):
            var object: JSONObject = ["event": "acknowledge", "at": json(at)]
            switch what {
            case .amount(let money): object["amount"] = MoneyCodec.json(money)
            case .contradiction: object["what"] = "contradiction"
            case .reference: object["what"] = "reference"
            case .chargeback: object["what"] = "chargeback"
            }
            return .object(object)
        }
    }

    private static func json(_ intent: Attempt.Intent) -> JSONObject {
        var object: JSONObject = [
            "event": "intent", "attempt": .string(intent.attempt.text), "operation": .string(intent.operation.rawValue),
            "amount": MoneyCodec.json(intent.amount),
        ]
        object["reference"] = intent.reference.map { .string($0) }
        if !intent.part.isEmpty { object["part"] = .string(intent.part) }
        object["holds"] = intent.holdsFor.map { .number(JSONNumber($0)) }
        object["payment"] = intent.payment.map { .string($0.attempt.text) }
        if !intent.scope.isEmpty { object["scope"] = .string(intent.scope) }
        if !intent.digest.isEmpty { object["content"] = .string(intent.digest) }
        if intent.isForAll { object["all"] = true }
        if intent.isLastCapture { object["last"] = true }
        if intent.releasesRest { object["rest"] = true }
        object["tip"] = intent.tip.map { MoneyCodec.json($0) }
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        if intent.isDryRun { object["dryRun"] = true }
        object["by"] = intent.requestedBy.map { .string($0) }
        object["reader"] = intent.reader.map { .string($0) }
        if !intent.metadata.isEmpty { object["metadata"] = VerdictCodec.json(intent.metadata) }
        return object
    }

    private static func json(_ run: Attempt.Run) -> JSONObject {
        var object: JSONObject = [
            "event": "run", "number": number(run.number), "account": json(run.account), "owner": .string(run.owner),
            "at": json(run.begunAt),
        ]
        if !run.generation.isEmpty { object["generation"] = .string(run.generation) }
        if run.canLookUp { object["lookUp"] = true }
        object["hold"] = run.holdLifetime.map { .number(JSONNumber($0)) }
        object["entry"] = number(run.entry)
        object["counted"] = run.countedUpTo.map { .number(JSONNumber($0)) }
        object["end"] = run.end.map { .string($0.rawValue) }
        return object
    }

    private static func json(_ request: Attempt.Request) -> JSONObject {
        var object: JSONObject = ["event": "request", "number": number(request.number), "run": number(request.run)]
        if request.cards == .several { object["several"] = true }
        object["key"] = request.key.map { .string($0) }
        object["limit"] = request.sendLimit.map { .number(JSONNumber($0)) }
        if request.mayBeOffline { object["offline"] = true }
        if request.returnsMoney { object["returns"] = true }
        object["forwards"] = request.forwardsWithin.map { .number(JSONNumber($0)) }
        object["at"] = json(request.openedAt)
        return object
    }

    private static func json(_ report: Attempt.Report) -> JSONObject {
        var object: JSONObject = ["event": "report"]
        switch report.what {
        case .verdict(let verdict): object["verdict"] = VerdictCodec.json(verdict)
        case .notExecuted: object["says"] = "notExecuted"
        case .withdrawn: object["says"] = "withdrawn"
        }
        object["evidence"] = json(report.evidence)
        object["run"] = number(report.run)
        object["request"] = report.request.map { number($0) }
        object["entry"] = number(report.entry)
        object["at"] = json(report.at)
        return object
    }

    private static func json(_ evidence: Attempt.Evidence) -> JSON {
        switch evidence {
        case .reply: return "reply"
        case .lookup(let at, let known): return ["kind": "lookup", "asked": json(at), "known": number(known)]
        case .webhook(let id, let time):
            var object: JSONObject = ["kind": "webhook", "id": .string(id)]
            object["time"] = time.map { .number(JSONNumber($0)) }
            return .object(object)
        case .person(let person, let reason, let known):
            return ["kind": "person", "by": .string(person), "reason": .string(reason), "known": number(known)]
        case .imported(let time): return ["kind": "imported", "time": .number(JSONNumber(time))]
        }
    }

    private static func event(_ json: JSON) throws -> Attempt.Event {
        var members = try CodecMembers(json)
        let event: Attempt.Event
        switch try members.text("event") {
        case "intent": event = .created(try intent(&members))
        case "run": event = .run(try run(&members))
        case "request": event = .request(try request(&members))
        case "close":
            event = .closed(
                request: try members.count("request"), try members.word("ending"), at: try instant(members.json("at")))
        case "end":
            event = .ended(run: try members.count("run"), try members.word("by"), at: try instant(members.json("at")))
        case "report": event = .report(try report(&members))
        case "name":
            event = .named(
                .init(
                    account: try account(members.json("account")), value: try members.text("value"),
                    request: try members.optionalCount("request"), isByPerson: try members.flag("person")))
        case "note":
            event = .note(
                .init(run: try members.count("run"), name: try members.text("name"), value: try members.text("value")))
        case "dispute": event = .disputed(try dispute(&members))
        case "absorb": event = .absorbed(by: try members.optionalText("attempt").map { try AttemptID($0) })
        case "release": event = .released(try texts(members.json("names")))
        case "contradiction": event = .contradiction(at: try instant(members.json("at")))
        case "acknowledge": event = try acknowledged(&members)
        default: throw DecodingError()
        }
        try members.end()
        return event
    }

    private static func intent(_ members: inout CodecMembers) throws -> Attempt.Intent {
        var intent = Attempt.Intent(
            try AttemptID(members.text("attempt")), try members.word("operation"),
            try MoneyCodec.money(members.json("amount")), reference: try members.optionalText("reference"),
            part: try members.optionalText("part") ?? "", holdsFor: try members.optionalNumber("holds"),
            payment: try members.optionalText("payment").map { try PaymentID($0) },
            scope: try members.optionalText("scope") ?? "", digest: try members.optionalText("content") ?? "")
        (intent.isForAll, intent.isLastCapture) = (try members.flag("all"), try members.flag("last"))
        intent.releasesRest = try members.flag("rest")
        intent.tip = try members.optional("tip").map { try MoneyCodec.money($0) }
        (intent.source, intent.last4) = (try members.optionalWord("source"), try members.optionalText("last4"))
        intent.isDryRun = try members.flag("dryRun")
        (intent.requestedBy, intent.reader) = (try members.optionalText("by"), try members.optionalText("reader"))
        intent.metadata = try VerdictCodec.references(members.optional("metadata"))
        return intent
    }

    private static func run(_ members: inout CodecMembers) throws -> Attempt.Run {
        var run = Attempt.Run(
            number: try members.count("number"), account: try account(members.json("account")),
            owner: try members.text("owner"), begunAt: try instant(members.json("at")),
            end: try members.optionalWord("end"))
        run.generation = try members.optionalText("generation") ?? ""
        (run.canLookUp, run.holdLifetime) = (try members.flag("lookUp"), try members.optionalNumber("hold"))
        (run.entry, run.countedUpTo) = (try members.count("entry"), try members.optionalNumber("counted"))
        return run
    }

    private static func request(_ members: inout CodecMembers) throws -> Attempt.Request {
        let number = try members.count("number")
        let run = try members.count("run")
        let isSeveral = try members.flag("several")
        var request = Attempt.Request(
            number: number, run: run, cards: isSeveral ? .several : .one, key: try members.optionalText("key"),
            sendLimit: try members.optionalNumber("limit"), openedAt: try instant(members.json("at")))
        (request.mayBeOffline, request.forwardsWithin) = (
            try members.flag("offline"), try members.optionalNumber("forwards")
        )
        request.returnsMoney = try members.flag("returns")
        return request
    }

    private static func report(_ members: inout CodecMembers) throws -> Attempt.Report {
        let what: Attempt.Report.What
        if let verdict = members.optional("verdict") {
            what = .verdict(try VerdictCodec.verdict(verdict))
        } else {
            switch try members.text("says") {
            case "notExecuted": what = .notExecuted
            case "withdrawn": what = .withdrawn
            default: throw DecodingError()
            }
        }
        return Attempt.Report(
            what, try evidence(members.json("evidence")), run: try members.count("run"),
            request: try members.optionalCount("request"), entry: try members.count("entry"),
            at: try instant(members.json("at")))
    }

    private static func dispute(_ members: inout CodecMembers) throws -> Attempt.Dispute {
        guard case .approved(let approval) = try VerdictCodec.verdict(members.json("verdict")) else {
            throw DecodingError()
        }
        return Attempt.Dispute(
            approval: approval, evidence: try evidence(members.json("evidence")),
            names: try texts(members.json("names")),
            holder: try members.optionalText("holder").map { try AttemptID($0) }, entry: try members.count("entry"))
    }

    private static func acknowledged(_ members: inout CodecMembers) throws -> Attempt.Event {
        let at = try instant(members.json("at"))
        if let amount = members.optional("amount") {
            return .acknowledged(.amount(try MoneyCodec.money(amount)), at: at)
        }
        switch try members.text("what") {
        case "contradiction": return .acknowledged(.contradiction, at: at)
        case "reference": return .acknowledged(.reference, at: at)
        case "chargeback": return .acknowledged(.chargeback, at: at)
        default: throw DecodingError()
        }
    }

    private static func evidence(_ json: JSON) throws -> Attempt.Evidence {
        if json.string == "reply" { return .reply }
        var members = try CodecMembers(json)
        let evidence: Attempt.Evidence
        switch try members.text("kind") {
        case "lookup":
            evidence = .lookup(askedAt: try instant(members.json("asked")), known: try members.count("known"))
        case "webhook":
            evidence = .webhook(id: try members.text("id"), providerTime: try members.optionalNumber("time"))
        case "person":
            evidence = .person(
                by: try members.text("by"), reason: try members.text("reason"), known: try members.count("known"))
        case "imported": evidence = .imported(saidAt: try members.number("time"))
        default: throw DecodingError()
        }
        try members.end()
        return evidence
    }

    // MARK: - Messages and timelines

    package static func bytes(_ notice: Notice) -> [UInt8] { packed(json(notice)) }

    /// A message as a person may read it.
    package static func json(_ notice: Notice) -> JSON {
        var object: JSONObject = ["id": .string(notice.id), "account": json(notice.account)]
        switch notice.subject {
        case .attempt(let id): object["attempt"] = .string(id.text)
        case .name(let name): object["name"] = .string(name)
        }
        object["operations"] = .array(notice.operations.map(\.rawValue).sorted().map { .string($0) })
        object["verdict"] = notice.verdict.map { VerdictCodec.json($0) }
        object["time"] = notice.providerTime.map { .number(JSONNumber($0)) }
        object["names"] = .array(notice.names.map { .string($0) })
        object["original"] = notice.original.map { .string($0) }
        object["amount"] = notice.amount.map { MoneyCodec.json($0) }
        if notice.capturesOnce { object["capturesOnce"] = true }
        return .object(object)
    }

    package static func notice(_ bytes: [UInt8]) throws(DecodingError) -> Notice {
        try reading(bytes) { json in
            var members = try CodecMembers(json)
            let id = try members.text("id")
            let account = try account(members.json("account"))
            let subject: Notice.Subject
            if let attempt = try members.optionalText("attempt") {
                subject = .attempt(try AttemptID(attempt))
            } else {
                subject = .name(try members.text("name"))
            }
            let operations = try texts(members.json("operations")).map { word in
                guard let operation = PaymentOperation(rawValue: word) else { throw DecodingError() }
                return operation
            }
            let verdict = try members.optional("verdict").map { try VerdictCodec.verdict($0) }
            var notice = Notice(
                id, account, subject, Set(operations), verdict, at: try members.optionalNumber("time"),
                names: try texts(members.json("names")), original: try members.optionalText("original"))
            notice.amount = try members.optional("amount").map { try MoneyCodec.money($0) }
            notice.capturesOnce = try members.flag("capturesOnce")
            try members.end()
            return notice
        }
    }

    package static func bytes(_ events: [PaymentEvent]) -> [UInt8] {
        packed(.array(events.map { .object(json($0)) }))
    }

    package static func events(_ bytes: [UInt8]) throws(DecodingError) -> [PaymentEvent] {
        try reading(bytes) { json in
            guard let array = json.array else { throw DecodingError() }
            return try array.map { try timelineEvent($0) }
        }
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

    private static func timelineEvent(_ json: JSON) throws -> PaymentEvent {
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

    // MARK: - Parts

    /// An account as one text, by which a store finds what belongs to it: equal accounts have equal texts, others have others.
    package static func key(_ account: ProviderIdentity) -> String {
        String(decoding: JSON.array(account.account.map { .string($0) }).bytes(), as: UTF8.self)
    }

    package static func json(_ account: ProviderIdentity) -> JSON {
        [
            .string(account.id.rawValue), .string(account.adapter), .string(account.environment),
            .string(account.merchant),
        ]
    }

    static func account(_ json: JSON) throws -> ProviderIdentity {
        guard let parts = json.array, parts.count == 4, let id = parts[0].string, let adapter = parts[1].string,
            let environment = parts[2].string, let merchant = parts[3].string
        else { throw DecodingError() }
        return ProviderIdentity(
            ProviderID(rawValue: id), adapter: adapter, environment: environment, merchant: merchant)
    }

    /// A moment: both clocks, and the start of the machine if that is known.
    static func json(_ instant: Attempt.Instant) -> JSON {
        let clocks: [JSON] = [.number(JSONNumber(instant.wall)), .number(JSONNumber(instant.uptime))]
        return .array(instant.boot.isEmpty ? clocks : clocks + [.string(instant.boot)])
    }

    static func instant(_ json: JSON) throws -> Attempt.Instant {
        guard let parts = json.array, (2...3).contains(parts.count), let wall = parts[0].int64,
            let uptime = parts[1].int64
        else { throw DecodingError() }
        guard parts.count == 3 else { return Attempt.Instant(wall: wall, uptime: uptime) }
        guard let boot = parts[2].string else { throw DecodingError() }
        return Attempt.Instant(wall: wall, uptime: uptime, boot: boot)
    }

    private static func texts(_ json: JSON) throws -> [String] {
        guard let array = json.array else { throw DecodingError() }
        return try array.map { one in
            guard let text = one.string else { throw DecodingError() }
            return text
        }
    }

    private static func number(_ value: Int) -> JSON { .number(JSONNumber(Int64(value))) }

    static func packed(_ json: JSON) -> [UInt8] { PackedJSON.bytes(json, EventCodecNames.packed) }

    /// Whatever fails while something is read means that it can't be read.
    static func reading<Value>(_ bytes: [UInt8], _ body: (JSON) throws -> Value) throws(DecodingError) -> Value {
        do {
            guard PackedJSON.isPacked(bytes) else { return try body(JSONReader().read(bytes)) }
            return try body(PackedJSON.value(bytes, EventCodecNames.packed))
        } catch { throw DecodingError() }
    }
}

/// Words of what a journal keeps, in the order in which packed rows count them.
///
/// Rows that were written stay: **add at the end of the second list, and never take one out or move one**. One that is
/// missing here is written as it is, and costs its letters.
enum EventCodecNames {
    static let packed = PackedWords(often + seldom)

    /// A byte each; there is room for no more.
    static let often = [
        "event", "at", "run", "number", "request", "account", "report", "source", "verdict", "value", "name", "owner",
        "intent", "attempt", "operation", "amount", "minorUnits", "currency", "reference", "payment", "card", "last4",
        "content", "scope", "sale", "limit", "key", "close", "ending", "answered", "end", "by", "reply", "kind",
        "approved", "references", "brand", "expiry", "receipt", "authorizationCode", "responseCode", "responseText",
        "evidence", "note", "sequence", "attributes", "begun", "submitted", "asked", "lookedUp", "lookup", "webhook",
        "person", "declined", "reason", "code", "message", "cancelled", "pending", "lookAgain", "id", "time", "known",
        "says", "notExecuted", "withdrawn", "notSent", "refused", "lost", "authorize", "capture", "void", "refund",
        "transaction", "order", "funding", "credit", "debit", "visa", "mastercard", "entry", "label",
        "retrievalReference", "tags", "tag", "tip", "dryRun", "contradiction", "reader", "keyed", "saved", "sandbox",
        "test", "live", "production", "merchant", "terminalID", "merchantID", "breakdown", "base", "total", "lines",
        "left", "copy", "customer", "cardRead", "readyForCard", "readerReady", "inDoubt", "unanswered", "waiting",
        "failed", "imported", "takeOver", "partial", "offline", "undone", "signatureRequired", "verification", "EUR",
        "USD", "GBP", "AED", "amex", "maestro", "chip", "contactless", "generation",
    ]

    /// Two bytes each.
    private static let seldom = [
        "adjust", "unlinkedRefund", "tipAdjustment", "verify", "tokenize", "addressCheck", "action", "result",
        "address", "phone", "email", "website", "tax", "discount", "surcharge", "cashDiscount", "rates", "bold",
        "country", "blocked", "exceeds", "open", "noProof", "notAllowed", "noSuchPayment", "otherProvider",
        "unansweredSend", "fenced", "refusal", "conflict", "mayBeLost", "movement", "charge", "repeated",
        "readerFailed", "educationShown", "pinRequested", "pinEntered", "failedLater", "notRecorded", "nameTaken",
        "otherAmount", "resolved", "accessRenewed", "operations", "moved", "doNotHonor", "insufficientFunds",
        "expiredCard", "lostCard", "stolenCard", "pickUpCard", "blockedCard", "invalidCard", "cardNotSupported",
        "incorrectPIN", "pinTriesExceeded", "pinRequired", "incorrectSecurityCode", "addressMismatch", "limitExceeded",
        "notPermitted", "issuerUnavailable", "suspectedFraud", "authenticationFailed", "authenticationRequired",
        "declinedOffline", "refusedByProvider", "accountClosed", "duplicate", "invalidAmount", "unlisted", "discover",
        "CHF", "JPY", "lookUp", "part", "events", "provider", "several",
    ]
}

/// Which boots have looked at an attempt, and since when a lookup is owed, as bytes.
package enum LookCodec {
    package static func bytes(_ marks: JournalClock.Marks) -> [UInt8] {
        Array(marks.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: "\n").utf8)
    }

    package static func marks(_ bytes: [UInt8]) -> JournalClock.Marks {
        var marks: JournalClock.Marks = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let uptime = Int64(parts[0]) else { continue }
            marks[String(parts[1])] = uptime
        }
        return marks
    }

    package static func bytes(_ instant: Attempt.Instant) -> [UInt8] {
        Array("\(instant.wall) \(instant.uptime) \(instant.boot)".utf8)
    }

    package static func instant(_ bytes: [UInt8]) -> Attempt.Instant? {
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let wall = Int64(parts[0]), let uptime = Int64(parts[1]) else { return nil }
        return Attempt.Instant(wall: wall, uptime: uptime, boot: String(parts[2]))
    }
}

/// A checksum over a row, kept in the row: a disk that returns other bits than were written is noticed before an amount is
/// believed. It guards against damage, not against people (FNV-1a over kind, length and bytes of each value).
package struct RowChecksum {
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let factor: UInt64 = 0x0000_0100_0000_01B3

    private var sum = start

    package init() {}

    /// The checksum of what was added.
    package var value: Int64 { Int64(bitPattern: sum) }

    package mutating func addNull() { add(0 as UInt8) }

    package mutating func add(integer number: Int64) {
        add(1 as UInt8)
        add(number)
    }

    package mutating func add(text: String) {
        add(2 as UInt8)
        add(Int64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    package mutating func add(bytes: [UInt8]) {
        add(3 as UInt8)
        add(Int64(bytes.count))
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* Self.factor }

    private mutating func add(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

/// The numbers under which rows are found: what is found is compared with the log.
package enum RowHash {
    package static func of(_ name: ProviderName) -> Int64 { sum(EventCodec.key(name.account), name.value) }
    package static func of(_ account: ProviderIdentity) -> Int64 { sum(EventCodec.key(account)) }
    package static func of(_ attempt: AttemptID) -> Int64 { sum(attempt.text) }
    package static func of(_ reference: PaymentRecord.Reference) -> Int64 {
        of(reference.scope, isRefund: reference.isRefund, reference.text)
    }
    package static func of(_ scope: String, isRefund: Bool, _ reference: String) -> Int64 {
        var sum = RowChecksum()
        sum.add(text: scope)
        sum.add(integer: isRefund ? 1 : 0)
        sum.add(text: reference)
        return sum.value
    }

    /// All under which a message waits.
    package static func all(of notice: Notice) -> Set<Int64> {
        var hashes = Set(notice.everyName.map { of(ProviderName(notice.account, $0)) })
        if case .attempt(let id) = notice.subject { hashes.insert(of(id)) }
        return hashes
    }

    private static func sum(_ texts: String...) -> Int64 {
        var sum = RowChecksum()
        for text in texts { sum.add(text: text) }
        return sum.value
    }
}

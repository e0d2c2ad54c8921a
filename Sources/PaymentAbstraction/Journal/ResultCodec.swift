internal import PaymentBase
package import PaymentModel

/// The members of an object while they are read; one that was not asked for makes the whole unreadable, since it may
/// say what newer software means and we don't understand.
struct CodecMembers {
    private let object: JSONObject
    private var readCount = 0

    init(_ json: JSON) throws {
        guard let object = json.object else { throw EventCodec.DecodingError() }
        self.object = object
    }

    mutating func optional(_ name: String) -> JSON? {
        guard let value = object[name] else { return nil }
        readCount += 1
        return value
    }

    mutating func json(_ name: String) throws -> JSON {
        guard let value = optional(name) else { throw EventCodec.DecodingError() }
        return value
    }

    mutating func optionalText(_ name: String) throws -> String? {
        guard let value = optional(name) else { return nil }
        guard let text = value.string else { throw EventCodec.DecodingError() }
        return text
    }

    mutating func text(_ name: String) throws -> String {
        guard let text = try optionalText(name) else { throw EventCodec.DecodingError() }
        return text
    }

    mutating func optionalNumber(_ name: String) throws -> Int64? {
        guard let value = optional(name) else { return nil }
        guard let number = value.int64 else { throw EventCodec.DecodingError() }
        return number
    }

    mutating func number(_ name: String) throws -> Int64 {
        guard let number = try optionalNumber(name) else { throw EventCodec.DecodingError() }
        return number
    }

    mutating func count(_ name: String) throws -> Int {
        guard let count = Int(exactly: try number(name)) else { throw EventCodec.DecodingError() }
        return count
    }

    mutating func optionalCount(_ name: String) throws -> Int? {
        guard let number = try optionalNumber(name) else { return nil }
        guard let count = Int(exactly: number) else { throw EventCodec.DecodingError() }
        return count
    }

    /// Something that is only written where it is so.
    mutating func flag(_ name: String) throws -> Bool {
        guard let value = optional(name) else { return false }
        guard let flag = value.bool else { throw EventCodec.DecodingError() }
        return flag
    }

    /// One of our own words; one that we don't know must not pass for another.
    mutating func word<Known: RawRepresentable<String>>(_ name: String) throws -> Known {
        guard let known = Known(rawValue: try text(name)) else { throw EventCodec.DecodingError() }
        return known
    }

    mutating func optionalWord<Known: RawRepresentable<String>>(_ name: String) throws -> Known? {
        guard let text = try optionalText(name) else { return nil }
        guard let known = Known(rawValue: text) else { throw EventCodec.DecodingError() }
        return known
    }

    /// Nothing may be left.
    func end() throws {
        guard readCount == object.count else { throw EventCodec.DecodingError() }
    }
}

/// A verdict as JSON and back; holds what a journal may hold and nothing else.
enum VerdictCodec {
    static func verdict(_ json: JSON) throws -> Verdict {
        var members = try CodecMembers(json)
        let verdict: Verdict
        switch try members.text("kind") {
        case "approved": verdict = .approved(try approval(&members))
        case "declined": verdict = .declined(try decline(&members))
        case "cancelled":
            let by = Cancellation.Cause(rawValue: try members.text("by"))
            verdict = .cancelled(
                Cancellation(
                    cause: by, provider: message(members.optional("provider")),
                    references: try references(members.optional("references")),
                    wasReversed: try members.flag("undone")))
        case "pending":
            var pending = Pending(
                references: try references(members.optional("references")),
                provider: message(members.optional("provider")), shouldPoll: try members.flag("lookAgain"))
            pending.receipt = try members.optional("receipt").map { try ReceiptCodec.receipt($0) }
            verdict = .pending(pending)
        default: throw EventCodec.DecodingError()
        }
        try members.end()
        return verdict
    }

    static func json(_ verdict: Verdict) -> JSON {
        var object: JSONObject
        switch verdict {
        case .approved(let approval): object = json(approval)
        case .declined(let decline):
            object = ["kind": "declined", "reason": .string(decline.reason.rawValue)]
            object["provider"] = json(decline.provider)
            object["card"] = decline.card.map { .object(CardCodec.json($0)) }
            object["receipt"] = decline.receipt.map { .object(ReceiptCodec.json($0)) }
        case .cancelled(let cancellation):
            object = ["kind": "cancelled", "by": .string(cancellation.cause.rawValue)]
            object["provider"] = cancellation.provider.map { json($0) }
            if cancellation.wasReversed { object["undone"] = true }
        case .pending(let pending):
            object = ["kind": "pending", "lookAgain": .bool(pending.shouldPoll)]
            object["provider"] = pending.provider.map { json($0) }
            object["receipt"] = pending.receipt.map { .object(ReceiptCodec.json($0)) }
        }
        object["references"] = json(verdict.references)
        return .object(object)
    }

    private static func json(_ approval: Approval) -> JSONObject {
        var object: JSONObject = ["kind": "approved", "amount": MoneyCodec.json(approval.amount)]
        object["card"] = approval.card.map { .object(CardCodec.json($0)) }
        object["receipt"] = approval.receipt.map { .object(ReceiptCodec.json($0)) }
        object["saved"] = approval.saved.map { .object(CardCodec.json($0)) }
        if approval.isPartial { object["partial"] = true }
        if approval.isOffline { object["offline"] = true }
        if approval.isDryRun { object["dryRun"] = true }
        object["executed"] = approval.executedAt.map { .number(JSONNumber($0)) }
        return object
    }

    private static func approval(_ members: inout CodecMembers) throws -> Approval {
        var approval = Approval(
            try MoneyCodec.money(members.json("amount")), references: try references(members.optional("references")))
        approval.card = members.optional("card").map { CardCodec.card($0) }
        approval.receipt = try members.optional("receipt").map { try ReceiptCodec.receipt($0) }
        approval.saved = members.optional("saved").map { CardCodec.saved($0) }
        approval.isPartial = try members.flag("partial")
        approval.isOffline = try members.flag("offline")
        approval.isDryRun = try members.flag("dryRun")
        approval.executedAt = try members.optionalNumber("executed")
        return approval
    }

    private static func decline(_ members: inout CodecMembers) throws -> Decline {
        let reason = Decline.Reason(rawValue: try members.text("reason"))
        let said = message(members.optional("provider")) ?? ProviderMessage(code: "")
        var decline = Decline(reason, provider: said, references: try references(members.optional("references")))
        decline.card = members.optional("card").map { CardCodec.card($0) }
        decline.receipt = try members.optional("receipt").map { try ReceiptCodec.receipt($0) }
        return decline
    }

    /// Names and values, sorted by name, so that the same always gives the same bytes.
    static func json(_ names: [String: String]) -> JSON {
        var object = JSONObject()
        for (name, value) in names.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        return .object(object)
    }

    static func references(_ json: JSON?) throws -> [String: String] {
        var names: [String: String] = [:]
        for member in json?.object?.members ?? [] {
            guard let text = member.value.string else { throw EventCodec.DecodingError() }
            names[member.key] = text
        }
        return names
    }

    private static func json(_ message: ProviderMessage) -> JSON {
        ["code": .string(message.code), "message": .string(message.message)]
    }

    private static func message(_ json: JSON?) -> ProviderMessage? {
        json.map { ProviderMessage(code: $0["code"]?.string ?? "", message: $0["message"]?.string ?? "") }
    }
}

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
        case .pruned(let name): return one("pruned", .string(name))
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
            case "pruned": return .pruned(text)
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

/// What may be shown of a card as JSON and back; the holder's name stays out.
enum CardCodec {
    static func json(_ card: CardSummary) -> JSONObject {
        var object = JSONObject()
        object["brand"] = card.brand.map { .string($0) }
        object["last4"] = card.last4.map { .string($0) }
        object["expiry"] = card.expiry.map { .string($0) }
        object["entry"] = card.entry.map { .string($0) }
        object["funding"] = card.funding.map { .string($0) }
        object["country"] = card.issuerCountry.map { .string($0) }
        return object
    }

    static func card(_ json: JSON) -> CardSummary {
        var card = CardSummary(brand: json["brand"]?.string, last4: json["last4"]?.string)
        card.expiry = json["expiry"]?.string
        card.entry = json["entry"]?.string
        card.funding = json["funding"]?.string
        card.issuerCountry = json["country"]?.string
        return card
    }

    /// An instrument without its token.
    static func json(_ saved: SavedInstrument) -> JSONObject {
        var object: JSONObject = ["id": .string(saved.id.rawValue)]
        object["card"] = saved.card.map { .object(json($0)) }
        object["customer"] = saved.customer.map { .string($0) }
        return object
    }

    static func saved(_ json: JSON) -> SavedInstrument {
        let id = SavedInstrument.ID(rawValue: json["id"]?.string ?? "")
        var saved = SavedInstrument(id, card: json["card"].map { card($0) })
        saved.customer = json["customer"]?.string
        return saved
    }
}

/// An amount as JSON and back: minor units and the currency's code.
enum MoneyCodec {
    static func json(_ money: Money) -> JSON {
        ["minorUnits": .number(JSONNumber(money.minorUnits)), "currency": .string(money.currency.code)]
    }

    static func money(_ json: JSON?) throws -> Money {
        guard let units = json?["minorUnits"]?.int64, let code = json?["currency"]?.string,
            let currency = Currency.known(code)
        else { throw EventCodec.DecodingError() }
        return Money(minorUnits: units, currency)
    }
}

/// A receipt as JSON and back.
enum ReceiptCodec {
    static func json(_ receipt: Receipt) -> JSONObject {
        var object = JSONObject()
        object["authorizationCode"] = receipt.authorizationCode.map { .string($0) }
        object["responseCode"] = receipt.responseCode.map { .string($0) }
        object["responseText"] = receipt.responseText.map { .string($0) }
        object["retrievalReference"] = receipt.retrievalReference.map { .string($0) }
        object["at"] = receipt.at.map { .number(JSONNumber($0)) }
        object["addressCheck"] = receipt.addressCheck.map { json($0) }
        object["verification"] = receipt.verification.map { .string($0) }
        if receipt.signatureRequired { object["signatureRequired"] = true }
        if !receipt.tags.isEmpty {
            object["tags"] = .array(receipt.tags.map { ["tag": .string($0.tag), "value": .string($0.value)] })
        }
        object["merchant"] = receipt.merchant.map { json($0) }
        object["breakdown"] = receipt.breakdown.map { json($0) }
        if !receipt.lines.isEmpty { object["lines"] = .array(receipt.lines.map { json($0) }) }
        return object
    }

    static func receipt(_ json: JSON) throws -> Receipt {
        var receipt = Receipt()
        receipt.authorizationCode = json["authorizationCode"]?.string
        receipt.responseCode = json["responseCode"]?.string
        receipt.responseText = json["responseText"]?.string
        receipt.retrievalReference = json["retrievalReference"]?.string
        receipt.at = json["at"]?.int64
        receipt.verification = json["verification"]?.string
        receipt.signatureRequired = json["signatureRequired"]?.bool ?? false
        receipt.add(
            (json["tags"]?.array ?? []).map { Receipt.EMVTag($0["tag"]?.string ?? "", $0["value"]?.string ?? "") })
        receipt.merchant = json["merchant"].map { merchant($0) }
        receipt.breakdown = try json["breakdown"].map { try breakdown($0) }
        receipt.lines = try (json["lines"]?.array ?? []).map { try line($0) }
        if let check = json["addressCheck"] {
            receipt.addressCheck = Receipt.AddressCheck(
                code: check["code"]?.string, action: check["action"]?.string, result: check["result"]?.string)
        }
        return receipt
    }

    private static func json(_ check: Receipt.AddressCheck) -> JSON {
        var object = JSONObject()
        object["code"] = check.code.map { .string($0) }
        object["action"] = check.action.map { .string($0) }
        object["result"] = check.result.map { .string($0) }
        return .object(object)
    }

    private static func json(_ merchant: Receipt.Merchant) -> JSON {
        var object = JSONObject()
        object["name"] = merchant.name.map { .string($0) }
        object["address"] = merchant.address.map { .string($0) }
        object["phone"] = merchant.phone.map { .string($0) }
        object["email"] = merchant.email.map { .string($0) }
        object["website"] = merchant.website.map { .string($0) }
        object["merchantID"] = merchant.merchantID.map { .string($0) }
        object["terminalID"] = merchant.terminalID.map { .string($0) }
        return .object(object)
    }

    private static func merchant(_ json: JSON) -> Receipt.Merchant {
        var merchant = Receipt.Merchant()
        (merchant.name, merchant.address) = (json["name"]?.string, json["address"]?.string)
        (merchant.phone, merchant.email) = (json["phone"]?.string, json["email"]?.string)
        merchant.website = json["website"]?.string
        (merchant.merchantID, merchant.terminalID) = (json["merchantID"]?.string, json["terminalID"]?.string)
        return merchant
    }

    private static func json(_ breakdown: Quote.Breakdown) -> JSON {
        var object: JSONObject = [
            "base": MoneyCodec.json(breakdown.base), "total": MoneyCodec.json(breakdown.total),
        ]
        object["discount"] = breakdown.discount.map { MoneyCodec.json($0) }
        object["cashDiscount"] = breakdown.cashDiscount.map { MoneyCodec.json($0) }
        object["surcharge"] = breakdown.surcharge.map { MoneyCodec.json($0) }
        object["tip"] = breakdown.tip.map { MoneyCodec.json($0) }
        object["tax"] = breakdown.tax.map { MoneyCodec.json($0) }
        if !breakdown.rates.isEmpty { object["rates"] = VerdictCodec.json(breakdown.rates) }
        return .object(object)
    }

    private static func breakdown(_ json: JSON) throws -> Quote.Breakdown {
        var breakdown = Quote.Breakdown(
            base: try MoneyCodec.money(json["base"]), total: try MoneyCodec.money(json["total"]))
        breakdown.discount = try json["discount"].map { try MoneyCodec.money($0) }
        breakdown.cashDiscount = try json["cashDiscount"].map { try MoneyCodec.money($0) }
        breakdown.surcharge = try json["surcharge"].map { try MoneyCodec.money($0) }
        breakdown.tip = try json["tip"].map { try MoneyCodec.money($0) }
        breakdown.tax = try json["tax"].map { try MoneyCodec.money($0) }
        breakdown.rates = try VerdictCodec.references(json["rates"])
        return breakdown
    }

    private static func json(_ line: Receipt.Line) -> JSON {
        var object: JSONObject = ["copy": .string(line.copy.rawValue), "label": .string(line.label)]
        object["value"] = line.value.map { .string($0) }
        object["key"] = line.key.map { .string($0) }
        if line.isBold { object["bold"] = true }
        return .object(object)
    }

    private static func line(_ json: JSON) throws -> Receipt.Line {
        guard let copy = Receipt.Line.Copy(rawValue: json["copy"]?.string ?? "") else {
            throw EventCodec.DecodingError()
        }
        return Receipt.Line(
            copy, json["label"]?.string ?? "",
            value: json["value"]?.string, key: json["key"]?.string, isBold: json["bold"]?.bool ?? false)
    }
}

internal import PaymentAbstraction
internal import PaymentBase

/// A payment from before our time, read from one line.
struct ImportedPayment {
    let intent: AttemptIntent
    let provider: ProviderIdentity
    let references: PaymentReferences
    let takenAt: Int64
    /// How much of it was given back before.
    let refunded: Money?
    /// Up to which time of the provider's all of that holds.
    let holdsUntil: Int64

    /// The members that a line may have; anything else is refused rather than dropped.
    private static let members: Set<String> = [
        "attempt", "provider", "adapter", "environment", "merchant", "reference", "minorUnits", "currency", "last4",
        "takenAt", "references", "refunded", "holdsUntil", "scope",
    ]

    /// Who is named as the owner of what was imported.
    static let owner = "import"

    /// What is wrong with a line, in words that hold nothing of it but names of members.
    struct Refused: Error { let words: String }

    init(_ line: String) throws {
        guard let json = try? JSONReader().read(Array(line.utf8)), let object = json.object else {
            throw Refused(words: "it is no JSON object")
        }
        for member in object.members where !Self.members.contains(member.key) {
            throw Refused(words: "a member is not known; there are \(Self.members.sorted().joined(separator: ", "))")
        }
        func text(_ name: String) throws -> String {
            guard let text = json[name]?.string, !text.isEmpty else { throw Refused(words: "\(name) is missing") }
            return text
        }
        provider = ProviderIdentity(
            ProviderID(rawValue: try text("provider")), adapter: try text("adapter"),
            environment: try text("environment"), merchant: try text("merchant"))
        guard let units = json["minorUnits"]?.int64, units > 0 else {
            throw Refused(words: "minorUnits is no whole number above zero")
        }
        guard let currency = Currency.known(try text("currency")) else { throw Refused(words: "currency is not known") }
        guard let takenAt = json["takenAt"]?.int64, takenAt > 0 else {
            throw Refused(words: "takenAt is no moment in milliseconds")
        }
        guard let attempt = try? AttemptID(try text("attempt")) else {
            throw Refused(words: "attempt is no attempt id")
        }
        references = try Self.references(json["references"])
        let last4 = try Self.last4(json["last4"])
        var intent = AttemptIntent(
            attempt, .sale, Money(minorUnits: units, currency), reference: try text("reference"),
            source: last4 == nil ? nil : .card, last4: last4)
        intent.scope =
            try json["scope"].map { json in
                guard let scope = json.string else { throw Refused(words: "scope is no text") }
                return scope
            } ?? ""
        (self.intent, self.takenAt) = (intent, takenAt)
        refunded = try Self.refunded(json["refunded"], intent.amount)
        guard let holdsUntil = json["holdsUntil"].map(\.int64) ?? takenAt, holdsUntil >= takenAt else {
            throw Refused(words: "holdsUntil is no moment in milliseconds at or after takenAt")
        }
        self.holdsUntil = holdsUntil
        try Self.refuseSecrets(
            Array(references.values) + Array(references.keys)
                + [intent.reference, provider.merchant, attempt.text, intent.scope])
    }

    private static func refunded(_ json: JSON?, _ whole: Money) throws -> Money? {
        guard let json else { return nil }
        guard let units = json.int64, (0...whole.minorUnits).contains(units) else {
            throw Refused(words: "refunded is no whole number up to minorUnits")
        }
        return units == 0 ? nil : Money(minorUnits: units, whole.currency)
    }

    private static func references(_ json: JSON?) throws -> PaymentReferences {
        guard let members = json?.object?.members, !members.isEmpty else {
            throw Refused(words: "references are missing; without them nothing can be refunded")
        }
        return try members.reduce(into: [:]) { references, member in
            guard let text = member.value.string, !text.isEmpty else { throw Refused(words: "a reference is no text") }
            references[member.key] = text
        }
    }

    private static func last4(_ json: JSON?) throws -> String? {
        guard let json else { return nil }
        guard let text = json.string, text.utf8.count == 4, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Refused(words: "last4 has to be four digits")
        }
        return text
    }

    private static func refuseSecrets(_ texts: [String]) throws {
        for text in texts where Masking.findsCardNumber(in: text) {
            throw Refused(words: "something in it looks like a card number")
        }
    }
}

extension ImportedPayment {
    /// What the provider calls it.
    var names: [String] { Set(references.values).sorted() }

    /// The payment: an intent, an ended round without sends, and a word of whoever imported it; told.
    func facts(at now: JournalInstant) -> [JournalFact] {
        var approval = Approval(intent.amount, references: references)
        approval.card = intent.last4.map { CardSummary(last4: $0) }
        return Self.facts(intent, provider, .approved(approval), takenAt, holdsUntil, now)
    }

    /// What was given back before, as one refund under an id that is made of the payment's.
    func refund(at now: JournalInstant) throws -> [JournalFact]? {
        guard let refunded else { return nil }
        let sum = UInt64(bitPattern: RowSum.of([.text(intent.scope), .text(intent.attempt.text)]))
        let digits = String(sum, radix: 16)
        let id = try AttemptID("refunded-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits)
        var refund = AttemptIntent(
            id, .refund, refunded, reference: intent.reference, payment: intent.paymentID)
        refund.scope = intent.scope
        return Self.facts(refund, provider, .approved(Approval(refunded)), takenAt, holdsUntil, now)
    }

    private static func facts(
        _ intent: AttemptIntent, _ provider: ProviderIdentity, _ verdict: Verdict, _ takenAt: Int64,
        _ holdsUntil: Int64, _ now: JournalInstant
    ) -> [JournalFact] {
        let then = JournalInstant(wall: takenAt, uptime: 0)
        var word = AttemptFacts.Word(.imported, .verdict(verdict), at: now)
        (word.round, word.providerTime) = (1, holdsUntil)
        return [
            .intent(intent), FactCodec.round(1, provider, owner: owner, at: then),
            FactCodec.end(1, by: .imported, at: then), .word(word), .told(at: now),
        ]
    }
}

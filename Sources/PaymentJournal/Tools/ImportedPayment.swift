internal import PaymentAbstraction
internal import PaymentBase

/// A payment from before our time, read from one line.
struct ImportedPayment {
    let record: AttemptRecord

    /// The members that a line may have; anything else is refused rather than dropped.
    private static let members: Set<String> = [
        "attempt", "provider", "adapter", "environment", "merchant", "reference", "minorUnits", "currency", "last4",
        "takenAt", "references",
    ]

    /// Who is named as the owner of what was imported.
    private static let owner = "import"

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
        let provider = ProviderIdentity(
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
        let references = try Self.references(json["references"])
        let last4 = try Self.last4(json["last4"])
        let amount = Money(minorUnits: units, currency)
        let intent = AttemptIntent(
            attempt, .sale, amount, reference: try text("reference"), source: last4 == nil ? nil : .card, last4: last4)
        try Self.refuseSecrets(
            Array(references.values) + Array(references.keys) + [intent.reference, provider.merchant, attempt.text])
        var record = AttemptRecord(intent, provider, round: 1, at: takenAt, owner: Self.owner)
        var approval = Approval(amount, references: references)
        if let last4 { approval.card = CardSummary(brand: nil, last4: last4) }
        record.state = .concluded(.approved(approval))
        (record.evidence, record.eventAt, record.submittedAt) = (.imported, takenAt, takenAt)
        self.record = record
    }

    private static func references(_ json: JSON?) throws -> PaymentReferences {
        guard let members = json?.object?.members, !members.isEmpty else {
            throw Refused(words: "references are missing; without them nothing can be refunded")
        }
        for member in members where (member.value.string ?? "").isEmpty {
            throw Refused(words: "a reference is no text")
        }
        return VerdictCodec.references(json)
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

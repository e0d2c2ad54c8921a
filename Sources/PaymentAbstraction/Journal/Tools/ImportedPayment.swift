internal import PaymentBase

/// A payment from before our time, read from one line.
package struct ImportedPayment: Sendable {
    package let intent: AttemptIntent
    package let provider: ProviderIdentity
    let references: PaymentReferences
    let takenAt: Int64
    /// How much of it was given back before.
    let refunded: Money?
    /// Up to which time of the provider's all of that holds.
    package let holdsUntil: Int64

    /// The members that a line may have; anything else is refused rather than dropped.
    private static let members: Set<String> = [
        "attempt", "provider", "adapter", "environment", "merchant", "reference", "minorUnits", "currency", "last4",
        "takenAt", "references", "refunded", "holdsUntil", "scope",
    ]

    /// Who is named as the owner of what was imported.
    static let owner = "import"

    /// What is wrong with a line, in words that hold nothing of it but names of members.
    struct Refused: Error { let words: String }

    package init(_ line: String) throws {
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
            references.values.filter { !CardNumber.isOtherName($0) } + Array(references.keys)
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

/// Tells what a provider calls a payment from a card's number.
private enum CardNumber {
    /// Whether no run of digits in a provider's name for something begins as a card's number does.
    ///
    /// Every tenth name of digits adds up as a card's number does, and most have a part that does. Cards' numbers begin
    /// with 1 to 6, or with 81; the names that providers draw are known to begin with others.
    static func isOtherName(_ name: String) -> Bool {
        var runs: [[UInt8]] = [[]]
        for byte in name.utf8 {
            switch byte {
            case 48...57: runs[runs.count - 1].append(byte)
            // Whoever types a card's number puts these between its digits.
            case 32, 45: continue
            default: runs.append([])
            }
        }
        return runs.allSatisfy { run in
            run.count < Masking.cardDigits.lowerBound || !begins(run) && run.count <= Masking.cardDigits.upperBound
        }
    }

    private static func begins(_ digits: [UInt8]) -> Bool {
        (49...54).contains(digits[0]) || digits.starts(with: [56, 49])
    }
}

extension ImportedPayment {
    /// What the provider calls it.
    package var names: [String] { Set(references.values).sorted() }

    /// The payment: an intent, an ended round without sends, and a word of whoever imported it; told.
    package func facts(at now: JournalInstant) -> [JournalFact] {
        var approval = Approval(intent.amount, references: references)
        approval.card = intent.last4.map { CardSummary(last4: $0) }
        return Self.facts(intent, provider, .approved(approval), takenAt, holdsUntil, now)
    }

    /// What was given back before, as one refund under an id that is made of the payment's.
    package func refund(at now: JournalInstant) throws -> [JournalFact]? {
        guard let refunded else { return nil }
        let digits = String(Self.sum(intent.scope, intent.attempt.text), radix: 16)
        let id = try AttemptID("refunded-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits)
        var refund = AttemptIntent(
            id, .refund, refunded, reference: intent.reference, payment: intent.paymentID)
        refund.scope = intent.scope
        return Self.facts(refund, provider, .approved(Approval(refunded)), takenAt, holdsUntil, now)
    }

    /// FNV-1a over the texts with their lengths, so that the same payment always gets the same refund.
    private static func sum(_ texts: String...) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for text in texts {
            add(2)
            let count = Int64(text.utf8.count)
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: count >> shift)) }
            for byte in text.utf8 { add(byte) }
        }
        return sum
    }

    /// A kept notice from before the import's time, for the timeline.
    package func filed(_ notice: KeptNotice, at now: JournalInstant) -> PaymentEvent {
        PaymentEvent(
            .webhook, sequence: 1, at: now.wall, payment: intent.paymentID, attempt: intent.attempt,
            provider: provider.id,
            attributes: ["filed": notice.word.id ?? "", "at": "\(notice.word.providerTime ?? 0)"])
    }

    /// How many payments one import takes; more are imported in several.
    package static let importedMax = 10_000

    /// Reads all lines of an import.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the first line that is refused.
    package static func all(_ lines: [String]) throws(PaymentError) -> [ImportedPayment] {
        guard lines.count <= importedMax else {
            throw PaymentError.nothingMoved(
                .invalidRequest, "there are \(lines.count) lines; import \(importedMax) at most at once")
        }
        var payments: [ImportedPayment] = []
        for (index, line) in lines.enumerated() {
            do { payments.append(try ImportedPayment(line)) } catch {
                throw refused(index, (error as? Refused)?.words ?? "it can't be read")
            }
        }
        return payments
    }

    /// Why a line is refused.
    package static func refused(_ index: Int, _ words: String) -> PaymentError {
        PaymentError.nothingMoved(.invalidRequest, "line \(index + 1): \(words)")
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

internal import PaymentBase
package import PaymentModel

/// A payment from before our time, or what followed a payment of this journal, read from one line.
package struct ImportedPayment: Sendable {
    let intent: Attempt.Intent
    package let provider: ProviderIdentity
    let references: PaymentReferences
    let takenAt: Int64
    /// How much of it was refunded before.
    let refunded: Money?
    /// What customers' banks took back of it before.
    let chargebacks: [ImportedChargeback]
    /// Up to which time of the provider's all of that holds.
    let holdsUntil: Int64

    /// The members that a line may have; anything else is refused rather than dropped.
    private static let members: Set<String> = [
        "attempt", "provider", "adapter", "environment", "merchant", "reference", "minorUnits", "currency", "last4",
        "takenAt", "references", "refunded", "chargebacks", "holdsUntil", "scope", "part", "source", "payment",
        "operation",
    ]

    /// What is wrong with a line, in words that hold nothing of it but names of members.
    struct Refused: Error { let words: String }

    package init(_ line: String) throws {
        guard let json = try? JSONReader().read(Array(line.utf8)), let object = json.object else {
            throw Refused(
                words: "it is no JSON object; each line is one, with attempt, provider and what else is known")
        }
        for member in object.members where !Self.members.contains(member.key) {
            let all = Self.members.sorted().joined(separator: ", ")
            throw Refused(words: "there is no member \(QuotedInput(member.key)); there are \(all)")
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
        guard units <= Money.believableMinorUnitsMax else {
            throw Refused(words: "minorUnits is above \(Money.believableMinorUnitsMax), more than one payment can be")
        }
        guard let currency = Currency.known(try text("currency")) else { throw Refused(words: "currency is not known") }
        guard let takenAt = try Self.moment(json, "takenAt"), takenAt > 0 else {
            throw Refused(words: "takenAt is missing, or before 1970")
        }
        guard let attempt = try? AttemptID(try text("attempt")) else {
            throw Refused(words: "attempt is no attempt id")
        }
        let followed = try ImportedFollowUp(object)
        references = try Self.references(json["references"], isNeeded: followed == nil)
        let last4 = try Self.last4(json["last4"])
        func optional(_ name: String) throws -> String {
            guard let member = json[name] else { return "" }
            guard let text = member.string else { throw Refused(words: "\(name) is no text") }
            return text
        }
        let part = try optional("part")
        var intent = Attempt.Intent(
            attempt, followed?.operation ?? .sale, Money(minorUnits: units, currency),
            reference: try followed == nil ? text("reference") : followed?.reference, part: part,
            payment: followed?.payment,
            scope: try optional("scope"))
        // The last digits alone don't say how the card was read.
        (intent.source, intent.last4) = (try Self.source(json["source"]), last4)
        (self.intent, self.takenAt) = (intent, takenAt)
        refunded = try Self.refunded(json["refunded"], intent.amount)
        chargebacks = try ImportedChargeback.all(json["chargebacks"], intent.amount, takenAt: takenAt)
        let back = chargebacks.reduce(refunded?.minorUnits ?? 0) { $0.addingSaturating($1.amount.minorUnits) }
        guard back <= units else { throw Refused(words: "refunded and chargebacks are more than minorUnits") }
        guard Set(references.values).isDisjoint(with: chargebacks.map(\.name)) else {
            throw Refused(words: "a chargeback has the payment's own name")
        }
        let last = chargebacks.map(\.at).max() ?? takenAt
        let holdsUntil = try Self.moment(json, "holdsUntil") ?? last
        guard holdsUntil >= takenAt else { throw Refused(words: "holdsUntil is before takenAt") }
        guard holdsUntil >= last else { throw Refused(words: "holdsUntil is before a chargeback") }
        if json["refunded"] != nil, json["holdsUntil"] == nil {
            throw Refused(
                words:
                    "it has refunded and no holdsUntil; say up to which moment the list speaks, or a refund of before "
                    + "counts twice when the provider reports it again")
        }
        self.holdsUntil = holdsUntil
        try Self.refuseLong(intent, provider)
        try Self.refuseSecrets(
            (references.values + chargebacks.map(\.name)).filter { !CardNumber.isOtherName($0) }
                + Array(references.keys)
                + [intent.reference ?? "", part, provider.merchant, attempt.text, intent.scope])
    }

    /// A moment in milliseconds since 1970, or as text; nil where there is none.
    static func moment(_ json: JSON, _ name: String) throws(Refused) -> Int64? {
        guard let member = json[name] else { return nil }
        if let number = member.int64 { return number }
        guard let text = member.string, let time = Timestamp(text) else {
            throw Refused(
                words: "\(name) is no moment; write milliseconds since 1970, or a text such as 2026-11-21T19:58:55Z")
        }
        return time.milliseconds
    }

    private static func source(_ json: JSON?) throws -> PaymentSource.Kind? {
        guard let json else { return nil }
        guard let word = json.string, let kind = PaymentSource.Kind(rawValue: word) else {
            let all = PaymentSource.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refused(words: "source is none of \(all)")
        }
        return kind
    }

    private static func refunded(_ json: JSON?, _ whole: Money) throws -> Money? {
        guard let json else { return nil }
        guard let units = json.int64, (0...whole.minorUnits).contains(units) else {
            throw Refused(words: "refunded is no whole number up to minorUnits")
        }
        return units == 0 ? nil : Money(minorUnits: units, whole.currency)
    }

    /// How many names a payment has at most.
    private static let referencesMax = 20

    private static func references(_ json: JSON?, isNeeded: Bool) throws -> PaymentReferences {
        if json == nil, !isNeeded { return [:] }
        guard let members = json?.object?.members, !members.isEmpty || !isNeeded else {
            throw Refused(words: "references are missing; without them nothing can be refunded")
        }
        guard members.count <= referencesMax else {
            throw Refused(words: "references has \(members.count) members; \(referencesMax) at most")
        }
        return try members.reduce(into: [:]) { references, member in
            guard let text = member.value.string, !text.isEmpty else { throw Refused(words: "a reference is no text") }
            try refuseLong(member.key, "the name of a member of references", Attempt.Name.bytesMax)
            try refuseLong(text, "a member of references", Attempt.Name.bytesMax)
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

    private static func refuseLong(_ intent: Attempt.Intent, _ provider: ProviderIdentity) throws {
        for (name, text) in [
            ("provider", provider.id.rawValue), ("adapter", provider.adapter), ("environment", provider.environment),
            ("merchant", provider.merchant), ("scope", intent.scope),
        ] {
            try refuseLong(text, name, Attempt.Name.bytesMax)
        }
        try refuseLong(intent.reference ?? "", "reference", SaleRequest.referenceBytesMax)
        try refuseLong(intent.part, "part", SaleRequest.referenceBytesMax)
    }

    private static func refuseLong(_ text: String, _ name: String, _ bytesMax: Int) throws {
        guard text.utf8.count <= bytesMax else {
            throw Refused(words: "\(name) has \(text.utf8.count) bytes; \(bytesMax) at most")
        }
    }

    private static func refuseSecrets(_ texts: [String]) throws {
        for text in texts where Masking.findsCardNumber(in: text) {
            throw Refused(words: "something in it looks like a card number")
        }
    }
}

/// Distinguishes the provider's name of a payment from a card's number.
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
            // A person who types a card's number puts these between its digits.
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
    var names: [String] { Set(references.values).sorted() }

    /// Whether an attempt of this id is for the same order.
    func isAbout(_ held: Attempt) -> Bool {
        held.intent.reference == intent.reference && held.intent.part == intent.part
            && held.intent.scope == intent.scope && held.intent.payment == intent.payment
    }

    /// Whether an attempt has, or had, all of the provider's names.
    func hasNames(of held: Attempt) -> Bool {
        names.allSatisfy { name in (held.names + held.formerNames).contains { $0.value == name } }
    }

    /// Whether an attempt is this payment, imported before.
    func isImported(as held: Attempt) -> Bool {
        if held.isImported {
            return held.intent.isSame(as: intent) && held.newest?.account == provider && hasNames(of: held)
        }
        // An attempt of this journal that a list showed.
        return held.listedUpTo != nil && held.intent.operation == intent.operation && isAbout(held)
            && held.holders.contains(provider) && held.moved == intent.amount && hasNames(of: held)
    }

    /// The payment, with what was refunded of it before under an id that is made of the payment's.
    func movement() throws -> ImportedMovement {
        var approval = Approval(intent.amount, references: references)
        approval.card = intent.last4.map { CardSummary(last4: $0) }
        approval.executedAt = takenAt
        var sale = ImportedMovement(Begin(intent, provider), .approved(approval), saidAt: holdsUntil)
        (sale.names, sale.paidAt, sale.hasToFit) = (names, takenAt, !intent.isOrigin)
        sale.chargebacks = try chargebacks.map {
            try $0.movement(of: intent.paymentID, provider, scope: intent.scope)
        }
        guard let refunded else { return sale }
        var content = RequestContent()
        content.add("scope", intent.scope)
        content.add("attempt", intent.attempt.text)
        sale.refunded = Attempt.Intent(
            try AttemptID("refunded-" + content.displayText), .refund, refunded, payment: intent.paymentID,
            scope: intent.scope)
        return sale
    }

    /// How many payments one import takes; more are imported in several.
    package static let importedMax = 10_000
    /// How many of them may have one reference: each is compared with all others under it.
    package static let sameReferenceMax = 100

    /// Reads all lines of an import.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the first line that is refused.
    package static func all(_ lines: [String]) throws(PaymentError) -> [ImportedPayment] {
        guard lines.count <= importedMax else {
            throw PaymentError.notExecuted(
                .invalidRequest, "there are \(lines.count) lines; import \(importedMax) at most at once")
        }
        var payments: [ImportedPayment] = []
        var ids: Set<AttemptID> = []
        var names: Set<ProviderName> = []
        var references: [PaymentRecord.Reference: Int] = [:]
        for (index, line) in lines.enumerated() {
            let payment: ImportedPayment
            do { payment = try ImportedPayment(line) } catch {
                throw refused(index, (error as? Refused)?.words ?? "it can't be read")
            }
            let own = (payment.names + payment.chargebacks.map(\.name)).map { ProviderName(payment.provider, $0) }
            guard ids.insert(payment.intent.attempt).inserted, names.isDisjoint(with: own) else {
                throw refused(index, "an earlier line has its attempt or one of its references")
            }
            names.formUnion(own)
            if let reference = PaymentRecord.Reference(payment.intent) {
                let count = (references[reference] ?? 0) + 1
                guard count <= sameReferenceMax else {
                    throw refused(
                        index,
                        "\(sameReferenceMax) earlier lines have its reference, and each is compared with all of them. Import "
                            + "them apart, or leave out a reference that says nothing of the order")
                }
                references[reference] = count
            }
            payments.append(payment)
        }
        return payments
    }

    /// By how much the clock of the list's author can be ahead of the journal's, in milliseconds.
    fileprivate static let clockMarginMilliseconds: Int64 = 60_000

    /// Why a line is refused.
    static func refused(_ index: Int, _ words: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, "line \(index + 1): \(words)")
    }
}

extension JournalMaintenance {
    /// Takes over payments that were taken before, one line of JSON for each.
    ///
    /// All lines are tried before the first is written. The same lines again change nothing, so that an import that was
    /// interrupted is repeated.
    ///
    /// - Returns: How many payments are new.
    /// - Throws: `invalidRequest`, nothing moved, naming the first line that is refused.
    package func adopt(_ lines: [String], at now: Attempt.Instant) async throws -> Int {
        let payments = try ImportedPayment.all(lines)
        let latest = now.wall.addingSaturating(ImportedPayment.clockMarginMilliseconds)
        for (index, payment) in payments.enumerated() where payment.holdsUntil > latest {
            let name = payment.takenAt > latest ? "takenAt" : "holdsUntil"
            throw ImportedPayment.refused(
                index, "\(name) lies in the future; it is in milliseconds since 1970, and no list speaks for what comes"
            )
        }
        var isNew: [Bool] = []
        for (index, payment) in payments.enumerated() {
            switch try await preview(payment.movement().entry, at: now) {
            case .written(let held, let receipt):
                // The list shows an id of this journal, and says of it what can't be true.
                if let why = receipt.refusal { throw ImportedPayment.refused(index, why.words) }
                guard payment.isAbout(held) else {
                    throw ImportedPayment.refused(index, "its attempt is known already, under another reference")
                }
                isNew.append(true)
            case .hint, .kept: isNew.append(true)
            case .known(let held):
                guard payment.isImported(as: held) else {
                    throw ImportedPayment.refused(index, "its attempt is known already")
                }
                isNew.append(false)
            case .refused(let why, let held):
                if case .conflict = why {
                    throw ImportedPayment.refused(
                        index,
                        "its attempt is known already, as \(held.map { "\($0.intent.operation.rawValue) of \($0.intent.amount)" } ?? "another one")"
                    )
                }
                throw ImportedPayment.refused(index, why.words)
            }
        }
        // A write is compared only within its process: the same lines in another one are other writes, which change
        // nothing.
        let prefix = "import-" + TimeOrderedID.make(now: now.wall, random: SystemRandom())
        for (index, payment) in payments.enumerated() {
            let id = WriteID("\(prefix)-\(index + 1)")
            let answer = try await write(payment.movement().entry, id, at: now)
            if case .refused(let why, _) = answer { throw ImportedPayment.refused(index, why.words) }
            if let why = answer.receipt?.refusal { throw ImportedPayment.refused(index, why.words) }
            // Another import of it was faster.
            if isNew[index], case .known(let held) = answer {
                guard payment.isImported(as: held) else {
                    throw ImportedPayment.refused(index, "its attempt is known already")
                }
                isNew[index] = false
            }
        }
        return isNew.count { $0 }
    }
}

extension ImportedMovement {
    fileprivate var entry: JournalEntry { JournalEntry(.report(begin.intent.attempt, .imported(self))) }
}

internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentPostgres
internal import PaymentProviderKit

/// A kind of data about a person that a journal keeps.
enum JournalPersonalData: String, CaseIterable {
    case cardDigits, cardBeginning, cardDescription, savedInstruments, customers, notes, receipts, references, metadata
    case staff, reasons, providerWords

    /// What it is.
    var words: String {
        switch self {
        case .cardDigits: "the last four digits of a card"
        case .cardBeginning: "the first six and the last four digits of a card"
        case .cardDescription: "brand, month of expiry, kind and country of a card"
        case .savedInstruments: "the provider's name of a saved card, which may have the customer's in it"
        case .customers: "the application's name of a customer, with a saved card"
        case .notes: "what an adapter notes; it may be a customer or a saved card"
        case .receipts: "receipts, as the provider wrote them, without the card's number"
        case .references: "references of orders, as the application wrote them"
        case .metadata: "what the application added to a payment"
        case .staff: "names of people who decided an attempt or asked for it"
        case .reasons: "why a person decided an attempt, as the person typed it"
        case .providerWords: "what a provider said in words"
        }
    }

    /// Why it is kept.
    var reason: String {
        switch self {
        case .cardDigits, .cardDescription: "a customer finds the payment by it, and a refund goes to the same card"
        case .cardBeginning: "the provider has no other name of a card that it is to keep"
        case .savedInstruments, .customers: "the card can be charged again and given up"
        case .notes: "the provider is asked by it what became of the attempt"
        case .receipts: "a receipt can be printed again"
        case .references: "a reference pays once; put no names and addresses into it"
        case .metadata: "the application asked for it; put no names and addresses into it"
        case .staff, .reasons: "who decided about money is answerable for it"
        case .providerWords: "it says why; what was sent about people is taken out"
        }
    }

    /// What no journal keeps of a person; tests plant it and look for it.
    static let never =
        "never kept: card numbers, security codes, PINs and what a chip or stripe says; holders' names, addresses, telephone "
        + "numbers, e-mail and IP addresses; numbers of bank accounts. What a provider says back of them to the process that "
        + "sent the request is taken out, but for towns, postal codes and words of fewer than six letters; what it says later, "
        + "in messages, of refunds, or to another process that asks, is kept as it was written"
    /// How it is forgotten.
    static let forgetting =
        "forgotten as a whole: payctl journal prune --before DATE forgets decided payments with everything above; copies, "
        + "exports and backups keep it, and so do dead rows and the archived log of PostgreSQL until they go"
    /// What a message that waits may hold.
    static let waiting =
        "each may show a card, a saved card, a customer, a receipt and a provider's words, or who closed a gap"
    /// Under which names adapters note a customer and a saved card.
    private static let (customerNote, instrumentNote) = ("customer", "registration")

    /// Whether an attempt has it.
    func stands(in attempt: Attempt) -> Bool {
        // What no longer counts is in the journal all the same.
        let verdicts = attempt.everyVerdict
        let (cards, saved) = (verdicts.compactMap(\.card), verdicts.compactMap(\.approval?.saved))
        return switch self {
        case .cardDigits: attempt.intent.last4 != nil || cards.contains { $0.last4 != nil }
        case .cardBeginning: attempt.notes.contains(where: \.isCardBeginning)
        case .cardDescription:
            cards.contains { $0.brand != nil || $0.expiry != nil || $0.funding != nil || $0.issuerCountry != nil }
        case .savedInstruments: !saved.isEmpty || attempt.notes.contains { $0.name == Self.instrumentNote }
        case .customers:
            saved.contains { $0.customer != nil } || attempt.notes.contains { $0.name == Self.customerNote }
        case .notes: !attempt.notes.isEmpty
        case .receipts: verdicts.contains { $0.receipt != nil }
        case .references: attempt.intent.reference?.isEmpty == false
        case .metadata: !attempt.intent.metadata.isEmpty
        case .staff: attempt.intent.requestedBy != nil || attempt.reports.contains { $0.evidence.isByPerson }
        case .reasons: attempt.reports.contains { $0.evidence.isByPerson }
        case .providerWords: verdicts.contains(where: \.hasWords)
        }
    }
}

extension Attempt.Note {
    /// Whether it is six digits, stars and four digits.
    fileprivate var isCardBeginning: Bool {
        let parts = value.split(separator: "*")
        return value.contains("*") && parts.map(\.utf8.count) == [6, 4]
            && parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    }
}

extension Verdict {
    /// Whether it has a text of the provider's beside the code.
    fileprivate var hasWords: Bool {
        let said: ProviderMessage?
        switch self {
        case .approved: said = nil
        case .declined(let decline): said = decline.provider
        case .cancelled(let cancellation): said = cancellation.provider
        case .pending(let pending): said = pending.provider
        }
        return said?.message.isEmpty == false
    }
}

extension Attempt.Evidence {
    fileprivate var isByPerson: Bool {
        switch self {
        case .person: true
        case .reply, .lookup, .webhook, .imported: false
        }
    }
}

extension Command {
    /// What a journal holds about people.
    static let journalPersonal = Command(
        name: "journal personal", summary: "lists what the journal holds about people, why, and in how many attempts",
        example: "payctl journal personal", takes: .configured()
    ) { call in
        try await ConfiguredJournal.use(call, isRead: true) { journal, place in
            var counts: [JournalPersonalData: Int] = [:]
            var unread = 0
            try await journal.forEachLog { log in
                guard let attempts = try? log.attempts() else { return unread += 1 }
                for kind in JournalPersonalData.allCases {
                    counts[kind, default: 0] += attempts.count { kind.stands(in: $0) }
                }
            }
            var messages = 0
            try await journal.forEachWaitingNotice { _ in messages += 1 }
            let rows = JournalPersonalData.allCases.map { (kind: $0, count: counts[$0] ?? 0) }
            call.say(
                [
                    "path": .string(place), "unreadable": .integer(unread), "messages": .integer(messages),
                    "held": .array(
                        rows.map { row in
                            [
                                "kind": .string(row.kind.rawValue), "what": .string(row.kind.words),
                                "why": .string(row.kind.reason), "attempts": .integer(row.count),
                            ]
                        }),
                    "never": .string(JournalPersonalData.never), "forgetting": .string(JournalPersonalData.forgetting),
                ],
                ["\(place) holds:"]
                    + rows.map { "  \($0.count.counted("attempt")): \($0.kind.words); \($0.kind.reason)" }
                    + ["  \(messages.counted("message")) without a payment so far: \(JournalPersonalData.waiting)"]
                    + (unread > 0 ? [call.paint.bad("\(unread) payments can't be read")] : [])
                    + [JournalPersonalData.never, JournalPersonalData.forgetting])
            return unread == 0 ? .fine : .failed
        }
    }

    /// The statements that give roles their rights.
    static let journalRoles = Command(
        name: "journal roles",
        summary: "prints the statements that give roles of a database their rights: till, office, pruning, owner",
        example: "payctl journal roles --schema payments",
        takes: AcceptedArguments(options: [
            .value("schema", "NAME", "the journal's schema; payments by default"),
            .value("prefix", "TEXT", "what the names of the roles begin with; the schema's name and _ by default"),
        ])
    ) { call in
        let schema = call.given["schema"] ?? PostgresJournal.Options(connection: Secret("")).schema
        guard PostgresRole.isSchema(schema) else {
            throw UsageError(message: "--schema takes a name of small letters, digits and _, not \(schema)")
        }
        let prefix = call.given["prefix"] ?? schema + "_"
        var roles: [JSON] = []
        var lines: [String] = []
        for role in PostgresRole.allCases {
            let name = prefix + role.rawValue
            let statements = role.grants(to: name, schema: schema)
            roles.append([
                "role": .string(role.rawValue), "name": .string(name), "purpose": .string(role.purpose),
                "statements": .array(statements.map { .string($0) }),
            ])
            lines += ["-- \(name): \(role.purpose)"] + statements
        }
        call.say(["schema": .string(schema), "roles": .array(roles)], lines)
        return .fine
    }
}

import PaymentAbstraction
import PaymentBase

/// The code's facts of an attempt that stands as the models say, and the models' events played on the code's rules.
struct ModelAttempt {
    static let provider = ProviderIdentity("acme", adapter: "acme", environment: "sandbox", merchant: "m-1")
    static let owner = "till"
    static let key = AttemptKey(id)
    private static let id = AttemptID(now: 0, random: Zeros())
    private static let amount = Money(minorUnits: 100, .eur)
    private static let terms = AdmissionTerms(provider, owner: owner)
    /// Long before anything is asked.
    private static let past = JournalInstant(wall: 1_000, uptime: 1_000)
    /// Long after everything has fallen silent.
    private static let now = JournalInstant(wall: 9_000_000, uptime: 9_000_000)
    static let intent = AttemptIntent(id, .sale, amount, reference: "order-1", source: .card)
    static let approved = Verdict.approved(Approval(amount, references: ["payment": "p-1"]))
    static let declined = Verdict.declined(Decline(.insufficientFunds, provider: ProviderMessage(code: "05")))
    static let pending = Verdict.pending(Pending(lookAgain: false))

    private(set) var facts: AttemptFacts?

    /// Builds an attempt that stands as the letters say.
    init(_ model: ModelFacts) {
        for (index, round) in model.rounds.enumerated() { add(round, index + 1) }
        if model.isTold { facts?.append(.told(at: Self.past)) }
        if model.isContradicted { facts?.append(.contradiction(at: Self.past)) }
    }

    private mutating func add(_ round: ModelFacts.Round, _ number: Int) {
        let fact = AttemptFacts.Round(number: number, provider: Self.provider, owner: Self.owner, begunAt: Self.past)
        if facts == nil { facts = AttemptFacts(Self.intent, fact) } else { facts?.append(.round(fact)) }
        let used = round.exchanges.filter { $0 != "." }.count
        for (index, letter) in round.exchanges.enumerated() {
            let isDouble = round.isMany && used == 1 && letter != "."
            add(letter, "e\(index + 1)", number, isDouble: isDouble)
        }
        for letter in round.words { add(letter, round, number) }
        let causes: [Character: AttemptFacts.End.Cause] = ["o": .owner, "t": .takeOver, "p": .person]
        if let cause = causes[round.end] { facts?.append(.end(.init(round: number, by: cause, at: Self.past))) }
    }

    private mutating func add(_ letter: Character, _ key: String, _ round: Int, isDouble: Bool) {
        let proofs: [AttemptFacts.Close.Proof?]
        switch letter {
        case "o": proofs = isDouble ? [.notSent, nil] : [nil]
        case "g": proofs = [.lost, nil]
        case "l": proofs = isDouble ? [.lost, .lost] : [.lost]
        case "s": proofs = isDouble ? [.notSent, .notSent] : [.notSent]
        case "a": proofs = isDouble ? [.notSent, .answered] : [.answered]
        default: proofs = []
        }
        for proof in proofs {
            let number = (facts?.sends.count ?? 0) + 1
            facts?.append(
                .send(.init(round: round, number: number, key: key, leavesWithin: 0, openedAt: Self.past)))
            if let proof { facts?.append(.close(.init(send: number, proof: proof, at: Self.past))) }
        }
    }

    private mutating func add(_ letter: Character, _ round: ModelFacts.Round, _ number: Int) {
        var word: AttemptFacts.Word
        switch letter {
        case "M": word = .init(.webhook, .verdict(Self.approved), at: Self.past)
        case "D" where round.words.contains("N"): word = .init(.lookup, .verdict(Self.declined), at: Self.past)
        case "D": word = .init(.reply, .verdict(Self.declined), at: Self.past)
        case "P": word = .init(.reply, .verdict(Self.pending), at: Self.past)
        case "H": word = .init(.person, .verdict(Self.approved), at: Self.past)
        default:
            if round.words.contains("D") { return }
            word = .init(.lookup, .neverArrived, at: Self.past)
        }
        word.round = number
        facts?.append(.word(word))
    }

    /// Plays an event of the models; what holds afterwards.
    func playing(_ event: Substring) -> AttemptFacts? {
        var entry = JournalEntry(Self.key, parts(event))
        var slice = JournalSlice()
        slice.attempt = facts
        if event == "told" {
            entry.told = [Self.key]
            slice.told = [facts].compactMap { $0 }
        }
        let decision = JournalRules.decide(entry, slice, at: Self.now)
        return decision.changes.last?.after ?? facts
    }

    private func parts(_ event: Substring) -> [JournalEntry.Part] {
        let words = event.split(separator: ".")
        let exchange = words.count > 1 ? Int(words[1]) : nil
        let key = exchange.map { "e\($0)" }
        let send = facts?.sends.last { $0.key == key && $0.round == facts?.newest.number }?.number
        switch words[0] {
        case "round": return [.begin(Self.intent, Self.terms)]
        case "open", "again": return [.open(owner: Self.owner, SendTerms(key: key, leavesWithin: 0))]
        case "safe": return [.close(send: send, .notSent)]
        case "lost": return [.close(send: send, .lost)]
        case "answer": return [.close(send: send, .answered)] + word(.reply, words[2], send: send)
        case "end": return [.end(round: nil, ["owner": .owner, "takeOver": .takeOver][words[1]] ?? .person)]
        case "look": return word(.lookup, words[1], send: nil)
        case "person": return word(.person, words[1], send: nil)
        case "notice" where words[1] == "moved":
            var word = AttemptFacts.Word(.webhook, .verdict(Self.approved), at: Self.now)
            word.round = (facts?.newest.number ?? 1) - (words.count > 2 ? 1 : 0)
            return [.word(word)]
        case "notice":
            var word = AttemptFacts.Word(.webhook, .verdict(Self.declined), at: Self.now)
            word.send = words[2] == "attempt" ? nil : facts?.sends.last { $0.key == "e\(words[2])" }?.number
            if word.send == nil, words[2] != "attempt" { return [] }
            return [.word(word)]
        default: return []
        }
    }

    private func word(_ source: AttemptFacts.Word.Source, _ name: Substring, send: Int?) -> [JournalEntry.Part] {
        guard let facts else { return [] }
        let verdicts: [Substring: Verdict] = [
            "moved": Self.approved, "declined": Self.declined, "pending": Self.pending,
        ]
        if source != .reply, name == "never" || name == "declined" {
            var silence = Silence(verdicts[name], of: facts, askedAt: Self.now, quiet: 1_000)
            silence.source = source
            return [.silence(silence)]
        }
        if name == "more" { return [] }
        let content = verdicts[name].map { AttemptFacts.Word.Content.verdict($0) } ?? .withdrawn
        var word = AttemptFacts.Word(source, content, at: Self.now)
        (word.send, word.round) = (send, facts.newest.number)
        return [.word(word)]
    }
}

private struct Zeros: RandomSource {
    func next() -> UInt64 { 0 }
}

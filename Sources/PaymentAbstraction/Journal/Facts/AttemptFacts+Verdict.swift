extension AttemptFacts {
    /// What the provider made of it as far as is known: what moved beats everything else, and of what moved the last
    /// word by the provider's own time holds.
    public var verdict: Verdict? { holdingWord?.verdict }

    /// How that came to be known.
    public var evidence: Word.Source? {
        if let word = holdingWord { return word.source }
        return standing == .notMoved ? words(about: newest.number).last(where: \.isProofOfNothing)?.source : nil
    }

    /// The word that holds, with what moved in all as its amount; nil while nothing is decided or pending.
    var holdingWord: Word? {
        switch standing {
        case .underWay, .inDoubt, .notMoved: return nil
        case .declined: return said.last(where: \.isRefusal)
        case .pending: return said.last(where: \.isPending)
        case .moved: return movedWord
        }
    }

    private var said: [Word] { words(about: newest.number) }

    private var movedWord: Word? {
        // Nearly always there is one word.
        if words.count == 1, words[0].isApproval { return words[0] }
        let holding = executions.compactMap(\.holding)
        guard let last = holding.last else { return nil }
        let counting = holding.filter(\.isApproval)
        guard let first = counting.first else { return last }
        guard intent.operation.addsUp, counting.count > 1, case .approved(let approval)? = first.verdict else {
            return intent.operation.addsUp ? first : counting.last
        }
        var sum = approval.amount
        for word in counting.dropFirst() {
            if case .approved(let other)? = word.verdict, other.amount.currency == sum.currency {
                sum.increase(by: other.amount)
            }
        }
        return first.saying(.approved(approval.over(sum)))
    }

    /// How often the provider did it, going by the names that it gave: each with the words about it.
    var executions: [Execution] {
        let called = Set(names.map(\.value))
        var found: [Execution] = []
        let refused = words.enumerated().filter(\.element.isRefusal).map { (number: $0.offset, word: $0.element) }
        for (number, word) in numberedMovedWords + refused {
            guard let verdict = word.verdict else { continue }
            let place = provider(of: word)
            if let index = found.firstIndex(where: { $0.isAbout(verdict, called, place) }) {
                found[index].hear(word, number, canTurn: intent.operation.canTurn)
            } else if word.isApproval {
                found.append(Execution(word, number, place))
            }
        }
        return found
    }

    /// Whether a verdict may be about an execution that is known.
    private func isKnown(_ verdict: Verdict, _ place: ProviderIdentity?) -> Bool {
        let called = Set(names.map(\.value))
        return executions.contains { $0.isAbout(verdict, called, place) }
    }

    /// Who was asked to do what a word is about; nil when it doesn't say.
    private func provider(of word: Word) -> ProviderIdentity? {
        word.round.flatMap { number in rounds.first { $0.number == number }?.provider }
    }

    /// Whether a word can't be true beside those that are there: of two finals one must be wrong.
    func isContradicted(by word: Word) -> Bool {
        guard let verdict = word.verdict else { return false }
        if word.isApproval {
            if standing == .declined, intent.operation.canTurn { return false }
            if let round = word.round, round != newest.number { return true }
            if hasMoved { return !isKnown(verdict, provider(of: word)) }
            // What was undone had been done before.
            if words.contains(where: { $0.verdict?.wasUndone == true }) { return false }
            return standing == .declined || standing == .notMoved
        }
        guard word.isRefusal, hasMoved else { return false }
        // What failed after it was done, and of which nobody has heard that it was, was done beside what is known.
        if verdict.isLateFailure { return !isKnown(verdict, provider(of: word)) }
        return !intent.operation.canTurn
    }

    /// One execution at the provider, with its last word.
    struct Execution {
        private(set) var holding: Word?
        /// How many words were written down before it.
        private var number: Int
        private let place: ProviderIdentity?

        init(_ word: Word, _ number: Int, _ place: ProviderIdentity?) {
            (holding, self.number, self.place) = (word, number, place)
        }

        /// Whether a verdict may be about this one: it is the same provider's, and of what the operation is called, no
        /// name of one kind differs. What undid it as a whole is an operation beside it, with a name of its own.
        func isAbout(_ verdict: Verdict, _ called: Set<String>, _ place: ProviderIdentity?) -> Bool {
            if let place, let mine = self.place, place != mine { return false }
            if verdict.wasUndone { return true }
            let known = holding?.verdict?.references ?? [:]
            return !verdict.references.contains { name, value in
                guard let mine = known[name], called.contains(mine), called.contains(value) else { return false }
                return mine != value
            }
        }

        /// Hears a further final word: legal where it may turn, or fails after it was done; else what moved counts.
        mutating func hear(_ word: Word, _ number: Int, canTurn: Bool) {
            guard let held = holding else { return }
            let order = word.order(number, against: held, self.number)
            if word.isApproval == held.isApproval {
                if order != .earlier { hold(word, number, beside: held) }
                return
            }
            guard canTurn || word.verdict?.isLateFailure == true || held.verdict?.isLateFailure == true else { return }
            if held.verdict?.wasUndone == true { return }
            if word.isApproval {
                if order == .later { hold(word, number, beside: held) }
            } else if order != .earlier || word.verdict?.isLateFailure == true && !word.hasTimes(with: held) {
                // What failed after it was done comes later than that, whatever a clock of ours says.
                hold(word, number, beside: held)
            }
        }

        private mutating func hold(_ word: Word, _ number: Int, beside held: Word) {
            (holding, self.number) = (word.keeping(held), number)
        }
    }
}

extension AttemptFacts.Word {
    /// How a word stands to another in time, as far as that can be told without comparing two clocks.
    enum Order: Hashable { case earlier, later, unknown }

    /// Whether it was said after another one: by the provider's own times, else by what must have been before. Each has
    /// the number of words that were written down before it.
    func order(_ number: Int, against other: Self, _ otherNumber: Int) -> Order {
        if let mine = providerTime, let theirs = other.providerTime {
            return mine == theirs ? .unknown : mine > theirs ? .later : .earlier
        }
        // What a question shows is later than whatever had been heard when it was put.
        if isAnswer(number, afterHearing: other, otherNumber) { return .later }
        if other.isAnswer(otherNumber, afterHearing: self, number) { return .earlier }
        if other.source == .reply, source != .reply { return .later }
        if source == .reply, other.source != .reply { return .earlier }
        return .unknown
    }

    /// Whether it answers a question that was put when another word was known. A clock is asked only where nobody noted
    /// what was known then: between two starts of a machine it may have been set.
    private func isAnswer(_ number: Int, afterHearing other: Self, _ otherNumber: Int) -> Bool {
        guard source == .lookup, number > otherNumber else { return false }
        if let knownCount, otherNumber < knownCount { return true }
        return askedAt.map { !$0.isBefore(other.at) } ?? false
    }

    /// Whether both have the provider's own time.
    func hasTimes(with other: Self) -> Bool { providerTime != nil && other.providerTime != nil }

    /// The same with another verdict.
    func saying(_ verdict: Verdict) -> Self {
        var copy = Self(source, .verdict(verdict), at: at)
        (copy.round, copy.send, copy.providerTime) = (round, send, providerTime)
        (copy.askedAt, copy.knownCount, copy.id) = (askedAt, knownCount, id)
        return copy
    }

    /// The same with the names of an earlier word, where it has none of its own.
    func keeping(_ earlier: Self) -> Self {
        guard let verdict else { return self }
        return saying(verdict.keeping(earlier.verdict?.references ?? [:]))
    }
}

extension Verdict {
    /// Whether it says that something failed after it had been done, or was undone as a whole.
    var isLateFailure: Bool {
        if case .declined(let decline) = self { return decline.reason == .failedLater }
        return wasUndone
    }

    /// Whether it says that it was done and then undone as a whole.
    var wasUndone: Bool {
        if case .cancelled(let cancellation) = self { return cancellation.wasUndone }
        return false
    }

    /// The same, with references that it doesn't say itself.
    func keeping(_ references: PaymentReferences) -> Verdict {
        switch self {
        case .approved(var approval):
            approval.references.merge(references) { mine, _ in mine }
            return .approved(approval)
        case .declined(var decline):
            decline.references.merge(references) { mine, _ in mine }
            return .declined(decline)
        case .cancelled, .pending: return self
        }
    }
}

extension Approval {
    /// The same over another amount.
    func over(_ amount: Money) -> Approval {
        var copy = Approval(amount, references: references, card: card, receipt: receipt)
        copy.saved = saved
        (copy.isPartial, copy.isOffline, copy.isDryRun) = (isPartial, isOffline, isDryRun)
        return copy
    }
}

extension PaymentOperation {
    /// Whether what was done can still come to nothing, and what came to nothing still be done.
    var canTurn: Bool {
        switch self {
        case .capture, .refund, .unlinkedRefund, .void, .adjust: true
        case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit: false
        }
    }

    /// Whether two executions move the sum of both; where a word carries the new total, the last one holds.
    var addsUp: Bool {
        switch self {
        case .sale, .debit, .authorize, .capture, .refund, .unlinkedRefund: true
        case .adjust, .tipAdjustment, .void, .verify, .tokenize: false
        }
    }
}

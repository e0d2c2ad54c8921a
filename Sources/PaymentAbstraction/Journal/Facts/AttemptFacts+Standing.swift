extension AttemptFacts {
    /// Where an attempt stands, computed from its facts alone.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// Its round isn't over.
        case underWay
        /// Nobody works on it and nobody knows.
        case inDoubt
        /// It was accepted and is not final.
        case pending
        /// It was refused or cancelled, finally.
        case declined
        /// Proven: nothing moved. It may be begun again.
        case notMoved
        /// Money moved, whatever became of it later.
        case moved
    }

    /// Where it stands.
    public var standing: Standing {
        if hasMoved { return .moved }
        let round = newest.number
        let said = words(about: round)
        if !isUnresolved(round) {
            if said.contains(where: \.isRefusal) { return .declined }
            let isProven = said.contains(where: \.isProofOfNothing)
            if said.contains(where: \.isPending), !isProven { return .pending }
            if isProven || !hasAnswer(round) { return isEnded(round) ? .notMoved : .underWay }
        }
        return isEnded(round) ? .inDoubt : .underWay
    }

    /// Whether money moved; never unsaid but by the person who said it.
    public var hasMoved: Bool {
        let withdrawn = words.lastIndex(where: \.isWithdrawal) ?? -1
        return words.indices.contains { index in
            words[index].isApproval && (words[index].source != .person || index > withdrawn)
        }
    }

    /// Everything that says that money moved, without what a person took back.
    var movedWords: [Word] { numberedMovedWords.map(\.word) }

    /// The same, each with how many words were written down before it.
    var numberedMovedWords: [(number: Int, word: Word)] {
        let withdrawn = words.lastIndex(where: \.isWithdrawal) ?? -1
        return words.enumerated().compactMap { index, word in
            word.isApproval && (word.source != .person || index > withdrawn) ? (index, word) : nil
        }
    }

    /// Whether a round is over.
    public func isEnded(_ round: Int) -> Bool { ends.contains { $0.round == round } }

    /// Whether the newest round is over.
    public var isEnded: Bool { isEnded(newest.number) }

    /// Whether an exchange of a round may have been executed for all we know: it is open, or was lost, and neither an
    /// answer under its key nor a word nor silence has resolved it.
    public func isUnresolved(_ round: Int) -> Bool {
        if words.contains(where: { $0.isProofOfNothing && isAbout($0, round) }) { return false }
        return sends.contains { $0.round == round && isUnresolved(send: $0) }
    }

    /// How a send was closed; an answer counts beyond everything that was believed before it.
    public func proof(of send: Send) -> Close.Proof? {
        var first: Close.Proof?
        for close in closes where close.send == send.number {
            if close.proof == .answered { return .answered }
            first = first ?? close.proof
        }
        return first
    }

    /// Whether one exchange may have been executed for all that was answered.
    func isUnresolved(send: Send) -> Bool {
        switch proof(of: send) {
        case .notSent, .refused, .answered: return false
        case .lost, nil: return !twins(of: send).contains { isAnswered($0) }
        }
    }

    /// The sends of a round that are the same to the provider.
    private func twins(of send: Send) -> [Send] {
        guard let key = send.key else { return [send] }
        return sends.filter { $0.round == send.round && $0.key == key }
    }

    private func isAnswered(_ send: Send) -> Bool {
        proof(of: send) == .answered || words.contains { $0.send == send.number && $0.isRefusal }
    }

    /// Whether an exchange of a round was answered.
    private func hasAnswer(_ round: Int) -> Bool { sends.contains { $0.round == round && isAnswered($0) } }

    /// The words that are about a round; one about the attempt as a whole is about its only round.
    func words(about round: Int) -> [Word] { words.filter { isAbout($0, round) } }

    private func isAbout(_ word: Word, _ round: Int) -> Bool {
        (word.round ?? (rounds.count == 1 ? round : nil)) == round
    }

    /// Whether it is not known yet what came of it.
    public var isOpen: Bool {
        switch standing {
        case .underWay, .inDoubt, .pending: true
        case .declined, .notMoved, .moved: false
        }
    }
}

extension AttemptFacts.Word {
    /// The verdict, if it is one.
    var verdict: Verdict? {
        if case .verdict(let verdict) = content { return verdict }
        return nil
    }

    /// Whether it says that money moved, or was approved to.
    var isApproval: Bool {
        if case .verdict(.approved) = content { return true }
        return false
    }

    /// Whether a person takes back that it moved.
    var isWithdrawal: Bool {
        if case .withdrawn = content { return true }
        return false
    }

    /// Whether it says that it was refused or cancelled, finally.
    var isRefusal: Bool {
        switch content {
        case .verdict(.declined), .verdict(.cancelled): true
        case .verdict(.approved), .verdict(.pending), .neverArrived, .withdrawn: false
        }
    }

    /// Whether it says that it was accepted and is not final.
    var isPending: Bool {
        if case .verdict(.pending) = content { return true }
        return false
    }

    /// Whether it rules out that anything of its round is still to be executed: found to be so after silence.
    var isProofOfNothing: Bool {
        if case .neverArrived = content { return true }
        return isRefusal && (source == .lookup || source == .person)
    }
}

package import PaymentModel

// What the journal says to a person.

extension JournalRefusal {
    package var words: String {
        switch self {
        case .noProof(let why), .notAllowed(let why), .notWritten(let why): why
        case .ofCopy: "The provider says that the request is a duplicate. Ask for the attempt's status."
        case .claimed(let other): "The provider's name belongs to \(other?.text ?? "another system")."
        case .couldMatch(let candidates): "It could be one of \(candidates.map(\.name).joined(separator: ", "))."
        case .conflict: "Another operation has this attempt id."
        case .referenceInUse(let id, let state):
            "Its reference belongs to the attempt \(id), which is \(state.rawValue)."
        case .blocked(let ids): "These attempts must be decided first: \(ids.map(\.text).joined(separator: ", "))."
        case .exceeds(let left, _):
            left.isZero
                ? "Nothing is left of it, or nothing was captured yet." : "More was asked for than is left (\(left))."
        case .noSuchPayment: "There is no such payment in this journal."
        case .noSuchAttempt: "There is no such attempt in this journal."
        case .otherAccount(let accounts): "The money is at \(accounts.map(\.description).joined(separator: ", "))."
        case .fenced: "Another process works on the attempt or has decided it. Ask for its status."
        case .inDoubt: "An earlier request of the attempt may have been executed. Ask for its status."
        case .changed: "The payment has changed since. Read it again, then decide."
        case .mayBeLost:
            "The journal was restored from a backup, which may have lost this attempt. Ask the provider what became of it, "
                + "import what the backup lost (`payctl reconcile` gives the lines), then close the gap: "
                + "`payctl journal accept-restored --gap-closed`."
        case .mayBe(let id): "It may be the attempt \(id) of this journal. Ask for its status first."
        case .runs(let owner): "The process \(owner) works on the attempt."
        case .pruned(let name):
            "It is about a payment (\(name)) that was pruned from this journal. Look at the provider's list."
        }
    }
}

extension JournalFailure {
    /// Whether there is, or was, something that can't be read, so that its outcome is not known.
    package var hidesOutcome: Bool {
        switch self {
        case .unreadable, .pruned: true
        case .notWritten, .writeUnconfirmed, .unwritable: false
        }
    }

    package var words: String {
        switch self {
        case .notWritten(let words), .unwritable(let words): words
        case .writeUnconfirmed(let words): "\(words); it is not known whether it was written"
        case .unreadable(let payment): "payment \(payment?.attempt.text ?? "?") can't be read; run a check"
        case .pruned(let id):
            "\(id) is over and was pruned from the journal, and its id stays taken: ask the provider about it by its "
                + "reference, and give what is new an id of its own"
        }
    }
}

extension JournalAlert {
    /// The event that shows it to a person.
    package var event: (kind: PaymentEvent.Kind, attempt: AttemptID?, attributes: [String: String]) {
        switch self {
        case .contradiction(let id): (.contradiction, id, [:])
        case .otherAmount(let id): (.otherAmount, id, [:])
        case .otherCurrency(let id): (.otherAmount, id, ["currency": "other"])
        case .nameTaken(let id, let name): (.nameTaken, id, ["name": name])
        case .disputed(let id, let holder): (.disputed, id, holder.map { ["holder": $0.text] } ?? [:])
        case .unopened(let id): (.contradiction, id, ["unopened": "yes"])
        case .activeTwice(let payments):
            (.activeTwice, payments.first?.attempt, ["payments": payments.map(\.attempt.text).joined(separator: " ")])
        case .messagesDropped(let name): (.messagesDropped, nil, ["name": name])
        case .severalFit(let ids): (.disputed, ids.first, ["fit": ids.map(\.text).joined(separator: " ")])
        case .unclear(let id): (.disputed, id, [:])
        case .chargedBack(let id): (.chargedBack, id, [:])
        }
    }
}

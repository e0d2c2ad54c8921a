internal import PaymentAbstraction

/// One payment of ours beside the same payment of the statement.
struct PaymentComparison {
    private let ours: PaymentRecord
    private let theirs: Statement.Payment
    private let young: Bool

    /// - Parameter young: Whether what is missing there may still be on its way.
    init(_ ours: PaymentRecord, _ theirs: Statement.Payment, young: Bool) {
        (self.ours, self.theirs, self.young) = (ours, theirs, young)
    }

    /// Adds what differs, one line for the state and one for the amount at most.
    func tell(_ differences: inout [BookDifference], _ notCompared: inout [String: Int]) {
        if ours.attempts.contains(where: { $0.intent.isOrigin && $0.facts.isRehearsal }) { return }
        if theirs.state == .unread { notCompared["states in words that nobody here knows", default: 0] += 1 }
        if let kind = state {
            differences.append(difference(kind))
        } else if let amounts {
            differences.append(difference(.otherAmount, amounts))
        }
        if let refunded { differences.append(refunded) }
    }

    /// What is to be said about the states; nil where they agree.
    private var state: BookDifference.Kind? {
        switch ours.state {
        case .begun, .submitted, .inDoubt:
            return theirs.state == .unread ? nil : .otherState
        case .concluded(.pending):
            return theirs.state == .unread || theirs.state == .pending ? nil : .otherState
        case .notMoved, .concluded(.declined), .concluded(.cancelled):
            return theirs.state.hasMoved ? .otherState : nil
        case .concluded(.approved): return moved
        }
    }

    private var moved: BookDifference.Kind? {
        let amounts = ours.amounts
        let late: BookDifference.Kind = young ? .inTransit : .otherState
        let isUndone = amounts.isVoided || amounts.captured.minorUnits == 0 && amounts.released.minorUnits > 0
        switch theirs.state {
        case .unread, .taken: return nil
        case .refused: return .otherState
        case .pending: return late
        case .undone: return isUndone ? nil : .otherState
        case .held: return isUndone || amounts.captured.minorUnits > 0 ? late : nil
        case .charged: return isUndone || amounts.captured.minorUnits == 0 ? .otherState : nil
        }
    }

    /// The amount here and there, where both are known and differ.
    private var amounts: (here: Money, there: Money)? {
        guard case .concluded(.approved(let approval)) = ours.state else { return nil }
        let pair: (Money, Money?)
        switch theirs.state {
        case .charged: pair = (ours.amounts.captured, theirs.charged)
        case .held: pair = (ours.amounts.authorized, theirs.held)
        case .taken, .unread: pair = (approval.amount, theirs.amount)
        case .pending, .undone, .refused: return nil
        }
        guard let there = pair.1, there != pair.0 else { return nil }
        return (pair.0, there)
    }

    /// What was given back, where the statement has the sum.
    private var refunded: BookDifference? {
        guard let there = theirs.refunded, there != ours.amounts.refunded else { return nil }
        let open = ours.undecided.first { $0.intent.operation == .refund }
        var found = difference(open == nil ? .otherAmount : .otherState, (ours.amounts.refunded, there))
        (found.attempt, found.operation) = (open?.intent.attempt, .refund)
        (found.here, found.there) = ("refunded", "refunded")
        return found
    }

    private func difference(
        _ kind: BookDifference.Kind, _ amounts: (here: Money, there: Money)? = nil
    ) -> BookDifference {
        let open = ours.undecided.first
        let proposal: BookDifference.Proposal = kind == .inTransit ? .wait : open == nil ? .ask : .recover
        var found = BookDifference(kind, proposal)
        (found.payment, found.attempt) = (ours.id, open?.intent.attempt ?? ours.id.attempt)
        (found.operation, found.reference) = (open?.intent.operation ?? ours.operation, ours.reference)
        (found.name, found.place) = (theirs.names.first, theirs.place)
        (found.here, found.there) = (ours.words, theirs.words)
        found.hereAmount = amounts?.here ?? ours.requested
        found.thereAmount = amounts?.there ?? theirs.amount
        return found
    }
}

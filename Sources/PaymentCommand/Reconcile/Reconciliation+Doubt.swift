internal import PaymentAbstraction

extension Reconciliation {
    /// Why an attempt that the statement doesn't show may have moved money all the same; nil where nothing in it says so.
    ///
    /// Money that no attempt claims could be any attempt's: a part of the amount may be approved, a tip or a surcharge
    /// changes the total, and a provider may book in another currency or under another kind.
    func obstacle(_ attempt: AttemptRecord) -> String? {
        if !statement.unreadable.isEmpty { return "the statement has lines that can't be read" }
        if let row = strange.first {
            let what = [row.place, row.amount.map { "\($0)" }].compactMap(\.self).joined(separator: ", ")
            return "the statement shows money that nobody here claims and that could be this (\(what))"
        }
        return foreignRow(of: attempt).map { "\($0.place) carries its name, and is left out with the \($0.why)" }
    }

    /// A row that is none of the account's payments and carries a name of an attempt.
    private func foreignRow(of attempt: AttemptRecord) -> Statement.ForeignRow? {
        let names = Set(
            [attempt.intent.attempt.text, attempt.intent.reference] + attempt.facts.names.map(\.value))
        return statement.foreign.first { !$0.names.isDisjoint(with: names) }
    }

    /// Says what to do about an attempt in doubt: first ask the provider. What the provider could not tell a person
    /// decides, and gets a line to type only where no row of the statement speaks against it.
    func propose(_ found: inout BookDifference) {
        guard found.kind == .onlyHere || found.kind == .otherState,
            let attempt = books.attempt(found.attempt?.text)?.attempt, attempt.isInDoubt
        else { return }
        found.isInDoubt = true
        found.proposal = .recover
        guard attempt.wasLookedUpInVain else { return }
        if found.kind == .otherState {
            if isOnlyRow(found, of: attempt) { found.proposal = .resolve }
            return
        }
        found.because = obstacle(attempt)
        found.proposal = found.because == nil ? .resolve : .ask
    }

    /// Whether a difference names the only row of the statement that the attempt's own id or reference is on, that row
    /// moved just this amount, and no other open attempt could be it.
    private func isOnlyRow(_ found: BookDifference, of attempt: AttemptRecord) -> Bool {
        let intent = attempt.intent
        // A row that can't be read, or that was left out, may say that it failed.
        guard intent.isOrigin, let name = found.name, statement.unreadable.isEmpty, foreignRow(of: attempt) == nil
        else { return false }
        let references = [intent.attempt.text, intent.reference]
        let rows = statement.payments.filter { row in
            row.state != .refused && row.state != .undone
                && (row.names.contains(name) || row.reference.map(references.contains) ?? false)
        }
        let open = books.payments(under: intent.reference).flatMap(\.attempts).filter(\.isUndecided)
        guard rows.count == 1, let row = rows.first, open.count == 1 else { return false }
        return row.state.hasMoved && row.names.contains(name) && row.amount == intent.amount
    }
}

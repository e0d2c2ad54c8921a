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
        let names = Set(
            [attempt.intent.attempt.text, attempt.intent.reference] + attempt.facts.names.map(\.value))
        guard let row = statement.foreign.first(where: { !$0.names.isDisjoint(with: names) }) else { return nil }
        return "\(row.place) carries its name, and is left out with the \(row.why)"
    }
}

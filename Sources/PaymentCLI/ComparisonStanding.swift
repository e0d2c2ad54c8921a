internal import PaymentConformance

/// What a row of a comparison comes to, for a reader who looks at its mark alone.
enum ComparisonStanding: String {
    /// A provider's books hold what the client has not recorded, and nothing says so.
    case costsMoney
    /// The till is answered differently.
    case differs
    /// The same answers, and it is not known yet what comes of them.
    case open
    /// The same answers, and a provider named another amount than was asked.
    case otherAmount
    /// Every provider did all that was asked.
    case asAsked
    /// The same answers, and they are not what was asked.
    case same
    /// Fewer than two providers could play it.
    case notCompared

    /// The colour of its mark.
    var mood: ReportDocument.Severity {
        switch self {
        case .costsMoney: .bad
        case .differs, .open, .otherAmount: .doubt
        case .asAsked: .good
        case .same, .notCompared: .plain
        }
    }

    /// Its mark as a page draws it; empty where it has none.
    var mark: String {
        switch mood {
        case .bad: "✗ "
        case .doubt: "? "
        case .good: "✓ "
        case .plain: ""
        }
    }

    /// The same in words.
    var words: String {
        switch self {
        case .costsMoney: "costs money unseen"
        case .differs: "another answer"
        case .open: "same answer, still open"
        case .otherAmount: "same answer, another amount was named"
        case .asAsked: "done as asked"
        case .same: "same answer, not all done as asked"
        case .notCompared: "not compared"
        }
    }

    /// The same of rows with the same answer, as a part of a sum.
    var part: String {
        switch self {
        case .costsMoney: "costing money unseen"
        case .otherAmount: "with another amount named"
        case .open: "still open"
        case .same: "not all done as asked"
        case .differs, .asAsked, .notCompared: words
        }
    }
}

extension ComparisonReport {
    /// What a row comes to.
    func standing(_ row: ProviderComparison.Row) -> ComparisonStanding {
        if row.played.contains(where: { !$0.cost.isEmpty }) { return .costsMoney }
        if !row.isCompared { return .notCompared }
        if !row.isSameResult { return .differs }
        if row.played.contains(where: { !$0.open.isEmpty }) { return .open }
        if row.played.contains(where: { !$0.notes.isEmpty }) { return .otherAmount }
        return row.played.allSatisfy(\.isAsAsked) ? .asAsked : .same
    }

    /// What the marks mean.
    static let marks: [(word: String, meaning: String)] = [
        ("✓ green", "Each provider did all that the till asked, over the amount that it asked. Nothing is open."),
        ("✗ red", "Costs money unseen: a provider's books hold another sum than the client has recorded."),
        ("? amber", "The providers differ there, or something is still open, or another amount was named."),
        ("no mark", "The same answer, and not what was asked, such as a declined card; or not compared."),
    ]

    /// What the words mean.
    static let words: [(word: String, meaning: String)] = [
        ("1, 2, 3", "The till's calls in their order, each with its answer. The last answer is the row's result."),
        (
            "client",
            "This library, in the till. \"Refused by the client, nothing sent\": the provider never saw the call. \"From the "
                + "record\": the client answers what it has recorded."
        ),
        (
            "provider",
            "Here its simulation. \"Declined\" or \"refused by the provider\": it got the request and said no."
        ),
        (
            "pending",
            "The provider has received the request and decides later; its webhook says how. Until then neither the till nor "
                + "the books know more."
        ),
        (
            "in doubt",
            "A request left, and it isn't known whether the provider carried it out. Don't charge again. Below stands who "
                + "asks, how long, and what ends it."
        ),
        ("open", "What isn't decided when the scenario ends: it is pending, in doubt or still running."),
        ("still running", "The till waits no longer; the client still asks. It ends with a result, or in doubt."),
        (
            "booked",
            "What the provider's own books hold at the end. \"all\" and \"half\" are shares of what the till asked for first."
        ),
        (
            "in the books",
            "charge: taken at once. hold: set aside. capture: taken of a hold. release: a hold let go. reversal: undone, as "
                + "if it had never been. refund: paid back to the customer."
        ),
    ]

    /// What a provider made of a scenario, in lines: the calls, what is booked, what is open, what else has to be known.
    static func cell(_ seen: ScenarioResult) -> [String] {
        guard seen.isPlayed else { return [seen.result] }
        return calls(seen) + outcome(seen)
    }

    /// Each call with its answer; where there are several, by number.
    static func calls(_ seen: ScenarioResult) -> [String] {
        let one = seen.calls.count < 2
        let lines = seen.calls.enumerated().map { number, call in
            (one ? "" : "\(number + 1) ") + "\(call.what): \(call.answer)" + (call.why.isEmpty ? "" : ". \(call.why)")
        }
        return lines.isEmpty ? [seen.result] : lines
    }

    /// What the books hold, what is open, and the rest.
    static func outcome(_ seen: ScenarioResult) -> [String] {
        let booked = seen.books.isEmpty ? "nothing" : seen.books.joined(separator: ", ")
        var lines = ["booked: \(booked)"]
        if !seen.open.isEmpty { lines.append("open: \(seen.open.joined(separator: ", "))") }
        if !seen.cost.isEmpty {
            lines.append("costs money unseen: \(seen.cost)" + (seen.costReason.isEmpty ? "" : "; \(seen.costReason)"))
        }
        if !seen.notYetKnown.isEmpty { lines.append("not known to the till yet: \(seen.notYetKnown)") }
        return lines + seen.notes
    }
}

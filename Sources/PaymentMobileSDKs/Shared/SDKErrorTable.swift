/// The outcome rules of one vendor's kit: pure data, with one pure question.
public struct SDKErrorTable: Sendable {
    /// The rows, in the document's order.
    public let rows: [SDKErrorRule]
    private let places: [String: [Int]]

    /// Takes the rows of a document; of two rows for one error and call, the first counts.
    public init(_ rows: [SDKErrorRule]) {
        self.rows = rows
        places = Dictionary(grouping: rows.indices) { rows[$0].code }
    }

    /// The row that speaks of an error in a call; one that names the call comes before one for all calls.
    public func rule(for code: String, in call: some SDKCall) -> SDKErrorRule? {
        let found = (places[code] ?? []).map { rows[$0] }
        return found.first { $0.calls.contains(call.rawValue) }
            ?? found.first { $0.calls.isEmpty || !call.isAboutMoney }
    }

    /// What an error proves about the money; unknown for one that the document doesn't list.
    public func outcome(of code: String, in call: some SDKCall, seen evidence: SDKEvidence) -> SDKOutcome {
        guard let rule = rule(for: code, in: call) else { return .unknown }
        guard call.isAboutMoney else { return rule.outcomeElsewhere }
        return rule.outcome.weakened(by: evidence, holds: rule.holdsAfterSubmission)
    }
}

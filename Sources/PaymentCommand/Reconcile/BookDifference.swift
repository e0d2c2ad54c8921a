internal import PaymentAbstraction
internal import PaymentBase

/// One thing on which our journal and a provider's statement don't agree.
struct BookDifference: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case onlyHere, onlyThere, otherAmount, otherState, inTransit

        /// The same for people.
        var words: String {
            switch self {
            case .onlyHere: "only here"
            case .onlyThere: "only there"
            case .otherAmount: "other amount"
            case .otherState: "other state"
            case .inTransit: "in transit"
            }
        }
    }

    /// What to do about it.
    enum Proposal: String, Sendable {
        case recover, `import`, resolve, ask, wait
    }

    let kind: Kind
    var payment: PaymentID?
    var attempt: AttemptID?
    var operation: PaymentOperation?
    /// The merchant's reference.
    var reference: String?
    /// What the provider calls it.
    var name: String?
    /// How it stands here and there, in words; a dash for nothing.
    var here = "–"
    var there = "–"
    var hereAmount: Money?
    var thereAmount: Money?
    /// Where the statement says so.
    var place: String?
    var proposal: Proposal
    /// A line for `payctl journal import`, where that is proposed.
    var line: JSON?
    /// Why the statement's silence concludes nothing, where that was tried or where a person has to know it.
    var because: String?
    /// Whether it is about an attempt in doubt.
    var isInDoubt = false

    init(_ kind: Kind, _ proposal: Proposal) { (self.kind, self.proposal) = (kind, proposal) }

    /// What to type, or to do where no command helps.
    func advice(_ call: Invocation) -> String {
        switch proposal {
        case .recover: call.command("recover")
        case .import: call.command("journal import -") + "  with the line that --format json gives"
        case .resolve:
            call.command(
                "resolve \(attempt?.text ?? "ATTEMPT") "
                    + (name.map { "--moved \($0)" } ?? "--not-moved") + " --because TEXT")
        case .ask where isInDoubt:
            "ask the provider what became of it, and enter the answer with "
                + call.command("resolve \(attempt?.text ?? "ATTEMPT") --because TEXT")
        case .ask: "ask the provider; no command changes what is decided here"
        case .wait: "wait for the next statement"
        }
    }

    var json: JSON {
        [
            "kind": .string(kind.rawValue), "payment": .text(payment?.attempt.text), "attempt": .text(attempt?.text),
            "operation": .text(operation?.rawValue), "reference": .text(reference), "name": .text(name),
            "here": .string(here), "there": .string(there), "hereAmount": hereAmount?.json ?? .null,
            "thereAmount": thereAmount?.json ?? .null, "place": .text(place), "proposal": .string(proposal.rawValue),
            "import": line ?? .null, "because": .text(because),
        ]
    }
}

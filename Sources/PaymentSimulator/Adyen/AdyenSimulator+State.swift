public import PaymentBase

/// What a restart must not lose: the books, the payments, what is decided later, the answers and the phones' sessions.
/// A payment that a terminal works on is lost with its process, as a terminal that loses its power.
extension AdyenSimulator: StatefulProvider {
    public func snapshot() -> JSON { looking { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool { restore(snapshot, into: state, fresh: State(signer: signer)) }
}

extension AdyenSimulator.State: PersistedFields {
    static let members: [PersistedField<Self>] = [
        .init("ledger", \.ledger), .init("payments", \.payments), .init("references", \.byReference),
        .init("tokens", \.tokens), .init("modifications", \.modifications), .init("answers", \.answers),
        .init("messages", \.outbox, isNew: true), .init(counter: "nextNumber", \.nextNumber), .init("stored", \.stored),
        .init("playedOnce", \.playedOnce), .init("sessions", \.sessions), .init("terminals", \.terminals),
    ]
}

extension AdyenSimulator.Payment: Recorded {
    var recordName: String { psp }

    static let members: [PersistedField<Self>] = [
        .init("psp", \.amounts.name), .init("reference", \.reference), .init("currency", \.amounts.currency),
        .init("held", \.amounts.held), .init("captured", \.amounts.captured), .init("refunded", \.amounts.refunded),
    ]
}

extension AdyenSimulator.Modification.Kind: PersistedState {
    var kept: JSON { .string(rawValue) }

    init?(kept json: JSON) { self.init(rawValue: json.string ?? "") }
}

extension AdyenSimulator.Modification: Recorded {
    var recordName: String { psp }
    var otherNames: [String] { [reference] }
    var dueAt: Int64? { isDone ? nil : decidesAt }

    static let members: [PersistedField<Self>] = [
        .init("kind", \.kind), .init("psp", \.psp), .init("payment", \.payment), .init("reference", \.reference),
        .init("currency", \.currency), .init("amount", \.amount), .init("dueAt", \.decidesAt),
        .init("isTechnical", \.isTechnical), .init("isDone", \.isDone), .init("succeeded", \.succeeded),
    ]
}

extension AdyenSimulator.Terminal.Answer: KeptRecord {
    static let members: [PersistedField<Self>] = [
        .init("at", \.at), .init("message", \.message), .init("category", \.category),
    ]
}

extension AdyenSimulator.Terminal: PersistedState {
    var kept: JSON { answers.kept }

    init?(kept json: JSON) {
        guard let answers = [String: Answer](kept: json) else { return nil }
        self.init(answers: answers)
    }
}

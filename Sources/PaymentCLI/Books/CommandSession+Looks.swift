internal import PaymentAbstraction
internal import PaymentBase

extension PaymentEvent.Kind {
    /// The provider was asked what became of an attempt, answered, and could not tell.
    static let cannotTell = PaymentEvent.Kind(rawValue: "cannotTell")
}

extension Attempt {
    /// Whether it may have been executed, and the provider has not said that it works on it.
    var isInDoubt: Bool { state == .inDoubt || state == .running }
}

extension CommandSession {
    /// What became of an attempt: a lookup if that is not known yet. Where the provider answers and can't tell, the payment's
    /// timeline says so: then a person has to decide.
    func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        let before = call.watch.counts
        do { return try await client.status(attempt) } catch {
            let now = call.watch.counts
            // A look that failed tells nothing about the attempt, and is made again.
            let isAnswered = now.answered > before.answered && now.unanswered == before.unanswered
            if error.code == .inDoubt, isAnswered { await noteVainLook(attempt) }
            throw error
        }
    }

    /// Looks once more at what stays in doubt, one after the other, so that it is known of which the provider can't tell.
    func lookInto(_ attempts: [Attempt]) async {
        for attempt in attempts where attempt.isInDoubt && attempt.isEnded {
            let isKnown = try? await wasLookedUpInVain(attempt)
            if isKnown != true { _ = try? await status(attempt.intent.attempt) }
        }
    }

    /// Whether the provider was asked what became of the newest run, answered, and could not tell.
    func wasLookedUpInVain(_ attempt: Attempt) async throws(PaymentError) -> Bool {
        let began = attempt.newest?.begunAt.wall ?? 0
        return try await client.timeline(of: attempt.intent.paymentID).contains { step in
            step.kind == .cannotTell && step.attempt == attempt.intent.attempt && step.at >= began
        }
    }

    /// Without the step a person is sent to ask once more, which harms nothing: so it may fail.
    private func noteVainLook(_ id: AttemptID) async {
        guard let attempt = try? await client.attempt(id), attempt.isInDoubt, attempt.isEnded,
            (try? await wasLookedUpInVain(attempt)) == false
        else { return }
        let payment = attempt.intent.paymentID
        let step = PaymentEvent(
            .cannotTell, at: clock.now, payment: payment, attempt: id, provider: attempt.account.id)
        try? await journal.add([step], to: payment)
    }
}

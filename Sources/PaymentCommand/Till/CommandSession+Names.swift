internal import PaymentAbstraction
internal import PaymentProviderKit

extension CommandSession {
    /// The fewest characters by which a payment or an attempt is found without its beginning.
    static let endingCharactersMin = 6

    /// The payment that somebody typed: its id, or the end of it, as a narrow list shows it.
    func payment(_ text: String) async throws -> PaymentID {
        PaymentID(try await name(text, "payment") { payment in [payment.id.attempt] })
    }

    /// The attempt that somebody typed, in the same way.
    func attempt(_ text: String) async throws -> AttemptID {
        try await name(text, "attempt") { payment in payment.attempts.map(\.intent.attempt) }
    }

    private func name(
        _ text: String, _ what: String, of names: (PaymentRecord) -> [AttemptID]
    ) async throws -> AttemptID {
        let isEnding = text.hasPrefix("…")
        guard let whole = try? AttemptID(isEnding ? String(text.dropFirst()) : text) else {
            throw UsageError(message: "\"\(text)\" is no \(what)'s id; `payctl list` shows them")
        }
        if !isEnding, try await client.attempt(whole) != nil { return whole }
        guard whole.text.count >= Self.endingCharactersMin else { return whole }
        var found: Set<AttemptID> = []
        for try await payment in client.everyPayment() {
            found.formUnion(names(payment).filter { $0.text.hasSuffix(whole.text) })
        }
        if found.count > 1 {
            throw UsageError(message: "\(found.count) \(what)s end with \(whole); type more of the one that you mean")
        }
        if isEnding, found.isEmpty { throw PaymentError.nothingMoved(.notFound, "no \(what) ends with \(whole)") }
        return found.first ?? whole
    }
}

extension ConfiguredProvider {
    /// Whether it is one of the worlds in which nothing real happens.
    var isSimulated: Bool { entry.environment(environment)?.allowsPlainHTTP == true }
}

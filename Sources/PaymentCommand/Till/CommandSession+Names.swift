internal import PaymentAbstraction
internal import PaymentProviderKit

extension CommandSession {
    /// The fewest characters by which a payment or an attempt is found without its beginning.
    static let endingCharactersMin = 6

    /// The payment that somebody typed: its id, the end of it, as a narrow list shows it, or its reference, where only one
    /// payment has it.
    func payment(_ text: String) async throws -> PaymentID {
        let whole = try? AttemptID(text)
        if let whole, try await client.attempt(whole) != nil { return PaymentID(whole) }
        var found = Set(try await client.payments(reference: text).map(\.id.attempt))
        if found.count > 1 {
            let names = found.map(\.text).sorted().joined(separator: ", ")
            throw UsageError(
                message: "\(found.count) payments have the reference \(text): \(names); name one by its id")
        }
        found.formUnion(try await endings(text) { payment in [payment.id.attempt] })
        return PaymentID(try one(of: found, text, "payment"))
    }

    /// The attempt that somebody typed: its id or the end of it.
    func attempt(_ text: String) async throws -> AttemptID {
        if let whole = try? AttemptID(text), try await client.attempt(whole) != nil { return whole }
        let found = try await endings(text) { payment in payment.attempts.map(\.intent.attempt) }
        return try one(of: found, text, "attempt")
    }

    private func endings(_ text: String, of names: (PaymentRecord) -> [AttemptID]) async throws -> Set<AttemptID> {
        let end = text.hasPrefix("…") ? String(text.dropFirst()) : text
        guard end.count >= Self.endingCharactersMin, (try? AttemptID(end)) != nil else { return [] }
        var found: Set<AttemptID> = []
        for try await payment in client.everyPayment() {
            found.formUnion(names(payment).filter { $0.text.hasSuffix(end) })
        }
        return found
    }

    private func one(of found: Set<AttemptID>, _ text: String, _ what: String) throws -> AttemptID {
        if found.count > 1 {
            let count = "\(found.count) \(what)s"
            throw UsageError(message: "\(count) end with \(text), or are called so; type more of the one that you mean")
        }
        if let only = found.first { return only }
        if text.hasPrefix("…") {
            throw PaymentError.nothingMoved(.notFound, "no \(what) ends with \(text.dropFirst())")
        }
        guard let whole = try? AttemptID(text) else {
            throw UsageError(message: "\"\(text)\" is no \(what)'s id; `payctl list` shows them")
        }
        return whole
    }
}

extension ConfiguredProvider {
    /// Whether it is one of the worlds in which nothing real happens.
    var isSimulated: Bool { entry.environment(environment)?.allowsPlainHTTP == true }
}

internal import PaymentAbstraction
internal import PaymentProviderKit

extension CommandSession {
    /// The payment that somebody typed: its id, its reference, or the end of its id behind "…".
    ///
    /// - Throws: `notFound` or `conflict`, with status 5, when that is no payment or several.
    func payment(_ text: String) async throws -> PaymentID { PaymentID(try await find(text, .payment)) }

    /// The attempt that somebody typed, in the same ways; the reference is that of the payment that it began.
    func attempt(_ text: String) async throws -> AttemptID { try await find(text, .attempt) }

    private enum Sought: String { case payment, attempt }

    private func find(_ text: String, _ what: Sought) async throws -> AttemptID {
        let name = try PaymentArgument(text)
        var found: [(id: AttemptID, as: String)] = []
        if let id = name.id, let record = try await client.attempt(id) {
            if what == .payment, !record.intent.isOrigin {
                let payment = record.intent.paymentID
                throw AdvisedError(
                    .notExecuted(
                        .conflict,
                        "\(id) is the \(record.intent.operation.rawValue) of the payment \(payment), not a payment"),
                    next: call.command("show \(payment)"))
            }
            found.append((id, "the id"))
        }
        for reference in name.references {
            found += try await client.payments(reference: reference).map { ($0.id.attempt, "the reference") }
        }
        if let ending = name.ending { found += try await endings(ending, what).map { ($0, "the end") } }
        let ids = Set(found.map(\.id))
        if let only = ids.first, ids.count == 1 { return only }
        throw ids.isEmpty ? try await notFound(name, what) : several(text, found, what)
    }

    /// What ends so, oldest last.
    private func endings(_ end: String, _ what: Sought) async throws -> [AttemptID] {
        var found: [AttemptID] = []
        for try await payment in client.allPayments() {
            let names = what == .payment ? [payment.id.attempt] : payment.attempts.map(\.intent.attempt)
            found += names.filter { $0.text.hasSuffix(end) }
        }
        return found
    }

    private func several(_ text: String, _ found: [(id: AttemptID, as: String)], _ what: Sought) -> AdvisedError {
        var lines: [String] = []
        for (id, kind) in found where !lines.contains(where: { $0.hasSuffix(" \(id)") }) {
            lines.append("\(kind) of \(id)")
        }
        let isShared = Set(found.map(\.as)).count == 1
        let way =
            isShared
            ? "name one by its id" : "say which: by its own id, or as id:\(text) or reference:\(text)"
        return AdvisedError(
            .notExecuted(
                .conflict,
                "\(text) names \(lines.count) \(what.rawValue)s: it is \(lines.joined(separator: ", and "));\n\(way)"),
            next: call.command("list"))
    }

    private func notFound(_ name: PaymentArgument, _ what: Sought) async throws -> AdvisedError {
        let here = "in this journal"
        var words: String
        if let ending = name.ending {
            words = "no \(what.rawValue) \(here) ends with \(ending)"
        } else {
            words = "no \(what.rawValue) \(here) has the id or the reference \"\(name.text)\""
            let isLong = name.text.count >= PaymentArgument.endingCharactersMin
            let near = isLong ? try await endings(name.text, what).prefix(3).map(\.text) : []
            if !near.isEmpty {
                words +=
                    "; did you mean \(near.joined(separator: " or "))? An id that only ends so is typed with … in front"
            }
        }
        // A question what became of something must not be answered with *nothing moved*: it may be in another journal.
        let isAsked = call.words.first == "status"
        return AdvisedError(
            PaymentError(.notFound, outcome: isAsked ? .unknown : .notExecuted, detail: words), status: .refused)
    }
}

extension ConfiguredProvider {
    /// Whether it is one of the worlds in which nothing real happens.
    var isSimulated: Bool { entry.environment(environment)?.allowsPlainHTTP == true }
}

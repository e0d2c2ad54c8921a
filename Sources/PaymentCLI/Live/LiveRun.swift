internal import PaymentAbstraction
internal import PaymentBase

/// A run against a provider's own environment, or against what was recorded of one.
struct LiveRun: Sendable {
    /// How a check ended.
    struct Result: Sendable {
        enum Status: String, Sendable { case proven, failed, skipped, notApplicable }
        let check: LiveCheck
        let status: Status
        let detail: String

        /// What a recording keeps of it.
        var outcome: JSON { ["status": .string(status.rawValue), "detail": .string(detail)] }
    }

    /// One payment that was opened, and how it was closed.
    struct Closing: Sendable {
        let payment: PaymentID?
        let amount: Money
        /// What undid it, and what came of that.
        let words: String
        let isClosed: Bool
        /// Whether the provider has received what undoes it, and decides later.
        var isReceived = false
    }

    /// The person leaves a check out.
    private struct Skipped: Error { let reason: String }

    let client: PaymentClient
    let provider: ProviderID
    let amount: Money
    let paymentsMax: Int
    let within: Duration
    /// What begins the names of this run's attempts.
    let run: String
    /// Is told which take begins.
    let begin: @Sendable (String) -> Void
    /// Asks the person; nil where nobody is asked. The answer `skip` with a reason leaves the check out.
    let ask: (@Sendable (String) -> String?)?
    /// Why a check was left out when the run was recorded; nil where it was not.
    var leftOut: @Sendable (String) -> String? = { _ in nil }

    /// Tries every check, then closes everything that was opened.
    func play(_ ended: (Result) -> Void) async throws -> (results: [Result], closings: [Closing]) {
        let opened = Locked([Payment]())
        var results: [Result] = []
        var payments = 0
        for check in LiveCheck.all {
            begin(check.id)
            if check.takesPayment { payments += 1 }
            let result = await play(check, opened, isBeyond: check.takesPayment && payments > paymentsMax)
            results.append(result)
            ended(result)
        }
        begin(Self.closing)
        return (results, await close())
    }

    /// The take in which everything is given back.
    static let closing = "live.closing"

    /// How many payments all checks take, where the provider has what they need.
    static func count(_ view: ProviderClient) -> Int {
        LiveCheck.all.count { check in check.takesPayment && check.needs.allSatisfy { view.capabilityTable[$0] } }
    }

    private func play(_ check: LiveCheck, _ opened: Locked<[Payment]>, isBeyond: Bool) async -> Result {
        func ended(_ status: Result.Status, _ detail: String = "") -> Result {
            Result(check: check, status: status, detail: detail)
        }
        do {
            let view = try client.provider(provider)
            if let missing = check.needs.first(where: { !view.capabilityTable[$0] }) {
                return ended(.notApplicable, "there is no \(missing)")
            }
            if let reason = leftOut(check.id) { return ended(.skipped, reason) }
            if isBeyond { return ended(.skipped, "it would take more than \(paymentsMax) payments") }
            let stage = LiveStage(
                client: client, amount: amount, run: run, payments: opened.withLock { $0 },
                present: { [ask] what in
                    guard let ask else { return }
                    let answer = ask("\(what): press return and present the test card, or type skip and why: ")
                    guard let answer else { throw Skipped(reason: "nobody answered") }
                    if answer.hasPrefix("skip") {
                        let reason = answer.dropFirst(4).drop { $0 == " " }
                        throw Skipped(reason: reason.isEmpty ? "no reason given" : String(reason))
                    }
                }, within: within, approved: { payment in opened.withLock { $0.append(payment) } })
            try await check.run(stage)
            return ended(.proven)
        } catch let skipped as Skipped {
            return ended(.skipped, skipped.reason)
        } catch let failure as LiveCheck.Failure {
            return ended(.failed, failure.words)
        } catch let error as PaymentError {
            return ended(.failed, "\(error.code.rawValue), \(error.outcome.rawValue): \(error.detail)")
        } catch {
            return ended(.failed, "an error of type \(type(of: error))")
        }
    }

    /// Undoes everything under this run's names that moved or may have, also what no check knows of.
    private func close() async -> [Closing] {
        _ = try? await client.recover()
        var closings: [Closing] = []
        for name in LiveStage.names {
            do {
                for payment in try await client.payments(reference: "\(run)-\(name)") {
                    if let closing = await close(payment) { closings.append(closing) }
                }
            } catch {
                let words = "the journal can't be read: look for the reference \(run)-\(name) at the provider"
                closings.append(Closing(payment: nil, amount: amount, words: words, isClosed: false))
            }
        }
        return closings
    }

    private func close(_ payment: PaymentRecord) async -> Closing? {
        func closing(_ words: String, _ isClosed: Bool) -> Closing {
            Closing(payment: payment.id, amount: payment.amounts.authorized, words: words, isClosed: isClosed)
        }
        if let origin = payment.origin, origin.isOpen {
            let isReceived = origin.state == .pending
            let words = isReceived ? "it is received, and not decided" : "it is not known whether it moved"
            return closing("\(words): payctl status \(payment.id)", false)
        }
        let follow = payment.attempts.filter { !$0.intent.isOrigin && ($0.approval != nil || $0.state == .pending) }
        if let void = follow.first(where: { $0.intent.operation == .void }) {
            var undone = closing("undone by its check (\(void.word))", void.state == .approved)
            undone.isReceived = void.state == .pending
            return undone
        }
        guard payment.state == .approved else { return nil }
        var why: [String] = []
        for verb in ["void", "refund"] {
            let (back, waiting) = (payment.amounts.refunded, payment.amounts.refundPending)
            if verb == "void", back.minorUnits > 0 || waiting.minorUnits > 0 { continue }
            if verb == "refund", payment.amounts.refundable.minorUnits == 0 { continue }
            do {
                let attempt = try AttemptID("\(payment.reference)-\(verb)")
                let result =
                    verb == "void"
                    ? try await client.void(payment.id, attempt: attempt)
                    : try await client.refund(payment.id, reference: "closing", attempt: attempt)
                switch result {
                case .approved: return closing("\(verb == "void" ? "undone" : "given back")", true)
                case .pending:
                    let words = "\(verb == "void" ? "undoing" : "giving back") is received, and not decided"
                    var received = closing("\(words): payctl status \(attempt)", false)
                    received.isReceived = true
                    return received
                case .declined(let decline): why.append("\(verb) declined: \(decline.reason)")
                case .cancelled: why.append("\(verb) cancelled")
                }
            } catch { why.append("\(verb): \(error.detail)") }
        }
        return closing("NOT undone: \(why.joined(separator: "; "))", false)
    }
}

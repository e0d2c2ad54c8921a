internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit

/// A run against a provider's own environment, or against what was recorded of one.
struct LiveRun: Sendable {
    /// How a check ended.
    struct Result: Sendable {
        enum Status: String, Sendable { case proven, failed, skipped, notApplicable }
        let check: LiveCheck
        let status: Status
        let detail: String

        /// The status and detail as a recording stores them.
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
    /// Called with the take that begins.
    let begin: @Sendable (String) -> Void
    /// Asks the person; nil without a person. The answer `skip` with a reason leaves the check out.
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

    /// The take in which everything is refunded.
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
                    guard let answer else { throw Skipped(reason: "no answer came") }
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
            var undone = closing("undone by its check (\(void.status))", void.state == .approved)
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
                case .approved: return closing("\(verb == "void" ? "undone" : "refunded")", true)
                case .pending:
                    let words = "\(verb == "void" ? "undoing" : "refunding") is received, and not decided"
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

/// One thing that is tried at a provider's own environment: with little money, all of which comes back.
struct LiveCheck: Sendable {
    /// The error of a check that can't continue.
    struct Failure: Error { let words: String }

    let id: String
    let summary: String
    /// What the provider has to have.
    let needs: [String]
    /// Whether it takes a payment of its own.
    let takesPayment: Bool
    let run: @Sendable (LiveStage) async throws -> Void

    private init(
        _ id: String, _ summary: String, needs: [String] = ["sale"], takesPayment: Bool = true,
        _ run: @escaping @Sendable (LiveStage) async throws -> Void
    ) {
        (self.id, self.summary, self.needs, self.takesPayment, self.run) = (id, summary, needs, takesPayment, run)
    }

    /// All of them, in the order in which they are tried.
    static let all: [LiveCheck] = [
        LiveCheck("live.sale", "A sale is approved over its amount and gets the provider's names.") { stage in
            let payment = try await stage.sold("sale")
            try stage.expect(payment.approved == stage.amount, "approved \(payment.approved), asked \(stage.amount)")
            try stage.expect(!payment.references.isEmpty, "the approval names nothing")
        },
        LiveCheck("live.replay", "The same attempt again is answered from the journal.", takesPayment: false) { stage in
            guard let first = stage.payments.first else { throw Failure(words: "no sale was approved before") }
            guard case .approved(let again) = try await stage.sell("sale", asks: false) else {
                throw Failure(words: "the replay was not approved")
            }
            try stage.expect(again.references == first.references, "the replay has other names")
        },
        LiveCheck(
            "live.refund-part", "Half of a sale is refunded.", needs: ["sale", "refund.partial"], takesPayment: false
        ) { stage in
            guard let first = stage.payments.first else { throw Failure(words: "no sale was approved before") }
            let half = Money(minorUnits: first.approved.minorUnits / 2, first.approved.currency)
            switch try await stage.client.refund(first.id, of: half, attempt: stage.attempt("refund-part")) {
            case .approved, .pending: break
            case .declined(let decline): throw Failure(words: "declined: \(decline.reason)")
            case .cancelled: throw Failure(words: "cancelled")
            }
        },
        LiveCheck("live.void", "A sale is undone.", needs: ["sale", "void"]) { stage in
            let payment = try await stage.sold("void-sale")
            switch try await stage.client.void(payment.id, attempt: stage.attempt("void")) {
            case .approved, .pending: break
            case .declined(let decline): throw Failure(words: "declined: \(decline.reason)")
            case .cancelled: throw Failure(words: "cancelled")
            }
        },
        LiveCheck("live.hold", "An amount is held and let go.", needs: ["authorize", "void"]) { stage in
            let payment = try await stage.held("hold")
            try stage.expect(
                payment.amounts.captured.minorUnits == 0, "a hold is reported as \(payment.amounts.captured)")
        },
    ]
}

/// What a live check works with.
struct LiveStage: Sendable {
    let client: PaymentClient
    let amount: Money
    /// What begins the names of this run's attempts.
    let run: String
    /// What was approved so far, oldest first.
    let payments: [Payment]
    /// Asks the person at the reader to present the card; throws when it is left out.
    let present: @Sendable (String) throws -> Void
    let within: Duration
    let approved: @Sendable (Payment) -> Void

    /// What the payments of a run are called behind its own name.
    static let names = ["sale", "void-sale", "hold"]

    func attempt(_ name: String) throws -> AttemptID { try AttemptID("\(run)-\(name)") }

    func expect(_ holds: Bool, _ otherwise: String) throws {
        if !holds { throw LiveCheck.Failure(words: otherwise) }
    }

    func sell(_ name: String, asks: Bool = true) async throws -> PaymentResult {
        if asks { try present("a sale of \(amount)") }
        let request = SaleRequest(amount, from: .reader, reference: try attempt(name).text)
        return try await client.sale(request, attempt: attempt(name), timeout: within)
    }

    func sold(_ name: String) async throws -> Payment { try payment(try await sell(name)) }

    func held(_ name: String) async throws -> Payment {
        try present("a hold of \(amount)")
        let attempt = try attempt(name)
        let request = SaleRequest(amount, from: .reader, reference: attempt.text)
        return try payment(try await client.authorize(request, attempt: attempt, timeout: within))
    }

    private func payment(_ result: PaymentResult) throws -> Payment {
        switch result {
        case .approved(let payment):
            approved(payment)
            return payment
        case .declined(let decline): throw LiveCheck.Failure(words: "declined: \(decline.reason) (\(decline.provider))")
        case .cancelled(let end): throw LiveCheck.Failure(words: "cancelled by \(end.cause.rawValue)")
        case .pending: throw LiveCheck.Failure(words: "only received")
        }
    }
}

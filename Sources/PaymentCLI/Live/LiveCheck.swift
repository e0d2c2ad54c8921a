internal import PaymentAbstraction

/// One thing that is tried at a provider's own environment: with little money, all of which comes back.
struct LiveCheck: Sendable {
    /// What a check is told by when it can't go on.
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
            "live.refund-part", "Half of a sale is given back.", needs: ["sale", "refund.partial"], takesPayment: false
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
                payment.amounts.captured.minorUnits == 0, "what was only held is told as \(payment.amounts.captured)")
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

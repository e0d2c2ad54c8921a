import PaymentAbstraction
import PaymentBase

/// A driver whose provider wants an access before anything else.
struct SignedFake: SaleDriver, SessionDriver {
    /// Gives the n-th access out.
    typealias Give = @Sendable (_ number: Int) async throws -> AccessToken
    /// Takes a message that shows an access; throws where it is refused.
    typealias Take = @Sendable (AccessToken) async throws -> Void

    let company: Company
    let identity = ProviderIdentity("p", adapter: "fake", environment: "sandbox", merchant: "m")
    let capabilities = Capabilities(sources: [.card], sendLimit: 0)
    var take: Take = { _ in }
    private let give: Give
    private let count = Locked(0)

    init(_ company: Company, _ give: @escaping Give) { (self.company, self.give) = (company, give) }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 1_000) }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .cannotTell("It can't be seen now.")
    }

    func classify(_ error: any Error) -> RequestFailure { (error as? Refused)?.fault ?? RequestFailure(error) }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { exchange in
            try await take(exchange.access)
            company.charge(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }

    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return try await give(number)
    }
}

extension Promise where Value == Bool {
    /// Waits for what never comes, even when nobody waits for the one who waits.
    func forever() async throws { _ = await value() }
}

internal import PaymentBase
internal import PaymentTransport

/// Looks at a provider's books after each request, and remembers the first time that they were wrong.
final class LedgerAudit: Sendable {
    private struct State {
        var checkedCount = 0
        var problem: String?
    }

    private let state = Locked(State())

    /// What was wrong, if anything ever was.
    var problem: String? { state.withLock { $0.problem } }

    /// Forgets what was wrong.
    func reset() { state.withLock { $0 = State() } }

    /// Checks the books if they changed; the loud answer when they don't balance.
    func check(_ provider: any SimulatedProvider) -> HTTPResponse? {
        let standing = provider.standing
        let isChanged = state.withLock { state in
            defer { state.checkedCount = standing.movementCount }
            return state.checkedCount != standing.movementCount || state.problem != nil
        }
        guard isChanged, !standing.isBalanced else { return nil }
        let movement = standing.latest
        let problem = "after movement \(movement?.number ?? 0) (\(movement?.cause ?? "none")) of \(provider.name)"
        state.withLock { $0.problem = $0.problem ?? problem }
        var response = HTTPResponse.json(
            ["error": ["code": "ledgerImbalance", "message": .string("THE BOOKS DON'T BALANCE \(problem)")]],
            status: 500)
        response.headers[FaultInjector.imbalanceHeader] = "unbalanced"
        return response
    }
}

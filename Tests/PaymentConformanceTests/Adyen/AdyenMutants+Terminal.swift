import AdyenProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance

/// The driver of Adyen's terminals with nothing but sales, which has no patience with customers.
private struct ImpatientDriver: SaleDriver {
    let inner: any AdyenTerminalDriver
    var identity: ProviderIdentity { inner.identity }
    var secrets: [Secret] { inner.secrets }
    var capabilities: Capabilities {
        var takes = Capabilities(sources: [.reader], sendLimit: inner.capabilities.sendLimit)
        takes.usesProviderTerminal = true
        return takes
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(every: 1_000, giveUpAfter: 60_000, quiet: 30_000)
    }

    /// What a terminal still works on is not seen.
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let found = try await inner.lookup(inquiry, context)
        guard case .cannotTell = found else { return found }
        return .notFound(seesBack: nil)
    }

    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
}

extension AdyenMutants {
    /// Those of terminals that no other provider of ours has.
    static let terminal: [Mutant] = [
        impatient("quiet.shorter-than-customers", "lookup.slow-customer"),
        impatient("quiet.shorter-than-customers-unheard", "lookup.slow-customer-unheard"),
    ]

    private static func impatient(_ id: String, _ check: String) -> Mutant {
        var mutant = Mutant(
            "adyen.\(id)", "Believes after half a minute that a payment at the terminal never was.", caughtBy: check)
        mutant.wrapDriver = { shipped in
            (shipped as? any AdyenTerminalDriver).map { ImpatientDriver(inner: $0) } ?? shipped
        }
        return mutant
    }
}

import AdyenProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

extension FindingMutant {
    static let adyen: [FindingMutant] = [
        FindingMutant("A1", "adyen", under: "adyen.tip.asked-on-terminal", disbelieving),
        FindingMutant("A6", "adyen", under: "adyen.saved.result.received", deaf),
        FindingMutant(
            "A7", "adyen",
            .writes(
                "finding.no-return-url", "Charges a saved card without an address to return to.", "sale.from-saved",
                "/payments", LineChange("returnUrl") { _ in nil })),
        FindingMutant(
            "third-party 8", "adyen", under: "adyen.saved.result.no-amount",
            .connection(
                "finding.no-amount-as-doubt", "Takes an approval without an amount for a word that no list has.",
                "sale.from-saved", "/payments"
            ) { request, next async throws(TransportFailure) in
                var reply = try await next(request)
                guard let said = try? JSONReader().read(reply.body), said["amount"] == nil else { return reply }
                reply.body = LineChange.word("resultCode", "Authorised", "Unclear").changed(reply.body)
                return reply
            }),
    ]

    /// The mistake of A1: what is approved over another amount than was asked for is not believed, and nothing else is.
    private static var disbelieving: Mutant {
        var mutant = Mutant(
            "finding.tip-not-believed", "Believes no approval over another amount than was asked for.",
            caughtBy: "sale.from-reader")
        mutant.wrapDriver = { shipped in
            (shipped as? any AdyenTerminalDriver).map { DeafDriver(inner: $0, believesAnyAmount: false) } ?? shipped
        }
        return mutant
    }

    /// The mistake of A6: what is told of a charge of a saved card is a hint, and nobody else can be asked.
    private static var deaf: Mutant {
        var mutant = Mutant(
            "finding.saved-unheard", "Takes the message about a charge of a saved card for a hint.",
            caughtBy: "sale.from-saved")
        mutant.wrapDriver = { shipped in (shipped as? any AdyenTerminalDriver).map { DeafDriver(inner: $0) } ?? shipped
        }
        return mutant
    }
}

/// The driver of Adyen's terminals with nothing but sales, which believes no message about them.
private struct DeafDriver: SaleDriver, WebhookDriver {
    let inner: any AdyenTerminalDriver
    var believesAnyAmount = true
    var identity: ProviderIdentity { inner.identity }
    var secrets: [Secret] { inner.secrets }
    var capabilities: Capabilities { inner.capabilities }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        believesAnyAmount ? try await inner.lookup(inquiry, context) : .cannotTell("The provider does not say.")
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        let verdict = try await inner.sale(request, context)
        guard !believesAnyAmount, case .approved(let approval) = verdict, approval.amount != request.amount else {
            return verdict
        }
        throw PaymentError.unknown(.mismatch, "it was approved over another amount")
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        try inner.notices(in: message).map { ProviderNotice($0.subject, nil, at: $0.at, kind: $0.kind) }
    }
}

import AdyenProvider
import PaymentBase
import PaymentConformance
import PaymentDriverKit
import PaymentHarnesses
import PaymentTransport
import Testing

/// What reviews found and was fixed, broken once more: the suite notices each, on the harness and under the reading of
/// the documents that bring it about.
@Suite struct FindingMutantTests {
    @Test(arguments: FindingMutant.all) func theSuiteNoticesAFixedFindingIfItBreaks(_ finding: FindingMutant) throws {
        let check = try #require(Check.all.first { $0.id == finding.mutant.caughtBy }, "there is no such check")
        let harnesses: [any VariantHarness] = AdyenHarness.all() + EcommpayHarness.all()
        let usual = try #require(harnesses.first { $0.name == finding.harness })
        let harness: any ConformanceHarness = finding.reading.map { usual.using(variant: $0) } ?? usual
        let plain = ConformanceRunner(harness).outcome(of: check)
        #expect([.passed, .reportedCorrectly].contains(plain.status), "unbroken: \(plain.status): \(plain.detail)")
        var conformance = ConformanceRunner(harness)
        conformance.mutant = finding.mutant
        let broken = conformance.outcome(of: check)
        print("\(finding): \(plain.status) → \(broken.status)")
        #expect(broken.status > plain.status, "\(finding) survives: \(broken.detail)")
        // What is broken under a reading would not be noticed without it: else it is no mutant of this finding.
        if finding.reading != nil {
            conformance = ConformanceRunner(usual)
            conformance.mutant = finding.mutant
            #expect(conformance.run(check).status == .passed, "\(finding) needs no reading")
        }
    }

    @Test func eachHasANameOfItsOwn() {
        #expect(Set(FindingMutant.all.map(\.mutant.id)).count == FindingMutant.all.count)
        #expect(FindingMutant.all.count >= 9)
    }
}

/// One finding's mistake, made again.
struct FindingMutant: Sendable, CustomStringConvertible {
    /// The finding, as `docs/providers/adyen.md` or `ecommpay.md` has it.
    let finding: String
    let harness: String
    /// The reading under which it matters; nil where it matters always.
    var reading: String?
    let mutant: Mutant

    init(_ finding: String, _ harness: String, under reading: String? = nil, _ mutant: Mutant) {
        (self.finding, self.harness, self.reading, self.mutant) = (finding, harness, reading, mutant)
    }

    var description: String { "\(finding): \(mutant)" }

    static let all = adyen + ecommpay
}

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
        FindingMutant(
            "Auto Rescue", "adyen", under: "adyen.saved.result.tried-again",
            .reads(
                "finding.rescue-as-decline", "Takes a refusal of a saved card that is tried again for the last one.",
                "sale.saved-declined", "/payments", LineChange("additionalData") { _ in nil })),
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

    /// The mistake of A6: what is reported of a charge of a saved card is a hint, and no other source can be asked.
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

extension FindingMutant {
    static let ecommpay: [FindingMutant] = [
        FindingMutant(
            "E2", "ecommpay",
            EcommpayMutants.writes(
                "finding.debit-without-address", "Leaves the customer's address out of debits.", "sale.debit",
                "/card/recurring", EcommpayMutants.without("customer.ip_address"))),
        FindingMutant(
            "E3", "ecommpay",
            EcommpayMutants.writes(
                "finding.list-without-method", "Lists accounts without a payment method.", "sale.listed-saved",
                "/saved_account/list", EcommpayMutants.without("payment_method"))),
        FindingMutant(
            "E4", "ecommpay-gate", under: "ecommpay.gate.token-code.code-needed",
            EcommpayMutants.writes(
                "finding.token-without-code", "Leaves the code of a token's card out.", "sale.from-token",
                "/sale/token", EcommpayMutants.without("cvv"))),
        FindingMutant(
            "E5", "ecommpay", under: "ecommpay.status.ten-seconds.not-before-ten-seconds",
            EcommpayMutants.reads(
                "finding.not-shown-as-nothing", "Takes a payment that is not shown yet for one that holds nothing.",
                "capture.all", "/v2/payment/status", EcommpayMutants.without("errors"))),
        FindingMutant(
            "E7", "ecommpay",
            EcommpayMutants.reads(
                "finding.part-as-whole", "Takes a part that is called success for all of it.",
                "question.partial-not-asked", "/status",
                LineChange("**.amount") { $0.int64 == 12_000 ? 20_000 : $0 })),
        FindingMutant(
            "a declined debit", "ecommpay", under: "ecommpay.debit.retries.retried-by-company",
            EcommpayMutants.reads(
                "finding.retry-as-decline", "Takes the decline of a debit that is tried again for the last one.",
                "sale.debit-declined", "/recurring/info", EcommpayMutants.without("retry_info"))),
    ]
}

import PaymentConformance
import Testing

/// Checks that no mutant proves able to fail: of what the client alone decides, nothing that a mutant can break is a
/// part. The list can only get shorter.
@Suite struct UncaughtCheckTests {
    private static let withoutMutant: Set<String> = [
        "reader.prepare-shared", "reader.cancel-nothing", "reader.missing", "sale.tip-too-large",
        "refund.unlinked-source", "list.foreign-filter", "error.names-attempt", "redaction.reference",
        "amount.nothing", "amount.negative", "amount.foreign-currency",
        "limit.reference-length", "limit.page", "limit.logo",
    ]
    private static let countMax = 14

    @Test func theyAreExactlyThoseThatAreListed() {
        let caught = Set((Mutant.all + AdyenMutants.terminal + EcommpayMutants.sending).map(\.caughtBy))
        let uncaught = Set(Check.all.map(\.id)).subtracting(caught)
        #expect(uncaught.subtracting(Self.withoutMutant).isEmpty, "a new check needs a mutant that it catches")
        #expect(Self.withoutMutant.subtracting(uncaught).isEmpty, "what has a mutant now is taken off the list")
        #expect(Self.withoutMutant.count <= Self.countMax)
    }
}

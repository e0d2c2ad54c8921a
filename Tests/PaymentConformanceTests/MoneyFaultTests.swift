import MemoryProvider
import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import Testing

/// What a driver reads before it moves money is told apart from the exchange that a check is about.
@Suite struct MoneyFaultTests {
    /// A driver that looks around before each sale and each refund.
    private static var careful: Mutant {
        .driver("careful", "Reads before it charges and before it gives back; nothing is broken.", caughtBy: "") {
            hooked in
            hooked.onSale = { inner, request, context in
                _ = try await inner.details(["payment": "mp_0"], context.query)
                return try await inner.sale(request, context)
            }
            hooked.onRefund = { inner, request, context in
                _ = try await inner.details(request.payment.references, context.query)
                return try await inner.refund(request, context)
            }
        }
    }

    @Test func aDriverThatReadsFirstPassesTheSameChecks() {
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = Self.careful
        let families: Set<Check.Family> = [
            .sale, .lookup, .error, .amount, .cancellation, .unknown, .refund, .webhook, .redaction,
        ]
        // Its lookups are those of the unbroken driver, which counts what a sale takes on the line.
        let report = conformance.run(Check.all.filter { families.contains($0.family) })
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
    }

    @Test func aFaultOnMoneyLetsReadingThrough() {
        let check = Check("test.money", "A lost answer about money is unknown.", .fault) { context in
            try context.armMoney("reply.lost", times: 30)
            let error = try await context.failure("the sale") { _ = try await context.sale(attempt: context.attempt()) }
            try context.expect(error.outcome, is: .unknown, "the outcome")
        }
        var conformance = ConformanceRunner(MemoryHarness())
        #expect(conformance.run(check).status == .passed)
        conformance.mutant = Self.careful
        #expect(conformance.run(check).status == .passed)
    }
}

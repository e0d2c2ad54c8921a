import MemoryProvider
import PaymentBase
import PaymentDriverKit
import PaymentHarnesses
import PaymentModel
import PaymentTesting
import Testing

@testable import PaymentConformance

/// What a driver reads before it moves money is distinguished from the exchange that a check is about.
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

@Suite struct RewriteOnceTests {
    /// A change that is about a later answer is not used up by an earlier one, and is made only once.
    @Test func aChangeWaitsForAnAnswerThatItChanges() throws {
        let context = try CheckContext(EcommpayHarness(), seed: 1, mutant: nil)
        let path = FieldPath("operation.code")
        let codes = try context.scheduler.run {
            context.rewriteOnce { json in path.changing(json) { $0.string == "10105" ? "ZZ9" : $0 } }
            let first = try context.declined(try await context.sale(.insufficientFunds, reference: "one"))
            let second = try context.declined(try await context.sale(.insufficientFunds, reference: "two"))
            return [first.provider.code, second.provider.code]
        }
        #expect(codes == ["ZZ9", "10105"])
    }

    /// What is checked without being charged is checked for a customer who has a name.
    @Test func aVerificationNamesItsCustomer() throws {
        let context = try CheckContext(EcommpayHarness(), seed: 1, mutant: nil)
        #expect(context.verification(try context.scripted(), reference: "r").customer == "customer-1")
    }
}

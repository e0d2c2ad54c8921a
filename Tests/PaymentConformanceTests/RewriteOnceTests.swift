import PaymentAbstraction
import PaymentBase
import PaymentHarnesses
import PaymentTesting
import Testing

@testable import PaymentConformance

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

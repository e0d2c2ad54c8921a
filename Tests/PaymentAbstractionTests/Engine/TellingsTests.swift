import PaymentBase
import Testing

@testable import PaymentAbstraction

/// Who was told is carried by one entry, and by whoever would be stopped without it.
@Suite struct TellingsTests {
    private let tellings = Tellings()

    private func intent(_ name: String, reference: String, of payment: String? = nil) throws -> AttemptIntent {
        AttemptIntent(
            try AttemptID(name), payment == nil ? .sale : .refund, try Money("1.00", .eur), reference: reference,
            payment: try payment.map { try PaymentID($0) }, source: payment == nil ? .card : nil)
    }

    private func key(_ name: String) throws -> AttemptKey { AttemptKey(try AttemptID(name), scope: "") }

    private func begin(_ name: String, reference: String, of payment: String? = nil) throws -> JournalEntry {
        let provider = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
        let intent = try intent(name, reference: reference, of: payment)
        return JournalEntry(try key(name), [.begin(intent, AdmissionTerms(provider, owner: "till"))])
    }

    @Test func oneEntryCarriesItAndAnotherOnlyUnderItsReference() throws {
        tellings.add(try intent("a", reference: "order-1"))
        let a = try key("a")
        #expect(tellings.take(for: try begin("b", reference: "order-2")) == [a])
        #expect(tellings.take(for: try begin("c", reference: "order-3")).isEmpty)
        #expect(tellings.take(for: try begin("d", reference: "order-1")) == [a])
        #expect(tellings.take(for: try begin("r", reference: "order-1", of: "a")) == [a])
        #expect(tellings.take(for: JournalEntry(a, [])) == [a])
    }

    /// An entry that could not be written gives back what it carried, for the next.
    @Test func whatWasNotWrittenIsCarriedAgain() throws {
        tellings.add(try intent("a", reference: "order-1"))
        let taken = tellings.take(for: try begin("b", reference: "order-2"))
        tellings.giveBack(taken)
        #expect(tellings.take(for: try begin("c", reference: "order-3")) == taken)
        tellings.remove(taken)
        tellings.giveBack(taken)
        #expect(tellings.first == nil)
        #expect(tellings.take(for: try begin("d", reference: "order-1")).isEmpty)
    }

    @Test func oneEntryCarriesNoMoreThanItMayAndTheLastAll() throws {
        for number in 0...Tellings.carriedMax {
            tellings.add(try intent("a\(number)", reference: "order-\(number)"))
        }
        let taken = tellings.take(for: try begin("b", reference: "b"))
        #expect(taken.count == Tellings.carriedMax)
        #expect(tellings.take(for: try begin("c", reference: "c")).count == 1)
        #expect(tellings.take(for: JournalEntry(try key("a0"), [])).count == Tellings.carriedMax + 1)
    }
}

import PaymentAbstraction
import PaymentTestTill
import Testing

@Suite struct MemoryDriverTests {
    @Test func itHasEverything() throws {
        let till = Till()
        let view = try till.client().provider("memory")
        let missing = view.features.entries.filter { !$0.isThere }.map(\.name)
        #expect(missing == ["offline"])
    }
}

import NetworkInternationalProvider
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// A provider that puts the request which it refuses into its message.
@Suite struct EchoedReadTests {
    /// What the reader read is a secret, as a token and a card number are: no error, no log and no terminal shows it.
    @Test func whatTheReaderRead_echoedByTheProvider_isNotShown() throws {
        let stage = TestScheduler(now: 1_767_225_600_000)
        let rules = NISimulator.Rules()
        let backend = NISimulator(clock: stage, rules: rules)
        let origin = Origin(.http, "ni.test")
        let sent = Locked("")
        let line = HookTransport(InProcessTransport([origin: backend], clock: stage)) {
            request, next throws(TransportFailure) in
            guard request.target.contains("purchase"), let body = try? JSONReader().read(request.body),
                let payment = body["payment"]?.string
            else { return try await next(request) }
            sent.withLock { $0 = payment }
            let said: JSON = ["code": 400, "message": .string("can't read \(payment) in the request")]
            return HTTPResponse(400, headers: ["Content-Type": "application/json"], body: said.bytes())
        }
        var configuration = NIConfiguration(
            endpoint: origin, outlet: rules.outlet, terminal: rules.terminals[0], deviceCode: "000C69",
            userCode: "user-1", apiKey: rules.apiKey)
        configuration.deviceIdentifier = "till-1"
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        given.reader = SimulatedReader(clock: stage, executor: stage)
        let client = try PaymentClient(
            NIDriver(configuration, ProviderDependencies(transport: line)), given)
        let told = try stage.run {
            await Told {
                try await client.sale(Money(minorUnits: 5_000, .aed), from: .reader, reference: "o")
            }
        }
        let payment = sent.withLock { $0 }
        let error = try #require(told.error)
        let said = try #require(error.provider?.message)
        #expect(payment.count > 20 && said.contains("can't read"), "\(error)")
        #expect(!"\(said) \(error.detail) \(error)".contains(payment), "\(said)")
    }
}

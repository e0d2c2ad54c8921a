import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpayPushTests {
    private func slowly(_ milliseconds: Int64, cutAfter: Int? = nil) -> (EcommpayTill, EcommpaySockets) {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = milliseconds
        var till = EcommpayTill(rules: rules)
        let sockets = EcommpaySockets(till.scheduler, till.backend, cutAfter: cutAfter)
        till.tools.webSockets = sockets
        return (till, sockets)
    }

    @Test func aPushTellsAtOnceWhatPollingTellsLate() throws {
        func took(_ till: EcommpayTill) throws -> Int64 {
            let (client, scheduler, request) = (try till.client(), till.scheduler, try EcommpayTill.request())
            return try scheduler.run {
                let start = scheduler.now
                let result = try await client.sale(request)
                guard case .approved = result else { throw CancellationError() }
                return scheduler.now - start
            }
        }
        let (pushed, sockets) = slowly(7_300)
        var polled = pushed
        polled.tools.webSockets = nil
        #expect(try took(pushed) == 7_300)
        #expect(sockets.heard.withLock { $0.count } == 2)
        let (other, _) = slowly(7_300)
        polled = other
        polled.tools.webSockets = nil
        #expect(try took(polled) > 7_300)
    }

    /// Wherever the line is cut: the session is asked again at once, nothing is lost and nothing happens twice.
    @Test(arguments: 0...8) func aLineThatIsCutAtAnyMessageLosesNothing(_ count: Int) throws {
        for (number, units) in [("5413330000000019", 5_000), ("5555555555554444", 5_031), ("5544330000000029", 5_000)] {
            var (till, sockets) = slowly(3_500, cutAfter: count)
            till.answers.handle(Clarification.self) { _ in ["avs_post_code": "SW1", "avs_street_address": "Main"] }
            let payment = try #require(try till.sell(Int64(units), number).payment)
            #expect(payment.approved.minorUnits == Int64(units))
            #expect(till.backend.ledger.balance(.merchant) == ["EUR": Int64(units)])
            #expect(sockets.heard.withLock { $0.count } <= count)
            sockets.cutAfter = nil
        }
    }

    @Test func withoutALineTheSessionIsAsked() throws {
        var (till, _) = slowly(3_500)
        till.tools.webSockets = NoLine()
        #expect(try till.sell().payment != nil)
        till.configuration.events = nil
        #expect(EcommpayEvents(NoLine(), till.configuration, Secret("s")) == nil)
    }

    private struct NoLine: WebSocketTransport {
        func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
            throw .notSent(.connectionRefused)
        }
    }

    /// What is pushed is exactly what the session answers.
    @Test func theProviderPushesWhatTheSessionAnswers() throws {
        let (till, sockets) = slowly(0)
        let states = Locked([JSON]())
        var watched = till
        watched.tools.transport = Overhearing(till.tools.transport) { path, body in
            if path == "/msdk/v1/status" { states.withLock { $0.append(body) } }
        }
        #expect(try watched.sell(5_000, "5413330000000019").payment != nil)
        let pushed = try sockets.heard.withLock { $0 }.map { try JSONReader().read(Array($0.utf8)) }
        #expect(!pushed.isEmpty)
        for message in pushed { #expect(states.withLock { $0.contains(message) }) }
    }

    /// Real sockets: the provider's line and the client's own.
    @Test func theLineWorksOverSockets() async throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 3_600_000
        let provider = EcommpaySimulator(clock: SystemClock(), crypto: OpenSSLCrypto(), rules: rules)
        let server = try SimulatorServer()
        let origin = try await server.listen(provider)
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        configuration.secret = rules.secret
        var tools = ProviderDependencies(transport: CurlTransport())
        tools.crypto = OpenSSLCrypto()
        let lines = CountedLines(CurlWebSocketTransport(), whenHeard: 2) {
            _ = provider.decide("pushed-1", succeeds: true)
        }
        tools.webSockets = lines
        let client = try PaymentClient(
            try EcommpayDriver(configuration, tools), ClientOptions(journal: InMemoryJournal()))
        let result = try await client.sale(
            EcommpayTill.request(5_000), attempt: AttemptID("pushed-1"), timeout: .milliseconds(20_000))
        // Nothing but the first push lets it be decided; whether the second one is heard before the driver, which asks
        // at once, is done is a matter of speed.
        #expect(result.payment != nil && lines.heard >= 1)
        await server.stop()
    }
}

/// Counts what is heard, and does something when it was enough.
private final class CountedLines: WebSocketTransport {
    private let inner: any WebSocketTransport
    private let count = Locked(0)
    private let enough: Int
    private let then: @Sendable () -> Void

    init(_ inner: any WebSocketTransport, whenHeard enough: Int, _ then: @escaping @Sendable () -> Void) {
        (self.inner, self.enough, self.then) = (inner, enough, then)
    }

    var heard: Int { count.withLock { $0 } }

    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        Line(try await inner.connect(request)) { [self] in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == enough - 1 { then() }
        }
    }

    private final class Line: WebSocketConnection {
        let inner: any WebSocketConnection
        let tell: @Sendable () -> Void

        init(_ inner: any WebSocketConnection, _ tell: @escaping @Sendable () -> Void) {
            (self.inner, self.tell) = (inner, tell)
        }

        func send(_ text: String) async throws(TransportFailure) { try await inner.send(text) }
        func receive() async throws(TransportFailure) -> WebSocketMessage? {
            let message = try await inner.receive()
            tell()
            return message
        }
        func close() async { await inner.close() }
    }
}

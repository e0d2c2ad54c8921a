import AllProviders
import PaymentSimulator
import PaymentTransport
import Payments

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A server that keeps the journal: it takes the providers' webhooks and says what became of payments.
///
/// It stands behind whatever faces the network. Where you have a web framework, its routes call the same three lines;
/// this example uses the sandbox's small server, because it needs nothing else.
@main struct Books {
    static func main() async throws {
        let path = CommandLine.arguments.dropFirst().first ?? "providers.json"
        let sandbox = try SimulatedProviders(stateFile: "provider.json") { clock in [MemoryBackend(clock: clock)] }
        let payments = try await PaymentClient.open(configuration: path) { $0.transport = sandbox.transport }
        try await payments.recover()
        // What stays open is looked at again after five minutes, an hour, a day; one process of all does it.
        let settling = Task { await payments.runRecovery() }

        let server = try SimulatorServer()
        let origin = try await server.listen(BookService(payments: payments))
        print("listening at \(origin)")
        // At once, also where no person sits at a terminal.
        fflush(nil)
        var line = readLine()
        while line != nil, line != "quit" { line = readLine() }
        // Under systemd or in a container the input ends at once, and the server does not.
        if line == nil { await settling.value }
        settling.cancel()
        await server.stop()
    }
}

/// What the server answers.
struct BookService: SimulatorService {
    let payments: PaymentClient

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let pieces = request.target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        switch (request.method, pieces.first, pieces.count) {
        case ("POST", "webhooks", 2): return await hear(request, from: pieces[1])
        case ("GET", "payments", 2): return await payment(pieces[1])
        case _: return .json(["error": "POST /webhooks/PROVIDER or GET /payments/ID"], status: 404)
        }
    }

    /// Verified and written down, or refused; only then the provider may stop sending it.
    private func hear(_ request: HTTPRequest, from name: String) async -> SimulatorResponse {
        let headers = Dictionary(
            request.headers.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        do {
            let answer = try await payments.receiveWebhook(
                request.body, headers: headers, from: ProviderID(rawValue: name))
            return .reply(HTTPResponse(answer.status, body: answer.body))
        } catch {
            return .json(["error": .string(error.code.rawValue)], status: Self.status(error))
        }
    }

    /// Where sending it again can't help, it shall stay away; anything else shall come again.
    private static func status(_ error: PaymentError) -> Int {
        switch error.code {
        case .signatureInvalid: 401
        case .invalidRequest, .unreadableReply: 400
        case .configuration, .unsupported, .notFound: 404
        default: 503
        }
    }

    private func payment(_ text: String) async -> SimulatorResponse {
        do {
            let payment = try await payments.payment(try PaymentID(text))
            return .json([
                "payment": .string(payment.id.attempt.text), "provider": .string(payment.provider.id.rawValue),
                "captured": .string("\(payment.amounts.captured)"), "refunded": .string("\(payment.amounts.refunded)"),
            ])
        } catch {
            return .json(["error": .string(error.code.rawValue)], status: error.code == .notFound ? 404 : 400)
        }
    }
}

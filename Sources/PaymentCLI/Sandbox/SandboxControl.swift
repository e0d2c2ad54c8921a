internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
internal import PaymentSimulator
internal import PaymentTransport
internal import Payments

/// The control address of simulated providers: of those within this program, or of a `payctl sandbox` that runs.
struct SandboxControl {
    /// What the commands about simulated providers take.
    static let options: [AcceptedArguments.Option] = [
        .value("at", "URL", "the control address of a running sandbox; by default the built-in one"),
        .state,
    ]

    /// What the next command is to name.
    static let config = AcceptedArguments.Option.value(
        "config", "FILE", "the configuration of the command to type next, which is then printed")

    private let call: Invocation
    private let transport: any HTTPTransport
    private let origin: Origin

    /// Opens the control address for the time of a closure.
    static func use(
        _ call: Invocation, _ body: (SandboxControl) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        if let text = call.given["at"] {
            guard let origin = Origin(text) else {
                throw UsageError(message: "--at needs an address as the sandbox prints it, not \(text)")
            }
            let transport = CurlTransport()
            let control = SandboxControl(call: call, transport: call.watch.over(transport), origin: origin)
            let status: ExitStatus
            do { status = try await body(control) } catch {
                await transport.close()
                throw error
            }
            await transport.close()
            return status
        }
        let state = try call.given["state"].map { StateDirectory($0) } ?? .user()
        let providers = try await BuiltinSimulator.open(call, state)
        defer { providers.close() }
        return try await body(
            SandboxControl(call: call, transport: providers.sandbox.transport, origin: SimulatedProviders.controlOrigin)
        )
    }

    /// Refuses a provider that isn't among the simulated ones.
    func check(_ name: String) async throws {
        let names = try await providers().compactMap { $0["name"]?.string }.sorted()
        if !names.contains(name) { throw UsageError.unknown("provider", name, of: names) }
    }

    /// How many movements a provider's books have.
    func movements(of name: String) async throws -> Int64? {
        try await providers().first { $0["name"]?.string == name }?["movementCount"]?.int64
    }

    private func providers() async throws -> [JSON] { try await ask("GET", "/providers")["providers"]?.array ?? [] }

    /// Asks, and gives the answer's body.
    ///
    /// - Throws: `notFound` or `invalidRequest`, nothing moved, with what the control address says; `network`.
    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = HTTPRequest(method, origin, path)
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = body.bytes()
        }
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.send(request) } catch {
            throw PaymentError.notExecuted(.network, "no sandbox answers at \(origin): \(error.words)")
        }
        let answer = try? JSONReader().read(response.body)
        guard (200...299).contains(response.status) else {
            let words = answer?["error"]?["message"]?.string ?? "the status is \(response.status)"
            throw PaymentError.notExecuted(response.status == 404 ? .notFound : .invalidRequest, words)
        }
        return answer ?? [:]
    }
}

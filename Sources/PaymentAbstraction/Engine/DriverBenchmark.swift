internal import PaymentBase

/// A driver without the client around it, for measuring an adapter alone: its contexts do what a client's do, and their
/// doors lead to whatever was given.
package struct DriverBenchmark: Sendable {
    private let provider: ProviderRuntime
    private let services: Services

    /// Opens a driver as a client does.
    package init(_ driver: any PaymentDriver, _ dependencies: ClientOptions) {
        provider = ProviderRuntime(driver, readers: ReaderEventStream(dependencies.reader))
        services = Services(dependencies)
    }

    /// One sale as the driver does it, in a context of its own.
    package func sale(_ request: SaleRequest, _ intent: Attempt.Intent) async throws -> Verdict? {
        let run = AttemptRun(Begin(intent, provider.identity), provider, services, secrets: [])
        _ = run.join()
        defer { run.leaveTerminal() }
        return try await provider.sale?.sale(request, PaymentContext(run: run))
    }
}

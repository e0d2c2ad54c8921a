internal import PaymentBase

/// A driver without the client around it, for measuring an adapter alone: its contexts do what a client's do, and their
/// doors lead to whatever was given.
package struct BareDriver: Sendable {
    private let provider: OpenProvider
    private let services: Services

    /// Opens a driver as a client does.
    package init(_ driver: any PaymentDriver, _ dependencies: ClientDependencies) {
        provider = OpenProvider(driver, readers: ReaderFeed(dependencies.reader))
        let captures = [provider.id: driver.capabilities.captures]
        services = Services(dependencies, captures: captures)
    }

    /// One sale as the driver does it, in a context of its own.
    package func sale(_ request: SaleRequest, _ intent: AttemptIntent) async throws -> Verdict? {
        let run = AttemptRun(
            intent, provider, services, secrets: [], sequences: 0, after: [], clear: { _ in false })
        defer { run.leaveTerminal() }
        return try await provider.sale?.sale(request, PaymentContext(run: run))
    }
}

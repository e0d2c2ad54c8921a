internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSandbox
internal import PaymentTransport
internal import Payments

/// Simulated providers in this process, kept in a folder, so that the next call of `payctl` meets the same ones.
struct EmbeddedProviders: Sendable {
    /// The file that keeps them.
    static let file = "companies.json"

    let sandbox: Sandbox
    private let lock: FolderLock

    /// Opens all providers of the registry as they were left.
    static func open(_ call: Invocation, _ state: StateFolder) async throws -> EmbeddedProviders {
        try state.make()
        let lock = try await FolderLock.take(state.file("companies.lock")) {
            call.note("waiting for another program that uses \(state.path) …")
        }
        let entries = call.registry.sandboxes
        do {
            let sandbox = try Sandbox(stateFile: state.file(file)) { clock in entries.map { $0.open(clock) } }
            return EmbeddedProviders(sandbox: sandbox, lock: lock)
        } catch {
            lock.release()
            throw PaymentError.nothingMoved(
                .configuration,
                "\(SandboxRun.words(error)); remove the file to begin anew, or name another folder with --state")
        }
    }

    /// Lets others use them.
    func close() { lock.release() }

    /// Whether a configured provider is one of these rather than a real provider.
    static func hold(_ provider: ConfiguredProvider, _ registry: CommandRegistry) -> Bool {
        let name = provider.entry.adapter
        let isSimulated = provider.entry.environment(provider.environment)?.allowsPlainHTTP == true
        return isSimulated && provider.endpoint == Sandbox.origin(of: name)
            && registry.sandboxes.contains { $0.name == name }
    }

    /// The way to them; what is no provider of theirs goes over the network.
    func transport(isAlone: Bool) -> any HTTPTransport {
        if isAlone { return sandbox.transport }
        let origins = Set(sandbox.injectors.map { Sandbox.origin(of: $0.provider.name) })
        return EmbeddedTransport(inside: sandbox.transport, origins: origins, outside: CurlTransport())
    }
}

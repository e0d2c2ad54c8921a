internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentTransport
internal import Payments

/// Simulated providers in this process, kept in a folder, so that the next call of `payctl` meets the same ones.
struct BuiltinSimulator: Sendable {
    /// The file that keeps them.
    static let file = "companies.json"

    /// The file that keeps the faults that wait.
    static let faultsFile = "faults.json"

    let sandbox: SimulatedProviders
    private let lock: FolderLock
    private let faults: String

    /// Opens all providers of the registry as they were left.
    static func open(_ call: Invocation, _ state: StateDirectory) async throws -> BuiltinSimulator {
        try state.make()
        let lock = try await FolderLock.take(state.file("companies.lock"), within: try call.leftMilliseconds()) {
            call.note("waiting for another program that uses \(state.path) …")
        }
        let entries = call.registry.sandboxes
        do {
            let sandbox = try SimulatedProviders(stateFile: state.file(file)) { clock in entries.map { $0.open(clock) }
            }
            let providers = BuiltinSimulator(sandbox: sandbox, lock: lock, faults: state.file(faultsFile))
            providers.armAgain()
            return providers
        } catch {
            lock.release()
            throw PaymentError.notExecuted(
                .configuration,
                "\(SandboxRun.words(error)); remove the file to begin anew, or name another folder with --state")
        }
    }

    /// Keeps what waits, and lets others use them.
    func close() {
        let armed = sandbox.plan.armed.map { waiting -> JSON in
            let rule = waiting.rule
            return [
                "fault": .string(rule.fault.rawValue), "times": .integer(waiting.timesLeft),
                "skip": .integer(waiting.skipsLeft), "provider": .text(rule.provider), "path": .text(rule.path),
            ]
        }
        if !armed.isEmpty || CommandFile.isThere(faults) {
            try? CommandFile.write(JSON.object(["armed": .array(armed)]).bytes(), faults)
        }
        lock.release()
    }

    /// Arms what waited when they were used last.
    private func armAgain() {
        guard CommandFile.isThere(faults), let kept = try? JSONReader().read(try CommandFile.read(faults)) else {
            return
        }
        for rule in kept["armed"]?.array ?? [] {
            guard let fault = rule["fault"]?.string.flatMap({ WireFault(rawValue: $0) }) else { continue }
            var armed = FaultRule(fault, times: rule["times"]?.int64.map { Int(clamping: $0) } ?? 1)
            (armed.provider, armed.path) = (rule["provider"]?.string, rule["path"]?.string)
            armed.skip = rule["skip"]?.int64.map { Int(clamping: $0) } ?? 0
            sandbox.plan.arm(armed)
        }
    }

    /// Whether a configured provider is one of these rather than a real provider.
    static func hold(_ provider: ConfiguredProvider, _ registry: CommandRegistry) -> Bool {
        let name = provider.entry.adapter
        let isSimulated = provider.entry.environment(provider.environment)?.allowsPlainHTTP == true
        return isSimulated && provider.endpoint == SimulatedProviders.origin(of: name)
            && registry.sandboxes.contains { $0.name == name }
    }

    /// The way to them; what is no provider of theirs goes over the network.
    func transport(isAlone: Bool) -> any HTTPTransport {
        if isAlone { return sandbox.transport }
        let origins = Set(sandbox.injectors.map { SimulatedProviders.origin(of: $0.provider.name) })
        return EmbeddedTransport(inside: sandbox.transport, origins: origins, outside: CurlTransport())
    }
}

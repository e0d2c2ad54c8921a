internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentSystem
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
            let sandbox = try SimulatedProviders(clock: call.console.clock, stateFile: state.file(file)) { clock in
                entries.map { $0.open(clock) }
            }
            let providers = BuiltinSimulator(sandbox: sandbox, lock: lock, faults: state.file(faultsFile))
            providers.armAgain()
            return providers
        } catch {
            lock.release()
            throw PaymentError.notExecuted(
                .configuration,
                "\(SandboxRun.words(error)); remove the file to begin again, or name another folder with --state")
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

    /// The way to them; requests to other hosts go over the network.
    func transport(isAlone: Bool) -> any HTTPTransport {
        if isAlone { return sandbox.transport }
        let origins = Set(sandbox.injectors.map { SimulatedProviders.origin(of: $0.provider.name) })
        return EmbeddedTransport(inside: sandbox.transport, origins: origins, outside: CurlTransport())
    }
}

/// Lets one process at a time use the providers of a folder; the kernel frees it when that one dies.
final class FolderLock: Sendable {
    /// How long a command waits for another program to finish, in milliseconds.
    static let waitMilliseconds: Int64 = 200_000
    private static let everyMilliseconds: Int64 = 25

    private let descriptor: Locked<Int32?>

    private init(_ descriptor: Int32) { self.descriptor = Locked(descriptor) }

    deinit { release() }

    /// Waits until no other process has it.
    ///
    /// - Throws: `configuration`, nothing moved, when the file can't be made or the other one takes too long; `timedOut`,
    ///   nothing moved, when the caller's own time is over before.
    static func take(_ path: String, within limit: Int64? = nil, waiting: () -> Void) async throws -> FolderLock {
        let opened = unsafe open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            let isFull = errno == ENOSPC || errno == EDQUOT
            throw PaymentError.notExecuted(
                .configuration,
                "the lock \(path) can't be made\(isFull ? ": the disk is full" : "; check the folder's mode and the disk")"
            )
        }
        let lock = FolderLock(opened)
        let clock = SystemClock()
        let began = clock.now
        let end = began + waitMilliseconds
        var isFirst = true
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            if let limit, clock.now - began >= limit {
                throw PaymentError.notExecuted(
                    .timedOut, "another program uses \(path), and the time was over before it ended; nothing was sent")
            }
            guard clock.now < end else {
                throw PaymentError.notExecuted(
                    .configuration,
                    "another program has held \(path) for \(waitMilliseconds / 1_000) s; end it, or name "
                        + "another folder with --state")
            }
            if isFirst { waiting() }
            isFirst = false
            try await clock.sleep(until: clock.now + everyMilliseconds)
        }
        return lock
    }

    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}

/// Carries what goes to simulated providers within this process, and everything else over the network.
struct EmbeddedTransport: HTTPTransport {
    let inside: any HTTPTransport
    let origins: Set<Origin>
    let outside: any HTTPTransport

    var sendLimitMilliseconds: Int64? { outside.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if origins.contains(request.origin) { return try await inside.send(request) }
        return try await outside.send(request)
    }
}

/// Carries what goes to a provider's simulated address to the port where it really is, over real HTTP.
struct SandboxTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let places: [Origin: Origin]

    /// Knows where each simulated address is.
    init(_ inner: any HTTPTransport, _ places: [Origin: Origin]) { (self.inner, self.places) = (inner, places) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        if let place = places[request.origin] { request.origin = place }
        return try await inner.send(request)
    }
}

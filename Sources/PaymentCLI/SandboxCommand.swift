internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentSystem

extension Command {
    /// Opens simulated providers on ports of this machine.
    static let sandbox = Command(
        name: "sandbox", summary: "opens simulated providers on ports of this machine, until it is stopped",
        example: "payctl sandbox --provider memory --state sandbox-state.json",
        takes: AcceptedArguments(options: [
            .value("port", "N", "the port of the control address; by default the system chooses"),
            .value(
                "ports", "N",
                "fixed ports: the control address at N, the providers behind it in the order of their names"),
            .value(
                "write-config", "FILE", "writes a configuration whose providers are these, with a journal beside it"),
            .flag("force", "writes over a configuration that is there"),
            .flag("tls", "the providers speak TLS, with a certificate made now"),
            .value("provider", "NAMES", "the providers, with commas in between; by default all"),
            .value("state", "FILE", "keeps the providers in a file, for the next run"),
            .reading,
            .flag("strict", "names every message that is not as its provider publishes it; then the status is 1"),
            .values("notify", "NAME=URL", "posts the messages of a provider to an address; may be given for each"),
        ])
    ) { call in
        do {
            return try await SandboxRun(call.given, call.registry).play(call.console)
        } catch {
            call.note("payctl sandbox: \(SandboxRun.words(error))")
            return .usage
        }
    }
}

/// One run of `payctl sandbox`: from the addresses on standard output to the signal that ends it.
struct SandboxRun {
    private let entries: [SimulatorRegistry.Entry]
    private let port: Int
    /// The port of each provider, where they are fixed.
    private let ports: [String: Int]
    private let isSecure: Bool
    private let isStrict: Bool
    private let readings: [String]
    private let stateFile: String?
    private let configurationFile: String?
    private let known: ProviderRegistry
    private let receivers: [(name: String, receiver: WebhookReceiver)]

    init(_ given: GivenArguments, _ registry: CommandRegistry) throws(UsageError) {
        let all = registry.sandboxes
        known = registry.providers
        if let names = given["provider"] {
            entries = try names.split(separator: ",").map { name throws(UsageError) in
                try all.picked(String(name), "provider", by: \.name)
            }
        } else {
            entries = all
        }
        if entries.isEmpty { throw UsageError(message: "--provider needs a name") }
        func number(_ name: String) throws(UsageError) -> Int? {
            guard let text = given[name] else { return nil }
            if let number = Int(text), (0...65_535).contains(number) { return number }
            throw UsageError(message: "--\(name) needs a number from 0 to 65535, not \(text)")
        }
        let first = try number("ports")
        port = try number("port") ?? first ?? 0
        let names = entries.map(\.name).sorted()
        if let first, first == 0 || first + names.count > 65_535 {
            throw UsageError(message: "--ports needs room for \(names.count + 1) ports, from 1 on")
        }
        ports =
            first.map { first in
                Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, first + $0 + 1) })
            } ?? [:]
        configurationFile = given["write-config"]
        if let configurationFile { try Self.check(configurationFile, isForced: given.has("force")) }
        if configurationFile != nil, given.has("tls") {
            throw UsageError(
                message: "--write-config goes without --tls: a configuration names no certificate to trust")
        }
        (isSecure, isStrict) = (given.has("tls"), given.has("strict"))
        stateFile = given["state"]
        readings = given.all("reading")
        receivers = try given.all("notify").map { [entries] text throws(UsageError) in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let receiver = WebhookReceiver(parts[1]) else {
                throw UsageError(
                    message: "--notify needs NAME=URL, as in memory=http://127.0.0.1:8080/hooks, not \(text)")
            }
            guard entries.contains(where: { $0.name == parts[0] }) else {
                throw UsageError(message: "--notify names \(parts[0]), which is none of the providers that are opened")
            }
            return (parts[0], receiver)
        }
    }

    /// Sees whether the configuration can be written, before anything is announced.
    private static func check(_ path: String, isForced: Bool) throws(UsageError) {
        if CommandFile.isThere(path), !isForced {
            throw UsageError(message: "\(path) is there already; --force writes over it")
        }
        if let folder = folder(of: path), !CommandFile.isThere(folder) {
            throw UsageError(message: "the folder \(folder) is not there; make it, or name another file")
        }
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// What went wrong, for people.
    static func words(_ error: any Error) -> String {
        switch error {
        case let error as UsageError: error.message
        case SimulatorError.state(let words): words
        case SimulatorError.names: "a provider is named twice"
        case SimulatorError.reading(let name): "the reading \(name) can't be played"
        case SimulatorServerError.portTaken(let port): "a program listens at port \(port) already"
        case SimulatorServerError.noSocket(let code): "the system gave no socket (error \(code))"
        case SimulatorServerError.noIdentity: "OpenSSL made no certificate"
        case SimulatorServerError.noLoop: "the system gave no thread or descriptor"
        case StopSignal.Failure.noDescriptor: "the system gave no pipe or thread"
        case _: "\(error)"
        }
    }

    func play(_ console: Console) async throws -> ExitStatus {
        let stop = try StopSignal.watch()
        let judge = isStrict ? ContractValidator { console.error("sandbox: not as published: \($0)") } : nil
        let sandbox = try SimulatedProviders(stateFile: stateFile, judge: judge) { [entries] clock in
            entries.map { $0.open(clock) }
        }
        try sandbox.play(readings)
        for (name, receiver) in receivers where !sandbox.setReceiver(receiver, of: name) {
            throw UsageError(message: "--notify names \(name), which sends no messages")
        }
        DescriptorLimit.raise(for: entries.count + 1)
        let running = try await sandbox.serve(
            controlPort: port, ports: ports, identity: isSecure ? SimulatorCertificate() : nil)
        var providers = JSONObject()
        for entry in entries {
            guard let origin = running.providers[entry.name] else { continue }
            providers[entry.name] = .string("\(origin)")
            console.error("sandbox: \(entry.name) at \(origin)")
        }
        var line: JSONObject = [
            "format": Invocation.outputFormat, "control": .string("\(running.control)"),
            "providers": .object(providers),
        ]
        line["credentials"] = .object(credentials)
        if let pem = running.certificatePEM { line["certificate"] = .string(pem) }
        console.error("sandbox: control at \(running.control)")
        if let configurationFile { try write(configurationFile, running, console) }
        console.out(String(decoding: JSON.object(line).bytes(), as: UTF8.self))
        _ = await stop.value()
        console.error("sandbox: stopping")
        await running.stop()
        sandbox.hearMessages()
        for line in judge?.hearing.lines ?? [] { console.error("sandbox: \(line)") }
        console.error("sandbox: stopped")
        return judge?.violations.isEmpty == false ? .failed : .fine
    }

    /// Writes a configuration to talk with these providers; what they accept is known to everyone.
    private func write(_ path: String, _ running: RunningSimulator, _ console: Console) throws {
        let choices = entries.compactMap { entry -> StartingFile.Choice? in
            guard let origin = running.providers[entry.name], let known = known.entry(entry.name),
                let environment = known.environments.first(where: \.allowsPlainHTTP)
            else { return nil }
            var choice = StartingFile.Choice(entry: known, environment: environment)
            choice.endpoint = "\(origin)"
            return choice
        }
        try CommandFile.write(StartingFile(choices, journal: "sandbox.sqlite").bytes(), path)
        // The file names it.
        let schema = "providers.schema.json"
        try CommandFile.write(self.known.schema(), Self.folder(of: path).map { "\($0)/\(schema)" } ?? schema)
        console.error("sandbox: try payctl doctor --config \(path)")
    }

    /// What the providers accept without any set-up: their merchants and credentials are known to everyone.
    private var credentials: JSONObject {
        var credentials = JSONObject()
        for entry in entries {
            let environment = known.entry(entry.name)?.environments.first { $0.allowsPlainHTTP }
            guard let environment else { continue }
            var members = JSONObject()
            members["merchant"] = environment.publicMerchant.map { .string($0) }
            for (key, value) in environment.publicCredentials.sorted(by: { $0.key < $1.key }) {
                members[key] = .string(value)
            }
            credentials[entry.name] = .object(members)
        }
        return credentials
    }
}

/// Turns SIGTERM, SIGINT and SIGHUP into a promise: the handler writes a byte, and a thread of its own waits for it.
enum StopSignal {
    /// What the system refused.
    enum Failure: Error { case noDescriptor }

    private final class Waiter: Sendable {
        let stopped = Promise<Bool>()
        let descriptor: Int32
        let reload: (@Sendable () -> Void)?

        init(_ descriptor: Int32, _ reload: (@Sendable () -> Void)?) {
            (self.descriptor, self.reload) = (descriptor, reload)
        }

        /// Waits for the byte that says to stop; one that says to read again is done before.
        func wait() {
            while true {
                var byte: UInt8 = 0
                while unsafe read(descriptor, &byte, 1) < 0, errno == EINTR {}
                guard let reload, byte == StopSignal.hangUp else { break }
                reload()
            }
            stopped.fulfill(true)
        }
    }

    /// The two ends of a pipe, made once; the handler may only use what exists already.
    private static let pipe: (read: Int32, write: Int32)? = {
        var ends: [Int32] = [-1, -1]
        let code = unsafe PaymentSystem.pipe(&ends)
        return code == 0 ? (ends[0], ends[1]) : nil
    }()

    /// What the handler writes for SIGHUP, and for the other signals.
    private static let (hangUp, stop): (UInt8, UInt8) = (2, 1)

    /// Keeps each SIGHUP until `watch` does what it asks for: until then, the system would end the program.
    static func keepHangUps() throws(Failure) {
        guard pipe != nil else { throw .noDescriptor }
        catchHangUps()
    }

    /// One that is read again may come any number of times.
    private static func catchHangUps() {
        signal(SIGHUP) { _ in
            var byte = StopSignal.hangUp
            if let pipe = StopSignal.pipe { _ = unsafe write(pipe.write, &byte, 1) }
        }
    }

    /// A promise that is fulfilled when the program is asked to stop.
    ///
    /// - Parameter reload: What SIGHUP does instead; nil if it stops the program, too.
    static func watch(onHangUp reload: (@Sendable () -> Void)? = nil) throws(Failure) -> Promise<Bool> {
        guard let pipe else { throw .noDescriptor }
        let waiter = Waiter(pipe.read, reload)
        let context = unsafe Unmanaged.passRetained(waiter)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                let waiter = unsafe Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
                #else
                guard let context = unsafe context else { return nil }
                let waiter = unsafe Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
                #endif
                waiter.wait()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw .noDescriptor
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        for number in [SIGTERM, SIGINT, SIGHUP] {
            if number == SIGHUP, reload != nil {
                catchHangUps()
                continue
            }
            let before = signal(number) { number in
                // Who says it twice means it.
                signal(number, SIG_DFL)
                var byte = StopSignal.stop
                if let pipe = StopSignal.pipe { _ = unsafe write(pipe.write, &byte, 1) }
            }
            // A program that was started to outlive its terminal does (`nohup`).
            let (was, ignoring) = unsafe (unsafeBitCast(before, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self))
            if number == SIGHUP, was == ignoring {
                signal(SIGHUP, SIG_IGN)
            }
        }
        signal(SIGPIPE, SIG_IGN)
        return waiter.stopped
    }
}

extension SimulatedProviders {
    /// Lets providers play other readings of their documents than the usual ones.
    func play(_ readings: [String]) throws(UsageError) {
        let playing = injectors.compactMap { $0.provider as? any VariantProvider }
        for name in readings where !playing.contains(where: { $0.play(name) }) {
            let known = playing.flatMap { type(of: $0).playable.map(\.id) }
            if SimulatorRegistry.unplayed.contains(name) {
                throw UsageError(message: "the reading \(name) is known and can't be played yet")
            }
            throw .unknown("reading", name, of: known)
        }
    }
}

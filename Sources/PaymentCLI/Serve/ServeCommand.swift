internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentJournalKit
internal import PaymentLinux
internal import PaymentModel
internal import PaymentProviderKit
internal import PaymentService
internal import PaymentSimulator
internal import PaymentTelemetry
internal import PaymentTransport

extension Command {
    /// The payment API over HTTP.
    static let serve = Command(
        name: "serve", summary: "offers the payment API over HTTP, until it is stopped",
        example: "payctl serve --listen 127.0.0.1:8080",
        takes: .configured(with: [
            .value("listen", "ADDRESS", "where to listen; 127.0.0.1:8080 by default, port 0 for any"),
            .value("keys", "FILE", "the keys that may call; without them only simulated providers are served"),
            .flag("behind-proxy", "listens where other machines reach it, because a proxy with TLS stands in front"),
            .value("admin-listen", "ADDRESS", "where this machine may read health and metrics, such as 127.0.0.1:9464"),
            .value("audit", "FILE", "where a line about each call is added"),
            .value("otlp", "URL", "an OpenTelemetry collector that gets traces, metrics and logs"),
            .value("otlp-headers", "FILE", "with --otlp: header lines of each request, such as a key; a private file"),
            .flag("trace-context", "with --otlp: providers get the field traceparent, too"),
            .value("webhooks", "FILE", "the receivers that get webhooks about their shops' payments"),
            .value("drain", "SECONDS", "how long attempts may run after a stop, 0 to 600; 180 by default"),
        ])
    ) { call in
        let run = try ServeRun(call)
        if run.isReloaded { try StopSignal.keepHangUps() }
        return try await CommandSession.use(call, observer: run.telemetry, asking: { run.desk.handle(&$0) }) { till in
            try await run.play(till)
        }
    }

    /// A new key of the API.
    static let keyNew = Command(
        name: "key new", summary: "draws a key of the API, and prints it once with the line that allows it",
        example: "payctl key new --shop berlin --role till",
        takes: AcceptedArguments(options: [
            .value("shop", "NAME", "the shop whose payments it reaches: letters in lower case, digits, hyphens"),
            .value("role", "ROLE", "viewer, till (the default) or office"),
            .value("name", "TEXT", "what people call it; the role by default"),
        ])
    ) { call in
        let role: ServiceRole = try call.choice("role", .till)
        guard let shop = call.given["shop"], KeyFile.isShop(shop) else {
            throw UsageError(message: "--shop needs a name of letters in lower case, digits and hyphens")
        }
        let key = ServiceKey.draw(shop: shop, random: SystemRandom())
        let made = try ServiceKey(
            key, name: call.given["name"] ?? role.rawValue, shop: shop, role: role, crypto: OpenSSLCrypto())
        let line: JSON = [
            "sha256": .string(made.digest), "name": .string(made.name), "shop": .string(shop),
            "role": .string(role.rawValue),
        ]
        call.say(
            ["key": .string(key.expose()), "entry": line],
            [
                "key        \(key.expose())", "entry      \(line.line)",
                "The key is shown this once. Add the entry to the list \"keys\" of the file of `payctl serve --keys`.",
            ])
        return .fine
    }
}

/// One run of `payctl serve`: from the address on standard output to the signal that ends it.
struct ServeRun: Sendable {
    /// The shop of the keys that are drawn: its payments are those that the other commands see.
    private static let localShop = "local"
    /// How often simulated providers' messages are taken in, in milliseconds.
    private static let newsEveryMilliseconds: Int64 = 500
    /// How long the server may take to close its connections.
    private static let closeLimit: Duration = .seconds(5)

    private let call: Invocation
    private let address: ListenAddress
    private let keys: [ServiceKey]?
    private let drain: Duration
    private let adminAddress: ListenAddress?
    private let audit: AuditFile?
    /// What goes to a collector; nil without `--otlp`.
    let telemetry: OTLPExporter?
    /// Where tills answer what attempts ask.
    let desk = QuestionDesk()

    init(_ call: Invocation) throws(UsageError) {
        self.call = call
        do throws(HTTPServerError) { address = try ListenAddress(call.given["listen"] ?? "127.0.0.1:8080") } catch {
            throw UsageError(message: error.message)
        }
        keys = try call.given["keys"].map { path throws(UsageError) in try KeyFile.read(path) }
        audit = try call.given["audit"].map { path throws(UsageError) in try AuditFile(path) }
        do throws(HTTPServerError) {
            adminAddress = try call.given["admin-listen"].map { text throws(HTTPServerError) in try ListenAddress(text)
            }
        } catch { throw UsageError(message: error.message) }
        if let adminAddress, !adminAddress.isLoopback {
            throw UsageError(message: "--admin-listen has an address of this machine alone, such as 127.0.0.1:9464")
        }
        telemetry = try Self.telemetry(call)
        drain = .seconds(try call.integer("drain", in: 0...600, 180))
        if !address.isLoopback, !call.given.has("behind-proxy") {
            throw UsageError(
                message: "\(call.given["listen"] ?? "") can be reached from other machines, and this server speaks no "
                    + "TLS. Put a proxy with TLS in front and say --behind-proxy, or listen on 127.0.0.1")
        }
        if keys == nil, !address.isLoopback {
            throw UsageError(
                message: "without --keys FILE the service listens on this machine alone. "
                    + "Make keys with `payctl key new --shop NAME`")
        }
    }

    /// What sends to the collector that `--otlp` names.
    private static func telemetry(_ call: Invocation) throws(UsageError) -> OTLPExporter? {
        guard let text = call.given["otlp"] else {
            for (name, why) in [
                ("trace-context", "there is no trace to name"), ("otlp-headers", "no request has them"),
            ]
            where call.given.has(name) {
                throw UsageError(message: "--\(name) needs --otlp URL: without a collector \(why)")
            }
            return nil
        }
        let (start, path) = CollectorFile.parts(of: text)
        guard let origin = Origin(start), CollectorFile.isPath(path) else {
            throw UsageError(
                message: "--otlp has the address of a collector, such as http://127.0.0.1:4318 or "
                    + "https://collector.example/otlp")
        }
        if call.given.has("otlp-headers"), origin.isPlainBeyondThisMachine {
            throw UsageError(
                message: "--otlp-headers goes with https, or with a collector on this machine: over \(start) the key "
                    + "could be read on the way")
        }
        var options = OTLPExporter.Options()
        options.sendsTraceContext = call.given.has("trace-context")
        options.path = path
        options.headers =
            try call.given["otlp-headers"].map { file throws(UsageError) in
                try CollectorFile.headers(file)
            } ?? []
        return OTLPExporter(to: origin, over: CurlTransport(), clock: SystemClock(), options)
    }

    /// What reads the marks for a person, which metrics count.
    private func marks(_ till: CommandSession) -> (@Sendable () async throws -> [PersonMark])? {
        guard let journal = till.journal as? any JournalMaintenance else { return nil }
        return { try await journal.marks().map(\.mark) }
    }

    /// Serves until the program is stopped.
    func play(_ till: CommandSession) async throws -> ExitStatus {
        let drawn = try keys == nil ? draw(till) : []
        let shops = try await shops(till)
        let allowed =
            try keys
            ?? drawn.map { role, key in
                var made = try ServiceKey(
                    key, name: role.rawValue, shop: Self.localShop, role: role, crypto: OpenSSLCrypto())
                made.mayOmitReference = true
                return made
            }
        var options = ServiceOptions(shops: shops, keys: allowed, crypto: OpenSSLCrypto())
        (options.version, options.desk) = (PaymentsVersion.text, desk)
        if keys != nil { options.intake = till.client }
        options.marks = marks(till)
        options.keyless = try await keyless(till, shops)
        let clients = shops.map(\.client) + options.keyless
        let limits = Self.limits()
        // Some connections are left for what neither waits nor streams.
        (options.waitsMax, options.streamsMax) = (limits.connectionsMax * 3 / 8, limits.connectionsMax / 2)
        options.trustsProxy = call.given.has("behind-proxy")
        if let audit { options.audit = auditing(audit) }
        options.simulator = simulator(till)
        options.webhooks = try await webhooks(till, shops)
        let service = PaymentService(options)
        let sending = WebhookTasks()
        let reload: @Sendable () -> Void = { [self] in
            self.reload(service, shops)
            self.reloadWebhooks(till, service, shops, sending)
        }
        let stop = try StopSignal.watch(onHangUp: isReloaded ? reload : nil)
        let (server, admin): (MicroHTTPServer, MicroHTTPServer?)
        do throws(HTTPServerError) {
            server = try MicroHTTPServer(at: address, limits: limits, handler: service)
            admin = try adminAddress.map { address throws(HTTPServerError) in
                try MicroHTTPServer(at: address, limits: Self.adminLimits, handler: service.admin)
            }
        } catch { throw UsageError(message: error.message) }
        announce(
            "http://\(address.text(port: server.port))",
            admin: admin.flatMap { admin in
                adminAddress.map { "http://\($0.text(port: admin.port))" }
            }, drawn)
        let background = background(till, clients)
        let exporting = telemetry.map { telemetry in Task { await telemetry.run() } }
        sending.replace(with: senders(options.webhooks, shops))
        if let gone = till.journal.processes.takenForDead {
            // A new process begins attempts again, under a name of its own: the manager starts one after a failure.
            Task { [call] in
                guard await gone.value() else { return }
                call.note("serve: other instances took this one for dead, as after a pause of its machine")
                stop.fulfill(false)
            }
        }
        let isAsked = await stop.value()
        call.note("serve: stopping; attempts that run may end within \(drain.wholeMilliseconds / 1_000) s")
        service.beginStop()
        let isDone = await service.drain(within: drain)
        await server.stop(within: Self.closeLimit)
        await admin?.stop(within: Self.closeLimit)
        for task in background { task.cancel() }
        sending.replace(with: [])
        var failure: (any Error)?
        for client in clients { do { try await client.flush() } catch { failure = failure ?? error } }
        if let failure { throw failure }
        await close(exporting)
        call.note(isDone ? "serve: stopped" : "serve: stopped with open attempts, which the next start looks up")
        return isAsked ? .fine : .failed
    }

    /// Sends the rest to the collector; one that does not answer holds up no stop for long.
    private func close(_ exporting: Task<Void, Never>?) async {
        guard let exporting else { return }
        exporting.cancel()
        let done = Promise<Void>()
        let clock = SystemClock()
        Task {
            await exporting.value
            done.fulfill(())
        }
        Task {
            try? await clock.sleep(until: clock.now + Self.closeLimit.wholeMilliseconds)
            done.fulfill(())
        }
        await done.value()
        guard let telemetry else { return }
        // What still waits is lost, too.
        let count = telemetry.droppedCount.addingSaturating(Int64(telemetry.waitingCount))
        if count > 0 { call.note("serve: the collector did not get \(count) spans and records") }
    }

    /// What adds audit lines to a file. The first of those that can't be written is noted, the others are counted alone.
    private func auditing(_ file: AuditFile) -> @Sendable (JSON) -> Bool {
        let wasKept = Locked(true)
        return { [call] line in
            let isKept = file.add(line)
            let isFirst = wasKept.withLock { wasKept in
                defer { wasKept = isKept }
                return wasKept && !isKept
            }
            if isFirst { call.note("serve: an audit line could not be written; the metrics count those that are lost") }
            return isKept
        }
    }

    private var keyPath: String? { call.given["keys"] }
    /// Whether SIGHUP reads files again, in place of stopping the service.
    var isReloaded: Bool { keyPath != nil || audit != nil || call.given.has("webhooks") }

    /// Reads the keys again; those of before stay in force if they can't be read. The audit file may have been moved away.
    private func reload(_ service: PaymentService, _ shops: [ServiceShop]) {
        do throws(UsageError) { try audit?.reopen() } catch {
            call.note("serve: audit lines go to the file of before, because \(error.message)")
        }
        guard let keyPath else { return }
        do throws(UsageError) {
            let fresh = try KeyFile.read(keyPath, mayBeEmpty: true)
            service.replaceKeys(fresh)
            let unserved = Set(fresh.map(\.shop)).subtracting(shops.map(\.name)).sorted()
            let note = unserved.isEmpty ? "" : "; served after the next start: \(unserved.joined(separator: ", "))"
            call.note("serve: \(fresh.count) keys were read again\(note)")
        } catch {
            service.keysRefused()
            call.note("serve: the keys of before stay, because \(error.message)")
        }
    }

    /// Reads the receivers of webhooks again; those of before stay if they can't be read. What they keep is in the journal: a receiver
    /// that is still there continues where it was.
    private func reloadWebhooks(
        _ till: CommandSession, _ service: PaymentService, _ shops: [ServiceShop], _ sending: WebhookTasks
    ) {
        guard call.given.has("webhooks") else { return }
        sending.queue {
            do {
                let fresh = try await webhooks(till, shops)
                let before = service.replaceWebhooks(fresh)
                // What is removed is not noted as configured once more.
                sending.replace(with: [])
                sending.replace(with: senders(fresh, inPlaceOf: before, shops))
                call.note("serve: the receivers of webhooks were read again: \(fresh.count)")
            } catch {
                call.note("serve: the receivers of before stay, because \(SandboxRun.words(error))")
            }
        }
    }

    /// What lays cards in front of simulated readers, as far as there are any.
    private func simulator(_ till: CommandSession) -> ServiceSimulator? {
        guard let plan = till.faultPlan else { return nil }
        return ServiceSimulator(
            faults: WireFault.allCases.map(\.rawValue),
            cards: { till.isEmbedded($0) ? till.cards($0).map(\.name) : nil },
            tap: { name, provider in
                if let card = till.cards(provider).first(where: { $0.name == name }) {
                    till.present(card, to: provider)
                }
            },
            misbehave: { name, provider, times, skip in
                guard let fault = WireFault(rawValue: name) else { return false }
                var rule = FaultRule(fault, times: times)
                // A provider is simulated under the name of its adapter.
                (rule.provider, rule.skip) = (provider.flatMap { till.configured($0)?.entry.adapter }, skip)
                return plan.arm(rule) != nil
            })
    }

    /// What the listener for health and metrics takes.
    private static let adminLimits: ServerLimits = {
        var limits = ServerLimits()
        (limits.connectionsMax, limits.bodyBytesMax) = (16, 1_024)
        return limits
    }()

    /// The usual limits, with no more connections than the process may have descriptors for.
    private static func limits() -> ServerLimits {
        DescriptorLimit.raise(for: 3)
        var limits = ServerLimits()
        limits.connectionsMax = min(limits.connectionsMax, DescriptorLimit.share(of: 1))
        return limits
    }

    /// The keys of a start without a file: one of each role, for simulated providers alone.
    private func draw(_ till: CommandSession) throws(UsageError) -> [(ServiceRole, Secret)] {
        let real = till.configuration.providers.filter { !till.isEmbedded($0.id) }.map(\.id.rawValue)
        guard real.isEmpty else {
            throw UsageError(
                message: "without --keys FILE only simulated providers are served, and \(real.joined(separator: ", ")) "
                    + "is none. Make keys with `payctl key new --shop NAME`")
        }
        return ServiceRole.allCases.map { ($0, ServiceKey.draw(shop: Self.localShop, random: SystemRandom())) }
    }

    private func shops(_ till: CommandSession) async throws -> [ServiceShop] {
        guard let keys else { return [ServiceShop(Self.localShop, scope: "", client: till.client)] }
        var shops: [ServiceShop] = []
        for name in Set(keys.map(\.shop)).sorted() {
            shops.append(ServiceShop(name, scope: name, client: try await till.client(scope: name)))
        }
        return shops
    }

    /// Clients of the scopes that no shop serves: the default one, and those that have open attempts and no key any more. A
    /// payment outlives the keys of its shop.
    private func keyless(_ till: CommandSession, _ shops: [ServiceShop]) async throws -> [PaymentClient] {
        var scopes: Set<String> = []
        var cursor: JournalCursor?
        repeat {
            let page = try await till.journal.attempts(.open(scope: nil), after: cursor, limit: 1_000)
            scopes.formUnion(page.attempts.map(\.intent.scope))
            cursor = page.next
        } while cursor != nil
        scopes.subtract(shops.map(\.scope))
        if !scopes.isEmpty {
            let names = scopes.sorted().map { $0.isEmpty ? "the default scope" : $0 }.joined(separator: ", ")
            call.note("serve: open attempts without a key of their scope are looked up, too: \(names)")
        }
        let isDefaultServed = shops.contains { $0.scope.isEmpty }
        var clients = isDefaultServed ? [] : [till.client]
        for scope in scopes.sorted() where !scope.isEmpty {
            clients.append(try await till.client(scope: scope))
        }
        return clients
    }

    /// The receivers of webhooks, each of a shop that is served.
    private func webhooks(_ till: CommandSession, _ shops: [ServiceShop]) async throws -> [WebhookEndpoint] {
        guard let path = call.given["webhooks"] else { return [] }
        let isSimulated = till.configuration.providers.allSatisfy { till.isEmbedded($0.id) }
        let endpoints = try await WebhookFile.read(path, isSimulated: isSimulated)
        let names = Set(shops.map(\.name))
        if let stray = endpoints.first(where: { !names.contains($0.shop) }) {
            throw UsageError(
                message: "\(path) has a receiver of the shop \(stray.shop), and the shops that are served are "
                    + names.sorted().joined(separator: ", "))
        }
        return endpoints
    }

    /// What sends webhooks, and notes which receivers there are.
    private func senders(
        _ endpoints: [WebhookEndpoint], inPlaceOf before: [WebhookEndpoint] = [], _ shops: [ServiceShop]
    ) -> [Task<Void, Never>] {
        let clients = Dictionary(shops.map { ($0.name, $0.client) }) { first, _ in first }
        let keeping: [Task<Void, Never>] = shops.prefix(1).map { shop in
            let keeper = WebhookKeeper(endpoints, inPlaceOf: before, shop.client)
            return Task { await keeper.run() }
        }
        let sending: [Task<Void, Never>] = [false, true].flatMap { mayBePrivate in
            let some = endpoints.filter { $0.mayBePrivate == mayBePrivate }
            if some.isEmpty { return [Task<Void, Never>]() }
            var reach = CurlTransport.Configuration()
            (reach.isPublicOnly, reach.userAgent) = (!mayBePrivate, "payctl")
            let transport = CurlTransport(reach)
            return some.compactMap { endpoint in
                clients[endpoint.shop].map { client in
                    let sender = WebhookSender(
                        endpoint, client, transport, crypto: OpenSSLCrypto(),
                        note: { [call] in call.note("serve: \($0)") })
                    return Task { await sender.run() }
                }
            }
        }
        return keeping + sending
    }

    /// What runs beside the requests: recovery of what is open, and the messages of simulated providers.
    private func background(_ till: CommandSession, _ clients: [PaymentClient]) -> [Task<Void, Never>] {
        var tasks = clients.map { client in Task { await client.runRecovery() } }
        tasks.append(
            Task {
                let clock = SystemClock()
                while !Task.isCancelled {
                    _ = try? await till.takeNews()
                    do { try await clock.sleep(until: clock.now + Self.newsEveryMilliseconds) } catch { return }
                }
            })
        return tasks
    }

    private func announce(_ origin: String, admin: String?, _ drawn: [(ServiceRole, Secret)]) {
        var lines = ["address    \(origin)", "API        \(origin)/openapi.json"]
        if let admin { lines.append("health     \(admin)/health/ready and /metrics") }
        for (role, key) in drawn { lines.append("\(role.rawValue.padded(to: 10)) \(key.expose())") }
        if let till = drawn.first(where: { $0.0 == .till }) {
            lines += [
                "try", "  curl -i -H 'Authorization: Bearer \(till.1.expose())' -H 'Content-Type: application/json' \\",
                "    -H \"Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)\" \\",
                "    -d '{\"amount\": {\"value\": \"12.50\", \"currency\": \"EUR\"}, \"reference\": \"order-1\"}' \\",
                "    \(origin)/v1/sales",
            ]
        }
        call.say(
            [
                "address": .string(origin), "admin": .text(admin),
                "keys": .array(drawn.map { ["role": .string($0.0.rawValue), "key": .string($0.1.expose())] }),
            ], lines)
    }
}

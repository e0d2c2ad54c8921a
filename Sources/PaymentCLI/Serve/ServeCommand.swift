internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentLinux
internal import PaymentModel
internal import PaymentProviderKit
internal import PaymentService
internal import PaymentSimulator

extension Command {
    /// The payment API over HTTP.
    static let serve = Command(
        name: "serve", summary: "offers the payment API over HTTP, until it is stopped",
        example: "payctl serve --listen 127.0.0.1:8080",
        takes: .configured(with: [
            .value("listen", "ADDRESS", "where to listen; 127.0.0.1:8080 by default, port 0 for any"),
            .value("keys", "FILE", "the keys that may call; without them only simulated providers are served"),
            .flag("behind-proxy", "listens where other machines reach it, because a proxy with TLS stands in front"),
            .value("drain", "SECONDS", "how long attempts may run after a stop, 0 to 600; 180 by default"),
        ])
    ) { call in
        let run = try ServeRun(call)
        return try await CommandSession.use(call, asking: { run.desk.handle(&$0) }) { till in try await run.play(till) }
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

/// The file that says which keys may call.
enum KeyFile {
    /// The largest file that is read, in bytes.
    private static let bytesMax = 1_024 * 1_024

    /// Whether a text names a shop.
    static func isShop(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Reads a file: `{"keys": [{"sha256": …, "name": …, "shop": …, "role": …}]}`.
    static func read(_ path: String) throws(UsageError) -> [ServiceKey] {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(path, bytesMax: bytesMax, forbidding: RegularFile.othersMayWrite)
        } catch {
            throw UsageError(message: "the keys \(path) can't be read: \(error.problem)")
        }
        let json: JSON
        do throws(JSONError) { json = try JSONReader().read(bytes) } catch {
            throw UsageError(message: "\(path) is no JSON text (line \(error.line), column \(error.column))")
        }
        guard let list = json["keys"]?.array, json.object?.count == 1, !list.isEmpty else {
            throw UsageError(message: "\(path) needs one member, \"keys\", a list of what `payctl key new` prints")
        }
        var keys: [ServiceKey] = []
        for (index, entry) in list.enumerated() { keys.append(try key(entry, "\(path): keys[\(index)]")) }
        guard Set(keys.map(\.digest)).count == keys.count else {
            throw UsageError(message: "\(path) has a key twice")
        }
        return keys
    }

    private static let members: Set<String> = [
        "sha256", "name", "shop", "role", "mayRefund", "mayOmitReference", "endsAt",
    ]

    private static func key(_ entry: JSON, _ place: String) throws(UsageError) -> ServiceKey {
        guard let object = entry.object else { throw UsageError(message: "\(place) is no object") }
        for member in object.members where !members.contains(member.key) {
            throw UsageError(message: "\(place) has a member that is not known: \(member.key)")
        }
        guard let digest = object["sha256"]?.string, Hex.decode(digest)?.count == 32 else {
            throw UsageError(message: "\(place).sha256 needs 64 hexadecimal digits")
        }
        guard let shop = object["shop"]?.string, isShop(shop) else {
            throw UsageError(message: "\(place).shop needs a name of letters in lower case, digits and hyphens")
        }
        guard let role = object["role"]?.string.flatMap({ ServiceRole(rawValue: $0) }) else {
            throw UsageError(message: "\(place).role is viewer, till or office")
        }
        guard let name = object["name"]?.string, (1...64).contains(name.utf8.count) else {
            throw UsageError(message: "\(place).name needs 1 to 64 characters")
        }
        var key = ServiceKey(digest: digest, name: name, shop: shop, role: role)
        if let may = object["mayRefund"] { key.mayRefund = try flag(may, "\(place).mayRefund") }
        if let may = object["mayOmitReference"] { key.mayOmitReference = try flag(may, "\(place).mayOmitReference") }
        if let end = object["endsAt"] {
            guard let time = end.string.flatMap({ Timestamp($0) }) else {
                throw UsageError(message: "\(place).endsAt needs a moment, such as 2027-01-01T00:00:00Z")
            }
            key.endsAt = time.milliseconds
        }
        return key
    }

    private static func flag(_ json: JSON, _ place: String) throws(UsageError) -> Bool {
        guard let flag = json.bool else { throw UsageError(message: "\(place) is true or false") }
        return flag
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
    /// Where tills answer what attempts ask.
    let desk = QuestionDesk()

    init(_ call: Invocation) throws(UsageError) {
        self.call = call
        do throws(HTTPServerError) { address = try ListenAddress(call.given["listen"] ?? "127.0.0.1:8080") } catch {
            throw UsageError(message: error.message)
        }
        keys = try call.given["keys"].map { path throws(UsageError) in try KeyFile.read(path) }
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
        let limits = Self.limits()
        // Some connections are left for what neither waits nor streams.
        (options.waitsMax, options.streamsMax) = (limits.connectionsMax * 3 / 8, limits.connectionsMax / 2)
        let service = PaymentService(options)
        let stop = try StopSignal.watch()
        let server: MicroHTTPServer
        do throws(HTTPServerError) {
            server = try MicroHTTPServer(at: address, limits: limits, handler: service)
        } catch { throw UsageError(message: error.message) }
        announce("http://\(address.text(port: server.port))", drawn)
        let background = background(till, shops)
        _ = await stop.value()
        call.note("serve: stopping; attempts that run may end within \(drain.wholeMilliseconds / 1_000) s")
        service.beginStop()
        let isDone = await service.drain(within: drain)
        await server.stop(within: Self.closeLimit)
        for task in background { task.cancel() }
        for shop in shops { try await shop.client.flush() }
        call.note(isDone ? "serve: stopped" : "serve: stopped with open attempts, which the next start looks up")
        return .fine
    }

    /// The usual limits, with no more connections than the process may have descriptors for.
    private static func limits() -> ServerLimits {
        DescriptorLimit.raise(for: 2)
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

    /// What runs beside the requests: recovery of what is open, and the messages of simulated providers.
    private func background(_ till: CommandSession, _ shops: [ServiceShop]) -> [Task<Void, Never>] {
        var tasks = shops.map { shop in Task { await shop.client.runRecovery() } }
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

    private func announce(_ origin: String, _ drawn: [(ServiceRole, Secret)]) {
        var lines = ["address    \(origin)", "API        \(origin)/openapi.json"]
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
                "address": .string(origin),
                "keys": .array(drawn.map { ["role": .string($0.0.rawValue), "key": .string($0.1.expose())] }),
            ], lines)
    }
}

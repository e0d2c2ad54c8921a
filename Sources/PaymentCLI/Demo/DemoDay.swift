internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentTransport
internal import Payments

/// A day at the till of a shop that changes its provider again and again, and keeps one journal over all of them.
struct DemoDay: Sendable {
    /// How much faster than the machine's the day's clock goes.
    private static let speed: Int64 = 20
    /// From closing time to the next morning, in milliseconds.
    private static let nightMilliseconds: Int64 = 24 * 3_600_000

    private let console: Console
    private let sandbox: SimulatedProviders
    private let running: RunningSimulator
    private let transport: any HTTPTransport
    private let judge: ContractValidator?
    private let journal = JournalStore.memory
    private let providers: JSONObject
    private let registry: CommandRegistry

    /// Opens the providers, each on a port of its own.
    static func open(
        _ registry: CommandRegistry, _ console: Console, _ readings: [String] = []
    ) async throws -> DemoDay {
        let names = DemoShop.all.map(\.name)
        let entries = registry.sandboxes.filter { names.contains($0.name) }
        // A reading may contradict what is published.
        let judge = readings.isEmpty ? ContractValidator() : nil
        let sandbox = try SimulatedProviders(clock: FastClock(times: speed), judge: judge) { clock in
            entries.map { $0.open(clock) }
        }
        try sandbox.play(readings)
        let running = try await sandbox.serve()
        return DemoDay(registry, console, sandbox, running, judge)
    }

    private init(
        _ registry: CommandRegistry, _ console: Console, _ sandbox: SimulatedProviders, _ running: RunningSimulator,
        _ judge: ContractValidator?
    ) {
        (self.registry, self.console, self.sandbox, self.running) = (registry, console, sandbox, running)
        self.judge = judge
        var places: [Origin: Origin] = [:]
        for (name, origin) in running.providers { places[SimulatedProviders.origin(of: name)] = origin }
        transport = SandboxTransport(CurlTransport(), places)
        var providers = JSONObject()
        for shop in DemoShop.all {
            let environment = registry.providers.entry(shop.name)?.environments.first { $0.allowsPlainHTTP }?.name
            providers[shop.name] = [
                "adapter": .string(shop.name), "environment": .string(environment ?? "simulated"),
                "merchant": .string(shop.merchant),
            ]
        }
        self.providers = providers
    }

    /// Closes the ports.
    func close() async { await running.stop() }

    /// Plays the day: one provider after the other takes payments, and the last one's till gives money back for all.
    func play() async throws -> ExitStatus {
        var table = TextTable(
            ["provider", "what", "asked", "result", "captured", "refunded"], right: [2, 4, 5])
        var coffees: [Payment] = []
        var client: PaymentClient?
        let progress = ProgressLine(console, "demo", of: DemoShop.all.count + 1)
        defer { progress.end() }
        for shop in DemoShop.all {
            begin("\(shop.name) at \(running.providers[shop.name].map { "\($0)" } ?? "")", progress)
            let till = try await open(active: shop.name)
            let visit = DemoVisit(shop, till, progress)
            if let coffee = try await visit.play(&table) { coffees.append(coffee) }
            client = till
        }
        guard let client, let last = DemoShop.all.last else { return .failed }
        begin("the night", progress)
        sandbox.clock.advance(by: Self.nightMilliseconds)
        for coffee in coffees {
            let part = Money(minorUnits: coffee.approved.minorUnits / 5, coffee.approved.currency)
            let result = try await client.refund(coffee.id, of: part)
            table.rows.append(DemoVisit.row("\(coffee.provider.id)", "refund by \(last.name)'s till", part, result))
        }
        progress.end()
        for line in table.lines { console.out(line) }
        try await settle(client)
        return try await compare(client)
    }

    /// Says what begins: on the bar where somebody looks, else on a line.
    private func begin(_ what: String, _ progress: ProgressLine) {
        progress.step(what)
        if !console.showsProgress { console.error("demo: \(what) …") }
    }

    /// A till on whose configuration a provider is the active one.
    private func open(active name: String) async throws -> PaymentClient {
        let file: JSON = ["active": .string(name), "providers": .object(providers), "journal": ["kind": "memory"]]
        let read = try ConfigurationReader(registry.providers).read(file.bytes(), file: "the demonstration's own")
        return try await PaymentClient.open(configuration: read) { options in
            options.journal = journal
            options.transport = transport
            options.clock = sandbox.clock
            options.reader = SimulatedReader(clock: sandbox.clock)
        }
    }

    /// What the providers only received is decided, and their messages come in.
    private func settle(_ client: PaymentClient) async throws {
        sandbox.clock.advance(by: 60_000)
        var count = 0
        if let adyen = sandbox["adyen"] as? AdyenSimulator {
            for message in adyen.takeMessages() {
                count += try await client.receiveWebhook(message.body, headers: message.headers, from: "adyen").items
                    .count
            }
        }
        let open = try await client.recover()
        console.out("")
        console.out("\(count) messages of providers came in; \(open.count) attempts are open.")
    }

    /// The books of the client against the books of the providers.
    private func compare(_ client: PaymentClient) async throws -> ExitStatus {
        var sums: [ProviderID: Int64] = [:]
        for try await payment in client.allPayments() {
            if payment.amounts.isVoided { continue }
            let left = try payment.amounts.captured.subtracting(payment.amounts.refunded)
            sums[payment.provider.id, default: 0].add(left)
        }
        var isEqual = true
        console.out("")
        for shop in DemoShop.all {
            guard let ledger = sandbox[shop.name]?.ledger else { continue }
            let ours = Money(minorUnits: sums[ProviderID(rawValue: shop.name)] ?? 0, shop.currency)
            let theirs = Money(minorUnits: ledger.balance(.merchant)[shop.currency.code] ?? 0, shop.currency)
            let agrees = ours == theirs && ledger.isBalanced
            isEqual = isEqual && agrees
            console.out(
                "Books of \(shop.name): the client has \(ours), the provider's ledger has \(theirs): "
                    + (agrees ? "they agree." : "THEY DIFFER."))
        }
        sandbox.hearMessages()
        guard let hearing = judge?.hearing else { return isEqual ? .fine : .failed }
        console.out("")
        for line in hearing.lines { console.out(line) }
        return isEqual && hearing.violations.isEmpty ? .fine : .failed
    }
}

extension Int64 {
    /// Adds an amount; a sum that no number holds stays at the end of the numbers.
    fileprivate mutating func add(_ amount: Money) {
        let (sum, isOverflow) = addingReportingOverflow(amount.minorUnits)
        self = isOverflow ? (amount.isNegative ? .min : .max) : sum
    }
}

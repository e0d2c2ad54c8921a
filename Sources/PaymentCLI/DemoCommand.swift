internal import PaymentCore
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator
internal import Payments

extension Command {
    /// Plays a payment day.
    static let demo = Command(
        name: "demo", summary: "plays a payment day at every provider, against providers on ports of this machine",
        example: "payctl demo", takes: AcceptedArguments(options: [.reading])
    ) { call in
        let day = try await DemoDay.open(call.registry, call.console, call.given.all("reading"))
        let status: ExitStatus
        do { status = try await day.play() } catch {
            await day.close()
            throw error
        }
        await day.close()
        return status
    }
}

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

    /// Says what begins: on the bar of a terminal, else on a line.
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
        console.out(
            "\(count.counted("message")) of providers came in; "
                + (open.count == 1 ? "1 attempt is open." : "\(open.count) attempts are open."))
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

/// What one provider does during the day.
struct DemoVisit {
    private let shop: DemoShop
    private let client: PaymentClient
    private let progress: ProgressLine

    init(_ shop: DemoShop, _ client: PaymentClient, _ progress: ProgressLine) {
        (self.shop, self.client, self.progress) = (shop, client, progress)
    }

    /// Takes payments; gives the one that is refunded the next morning.
    func play(_ table: inout TextTable) async throws -> Payment? {
        let features = try client.provider(ProviderID(rawValue: shop.name)).capabilityTable
        try await client.reader?.prepare()
        let coffee = try await note("sale", "49.00", &table) { amount in
            try await sell(amount, "order-1")
        }
        if features["authorize"] {
            let room = try await note("authorisation", "300.00", &table) { amount in
                try await client.authorize(amount, from: try shop.source(held: true), reference: "\(shop.name)-room-7")
            }
            if let room {
                _ = try await note("capture of a part", "180.00", &table) { amount in
                    try await client.capture(room.id, of: amount)
                }
            }
        }
        if features["void"] {
            let mistake = try await note("sale by mistake", "8.00", &table) { amount in
                try await sell(amount, "order-2")
            }
            if let mistake {
                _ = try await note("void", "8.00", &table) { _ in try await client.void(mistake.id) }
            }
        }
        _ = try await note("sale, not enough money", shop.declined, &table) { amount in
            try await sell(amount, "order-3")
        }
        _ = try await note("sale, reply lost", shop.lost, &table) { amount in try await sell(amount, "order-4") }
        return coffee
    }

    private func sell(_ amount: Money, _ reference: String) async throws -> PaymentResult {
        try await client.sale(amount, from: try shop.source(), reference: "\(shop.name)-\(reference)")
    }

    /// Makes one call and writes its row.
    private func note(
        _ what: String, _ amount: String, _ table: inout TextTable, _ call: (Money) async throws -> PaymentResult
    ) async throws -> Payment? {
        progress.tell("\(shop.name): \(what)")
        let amount = try Money(amount, shop.currency)
        let result = try await call(amount)
        table.rows.append(Self.row(shop.name, what, amount, result))
        return result.payment
    }

    /// The row of a result.
    static func row(_ provider: String, _ what: String, _ asked: Money, _ result: PaymentResult) -> [String] {
        let (word, amounts): (String, PaymentAmounts?) =
            switch result {
            case .approved(let payment): (payment.amounts.isVoided ? "undone" : "approved", payment.amounts)
            case .declined(let decline): ("declined: \(decline.reason) (\(decline.provider.code))", nil)
            case .cancelled(let cancellation): ("cancelled: \(cancellation.cause)", nil)
            case .pending: ("received, decided later", nil)
            }
        let captured = amounts.map { $0.isVoided ? Money.zero($0.captured.currency) : $0.captured }
        return [
            provider, what, "\(asked)", word, captured.map { "\($0)" } ?? "",
            amounts.map { "\($0.refunded)" } ?? "",
        ]
    }
}

/// What the demonstration has to know about a provider: how money comes in, and by which amounts what happens.
struct DemoShop: Sendable {
    /// How the configuration, the adapter and the provider name it.
    let name: String
    let merchant: String
    let currency: Currency
    /// An amount that is declined for want of money.
    let declined: String
    /// An amount whose answer is lost after the money moved.
    let lost: String
    /// Whether it reads no cards, so that their numbers are typed.
    var isKeyed = false
    /// Whether money is only held on typed cards.
    var holdsKeyed = false

    /// Five providers, in the order of the day.
    static let all = [
        DemoShop(name: "adyen", merchant: "TestMerchant", currency: .eur, declined: "101.24", lost: "39.01"),
        DemoShop(name: "arise", merchant: "m-1", currency: .usd, declined: "0.21", lost: "30.13", holdsKeyed: true),
        DemoShop(
            name: "ecommpay", merchant: "1234", currency: .eur, declined: "70.51", lost: "30.13", isKeyed: true),
        DemoShop(name: "halo", merchant: "merchant-1", currency: .zar, declined: "70.51", lost: "30.13"),
        DemoShop(
            name: "ni", merchant: "87f2ebb4-6301-4b13-b59e-ea15ecc07b43", currency: .aed, declined: "70.51",
            lost: "30.13"),
    ]

    /// Where its money comes from.
    func source(held: Bool = false) throws(PaymentError) -> PaymentSource {
        guard isKeyed || (held && holdsKeyed) else { return .reader }
        return .card(
            try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 2_030, securityCode: "123"))
    }
}

/// The machine's clock at several times its speed, so that a day at the till takes seconds.
struct FastClock: PaymentClock {
    private let start: Int64
    private let factor: Int64
    private let inner = SystemClock()

    init(times factor: Int64) { (start, self.factor) = (inner.now, factor) }

    var now: Int64 { start + (inner.now - start) * factor }

    func sleep(until instant: Int64) async throws {
        // Rounded up: at the wake-up the instant must have come.
        try await inner.sleep(until: start + (instant - start + factor - 1) / factor)
    }
}

internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentTransport
internal import Payments

/// What commands about money work with: a client over the configured providers, with simulated providers behind those
/// that are simulated.
struct CommandSession: Sendable {
    let client: PaymentClient
    let configuration: PaymentConfiguration
    let state: StateDirectory
    /// What the client writes to.
    let journal: any Journal
    /// What it goes by.
    let clock: any PaymentClock
    /// The reader with its simulated card.
    let reader: SimulatedReader
    private let providers: BuiltinSimulator?
    let call: Invocation

    /// Whether a command speaks with providers, or reads the journal alone.
    enum Reach: Sendable { case providers, journal }

    /// Opens a till for the time of a closure.
    static func use(
        _ call: Invocation, _ reach: Reach = .providers, _ body: (CommandSession) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let till = try await open(call, reach)
        do {
            let status = try await body(till)
            try await till.client.flush()
            till.providers?.close()
            return status
        } catch {
            try? await till.client.flush()
            till.providers?.close()
            throw error
        }
    }

    private static func open(_ call: Invocation, _ reach: Reach) async throws -> CommandSession {
        var configuration = try call.configuration()
        if let name = call.given["provider"], reach == .providers {
            configuration.routing = try routing(to: name, configuration)
        }
        if call.isBuiltin, reach == .providers {
            call.note("There is no providers.json here: every provider is simulated. `payctl init` writes one.")
        }
        let state = try call.given["state"].map { StateDirectory($0) } ?? .user()
        // Who only reads makes nothing; a folder that is there may know of a journal that is missing.
        let isUnmade = reach == .journal && !call.isFollowing && isNowhere(call, configuration, state)
        if !isUnmade { try state.make() }
        let simulated = configuration.providers.filter { BuiltinSimulator.hold($0, call.registry) }
        let isAlone = simulated.count == configuration.providers.count
        let providers =
            reach == .providers && !simulated.isEmpty ? try await BuiltinSimulator.open(call, state) : nil
        let clock: any PaymentClock = isAlone ? providers?.sandbox.clock ?? SystemClock() : SystemClock()
        let reader = SimulatedReader(clock: clock)
        do {
            let folder = call.configurationFolder
            let choice = isUnmade ? JournalConfiguration(.memory, path: nil) : configuration.journal
            let store = try await Journals.open(choice, folder: folder, state: state, others: [.postgres])
            let client = try await PaymentClient.open(configuration: configuration, folder: folder) { options in
                (options.journal, options.clock) = (store, clock)
                switch reach {
                case .providers:
                    options.transport = call.watch.over(providers?.transport(isAlone: isAlone) ?? CurlTransport())
                case .journal:
                    // Nothing is sent, so that nobody has to have the credentials who only reads.
                    options.transport = InProcessTransport([:])
                    options.secrets = UnresolvedSecrets()
                    for provider in configuration.providers {
                        options.signers[provider.id.rawValue] = { _ in UnresolvedSecrets.nothing }
                        options.tokenProviders[provider.id.rawValue] = { UnresolvedSecrets.nothing }
                    }
                }
                options.reader = ReaderPrompts.shown(on: reader) { call.note($0) }
                options.tokens = FileTokenStore(folder: state.file("tokens"))
                options.installations = FileInstallationStore(path: state.file("installation.json"))
                let names = providers?.sandbox.injectors.map(\.provider.name) ?? []
                TerminalPrompts.show(&options.answers, names) { call.note($0) }
                if isAlone { TerminalPrompts.agree(&options.answers) }
            }
            return CommandSession(
                client: client, configuration: configuration, state: state, journal: store.journal, clock: clock,
                reader: reader, providers: providers, call: call)
        } catch {
            providers?.close()
            throw error
        }
    }

    /// Whether neither the state folder nor the journal's file was ever made.
    private static func isNowhere(
        _ call: Invocation, _ configuration: PaymentConfiguration, _ state: StateDirectory
    ) -> Bool {
        guard configuration.journal.kind == .sqlite, let named = configuration.journal.path,
            !CommandFile.isThere(state.path)
        else { return false }
        if named.hasPrefix(StateDirectory.prefix) { return true }
        let place = try? Journals.place(of: named, call.configurationFolder, state)
        return place.map { !CommandFile.isThere($0) } ?? false
    }

    private static func routing(to name: String, _ configuration: PaymentConfiguration) throws(UsageError) -> Routing {
        var routing = Routing(active: try configuration.providers.map(\.id).picked(name, "provider", by: \.rawValue))
        routing.draining = configuration.routing.draining
        return routing
    }

    /// The provider that is named, else the active one.
    var active: ProviderID { configuration.routing.active }

    /// Who would take a new payment.
    func taker(of amount: Money, from source: PaymentSource.Kind, label: String? = nil) throws(PaymentError)
        -> ProviderID
    {
        try client.route(for: amount, from: source, label: label).first ?? active
    }

    /// Whether cards are read by a terminal of the provider's own.
    func hasOwnTerminal(_ id: ProviderID) -> Bool {
        (try? client.provider(id))?.capabilities.usesProviderTerminal ?? false
    }

    /// How the provider is configured that a new payment would go to.
    func configured(_ id: ProviderID) -> ConfiguredProvider? { configuration.providers.first { $0.id == id } }

    /// Whether a provider is a simulated one, within this program or on a port: it takes what the simulated reader reads.
    func isSimulated(_ id: ProviderID) -> Bool { configured(id)?.isSimulated ?? false }

    /// Whether a provider is a simulated one within this program.
    func isEmbedded(_ id: ProviderID) -> Bool {
        configured(id).map { BuiltinSimulator.hold($0, call.registry) } ?? false
    }

    /// The cards that the simulated provider behind a configured one has.
    func cards(_ id: ProviderID) -> [TestCard] {
        guard isSimulated(id), let name = configured(id)?.entry.adapter else { return [] }
        return call.registry.sandboxes.first { $0.name == name }?.cards ?? []
    }

    /// Lays a card in front of whatever reads cards for a provider.
    func present(_ card: TestCard, to id: ProviderID) {
        if let name = configured(id)?.entry.adapter, let terminal = providers?.sandbox[name] as? any TerminalProvider {
            terminal.present(card)
        } else {
            reader.present(SimulatedReader.Card(number: card.number))
        }
    }

    /// Takes in what simulated providers have sent meanwhile, as webhooks would come in at a server.
    func takeNews() async throws -> Int {
        var count = 0
        for provider in configuration.providers where BuiltinSimulator.hold(provider, call.registry) {
            guard let simulated = providers?.sandbox[provider.entry.adapter] as? any WebhookSendingProvider else {
                continue
            }
            for message in simulated.takeMessages() {
                count += try await client.receiveWebhook(message.body, headers: message.headers, from: provider.id)
                    .items.count
            }
        }
        if count > 0 { providers?.sandbox.save() }
        return count
    }
}

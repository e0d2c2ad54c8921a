internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentSandbox
internal import Payments

/// What commands about money work with: a client over the configured providers, with simulated companies behind those
/// that are simulated.
struct CommandTill: Sendable {
    let client: PaymentClient
    let configuration: Configuration
    let state: StateFolder
    /// The reader with its simulated card.
    let reader: SimulatedReader
    private let companies: EmbeddedCompanies?
    private let call: Invocation

    /// Whether a command speaks with companies, or reads the journal alone.
    enum Reach: Sendable { case companies, journal }

    /// Opens a till for the time of a closure.
    static func use(
        _ call: Invocation, _ reach: Reach = .companies, _ body: (CommandTill) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let till = try await open(call, reach)
        do {
            let status = try await body(till)
            till.companies?.close()
            return status
        } catch {
            till.companies?.close()
            throw error
        }
    }

    private static func open(_ call: Invocation, _ reach: Reach) async throws -> CommandTill {
        let path = call.given["config"] ?? "providers.json"
        var configuration = try Configuration.load(path, registry: call.registry.providers)
        if let name = call.given["provider"] {
            configuration.routing = try routing(to: name, configuration)
        }
        let state = try call.given["state"].map { StateFolder($0) } ?? .user()
        try state.make()
        let simulated = configuration.providers.filter { EmbeddedCompanies.hold($0, call.registry) }
        let isAlone = simulated.count == configuration.providers.count
        let companies =
            reach == .companies && !simulated.isEmpty ? try await EmbeddedCompanies.open(call, state) : nil
        let clock: any PaymentClock = isAlone ? companies?.sandbox.clock ?? SystemClock() : SystemClock()
        let reader = SimulatedReader(clock: clock)
        do {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            let journal = try await Journals.open(configuration.journal, folder: folder, state: state)
            let client = try await PaymentClient.open(configuration: configuration, folder: folder) { options in
                (options.journal, options.clock) = (journal.journal, clock)
                (options.owner, options.owners) = (journal.owner, journal.owners)
                if let companies { options.transport = companies.transport(isAlone: isAlone) }
                options.reader = reader
                options.tokens = FileTokenStore(folder: state.file("tokens"))
                options.installations = FileInstallationStore(path: state.file("installation.json"))
                if isAlone { CommandAnswers.agree(&options.answers) }
            }
            return CommandTill(
                client: client, configuration: configuration, state: state, reader: reader, companies: companies,
                call: call)
        } catch {
            companies?.close()
            throw error
        }
    }

    private static func routing(to name: String, _ configuration: Configuration) throws(UsageError) -> Routing {
        let names = configuration.providers.map(\.id.rawValue)
        guard names.contains(name) else {
            throw .unknown("provider", name, of: names, near: NearestName.of(name, in: names))
        }
        var routing = Routing(active: ProviderID(rawValue: name))
        routing.draining = configuration.routing.draining
        return routing
    }

    /// The provider that is named, else the active one.
    var active: ProviderID { configuration.routing.active }

    /// Who would take a new payment.
    func taker(of amount: Money, from source: SourceKind, label: String? = nil) -> ProviderID {
        configuration.routing.candidates(amount, from: source, label: label).first ?? active
    }

    /// Whether cards are read by a terminal of the provider's own.
    func hasOwnTerminal(_ id: ProviderID) -> Bool {
        (try? client.provider(id))?.capabilities.hasOwnTerminal ?? false
    }

    /// How the provider is configured that a new payment would go to.
    func configured(_ id: ProviderID) -> ConfiguredProvider? { configuration.providers.first { $0.id == id } }

    /// Whether a provider is a simulated company of ours.
    func isSimulated(_ id: ProviderID) -> Bool {
        configured(id).map { EmbeddedCompanies.hold($0, call.registry) } ?? false
    }

    /// The cards that the company behind a provider has.
    func cards(_ id: ProviderID) -> [TestCard] {
        guard isSimulated(id), let name = configured(id)?.entry.adapter else { return [] }
        return call.registry.sandboxes.first { $0.name == name }?.cards ?? []
    }

    /// Lays a card in front of whatever reads cards for a provider.
    func present(_ card: TestCard, to id: ProviderID) {
        if let name = configured(id)?.entry.adapter, let terminal = companies?.sandbox[name] as? any TerminalCompany {
            terminal.present(card)
        } else {
            reader.present(SimulatedReader.Card(number: card.number))
        }
    }

    /// Takes in what simulated companies have sent meanwhile, as webhooks would come in at a server.
    func takeNews() async throws -> Int {
        var count = 0
        for provider in configuration.providers where isSimulated(provider.id) {
            guard let company = companies?.sandbox[provider.entry.adapter] as? any NewsCompany else { continue }
            for news in company.takeNews() {
                count += try await client.receive(news.body, headers: news.headers, from: provider.id).count
            }
        }
        if count > 0 { companies?.sandbox.save() }
        return count
    }
}

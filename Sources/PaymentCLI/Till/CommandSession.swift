internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentLinux
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSQLite
internal import PaymentSimulator
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
    /// Why the journal can only be read; nil if it can be written.
    let readOnly: String?
    /// The scope whose payments it reads.
    let scope: String
    private let openClient: @Sendable (String) async throws -> PaymentClient

    /// Whether a command speaks with providers, or reads the journal alone.
    enum Reach: Sendable { case providers, journal }

    /// Opens a till for the time of a closure.
    ///
    /// - Parameters:
    ///   - observer: What sees the client's work.
    ///   - asking: Sets handlers of questions in place of those of a command line.
    static func use(
        _ call: Invocation, _ reach: Reach = .providers, observer: (any PaymentObserver)? = nil,
        asking: (@Sendable (inout QuestionHandlers) -> Void)? = nil, scope: String = "",
        _ body: (CommandSession) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let till = try await open(call, reach, observer, asking, scope)
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

    private static func open(
        _ call: Invocation, _ reach: Reach, _ observer: (any PaymentObserver)?,
        _ asking: (@Sendable (inout QuestionHandlers) -> Void)?, _ scope: String
    ) async throws -> CommandSession {
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
        let clock = isAlone ? providers?.sandbox.clock ?? call.console.clock : call.console.clock
        let reader = SimulatedReader(clock: clock)
        do {
            let folder = call.configurationFolder
            let choice = isUnmade ? JournalConfiguration(.memory, path: nil) : configuration.journal
            let (store, readOnly) = try await openJournal(choice, folder, state, call, reach)
            let known = configuration
            let open: @Sendable (String) async throws -> PaymentClient = { scope in
                try await PaymentClient.open(configuration: known, folder: folder) { options in
                    (options.journal, options.clock, options.scope) = (store, clock, scope)
                    options.customersOf = KeyFile.isShop(scope) ? scope : nil
                    options.observer = observer
                    options.delegates = AbsentSDK.delegates(of: known)
                    switch reach {
                    case .providers:
                        options.transport = call.watch.over(providers?.transport(isAlone: isAlone) ?? CurlTransport())
                    case .journal:
                        // Nothing is sent, so that reading needs no credentials.
                        options.transport = InProcessTransport([:])
                        options.secrets = UnresolvedSecrets()
                        for provider in known.providers {
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
                    asking?(&options.answers)
                }
            }
            return CommandSession(
                client: try await open(scope), configuration: configuration, state: state, journal: store.journal,
                clock: clock, reader: reader, providers: providers, call: call, readOnly: readOnly, scope: scope,
                openClient: open)
        } catch {
            providers?.close()
            throw error
        }
    }

    /// Opens the journal; a command that only reads is content with one that can't be written.
    private static func openJournal(
        _ choice: JournalConfiguration, _ folder: String, _ state: StateDirectory, _ call: Invocation, _ reach: Reach
    ) async throws -> (JournalStore, String?) {
        let others: [JournalFactory] = [reach == .journal ? .postgresReader : .postgres]
        do { return (try await Journals.open(choice, folder: folder, state: state, others: others), nil) } catch {
            guard choice.kind == .sqlite, let named = choice.path,
                let path = try? Journals.place(of: named, folder, state), CommandFile.isThere(path)
            else { throw error }
            // What is wrong with the file itself is wrong for a reader, too.
            guard let journal = try? await SQLiteJournal.openForReading(path: path) else {
                guard named == StartingFile.simulationJournal else { throw error }
                throw PaymentError.notExecuted(
                    error.code,
                    "\(error.detail). The payments in \(path) are simulated: remove the file to begin again, or name another "
                        + "folder with --state")
            }
            guard reach == .journal else {
                await journal.close()
                throw error
            }
            call.note("The journal can only be read: \(error.detail)")
            return (JournalStore(journal), error.detail)
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
        (routing.draining, routing.isForced) = (configuration.routing.draining, true)
        return routing
    }

    /// A further client over the same journal and providers, for the references of one scope.
    func client(scope: String) async throws -> PaymentClient { try await openClient(scope) }

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

    /// An account for people: with its environment, unless it is simulated.
    func shown(_ account: ProviderIdentity) -> String {
        let isKnown = configured(account.id).map { $0.identity.environment == account.environment } ?? false
        return isKnown && isSimulated(account.id) ? account.id.rawValue : "\(account.id) (\(account.environment))"
    }

    /// An account whose money is not added to that of the configured ones, by name and environment. The active provider
    /// says whether the day's money is real: the configuration has no provider of the account's adapter in such an
    /// environment, or has another one of the adapter before it.
    func environmentApart(_ account: ProviderIdentity) -> String? {
        let isTest = configured(active).map(LiveCommand.isTest)
        let first = configuration.providers.first {
            $0.entry.adapter == account.adapter && LiveCommand.isTest($0) == isTest
        }
        return first?.identity.environment == account.environment ? nil : "\(account.id) (\(account.environment))"
    }

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

    /// The faults of the simulated providers within this program; nil if there are none.
    var faultPlan: FaultPlan? { providers?.sandbox.plan }

    /// Takes in what simulated providers have sent in the meantime, as webhooks would come in at a server.
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

extension CommandSession {
    /// The typed payment: its id, its reference, or the end of its id behind "…".
    ///
    /// - Throws: `notFound` or `conflict`, with status 5, when that is no payment or several.
    func payment(_ text: String) async throws -> PaymentID { PaymentID(try await find(text, .payment)) }

    /// The typed attempt, in the same ways; the reference is that of the payment that it began.
    func attempt(_ text: String) async throws -> AttemptID { try await find(text, .attempt) }

    private enum Sought: String { case payment, attempt }

    private func find(_ text: String, _ what: Sought) async throws -> AttemptID {
        let name = try PaymentArgument(text)
        var found: [(id: AttemptID, as: String)] = []
        if let id = name.id, let record = try await client.attempt(id) {
            if what == .payment, !record.intent.isOrigin {
                let payment = record.intent.paymentID
                throw AdvisedError(
                    .notExecuted(
                        .conflict,
                        "\(id) is the \(record.intent.operation.rawValue) of the payment \(payment), not a payment"),
                    next: call.command("show \(payment)"))
            }
            found.append((id, "the id"))
        }
        for reference in name.references {
            // An attempt is the one that was asked for, also where it turned out to be an imported payment.
            let under = try await client.payments(reference: reference, follows: what == .payment) { _ in true }
            found += under.map { ($0.id.attempt, "the reference") }
        }
        if let ending = name.ending { found += try await endings(ending, what).map { ($0, "the end") } }
        if found.isEmpty, let beginning = name.beginning {
            found += try await beginnings(beginning, what).map { ($0, "the beginning") }
        }
        let ids = Set(found.map(\.id))
        if let only = ids.first, ids.count == 1 { return only }
        throw ids.isEmpty ? try await notFound(name, what) : several(text, found, what)
    }

    /// What ends so, oldest last.
    private func endings(_ end: String, _ what: Sought) async throws -> [AttemptID] {
        var found: [AttemptID] = []
        for try await payment in client.allPayments() {
            let names = what == .payment ? [payment.id.attempt] : payment.attempts.map(\.intent.attempt)
            found += names.filter { $0.text.hasSuffix(end) }
        }
        return found
    }

    /// What begins so, of the ids that the library draws: those of the application may be beginnings of each other.
    private func beginnings(_ beginning: String, _ what: Sought) async throws -> [AttemptID] {
        var found: [AttemptID] = []
        for try await payment in client.allPayments() {
            let names = what == .payment ? [payment.id.attempt] : payment.attempts.map(\.intent.attempt)
            found += names.filter { $0.text.hasPrefix(beginning) && ShortIDs.isDrawn($0.text) }
        }
        return found
    }

    private func several(_ text: String, _ found: [(id: AttemptID, as: String)], _ what: Sought) -> AdvisedError {
        var lines: [String] = []
        for (id, kind) in found where !lines.contains(where: { $0.hasSuffix(" \(id)") }) {
            lines.append("\(kind) of \(id)")
        }
        let isShared = Set(found.map(\.as)).count == 1
        let way =
            isShared
            ? "name one by its id" : "say which: by its own id, or as id:\(text) or reference:\(text)"
        return AdvisedError(
            .notExecuted(
                .conflict,
                "\(text) names \(lines.count) \(what.rawValue)s: it is \(lines.joined(separator: ", and "));\n\(way)"),
            next: call.command("list"))
    }

    private func notFound(_ name: PaymentArgument, _ what: Sought) async throws -> AdvisedError {
        let here = "in this journal"
        var words: String
        if let ending = name.ending {
            words = "no \(what.rawValue) \(here) ends with \(ending)"
        } else {
            words = "no \(what.rawValue) \(here) has the id or the reference \"\(MaskedMessage.of(name.text))\""
            let others = try await attemptsOfOtherScopes().filter {
                ($0.intent.attempt.text == name.text || $0.intent.reference == name.text)
                    && (what == .attempt || $0.intent.isOrigin)
            }
            if !others.isEmpty {
                words =
                    "the \(what.rawValue) \(MaskedMessage.of(name.text)) is of the scope \(others.scopeNames), and this "
                    + "command reads one scope: list, show, status, recover, resolve, capture and void take --scope "
                    + "NAME; day and reconcile read every scope"
            }
            let isLong = others.isEmpty && name.text.count >= PaymentArgument.endingCharactersMin
            let near = isLong ? try await endings(name.text, what).prefix(3).map(\.text) : []
            if !near.isEmpty {
                words +=
                    "; did you mean \(near.joined(separator: " or "))? An id that only ends so is typed with … in front"
            }
        }
        // A question what became of something must not be answered with *nothing moved*: it may be in another journal.
        let isAsked = call.words.first == "status"
        return AdvisedError(
            PaymentError(.notFound, outcome: isAsked ? .unknown : .notExecuted, detail: words), status: .refused)
    }
}

extension ConfiguredProvider {
    /// Whether it is one of the worlds in which nothing real happens.
    var isSimulated: Bool { SimulatedPayments.isSimulated(self) }
}

extension CommandSession {
    /// Every attempt of the journal, of every scope; a client reads those of its own scope alone.
    ///
    /// - Throws: `journal`, nothing moved, if one of them can't be read: a part of the journal is no journal.
    func everyAttempt() async throws -> [Attempt] {
        if let store = journal as? any JournalMaintenance { return try await store.everyAttempt() }
        return try await Self.everyAttempt(of: journal)
    }

    /// Every attempt of a journal in memory, which only this process knows; payment by payment, the oldest first.
    static func everyAttempt(of journal: any Journal) async throws -> [Attempt] {
        var (payments, cursor) = ([[Attempt]](), JournalCursor?.none)
        repeat {
            let page = try await journal.attempts(.origins(scope: nil), after: cursor, limit: ListQuery.limitMax)
            for origin in page.attempts {
                payments.append(try await journal.payment(origin.intent.paymentID)?.attempts ?? [])
            }
            cursor = page.next
        } while cursor != nil
        return Array(payments.reversed().joined())
    }

    /// Attempts of the journal that belong to other scopes than the one that this command line uses.
    func attemptsOfOtherScopes() async throws -> [Attempt] {
        try await everyAttempt().filter { $0.intent.scope != scope }
    }

    /// The scope that it uses, for people.
    var scopeWords: String { scope.isEmpty ? "the default scope" : "the scope \(scope)" }
}

extension [Attempt] {
    /// Their scopes, in order.
    var scopes: [String] { Set(map(\.intent.scope)).sorted() }
    /// Their scopes, for people.
    var scopeNames: String { scopes.map { $0.isEmpty ? "\"\" (the default one)" : $0 }.joined(separator: ", ") }
}

/// A payment or an attempt as a person types it: its whole id, its reference, the beginning of an id that the library has
/// drawn, or the end of its id behind "…".
///
/// A text that could be either is looked for as both; `id:…` and `reference:…` say which one is meant.
struct PaymentArgument {
    /// The fewest characters by which something is found without its beginning.
    static let endingCharactersMin = 6

    let text: String
    /// The id that it is, if it can be one.
    private(set) var id: AttemptID?
    /// The references that it can be; the text itself always, since a reference may hold anything.
    private(set) var references: [String]
    /// What the id ends with, where a mark says so.
    private(set) var ending: String?
    /// What the id begins with, if the text can be that.
    var beginning: String? {
        let plain = text.hasSuffix("…") ? String(text.dropLast()) : text
        return ShortIDs.canBegin(plain) ? plain.lowercased() : nil
    }

    init(_ text: String) throws(UsageError) {
        (self.text, references) = (text, [text])
        for mark in ["…", "..."] where text.hasPrefix(mark) {
            let end = String(text.dropFirst(mark.count))
            guard end.count >= Self.endingCharactersMin, (try? AttemptID(end)) != nil else {
                throw UsageError(
                    message:
                        "\(text) is too little: type \(Self.endingCharactersMin) letters or digits of the end or more")
            }
            ending = end
            return
        }
        if text.hasPrefix("id:") {
            id = try? AttemptID(String(text.dropFirst(3)))
        } else if text.hasPrefix("reference:") {
            references.append(String(text.dropFirst(10)))
        } else {
            id = try? AttemptID(text)
        }
    }
}

/// Follows no reference: for commands that read the journal and send nothing.
struct UnresolvedSecrets: SecretResolver {
    /// The value of every credential; digits, so that it can be read as a key in hexadecimal as well.
    static let nothing = Secret("00")

    func environment(_ name: String) async throws(SecretResolutionError) -> Secret { Self.nothing }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { Self.nothing }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { Self.nothing }
}

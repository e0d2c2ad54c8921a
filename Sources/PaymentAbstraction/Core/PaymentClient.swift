public import PaymentBase
public import PaymentDriverKit
package import PaymentJournalKit

/// What applications hold: every configured provider behind one concrete type.
///
/// New payments go to the active or the routed provider; an operation on a payment goes to the provider that took it,
/// whatever is active now.
public struct PaymentClient: Sendable {
    let providers: [ProviderID: ProviderRuntime]
    let routing: Routing
    package let services: Services
    /// What is kept with the attempts that it begins.
    var notes = AttemptNotes()
    /// Attempts that are under way in this client.
    let running = Locked([AttemptID: AttemptRun]())
    /// The calls that may begin an attempt over. This lock is taken within that of `running`, never around it.
    let leading = Locked([AttemptID: LeadingCall]())
    /// One operation at a time on one payment.
    let lanes = KeyedLock<PaymentID>()
    /// One recovery at a time of one attempt.
    let recovering = KeyedLock<AttemptID>()

    /// Opens a client over drivers.
    ///
    /// - Throws: `configuration`, nothing moved, when two drivers have one name or a route names none of them.
    public init(
        drivers: [any PaymentDriver], routing: Routing, _ dependencies: ClientOptions
    ) throws(PaymentError) {
        var opened: [ProviderID: ProviderRuntime] = [:]
        let readers = ReaderEventStream(dependencies.reader)
        for driver in drivers {
            let id = driver.identity.id
            if opened.updateValue(ProviderRuntime(driver, readers: readers), forKey: id) != nil {
                throw PaymentError(
                    .configuration, outcome: .notExecuted, detail: "two providers are named \(id); give each its own")
            }
        }
        for id in routing.named where opened[id] == nil {
            let known = opened.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw PaymentError(
                .configuration, outcome: .notExecuted,
                detail: "the routing names the provider \(id), and there is none; there are \(known)")
        }
        providers = opened
        self.routing = routing
        services = Services(dependencies)
    }

    /// Opens a client over one driver, which takes everything.
    public init(_ driver: any PaymentDriver, _ dependencies: ClientOptions) throws(PaymentError) {
        try self.init(drivers: [driver], routing: Routing(active: driver.identity.id), dependencies)
    }

    /// The provider that new payments go to when no route says otherwise.
    public var activeProvider: ProviderID { routing.active }

    /// What happens from now on, as it happens; each call gives a stream of its own.
    ///
    /// A reader that falls behind by more than 1,024 events loses the oldest of them, and nothing says so. A screen can do with
    /// that; what must miss nothing follows the journal with ``events(after:limit:)``.
    public func events() -> AsyncStream<PaymentEvent> { services.events.subscribe() }

    /// What one provider has beyond payments.
    ///
    /// - Throws: `configuration`, nothing moved, when there is none of that name.
    public func provider(_ id: ProviderID) throws(PaymentError) -> ProviderClient {
        ProviderClient(provider: try open(id), services: services)
    }

    /// All providers, by name.
    public var all: [ProviderClient] {
        providers.values.map { ProviderClient(provider: $0, services: services) }
            .sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// The active provider's reader; nil when it has none.
    public var reader: ProviderClient.Reader? {
        (try? open(activeProvider)).flatMap { ProviderClient.Reader($0, services) }
    }

    /// The active provider's session; nil when it needs none.
    public var session: ProviderClient.Session? {
        (try? open(activeProvider)).flatMap { ProviderClient.Session($0, services) }
    }

    /// The active provider's prices; nil when it computes none.
    public var pricing: ProviderClient.Pricing? { (try? provider(activeProvider))?.pricing }

    func open(_ id: ProviderID) throws(PaymentError) -> ProviderRuntime {
        if let provider = providers[id] { return provider }
        let known = providers.keys.map(\.rawValue).sorted().joined(separator: ", ")
        throw PaymentError(
            .configuration, outcome: .notExecuted, detail: "there is no provider \(id); there are \(known)")
    }

    /// The provider that took a payment, which must be the very same account.
    func open(_ identity: ProviderIdentity) throws(PaymentError) -> ProviderRuntime {
        let provider = try open(identity.id)
        guard provider.identity == identity else {
            throw PaymentError(
                .configuration, outcome: .notExecuted,
                detail: "the payment was taken by \(identity), and now this name means \(provider.identity)",
                diagnosis: FailureDiagnosis(.request, host: "\(provider.identity)", .wrongAccount))
        }
        return provider
    }

    /// A new attempt id, which the journal's present generation knows from its beginning: after a restoration only such an id
    /// begins anything at once.
    ///
    /// - Throws: `journal`, nothing moved: the journal can't be read.
    public func newAttempt() async throws(PaymentError) -> AttemptID {
        AttemptID(generation: try await services.generation.current(), now: services.clock.now, random: services.random)
    }

    /// The caller's own id, or a new one.
    package func orNew(_ attempt: AttemptID?) async throws(PaymentError) -> AttemptID {
        if let attempt { return attempt }
        return try await newAttempt()
    }

    func unsupported(_ what: String, _ provider: ProviderRuntime, instead: String = "") -> PaymentError {
        let hint = instead.isEmpty ? "" : "; \(instead)"
        return PaymentError(
            .unsupported, outcome: .notExecuted, detail: "\(provider.id) has no \(what)\(hint)")
    }

    /// Whether this client works on an attempt, or is about to.
    func isUnderWay(_ attempt: AttemptID) -> Bool { running.withLock { $0[attempt] != nil } }

    /// The uptime at which a call that waits for so long ends: a caller waits that long, whatever clock a person sets.
    func end(_ limit: Duration?) throws(PaymentError) -> Int64 {
        services.clock.uptime.addingSaturating(try Deadline(limit, otherwise: services.deadline).milliseconds)
    }

    func noPayment(_ payment: PaymentID) -> PaymentError {
        PaymentError.notExecuted(.notFound, "There is no payment \(payment) in this journal.")
    }

    /// Whose references and ids its payments have.
    package var scope: String { services.scope }

    /// Writes what the journal could not take yet. To be called before a process ends.
    public func flush() async throws(PaymentError) { try await services.finish() }
}

/// What an application gives to a client: everything that touches the world outside of the providers.
public struct ClientOptions: Sendable {
    /// What survives a crash.
    public var journal: JournalStore
    /// What time it is.
    public var clock: any PaymentClock = SystemClock()
    /// Where random numbers come from.
    public var random: any RandomSource = SystemRandom()
    /// The hardware that reads cards.
    public var reader: (any CardReader)?
    /// The handlers of questions.
    public var answers = QuestionHandlers()
    /// What runs the client's work; nil for the global pool.
    public var executor: (any TaskExecutor)?
    /// What sees spans, counters and log records of the client's work; nil for none.
    public var observer: (any PaymentObserver)?
    /// Where access is kept between runs.
    public var tokens: any TokenStore = InMemoryTokenStore()
    /// Where the installation's names are kept.
    public var installations: any InstallationStore = InMemoryInstallationStore()
    /// Whose references and ids these are, where several applications or merchants share a journal.
    public var scope = ""
    /// The shop whose customers requests name; nil where all who share the accounts have the same customers.
    package var customersOf: String?
    /// How long a call waits for its answer.
    public var deadline: Duration = .seconds(180)

    /// Takes a journal; everything else has a default.
    public init(journal: JournalStore) { self.journal = journal }
    /// Takes a journal of this package.
    package init(journal: any Journal) { self.init(journal: JournalStore(journal)) }
}

/// What survives a crash: where attempts are recorded before anything is sent.
public struct JournalStore: Sendable {
    package let journal: any Journal

    package init(_ journal: any Journal) { self.journal = journal }

    /// A journal that ends with the process: for tests and demonstrations.
    public static var memory: JournalStore { JournalStore(InMemoryJournal()) }
}

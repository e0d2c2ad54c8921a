public import PaymentBase

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
    /// Where access is kept between runs.
    public var tokens: any TokenStore = InMemoryTokenStore()
    /// Where the installation's names are kept.
    public var installations: any InstallationStore = InMemoryInstallationStore()
    /// Whose references and ids these are, where several applications or merchants share a journal.
    public var scope = ""
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

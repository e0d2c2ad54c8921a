internal import PaymentBase

/// What the application gave, shared by everything that a client does.
final class Services: Sendable {
    let journal: any Journal
    let clock: any PaymentClock
    let random: any RandomSource
    let reader: (any CardReader)?
    let answers: Answers
    let executor: (any TaskExecutor)?
    let tokens: any TokenStore
    let owner: String
    let owners: any OwnerRegistry
    let scope: String
    let deadline: Duration
    let events: EventHub
    let installation: InstallationKeeper
    let numbers: NumberKeeper
    let deadlines: DeadlineKeeper
    /// What the journal could not take yet.
    let unwritten = Unwritten()
    /// Attempts whose callers were handed that they moved, which is still to be written.
    let tellings = Tellings()
    /// No two writes have one id: not of two clients either, whatever clock and random numbers they were given.
    let writePrefix = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
    let writeCount = Locked(0)
    /// What each provider does with the rest after a capture.
    let captures: [ProviderID: CaptureRule]

    init(_ given: ClientDependencies, captures: [ProviderID: CaptureRule]) {
        self.captures = captures
        journal = given.journal
        (clock, random) = (given.clock, given.random)
        (reader, answers, executor) = (given.reader, given.answers, given.executor)
        (tokens, owners, scope) = (given.tokens, given.owners, given.scope)
        deadline = given.deadline
        owner = given.owner ?? TimeOrderedID.make(now: given.clock.now, random: given.random)
        events = EventHub()
        deadlines = DeadlineKeeper(given.clock, given.executor)
        installation = InstallationKeeper(given.installations, given.random, given.clock)
        numbers = NumberKeeper(given.numbers ?? given.journal)
    }
}

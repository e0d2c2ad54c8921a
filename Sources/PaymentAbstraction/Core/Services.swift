internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// What the application gave, shared by everything that a client does.
package final class Services: Sendable {
    let journal: any Journal
    let clock: any PaymentClock
    let random: any RandomSource
    let reader: (any CardReader)?
    let answers: QuestionHandlers
    let executor: (any TaskExecutor)?
    let observer: (any PaymentObserver)?
    let tokens: any TokenStore
    let scope: String
    /// The shop whose customers requests name.
    let customersOf: String?
    let deadline: Duration
    package let events: EventHub
    let installations: InstallationCache
    let numbers: UniqueNumbers
    let generation: GenerationKeeper
    let deadlines: DeadlineTimer
    /// Entries of which it is not known whether they were written.
    let pending = PendingWrites()
    /// Looks that messages owe.
    let looks = OwedLooks()
    /// On which day, counted since 1970, a message about chargebacks that proves nothing came last for an account.
    let chargebackDays = Locked([ProviderIdentity: Int64]())
    /// What every write id of this client begins with, and no other client's, of any process.
    let writePrefix = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom()) + "-"
    let writeCount = Locked(0)

    init(_ given: ClientOptions) {
        journal = given.journal.journal
        (clock, random) = (given.clock, given.random)
        (reader, answers, executor) = (given.reader, given.answers, given.executor)
        (tokens, scope, observer) = (given.tokens, given.scope, given.observer)
        (deadline, customersOf) = (given.deadline, given.customersOf)
        events = EventHub(given.observer)
        deadlines = DeadlineTimer(given.clock, given.executor)
        installations = InstallationCache(given.installations, given.random, given.clock)
        numbers = UniqueNumbers(given.journal.journal)
        generation = GenerationKeeper(given.journal.journal)
    }

    /// The name of this process in the journal.
    var owner: String { journal.processes.own }
}

extension Services {
    /// The shop that stands before its customers' names at a provider; nil where the provider names customers itself.
    func shop(at provider: ProviderRuntime) -> String? { provider.capabilities.namesCustomers ? nil : customersOf }

    /// A customer's name as a provider gets it: other shops at its account have customers of the same name. The name of a shop has
    /// no full stop, so that the first one ends it.
    func name(of customer: String, at provider: ProviderRuntime) -> String {
        shop(at: provider).map { "\($0).\(customer)" } ?? customer
    }
}

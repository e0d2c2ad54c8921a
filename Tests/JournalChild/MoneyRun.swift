import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentTestPipes
import PaymentTestTill
import PaymentTesting

/// One money operation, announced step by step.
struct MoneyRun {
    let name: String
    let path: String
    let attempt: AttemptID
    let payment: PaymentID?
    let owner: String
    let now: Int64

    /// Takes case, journal, attempt, payment or `-`, owner and the moment at which the clock starts.
    init(_ words: [String]) throws {
        guard words.count == 6, let now = Int64(words[5]) else { throw JournalChild.Misused() }
        (name, path, owner, self.now) = (words[0], words[1], words[4], now)
        attempt = try AttemptID(words[2])
        payment = words[3] == "-" ? nil : try PaymentID(words[3])
    }

    func play() throws {
        guard let money = MoneyCase.all.first(where: { $0.description == name }) else { throw JournalChild.Misused() }
        var till = Till(now: now)
        till.answers.on(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        let pipe = Announcer(channel: .ofChild, clock: till.scheduler)
        till.owners = try ProcessLocks(besideJournal: path, owner: owner)
        till.owner = owner
        let file = path
        till.journal = AnnouncingJournal(try SchedulerJournal.open { try await SQLiteJournal.open(path: file) }, pipe)
        let client = try till.client(PipeTransport(pipe))
        let (payment, attempt) = (payment, attempt)
        let result = try till.play { try await money.call(client, payment, attempt) }
        till.scheduler.drain()
        try Channel.ofChild.send(.done(result.payment == nil ? "declined" : "approved"))
    }
}

import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting

// The names of the client and of its surroundings that will change, each wrapped once. When they do, this file changes,
// and no test does.

/// Who a client is among those that share a journal.
struct Process: Sendable {
    /// Its name; nil for one that is alone.
    var name: String?
    /// Whether it believes, rightly or wrongly, that the others are gone.
    var takesOthersForGone = true
    /// Whose references they are.
    var scope = ""

    static let alone = Process()

    /// One of several processes, all of which are there.
    static func among(_ name: String) -> Process { Process(name: name, takesOthersForGone: false) }
    /// One that takes all others for dead.
    static func believingToBeAlone(_ name: String) -> Process { Process(name: name) }
    /// The process of one of several shops that share a journal.
    static func shop(_ scope: String) -> Process {
        Process(name: scope, takesOthersForGone: false, scope: scope)
    }
}

/// What a process of the shop believes of the others.
private struct Belief: ProcessRegistry {
    let own: String
    let takesOthersForGone: Bool

    func isAlive(_ owner: String) -> Bool { owner == own || !takesOthersForGone }
}

/// A stage, a provider and a journal: all that a test about attempts needs.
struct Shop: Sendable {
    let stage = TestScheduler()
    let company = Company()
    let random = SeededRandom(seed: 7)
    var journal: any Journal = memoryJournal()
    /// What the clients read the time from; nil for the stage.
    var clock: (any PaymentClock)?
    /// Where all processes of the shop keep the provider's access.
    let tokens = InMemoryTokenStore()

    func client(_ drivers: [any PaymentDriver], _ routing: Routing, as process: Process = .alone) throws
        -> PaymentClient
    {
        let belief = process.name.map { Belief(own: $0, takesOthersForGone: process.takesOthersForGone) }
        var given = ClientOptions(journal: belief.map { ProcessJournal(journal, $0) } ?? journal)
        (given.clock, given.random, given.executor) = (clock ?? stage, random, stage)
        (given.tokens, given.scope) = (tokens, process.scope)
        return try PaymentClient(drivers: drivers, routing: routing, given)
    }

    func client(_ driver: any PaymentDriver, as process: Process = .alone) throws -> PaymentClient {
        try client([driver], Routing(active: driver.identity.id), as: process)
    }

    /// A client without a stage, for filling a journal; its clock stands still, so that no caller waits.
    static func plainClient(_ driver: any PaymentDriver, _ journal: any Journal) throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        given.clock = StandingClock()
        return try PaymentClient(driver, given)
    }

    /// A client that knows several providers and gives new payments to the first.
    func client(_ driver: any PaymentDriver, draining others: [any PaymentDriver]) throws -> PaymentClient {
        var routing = Routing(active: driver.identity.id)
        routing.draining = Set(others.map(\.identity.id))
        return try client([driver] + others, routing)
    }

    /// Runs a body on the stage.
    func play<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try stage.run(body)
    }

    /// Waits on the stage.
    func wait(_ duration: Duration) async throws {
        try await stage.sleep(until: stage.now + duration.wholeMilliseconds)
    }

    /// What time it is there.
    var now: Int64 { stage.now }

    /// Does something later, whatever other tasks wait for.
    func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
        Task(executorPreference: stage) { [self] in
            try await wait(duration)
            body()
        }
    }

    /// Begins something that runs beside.
    func beside<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: stage) { await body() }
    }

    /// How long something took, on the stage's clock.
    func time(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = stage.now
        try await body()
        return .milliseconds(stage.now - start)
    }
}

/// A clock that stands where a stage's begins.
private struct StandingClock: PaymentClock {
    let now = TestScheduler().now

    func sleep(until instant: Int64) async throws {
        let never = Promise<Bool>()
        _ = await withTaskCancellationHandler {
            await never.value()
        } onCancel: {
            never.fulfill(false)
        }
        throw CancellationError()
    }
}

/// A wall clock that a person sets while the time passes; timers that are set run as if nothing had happened.
final class WallClock: PaymentClock {
    private let stage: TestScheduler
    private let shift = Locked(Int64(0))

    init(_ stage: TestScheduler) { self.stage = stage }

    var now: Int64 { stage.now + shift.withLock { $0 } }

    func set(forwardBy duration: Duration) { shift.withLock { $0 += duration.wholeMilliseconds } }

    func sleep(until instant: Int64) async throws {
        try await stage.sleep(until: instant - shift.withLock { $0 })
    }
}

extension LookupPlan {
    /// A plan of a provider that documents that what it doesn't show after a while was never done.
    static func provingAbsence(after quiet: Duration, givingUpAfter end: Duration) -> LookupPlan {
        LookupPlan(
            every: 1_000, giveUpAfter: end.wholeMilliseconds,
            quiet: quiet.wholeMilliseconds)
    }
}

extension PaymentClient {
    /// A sale of a typed card.
    func sell(
        _ cents: Int64 = 1_000, _ reference: String = "order-1", from source: PaymentSource? = nil,
        attempt: AttemptID? = nil, within limit: Duration? = nil
    ) async -> Told {
        await Told {
            let request = SaleRequest(.cents(cents), from: try source ?? Cards.good(), reference: reference)
            return try await sale(request, attempt: attempt, timeout: limit)
        }
    }

    /// A refund; of all that is left when no amount is given.
    func giveBack(
        _ cents: Int64? = nil, of payment: PaymentID, attempt: AttemptID? = nil, within limit: Duration? = nil
    ) async -> Told {
        await Told { try await refund(payment, of: cents.map { .cents($0) }, attempt: attempt, timeout: limit) }
    }

    /// What became of an attempt.
    func fate(of attempt: AttemptID) async -> Told { await Told { try await status(attempt) } }

    /// Hears the message that the provider has posted.
    func hearWebhook(from provider: ProviderID = "p") async throws { _ = try await receiveWebhook([], from: provider) }

    /// What a process does after its start.
    func recoverAll() async throws { _ = try await recover() }

    /// What a process does all the time.
    func recoverAlways() async { await runRecovery() }

    /// A person decides: it moved, and the provider calls it so; or it didn't.
    func decide(_ attempt: AttemptID, moved name: String?, because reason: String) async throws {
        let resolution = name.map { ManualResolution.executed(name: $0, nil) } ?? .notExecuted()
        _ = try await resolve(attempt, as: resolution, reason: reason)
    }

    /// The sums of a payment.
    func amounts(of attempt: AttemptID) async throws -> PaymentAmounts { try await payment(PaymentID(attempt)).amounts }
}

extension ProviderNotice {
    /// News that carry our own name.
    static func about(_ attempt: AttemptID, _ verdict: Verdict, at instant: Int64, kind: String) -> ProviderNotice {
        ProviderNotice(.attempt(attempt), verdict, at: instant, kind: kind)
    }

    /// News that carry the provider's name for something.
    static func about(
        name: String, of operation: PaymentOperation, _ verdict: Verdict, at instant: Int64, kind: String
    ) -> ProviderNotice {
        ProviderNotice(.reference(name, [operation]), verdict, at: instant, kind: kind)
    }
}

extension PaymentContext {
    /// One request that gives the attempt a name by which the provider's news find it, before the message leaves.
    func exchange<Reply>(
        named name: String, _ send: @escaping (Transmission) async throws -> Reply
    ) async throws -> Reply {
        try await self.send(.money) { attempt in Outgoing(names: [name]) { try await send(attempt) } }
    }
}

extension PaymentSource {
    /// A token that one provider gave out and another knows nothing of.
    static func token(_ text: String, of provider: ProviderID) -> PaymentSource { .token(Secret(text), of: provider) }
}

extension SavedInstrument.ID {
    /// An instrument that one provider keeps.
    static func kept(_ text: String, by provider: ProviderID) -> SavedInstrument.ID { .init(text, of: provider) }
}

extension Approval {
    /// What a provider says to a tip that is changed afterwards: a new tip, and so a new total.
    static func tipped(_ tip: Money, total: Money) -> Approval { Approval(tip) }
}

extension Decline {
    /// A plain no.
    static let plain = Decline(.doNotHonor, provider: ProviderMessage(code: "05"))
    /// What was done has failed afterwards.
    static let failedLater = Decline(.failedAfterApproval, provider: ProviderMessage(code: "RETURNED"))
}

extension Verdict {
    /// What an adapter makes of "declined: there is such a payment already", which its own executed twin causes, too.
    static func refusedAsDuplicate() throws -> Verdict {
        .declined(Decline(.duplicate, provider: ProviderMessage(code: "94")))
    }
}

/// Listens to a client's events.
final class Listener: Sendable {
    private let heard = Locked([PaymentEvent]())

    init(_ client: PaymentClient, on stage: TestScheduler) {
        let stream = client.events()
        Task(executorPreference: stage) { [heard] in
            for await event in stream { heard.withLock { $0.append(event) } }
        }
    }

    /// Events of an attempt beyond the bare news that a message came.
    func alarms(about attempt: AttemptID) -> [PaymentEvent] {
        heard.withLock { $0 }.filter { $0.attempt == attempt && $0.kind != .webhook }
    }
}

/// What a caller got in the end, so that it can be compared with what the provider did.
enum Told: Hashable, Sendable, CustomStringConvertible {
    case result(PaymentResult)
    case error(PaymentError)
    case other(String)

    /// Makes a call and listens.
    init(_ body: () async throws -> PaymentResult) async {
        do { self = .result(try await body()) } catch let error as PaymentError { self = .error(error) } catch {
            self = .other("\(error)")
        }
    }

    /// The payment, when it was approved.
    var payment: Payment? {
        if case .result(let result) = self { return result.payment }
        return nil
    }
    /// The error, when there was one.
    var error: PaymentError? {
        if case .error(let error) = self { return error }
        return nil
    }
    /// Whether it was approved.
    var isApproved: Bool { payment != nil }
    /// Whether it was declined.
    var isDeclined: Bool {
        if case .result(.declined) = self { return true }
        return false
    }
    /// Whether the caller must believe that no money moved.
    var saysNothingMoved: Bool {
        switch self {
        case .result(.approved), .result(.pending), .other: false
        case .result(.declined), .result(.cancelled): true
        case .error(let error): error.outcome == .notExecuted
        }
    }
    /// Whether the caller must believe that the outcome is unknown.
    var saysUnknown: Bool { error?.outcome == .unknown }

    var description: String {
        switch self {
        case .result(.approved(let payment)):
            "approved \(payment.approved) [attempt \(payment.attempt)], dry \(payment.isDryRun), "
                + "offline \(payment.isOffline)"
        case .result(.declined(let decline)): "declined \(decline.reason)"
        case .result(.cancelled): "cancelled"
        case .result(.pending): "pending"
        case .error(let error): error.debugDescription
        case .other(let words): words
        }
    }
}

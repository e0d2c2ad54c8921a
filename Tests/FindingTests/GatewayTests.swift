import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A gateway refuses a sale (429), and two servers work on the attempt while the first waits for the quiet time: the card
/// is charged once, and no caller learns that nothing moved of a request that was carried out.
@Suite struct GatewayTests {
    /// What goes wrong beside the refusal. Sequences are drawn from seeds.
    enum Trouble: String, CaseIterable, Sendable {
        /// Both servers work; their commits get lost.
        case lostCommits
        /// The first server dies; the second one's commits get lost.
        case death
        /// The first server is taken for dead and works on; the second one's commits get lost.
        case wrongDeath
    }

    @Test(arguments: Trouble.allCases)
    func sale_refusedByAGatewayAndTakenOver_isChargedOnceAndToldTruly(_ trouble: Trouble) throws {
        for seed in UInt64(1)...40 {
            let sequence = Sequence(seed, trouble)
            let outcome = try sequence.play()
            #expect(outcome.charges.count <= 1 && !outcome.isMisreported, "\(seed): \(sequence) \(outcome)")
        }
    }

    /// The same with a connection of each server to one file.
    @Test(arguments: Trouble.allCases)
    func sale_refusedByAGatewayAndTakenOverInOneFile_isChargedOnceAndToldTruly(_ trouble: Trouble) throws {
        for seed in UInt64(1_001)...1_003 {
            let sequence = Sequence(seed, trouble)
            let folder = try JournalFolder()
            let outcome = try folder.open { first in
                try folder.open { second in try sequence.play(over: (first, second)) }
            }
            #expect(outcome.charges.count <= 1 && !outcome.isMisreported, "\(seed): \(sequence) \(outcome)")
        }
    }

    /// The test's own promise: a list that lags longer than the quiet time says is found out.
    @Test func sale_listLagsLongerThanTheQuietTime_isSeenByThisTest() throws {
        var sequence = Sequence(1, .lostCommits)
        (sequence.executesAfter, sequence.lag, sequence.refusals) = (0, 45, 1)
        (sequence.answersAfter, sequence.waits) = (0, 1)
        (sequence.webhookAt, sequence.firstFailure, sequence.secondFailure, sequence.deeds) = (nil, nil, nil, [])
        #expect(try sequence.play().charges == [1, 2])
    }
}

/// A journal whose connection breaks while it commits, so that the store can't tell what became of an entry; and whose
/// process may die.
private final class UncertainJournal: JournalWrapper {
    /// What becomes of an entry whose fate is unknown.
    enum Fate: CaseIterable { case lost, written, late }

    /// How long a late entry is under way, in seconds.
    private static let lateSeconds: Int64 = 4

    let inner: any Journal
    private let shop: Shop
    private let power: Power
    private let next = Locked((count: 0, fate: Fate.lost))

    init(_ inner: any Journal, _ shop: Shop, _ power: Power) {
        (self.inner, self.shop, self.power) = (inner, shop, power)
    }

    /// Breaks the connection at the next writes.
    func fail(_ failure: Sequence.Failure?) {
        next.withLock { $0 = (failure?.count ?? 0, failure?.fate ?? .lost) }
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        await power.needed()
        let fate = next.withLock { next -> Fate? in
            guard next.count > 0 else { return nil }
            next.count -= 1
            return next.fate
        }
        switch fate {
        case nil: return try await inner.write(entry, id, at: instant)
        case .lost: break
        case .written: _ = try await inner.write(entry, id, at: instant)
        case .late:
            _ = shop.beside { [inner, shop] in
                try? await shop.wait(seconds: Self.lateSeconds)
                _ = try? await inner.write(entry, id, at: instant)
            }
        }
        throw .writeUnconfirmed("the connection to the database was lost while committing")
    }
}

/// Whether a process runs; without power it stands still for ever.
private final class Power: Sendable {
    private let stage: TestScheduler
    private let isOff = Locked(false)

    init(_ stage: TestScheduler) { self.stage = stage }

    func cut() { isOff.withLock { $0 = true } }

    func needed() async { if isOff.withLock({ $0 }) { try? await stage.sleep(until: .max) } }
}

/// What a provider, a gateway and two servers do; all times in seconds after the first request.
private struct Sequence: Sendable {
    /// What the second server does.
    enum Deed: CaseIterable { case sale, recover, status, resolve }

    /// Writes of one server that break.
    struct Failure: Sendable {
        let at: Int64
        let count: Int
        let fate: UncertainJournal.Fate
    }

    /// What became of the money, and what the callers learned.
    struct Outcome: Sendable {
        /// The numbers of the requests that were carried out.
        var charges: [Int] = []
        var told: [String] = []
        /// How many requests had left when a caller learned that nothing had moved.
        var nothings: [Int] = []

        /// Whether a caller learned that nothing moved of a request that was carried out.
        var isMisreported: Bool { nothings.contains { count in charges.contains { $0 <= count } } }
    }

    /// After so long without anything of it the provider's list proves that a request never arrived.
    static let quietSeconds: Int64 = 30

    let seed: UInt64
    let trouble: GatewayTests.Trouble
    /// When the provider carries a refused request out; nil for never.
    var executesAfter: Int64?
    /// How long a charge is missing in its list; with the time before it less than the quiet time.
    var lag: Int64
    /// How many requests are refused, how long a refusal is under way, and how long it asks to wait.
    var refusals: Int
    var answersAfter: Int64
    var waits: Int64
    /// When the first server dies, or is taken for dead.
    var deadAt: Int64?
    var deeds: [(at: Int64, deed: Deed)]
    /// When the webhook of the charge comes to the second server.
    var webhookAt: Int64?
    var firstFailure: Failure?
    var secondFailure: Failure?

    /// Draws a sequence.
    init(_ seed: UInt64, _ trouble: GatewayTests.Trouble) {
        let random = SeededRandom(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let times: [Int64] = [1, 2, 5, 10, 25, 28, 29, 30, 31, 32, 33, 35, 40, 45, 50, 55, 58, 60, 62, 65, 70, 72, 90]
        func failure() -> Failure? {
            let failure = Failure(
                at: pick(times), count: pick([1, 2, 3, 3, 4, 6, 1_000]), fate: pick(UncertainJournal.Fate.allCases))
            return pick([failure, nil])
        }
        (self.seed, self.trouble) = (seed, trouble)
        let executes: Int64? = pick([nil, nil, 0, 0, 5, 20])
        executesAfter = executes
        lag = pick([0, 5, Self.quietSeconds - 5 - (executes ?? 0)])
        (refusals, answersAfter, waits) = (pick([1, 1, 2, 3]), pick([0, 0, 3, 25]), pick([1, 1, 45, 70]))
        deeds = (0..<2).map { _ in (pick(times), pick(Deed.allCases)) }
        webhookAt = pick([nil, nil, pick(times)])
        deadAt = trouble == .lostCommits ? nil : pick(times)
        firstFailure = trouble == .lostCommits ? failure() : nil
        secondFailure = failure()
    }

    /// Plays it to its end, and then until the second server's caller has his payment.
    func play(over journals: (any Journal, any Journal)? = nil) throws -> Outcome {
        let shop = Shop(stage: TestScheduler(seed: seed))
        let attempt = try AttemptID("order-1001")
        let (provider, power) = (Provider(), Power(shop.stage))
        let files = journals.map { (ClockPausingJournal($0.0, shop.stage), ClockPausingJournal($0.1, shop.stage)) }
        let one = UncertainJournal(files?.0 ?? shop.journal, shop, power)
        let two = UncertainJournal(files?.1 ?? shop.journal, shop, Power(shop.stage))
        let first = try shop.client(driver(shop, provider, power), owner: "A", over: one)
        let second = try shop.client(driver(shop, provider, Power(shop.stage)), owner: "B", over: two)
        return try shop.play { [shop] in
            let heard = Locked(Outcome())
            let hear: @Sendable (Told) -> Void = { told in
                heard.withLock { heard in
                    heard.told.append("\(told)")
                    if told.saysNothingMoved { heard.nothings.append(provider.requests.withLock { $0 }) }
                }
            }
            let sale = shop.beside { hear(await sell(attempt, first)) }
            let others = [
                at(deadAt, shop) { die(power, shop) }, at(firstFailure?.at, shop) { one.fail(firstFailure) },
                at(secondFailure?.at, shop) { two.fail(secondFailure) },
                at(webhookAt, shop) { await post(attempt, to: second, shop) },
            ]
            let work = deeds.map { deed in
                at(deed.at, shop) { await act(deed.deed, attempt, second, provider, shop, hear) }
            }
            for task in others + work { await task.value }
            if trouble != .death { await sale.value }
            try await shop.wait(seconds: 600)
            for journal in [one, two] { journal.fail(nil) }
            shop.owners.declareDead("A")
            _ = try? await second.recover()
            hear(await second.outcome(of: attempt))
            hear(await sell(attempt, second))
            return heard.withLock { heard in
                heard.charges = shop.ledger.charges.compactMap { Int($0.name.dropFirst(2)) }
                return heard
            }
        }
    }

    private func at(
        _ seconds: Int64?, _ shop: Shop, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        shop.beside {
            guard let seconds else { return }
            try? await shop.wait(seconds: seconds)
            await body()
        }
    }

    private func sell(_ attempt: AttemptID, _ client: PaymentClient) async -> Told {
        await client.sell(1_000, "order-1001", attempt: attempt, withinSeconds: 300)
    }

    private func die(_ power: Power, _ shop: Shop) {
        if trouble == .death { power.cut() }
        shop.owners.declareDead("A")
    }

    private func act(
        _ deed: Deed, _ attempt: AttemptID, _ client: PaymentClient, _ provider: Provider, _ shop: Shop,
        _ hear: @Sendable (Told) -> Void
    ) async {
        switch deed {
        case .sale: hear(await sell(attempt, client))
        case .status: hear(await client.outcome(of: attempt))
        case .recover: _ = try? await client.recover()
        case .resolve:
            // A person looks at the list, and not before it is complete.
            let isComplete = shop.stage.now > provider.lastAt.withLock { $0 } + (Self.quietSeconds + 2) * 1_000
            guard isComplete, provider.shownFrom.withLock({ $0.isEmpty }) else { return }
            _ = try? await client.resolve(attempt, as: .notExecuted(), reason: "The list shows nothing.")
        }
    }

    /// Posts the webhook of the first charge until it is acknowledged.
    private func post(_ attempt: AttemptID, to client: PaymentClient, _ shop: Shop) async {
        guard let charge = shop.ledger.charges.first else { return }
        let approval = Approval(.cents(charge.cents), references: ["payment": charge.name])
        for _ in 1...20 {
            shop.ledger.post(
                ProviderNotice(.attempt(attempt), .approved(approval), at: shop.stage.now, kind: "AUTHORISATION"))
            if (try? await client.receiveWebhook([], from: "p")) != nil { return }
            try? await shop.wait(seconds: 5)
        }
    }
}

extension Sequence {
    /// What both servers' drivers share: the provider's side.
    private final class Provider: Sendable {
        /// How many requests for money have come, and when the last one did.
        let requests = Locked(0)
        let lastAt = Locked(Int64(0))
        /// From when on each charge is in the list.
        let shownFrom = Locked([Int64]())
    }

    private func driver(_ shop: Shop, _ provider: Provider, _ power: Power) -> Fake {
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(
            every: 5_000, giveUpAfter: 120_000, quiet: Self.quietSeconds * 1_000)
        driver.onSale = { [self] request, context in
            try await context.exchange(.money) { _ in
                await power.needed()
                let (attempt, amount) = (context.attempt, request.amount)
                provider.lastAt.withLock { $0 = shop.stage.now }
                let number = provider.requests.withLock { requests in
                    requests += 1
                    return requests
                }
                guard number <= refusals else {
                    execute(attempt, amount, number, shop, provider)
                    try await shop.wait(seconds: 2)
                    await power.needed()
                    return .approved(Approval(amount, references: ["payment": "p-\(number)"]))
                }
                _ = at(executesAfter, shop) { execute(attempt, amount, number, shop, provider) }
                try await shop.wait(seconds: answersAfter)
                await power.needed()
                throw Refused(.rateLimited, .maybeSent, mayRepeat: true, waitMilliseconds: waits * 1_000)
            }
        }
        driver.onLookup = { inquiry, _ in
            await power.needed()
            let isSeen = provider.shownFrom.withLock { $0.first }.map { $0 <= shop.stage.now } ?? false
            return isSeen
                ? shop.ledger.shown(inquiry.attempt).map(LookupResult.found) ?? .notFound(seesBack: nil)
                : .notFound(seesBack: nil)
        }
        return driver
    }

    private func execute(_ attempt: AttemptID, _ amount: Money, _ number: Int, _ shop: Shop, _ provider: Provider) {
        shop.ledger.charge(attempt, amount, as: "p-\(number)")
        provider.shownFrom.withLock { $0.append(shop.stage.now + lag * 1_000) }
    }
}

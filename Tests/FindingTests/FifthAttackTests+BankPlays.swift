import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A journal as one process sees it: after its death it writes and reads nothing, and some writes get lost on their way.
final class MortalJournal: JournalWrapper {
    let inner: any Journal
    let bank: Bank
    private let isDead = Locked(false)
    private let losses: Bool
    init(_ inner: any Journal, _ bank: Bank, losses: Bool) {
        (self.inner, self.bank, self.losses) = (inner, bank, losses)
    }
    func die() { isDead.withLock { $0 = true } }
    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if isDead.withLock({ $0 }) { throw .notWritten("dead") }
        if losses {
            switch bank.below(30) {
            case 0: throw .notWritten("full")
            case 1: throw .writeUnconfirmed("lost before")
            case 2:
                _ = try await inner.write(entry, id, at: instant)
                throw .writeUnconfirmed("lost after")
            default: break
            }
        }
        return try await inner.write(entry, id, at: instant)
    }
}

/// Orders of one payment's operations, drawn by a seed: in the end the books say what the bank has, or an event was raised.
@Suite struct FifthAttackBankTests {
    /// How many orders are played; `BANK_PLAYS` says more.
    private static let count = ProcessInfo.processInfo.environment["BANK_PLAYS"].flatMap { UInt64($0) } ?? 80

    @Test(arguments: 1...count) func anyOrderOfOperations_inTheEnd_isAsTheBankHasIt(_ seed: UInt64) throws {
        let wrong = try BankPlay(seed).play()
        #expect(wrong == nil, "seed \(seed): \(wrong ?? "")")
    }
}

/// One play.
struct BankPlay: Sendable {
    let seed: UInt64
    let shop: Shop
    let bank: Bank
    let canAsk: Bool
    let driver: Whole
    let log = Locked([String]())

    init(_ seed: UInt64) {
        self.seed = seed
        shop = Shop(stage: TestScheduler(seed: seed))
        bank = Bank(seed: seed)
        canAsk = bank.below(3) > 0
        driver = bank.driver(shop, canAsk: canAsk)
    }

    func note(_ text: String) { log.withLock { $0.append("\((shop.stage.now - 1_767_225_600_000) / 1_000)s \(text)") } }

    struct Process: Sendable {
        let client: PaymentClient
        let journal: MortalJournal
        let heard: Heard
        let clock: SetClock
        let name: String
    }

    func process(_ name: String, losses: Bool) throws -> Process {
        let journal = MortalJournal(shop.journal, bank, losses: losses)
        let clock = SetClock(shop.stage)
        if bank.below(4) == 0 { clock.set(aheadBy: Int64(bank.below(7_200_000)) - 3_600_000) }
        let client = try shop.client(driver, by: clock, owner: name, over: journal)
        return Process(client: client, journal: journal, heard: Heard(client, shop.stage), clock: clock, name: name)
    }

    func deliver(_ client: PaymentClient, all: Bool) async {
        let taken = bank.takeMessages { waiting in waiting.indices.filter { _ in all || bank.below(2) == 0 } }
        let order = all ? taken : taken.map { (bank.below(100), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        for notice in order {
            for _ in 0..<(bank.below(6) == 0 ? 2 : 1) {
                note("message \(notice.kind) \(notice.subject) \(notice.verdict.map { "\($0)".prefix(10) } ?? "hint")")
                // A provider sends what was not acknowledged once more.
                shop.ledger.post(notice)
                do { _ = try await client.receiveWebhook([], from: "p") } catch {
                    _ = shop.ledger.takeNotices()
                    bank.wait(notice)
                }
            }
        }
    }

    /// A person looks at the bank and says what is true of everything that is open.
    func decide(_ client: PaymentClient, _ id: AttemptID) async {
        guard let record = try? await client.payment(PaymentID(id)) else { return }
        for attempt in record.openAttempts where attempt.isOpen && attempt.isEnded {
            let own = attempt.intent.attempt
            let done = bank.movement(own)
            if done?.hasFailed == true || bank.isAccepted(own) { continue }
            let resolution: ManualResolution = done.map { .executed(name: $0.name, nil) } ?? .notExecuted()
            var told = "ok"
            do { try await client.resolve(own, as: resolution, by: "Ann", reason: "seen") } catch {
                told = error.debugDescription
            }
            note("person: \(own) \(done == nil ? "no" : "yes"): \(told)")
        }
    }

    func play() throws -> String? {
        let losses = bank.below(3) == 0
        let processes = Locked([try process("one", losses: losses), try process("two", losses: losses)])
        return try shop.play { [self] in
            func any() -> Process { processes.withLock { $0[bank.below(2)] } }
            var ids = [try AttemptID("pay-1")]
            let first = ids[0]
            let isHold = bank.below(2) == 0
            @Sendable func open(_ client: PaymentClient, _ id: AttemptID) async {
                let limit: Int64? = bank.below(4) == 0 ? Int64(1 + bank.below(25)) : nil
                let opened =
                    isHold ? await client.hold(attempt: id) : await client.sell(attempt: id, withinSeconds: limit)
                note("\(isHold ? "hold" : "sale") 1000 \(id): \(opened)")
            }
            await open(any().client, first)
            var tasks: [Task<Void, Never>] = []
            var heard = processes.withLock { $0.map(\.heard) }
            for step in 1...(8 + bank.below(20)) {
                let process = any()
                let client = process.client
                let cents = Int64([100, 100, 200, 300, 600][bank.below(5)])
                let attempt = try AttemptID("op-\(step)")
                var kind = bank.below(20)
                if isHold ? kind == 6 : [3, 4, 7, 9].contains(kind) { kind = [0, 8, 1, 11][bank.below(4)] }
                let id = ids[bank.below(ids.count)]
                if kind == 14 || kind == 15 {
                    // The order is typed again, under the same id or under a new one.
                    let next = bank.below(3) == 0 ? id : try AttemptID("pay-\(step + 1)")
                    if !ids.contains(next) { ids.append(next) }
                    let work: @Sendable () async -> Void = { await open(client, next) }
                    if bank.below(3) == 0 { tasks.append(shop.beside(work)) } else { await work() }
                    continue
                }
                if kind == 13, bank.below(3) == 0 {
                    process.clock.set(aheadBy: Int64(bank.below(7_200_000)) - 3_600_000)
                }
                if kind == 16, bank.below(2) == 0 {
                    note("process \(process.name) dies")
                    process.journal.die()
                    shop.owners.declareDead(process.name)
                    let next = try self.process("p\(step)", losses: losses)
                    heard.append(next.heard)
                    processes.withLock { all in
                        if let place = all.firstIndex(where: { $0.name == process.name }) { all[place] = next }
                    }
                    continue
                }
                let chosen = kind
                let work: @Sendable () async -> Void = {
                    await self.operate(chosen, client, id, attempt, cents, isHold)
                }
                if bank.below(3) == 0 { tasks.append(shop.beside(work)) } else { await work() }
                if bank.below(2) == 0 { try await shop.wait(seconds: Int64(bank.below(90))) }
                if bank.below(3) == 0 { await deliver(client, all: false) }
            }
            for task in tasks { await task.value }
            bank.settle(all: true, at: shop.stage.now)
            for _ in 1...12 {
                let client = any().client
                await deliver(client, all: true)
                try await shop.wait(seconds: 400)
                for other in processes.withLock({ $0.map(\.client) }) { _ = try? await other.recover() }
            }
            try await shop.recover(any().client, seconds: 86_400)
            for id in ids { await decide(any().client, id) }
            try await shop.recover(any().client, seconds: 2 * 86_400)
            for _ in 1...40 { try? await any().client.flush() }
            return try await judged(any().client, ids, heard.flatMap(\.kinds), isHold)
        }
    }

    func operate(
        _ kind: Int, _ client: PaymentClient, _ id: AttemptID, _ attempt: AttemptID, _ cents: Int64, _ isHold: Bool
    ) async {
        let name = "\(isHold ? "a" : "s")-\(id)"
        let now = shop.stage.now
        var (what, told) = ("", Told?.none)
        let isDispute = bank.hasDisputes && [8, 10, 11].contains(kind)
        switch isDispute ? [20, 21, kind][bank.below(3)] : kind {
        case 0, 1, 2:
            what = "refund \(cents)"
            let limit: Duration? = bank.below(4) == 0 ? .seconds(1 + bank.below(25)) : nil
            told = await Told {
                try await client.refund(
                    PaymentID(id), of: .cents(cents), reference: "r\(attempt)", attempt: attempt, timeout: limit)
            }
        case 3, 4:
            what = "capture \(cents)"
            told = await Told {
                try await client.capture(PaymentID(id), of: .cents(cents), reference: "r\(attempt)", attempt: attempt)
            }
        case 5: (what, told) = ("void", await client.undo(id, attempt: attempt))
        case 6: (what, told) = ("tip \(cents)", await client.tip(cents, of: id, attempt: attempt))
        case 7: (what, told) = ("adjust \(cents)", await client.holdAnew(cents, of: id, attempt: attempt))
        case 8: what = "dashboard refund \(cents): \(bank.dashboard(.refund, cents, of: name, at: now))"
        case 9: what = "dashboard capture \(cents): \(bank.dashboard(.capture, cents, of: name, at: now))"
        case 10: what = "dashboard void: \(bank.dashboard(.void, cents, of: name, at: now))"
        case 20: what = "chargeback \(cents): \(bank.dashboard(.chargeback, cents, of: name, at: now))"
        case 21: what = "dispute won: \(bank.fail(.chargeback, at: now))"
        case 11: what = "refund fails: \(bank.fail(at: now))"
        case 13:
            what = "settle"
            bank.settle(all: false, at: now)
        case 12:
            what = "recover"
            _ = try? await client.recover()
        case 17:
            what = "person"
            await decide(client, id)
        case 18:
            what = "refund all"
            told = await client.refund(nil, of: id, for: "r\(attempt)", attempt: attempt)
        case 19: (what, told) = ("status", await client.outcome(of: id))
        default:
            what = "deliver"
            await deliver(client, all: false)
        }
        note("\(attempt) of \(id): \(what)\(told.map { ": \($0)" } ?? "")")
    }

    func judged(
        _ client: PaymentClient, _ ids: [AttemptID], _ kinds: [PaymentEvent.Kind], _ isHold: Bool
    ) async throws -> String? {
        let steps = log.withLock { $0.joined(separator: "\n") }
        if !bank.twice.isEmpty { return "executed twice: \(bank.twice)\n" + steps }
        let isRaised = kinds.contains {
            [.contradiction, .disputed, .otherAmount, .nameTaken, .activeTwice].contains($0)
        }
        if isRaised { return nil }
        var active: [String] = []
        for id in ids {
            let name = "\(isHold ? "a" : "s")-\(id)"
            let truth = bank.accounts[name]
            if let truth,
                truth.captured > truth.refunded - truth.chargedBack
                    || truth.isHold && !truth.isReleased && truth.authorized > truth.captured
            {
                active.append(name)
            }
            guard let record = try? await client.payment(PaymentID(id)) else {
                if truth != nil { return "\(id) is not in the journal\n" + steps }
                continue
            }
            if record.attempts.contains(where: \.isOpen) { continue }
            let amounts = record.amounts
            guard amounts.captured.minorUnits == truth?.captured ?? 0,
                amounts.refunded.minorUnits == truth?.refunded ?? 0,
                amounts.chargedBack.minorUnits == truth?.chargedBack ?? 0
            else {
                let states = record.attempts.map {
                    "\($0.intent.attempt) \($0.intent.operation.rawValue) \($0.state.rawValue)"
                }
                return
                    "\(id) canAsk \(canAsk): bank \(String(describing: truth)), books captured \(amounts.captured), refunded \(amounts.refunded)\n"
                    + states.joined(separator: "\n") + "\n" + steps
            }
        }
        if active.count > 1 { return "two active: \(active)\n" + steps }
        return nil
    }
}

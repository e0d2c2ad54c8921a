import Glibc
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestJournal
import PaymentTestPipes

/// One attempt, announced step by step; the provider lives in the parent.
struct MoneyRun {
    let path: String
    let owner: String
    let intent: Attempt.Intent

    /// Takes journal, owner, attempt, operation, minor units, and the payment or `-`.
    init(_ words: [String]) throws {
        guard words.count == 6, let operation = PaymentOperation(rawValue: words[3]), let units = Int64(words[4]) else {
            throw JournalChild.Misused()
        }
        (path, owner) = (words[0], words[1])
        intent = try JournalTestWriter.intent(words[2], operation, units, of: words[5] == "-" ? nil : words[5])
    }

    func play() async throws {
        let shared = try await SharedJournal.open(path, owner: owner)
        let journal = AnnouncingJournal(inner: shared.journal, channel: .ofChild)
        let till = JournalTestClient(journal, owner: owner, shared.journal.processes)
        let end = try await till.make(intent) { intent in
            try Channel.ofChild.send(.step("execute", at: intent.amount.minorUnits))
            guard case .proceed? = try Channel.ofChild.receive() else { throw JournalChild.Misused() }
            return .approved(Approval(intent.amount, references: ["payment": "at-\(intent.attempt)"]))
        }
        try Channel.ofChild.send(.done("\(end)"))
    }
}

/// Many tills that refund one payment in small parts until nothing is left, beside those of other processes.
struct RefundRun {
    private let place: String
    private let owner: String
    private let payment: String
    private let cents: Int64
    private let tills: Int

    /// Takes journal, owner, payment, what each refund refunds, and how many tills there are.
    init(_ words: [String]) throws {
        guard words.count == 5, let cents = Int64(words[3]), let tills = Int(words[4]) else {
            throw JournalChild.Misused()
        }
        (place, owner, payment) = (words[0], words[1], words[2])
        (self.cents, self.tills) = (cents, tills)
    }

    func play() async throws {
        let shared = try await SharedJournal.open(place, owner: owner)
        let back = Locked(0)
        let strange = Locked([String]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<tills {
                group.addTask {
                    let till = JournalTestClient(shared.journal, owner: owner, shared.journal.processes)
                    var count = 0
                    while true {
                        count += 1
                        let intent = try JournalTestWriter.intent(
                            "\(owner)-\(number)-\(count)", .refund, cents, of: payment)
                        let end = try await till.make(intent) { .approved(Approval($0.amount)) }
                        switch end {
                        case .done(.approved): back.withLock { $0 += 1 }
                        case .refused(.exceeds): return
                        case .refused(.blocked): continue
                        case .done, .known, .open, .refused: return strange.withLock { $0.append("\(end)") }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await shared.close()
        let words = strange.withLock { $0 }
        try Channel.ofChild.send(.done(words.isEmpty ? "\(back.withLock { $0 })" : words.joined(separator: ";")))
    }
}

/// Many attempts at once, some of which other processes attempt too.
struct RaceRun {
    private let path: String
    private let owner: String
    private let plan: RacePlan
    private let index: Int
    /// How many attempts are under way at once.
    private let callers: Int

    /// Takes journal, owner, which process this is, how many there are, and how many attempts it makes at once.
    init(_ words: [String]) throws {
        guard words.count == 5, let index = Int(words[2]), let processes = Int(words[3]), let callers = Int(words[4])
        else { throw JournalChild.Misused() }
        (path, owner, self.index, self.callers) = (words[0], words[1], index, callers)
        plan = RacePlan(processes: processes)
    }

    func play() async throws {
        let shared = try await SharedJournal.open(path, owner: owner)
        let till = JournalTestClient(shared.journal, owner: owner, shared.journal.processes)
        let counts = Locked([String: Int]())
        let rest = Locked(try plan.calls(of: index))
        let channel = Locked(Channel.ofChild)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    while let intent = rest.withLock({ $0.popLast() }) {
                        let word = await Self.word(intent, till, channel)
                        counts.withLock { $0[word, default: 0] += 1 }
                    }
                }
            }
        }
        await shared.close()
        let words = counts.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try Channel.ofChild.send(.done(words.joined(separator: ";")))
    }

    /// Makes one attempt; says in one word how it ended.
    private static func word(_ intent: Attempt.Intent, _ till: JournalTestClient, _ channel: Locked<Channel>) async
        -> String
    {
        let what = intent.operation.rawValue
        do {
            let end = try await till.make(intent) { intent in
                // One exchange at a time, as over one line.
                try channel.withLock { channel in
                    try channel.send(.step(intent.attempt.text, at: intent.amount.minorUnits))
                    guard case .proceed? = try channel.receive() else { throw JournalChild.Misused() }
                }
                return .approved(Approval(intent.amount, references: ["payment": "at-\(intent.attempt)"]))
            }
            switch end {
            case .done(.approved), .known(.approved): return "\(what) approved"
            case .refused(.exceeds): return "\(what) exceeds"
            case .done, .known, .open, .refused: return "\(what) \(end)"
            }
        } catch { return "\(what) failed: \(error)" }
    }
}

/// Takes numbers out of a journal that other processes take numbers out of too.
struct NumberRun {
    /// How many are taken out at a time.
    static let blockCount: Int64 = 512

    let path: String
    let blocks: Int

    /// Takes the journal and how many blocks to take.
    init(_ words: [String]) throws {
        guard words.count == 2, let blocks = Int(words[1]) else { throw JournalChild.Misused() }
        (path, self.blocks) = (words[0], blocks)
    }

    func play() async throws {
        var firsts: [String] = []
        // Closed and opened again half-way, as a process that was started again.
        for half in [blocks / 2, blocks - blocks / 2] {
            let shared = try await SharedJournal.open(path, owner: "numbers-\(getpid())-\(firsts.count)")
            for _ in 0..<half { firsts.append(String(try await shared.journal.draw(Self.blockCount))) }
            await shared.close()
        }
        try Channel.ofChild.send(.done(firsts.joined(separator: " ")))
    }
}

/// Writes attempts until the system gives no more room.
struct LimitedRun {
    private static let attemptsMax = 100_000
    let path: String
    let bytesMax: UInt

    /// Takes the journal and how large a file may become.
    init(_ words: [String]) throws {
        guard words.count == 2, let bytesMax = UInt(words[1]) else { throw JournalChild.Misused() }
        (path, self.bytesMax) = (words[0], bytesMax)
    }

    func play() async throws {
        let journal = try await SQLiteJournal.open(path: path, processes: SingleProcess(JournalTestWriter.owner))
        let desk = JournalTestWriter(journal)
        // A write beyond the limit fails, as on a full disk, instead of ending the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytesMax, rlim_max: bytesMax)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            throw JournalChild.Misused()
        }
        for number in 0..<Self.attemptsMax {
            do { try await desk.send(try JournalTestWriter.intent("a-\(number)")) } catch {
                try Channel.ofChild.send(.done("\(number);\(error)"))
                return
            }
        }
        throw JournalChild.Misused()
    }
}

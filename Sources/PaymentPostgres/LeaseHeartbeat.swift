internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// A thread with a connection of its own that gives signs of life, looks for processes that give none any more, and
/// passes on what was written to the callers that wait for it.
final class LeaseHeartbeat: ProcessRegistry {
    let runs: ProcessRuns? = ProcessRuns()
    let takenForDead: Promise<Bool>? = Promise<Bool>()
    private struct State {
        /// Processes that are proven to be gone; none comes back.
        var gone: Set<String> = []
        /// When the last sign of life was given that arrived, by a clock that counts sleep; nil before the first.
        var heartbeat: Int64?
        /// Whether others have found this process dead.
        var isBuried = false
        /// By how much the server's clock is ahead of this machine's.
        var offset: Int64 = 0
        var changed: Set<Int64> = []
        var looks: [Promise<Bool>] = []
        var isClosed = false
    }

    let own: String
    private let link: PostgresLink
    private let keys: LockKey
    private let waits: ChangeWaits<Int64>
    private let leaseMilliseconds: Int64
    private let acknowledged: LastAcknowledgedWrite
    /// Whether this process only reads. It has no run that others could take over, so that no row names it: rows of processes stay.
    private let isReader: Bool
    private let state = Locked(State())
    private let bell = WakeSignal()
    private let ended = Promise<Bool>()
    private let clock: any PaymentClock

    /// How often every waiting caller looks for itself, should a sign have been lost.
    private static let lookMilliseconds: Int64 = 1_000
    /// How many changes are in one sign, which may have 8,000 bytes.
    private static let changesMax = 400

    /// A sign of life comes six times in a lease.
    private var beatMilliseconds: Int64 { max(20, leaseMilliseconds / 6) }

    /// `look` is called when the callers that wait are to look again.
    init(
        owner: String, isReader: Bool, _ link: PostgresLink, _ keys: LockKey, _ waits: ChangeWaits<Int64>,
        leaseMilliseconds: Int64, _ acknowledged: LastAcknowledgedWrite, _ clock: any PaymentClock
    ) {
        self.isReader = isReader
        (own, self.keys, self.waits, self.leaseMilliseconds) = (owner, keys, waits, leaseMilliseconds)
        self.acknowledged = acknowledged
        self.clock = clock
        var hasty = link
        hasty.isHasty = true
        self.link = hasty
    }

    /// Starts the thread; `opened` is called once this process is entered, or why it can't be.
    func start(opened: @escaping @Sendable (PostgresFailure?) -> Void, look: @escaping @Sendable () -> Void) -> Bool {
        DedicatedThread.start { [self] in
            var line: PostgresConnection?
            do throws(PostgresFailure) {
                line = try connect(isFirst: true)
                opened(nil)
            } catch {
                opened(error)
                takenForDead?.fulfill(false)
                ended.fulfill(true)
                return
            }
            var (start, nextBeat, nextLook) = (clock.uptime, Int64(0), Int64(0))
            while !state.withLock({ $0.isClosed }) {
                do {
                    let connected = if let line { line } else { try connect(isFirst: false) }
                    if line == nil { start = clock.uptime }
                    line = connected
                    try turn(connected, &start, &nextBeat, &nextLook, look)
                } catch {
                    line = nil
                    Pause.milliseconds(50)
                }
            }
            if let line, !isReader { _ = try? line.exchange([PostgresCall(.leave, [.text(own)])]) }
            takenForDead?.fulfill(false)
            ended.fulfill(true)
        }
    }

    /// Takes the lock and gives a first sign of life.
    private func connect(isFirst: Bool) throws(PostgresFailure) -> PostgresConnection {
        let line = try link.connect()
        // A process that has nothing to write must notice as well that a server has lost what it wrote, before others
        // write there.
        if !isFirst { try acknowledged.check(line) }
        if isReader {
            _ = try line.exchange([PostgresCall(.listen)])
            try beat(line)
            return line
        }
        let lock = keys.owner(own)
        let rows = try line.exchange([
            PostgresCall(.begin), PostgresCall(.surely),
            PostgresCall(.enter, [.text(own), .integer(lock), .flag(!isFirst)]),
            PostgresCall(.commit), PostgresCall(.hold, [.integer(lock)]), PostgresCall(.listen),
        ])
        if isFirst, rows[2].count == 0 {
            throw .refused(state: "23505", words: "another process calls or called itself \(own)")
        }
        try beat(line)
        return line
    }

    /// Does what there is to do, and waits for the next.
    private func turn(
        _ line: PostgresConnection, _ start: inout Int64, _ nextBeat: inout Int64, _ nextLook: inout Int64,
        _ look: @Sendable () -> Void
    ) throws(PostgresFailure) {
        bell.silence()
        let (changed, looks) = state.withLock { state in
            defer { (state.changed, state.looks) = ([], []) }
            return (state.changed, state.looks)
        }
        try tell(line, Array(changed))
        let now = DedicatedThread.monotonicNow
        if now >= nextBeat || !looks.isEmpty {
            // The callers that asked are answered in any case; what isn't known stays alive.
            defer { for promise in looks { promise.fulfill(true) } }
            let last = state.withLock { $0.heartbeat } ?? clock.uptime
            try beat(line)
            let uptime = clock.uptime
            // A process that stood still itself, as a machine that slept, has not seen that the others gave no sign:
            // they may have stood still with it. It begins to watch again.
            if uptime - last > leaseMilliseconds / 3 * 2 { start = uptime }
            try bury(line, connectedFor: uptime - start)
            nextBeat = now + beatMilliseconds
        }
        if now >= nextLook {
            look()
            nextLook = now + Self.lookMilliseconds
        }
        let wait = min(nextBeat, waits.all.isEmpty ? .max : nextLook) - DedicatedThread.monotonicNow
        let signs = try line.signs(or: bell.descriptor, milliseconds: wait)
        waits.wake(Set(signs.flatMap { $0.split(separator: " ") }.compactMap { Int64($0, radix: 36) }))
    }

    /// Announces to other processes which payments have changed.
    private func tell(_ line: PostgresConnection, _ changed: [Int64]) throws(PostgresFailure) {
        var rest = changed[...]
        while !rest.isEmpty {
            let words = rest.prefix(Self.changesMax).map { String($0, radix: 36) }.joined(separator: " ")
            _ = try line.exchange([PostgresCall(.notify, [.text(words)])])
            rest = rest.dropFirst(Self.changesMax)
        }
    }

    private func beat(_ line: PostgresConnection) throws(PostgresFailure) {
        let (sent, wall) = (clock.uptime, clock.now)
        // A lock that an earlier connection still has is got as soon as the server has noticed.
        let sign = [PostgresCall(.beat, [.text(own)]), PostgresCall(.hold, [.integer(keys.owner(own))])]
        let rows = try line.exchange(isReader ? [PostgresCall(.clock)] : sign)
        let took = clock.uptime - sent
        let isBuried = state.withLock { state in
            guard rows[0].count > 0 else {
                state.isBuried = true
                return true
            }
            state.heartbeat = sent
            state.offset = wall.addingSaturating(took / 2).until(rows[0].integer(0, 0))
            return false
        }
        if isBuried { takenForDead?.fulfill(true) }
    }

    private func bury(_ line: PostgresConnection, connectedFor milliseconds: Int64) throws(PostgresFailure) {
        let now = try line.exchange([PostgresCall(.clock)])[0].integer(0, 0)
        _ = try line.exchange([
            PostgresCall(.begin), PostgresCall(.surely),
            PostgresCall(
                .bury, [.text(own), .integer(leaseMilliseconds), .integer(milliseconds.until(now))]),
            PostgresCall(.commit),
        ])
        // None comes back: as many as before are the same ones, however many years of them there are.
        let count = try line.exchange([PostgresCall(.goneCount)])[0].integer(0, 0)
        guard count != state.withLock({ Int64($0.gone.count) }) else { return }
        let rows = try line.exchange([PostgresCall(.gone)])[0]
        let gone = Set((0..<rows.count).map { rows.text($0, 0) })
        state.withLock { $0.gone = gone }
    }

    // MARK: - What others ask

    func isAlive(_ owner: String) -> Bool {
        owner == own || !state.withLock { $0.gone.contains(owner) }
    }

    /// Looks once more who is gone, and returns then.
    func refresh() async {
        let promise = Promise<Bool>()
        let isOpen = state.withLock { state in
            if state.isClosed { return false }
            state.looks.append(promise)
            return true
        }
        guard isOpen else { return }
        bell.ring()
        _ = await promise.value()
    }

    /// Why this process may open no send now; nil when it may.
    var reasonToWait: String? {
        if isReader { return "this process was opened to read the journal alone" }
        return state.withLock { state in
            if state.isBuried {
                return "this process gave no sign for so long that it was taken for dead; start it again"
            }
            let last = state.heartbeat ?? .min / 2
            return clock.uptime - last > leaseMilliseconds / 2
                ? "this process couldn't tell the database that it lives; it opens no send until it could" : nil
        }
    }

    /// Whether others have found this process dead: it begins nothing any more.
    var isBuried: Bool { state.withLock { $0.isBuried } }

    /// By how much the server's clock is ahead of this machine's, in milliseconds.
    var offset: Int64 { state.withLock { $0.offset } }

    /// More was written about a payment: wakes all that wait for it, here and elsewhere.
    func hasChanged(_ payment: PaymentID) {
        let mark = keys.payment(payment)
        waits.wake([mark])
        let isFirst = state.withLock { state in
            defer { state.changed.insert(mark) }
            return state.changed.isEmpty
        }
        if isFirst { bell.ring() }
    }

    /// Says that this process ends, and returns when the thread is gone.
    func close() async {
        stop()
        _ = await ended.value()
    }

    /// Says that this process ends, and ends the thread.
    func stop() {
        let looks = state.withLock { state in
            state.isClosed = true
            defer { state.looks = [] }
            return state.looks
        }
        for promise in looks { promise.fulfill(false) }
        bell.ring()
    }
}

/// The statements by which processes tell each other that they live.
extension PostgresStatement {
    /// Enters this process; where the row was lost with a server, again.
    static let enter = PostgresStatement(
        "owner_enter",
        """
        INSERT INTO owner (name, lock) VALUES ($1::text, $2::bigint) \
        ON CONFLICT (name) DO UPDATE SET seen = clock_timestamp() WHERE NOT owner.is_gone AND $3::boolean RETURNING name
        """)
    static let hold = PostgresStatement("owner_hold", "SELECT pg_try_advisory_lock($1::bigint)")
    /// A sign of life; no row where another process has found this one dead.
    static let beat = PostgresStatement(
        "owner_beat",
        """
        UPDATE owner SET seen = clock_timestamp() WHERE name = $1::text AND NOT is_gone \
        RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """)
    /// Finds those dead that have given no sign for so long, counted from one's own connecting at the earliest, and
    /// whose lock is free: after a failover no process has a lock, though all live. A sign of a time to come was given
    /// by another clock of a server, and says nothing.
    static let bury = PostgresStatement(
        "owner_bury",
        """
        UPDATE owner SET is_gone = true WHERE NOT is_gone AND name <> $1::text \
        AND CASE WHEN clock_timestamp() - greatest( \
        CASE WHEN seen > clock_timestamp() + make_interval(secs => $2::bigint / 1000.0) \
        THEN '-infinity' ELSE seen END, \
        to_timestamp($3::bigint / 1000.0)) \
        > make_interval(secs => $2::bigint / 1000.0) \
        THEN pg_try_advisory_xact_lock(lock) ELSE false END RETURNING name
        """)
    static let goneCount = PostgresStatement("owner_gone_count", "SELECT count(*) FROM owner WHERE is_gone")
    static let gone = PostgresStatement("owner_gone", "SELECT name FROM owner WHERE is_gone")
    static let leave = PostgresStatement("owner_leave", "UPDATE owner SET is_gone = true WHERE name = $1::text")
    static let surely = PostgresStatement("surely", "SET LOCAL synchronous_commit = on")
    static let clock = PostgresStatement(
        "clock", "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    static let listen = PostgresStatement("listen", "LISTEN payment_changes")
    static let notify = PostgresStatement("notify", "SELECT pg_notify('payment_changes', $1::text) IS NULL")
}

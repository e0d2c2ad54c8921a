internal import PaymentAbstraction
internal import PaymentBase

/// One run of a till's program: what it has in memory is gone with it.
final class Process: Sendable {
    private struct State {
        var isGone = false
        /// After how many writes and exchanges it dies; nil for not at all.
        var diesAfter: Int?
        var line: [(skip: Int, fault: LineFault)] = []
        var journal: [(skip: Int, fault: JournalFault)] = []
        /// Entries whose content the journal can't take, and how often the journal did anything else wrong.
        var unwritable: [JournalEntry] = []
        var troubleCount = 0
        var refusesCard = false
        var troubled: Set<AttemptID> = []
    }

    let name: String
    let till: Int
    let clock: Machine
    private let state = Locked(State())

    init(_ name: String, till: Int, _ clock: Machine) {
        (self.name, self.till, self.clock) = (name, till, clock)
    }

    var isGone: Bool { state.withLock { $0.isGone } }

    func die() { state.withLock { $0.isGone = true } }

    func die(after count: Int) { state.withLock { $0.diesAfter = count } }

    func arm(_ fault: LineFault, after skip: Int) { state.withLock { $0.line.append((skip, fault)) } }

    func arm(_ fault: JournalFault, after skip: Int) { state.withLock { $0.journal.append((skip, fault)) } }

    /// Nothing more goes wrong with it.
    func calm() { state.withLock { ($0.line, $0.journal, $0.diesAfter, $0.refusesCard) = ([], [], nil, false) } }

    /// A moment at which it may die; says whether it has.
    func passes() -> Bool {
        state.withLock { state in
            guard let left = state.diesAfter else { return state.isGone }
            state.diesAfter = left - 1
            if left <= 0 { (state.isGone, state.diesAfter) = (true, nil) }
            return state.isGone
        }
    }

    func nextLineFault() -> LineFault? { state.withLock { Self.next(&$0.line) } }

    /// How often its journal failed otherwise than for the content of an entry.
    var troubleCount: Int { state.withLock { $0.troubleCount } }

    /// The next card that is read refuses by itself.
    func refuseNextCard() { state.withLock { $0.refusesCard = true } }

    func takesCard() -> Bool {
        state.withLock { state in
            defer { state.refusesCard = false }
            return !state.refusesCard
        }
    }

    func hadTrouble(with attempt: AttemptID) -> Bool { state.withLock { $0.troubled.contains(attempt) } }

    func isUnwritable(_ entry: JournalEntry) -> Bool { state.withLock { $0.unwritable.contains(entry) } }

    /// What goes wrong with an entry. Only an outcome with names can have content that the journal can't take.
    func nextJournalFault(_ entry: JournalEntry) -> JournalFault? {
        state.withLock { state in
            guard let fault = Self.next(&state.journal) else { return nil }
            if case .away(let count) = fault, count > 1 { state.journal.insert((0, .away(count - 1)), at: 0) }
            guard fault == .unwritable else {
                state.troubleCount += 1
                if let attempt = entry.command.attempt { state.troubled.insert(attempt) }
                return fault
            }
            guard case .finish(let finish) = entry.command, finish.closing?.names.isEmpty == false else { return nil }
            state.unwritable.append(entry)
            return fault
        }
    }

    /// The first fault, once what it lets through has passed.
    private static func next<Fault>(_ faults: inout [(skip: Int, fault: Fault)]) -> Fault? {
        guard let first = faults.first else { return nil }
        if first.skip > 0 {
            faults[0].skip -= 1
            return nil
        }
        return faults.removeFirst().fault
    }
}

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
    }

    let name: String
    let till: Int
    let clock: SimulatedMachine
    private let state = Locked(State())

    init(_ name: String, till: Int, _ clock: SimulatedMachine) {
        (self.name, self.till, self.clock) = (name, till, clock)
    }

    var isGone: Bool { state.withLock { $0.isGone } }

    func die() { state.withLock { $0.isGone = true } }

    func die(after count: Int) { state.withLock { $0.diesAfter = count } }

    func arm(_ fault: LineFault, after skip: Int) { state.withLock { $0.line.append((skip, fault)) } }

    func arm(_ fault: JournalFault, after skip: Int) { state.withLock { $0.journal.append((skip, fault)) } }

    /// Nothing more goes wrong with it.
    func calm() { state.withLock { ($0.line, $0.journal, $0.diesAfter) = ([], [], nil) } }

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

    func nextJournalFault() -> JournalFault? { state.withLock { Self.next(&$0.journal) } }

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

package import PaymentAbstraction
internal import PaymentBase
package import PaymentConformance
internal import PaymentTesting

/// A check of the suite of providers over two journals at once that are told the same: the one in memory and a store.
package struct TwinPlay: Sendable {
    private let harness: any ConformanceHarness
    private let table: LateRegistry
    private let store: any Journal
    private let generation: JournalGeneration

    /// Takes a store that is empty, and that asks `table` which processes live.
    package init(_ harness: any ConformanceHarness, _ store: any Journal, _ table: LateRegistry) async throws {
        (self.harness, self.store, self.table) = (harness, store, table)
        generation = try await store.generation()
    }

    /// Plays one check; says whether it passed, and what the two journals did differently.
    package func play(_ check: Check) -> (passed: Bool, differences: [String]) {
        var suite = ConformanceRunner(harness)
        let twins = Locked([TwinJournal]())
        suite.makeJournal = { [table, store, generation] scheduler, processes in
            table.follow(processes)
            let twin = TwinJournal(InMemoryJournal(processes: processes, generation: generation), store)
            twins.withLock { $0.append(twin) }
            return ClockPausingJournal(twin, scheduler)
        }
        let result = suite.run(check)
        return (result.status == .passed, twins.withLock { $0 }.flatMap(\.differences))
    }
}

internal import PaymentAbstraction
internal import PaymentBase

/// The processes of one test: each start has a name of its own, and a restart kills those before it.
package final class ProcessTable: ProcessRegistry {
    private let state = Locked((count: 0, alive: Set<String>()))

    package init() {}

    /// The table itself is no process.
    package var own: String { "table" }
    package func isAlive(_ owner: String) -> Bool { state.withLock { $0.alive.contains(owner) } }

    /// Starts a process; unless it starts beside the others, those are dead.
    package func start(beside: Bool = false) -> Started {
        let name = state.withLock { state in
            state.count += 1
            let name = "process-\(state.count)"
            if beside { state.alive.insert(name) } else { state.alive = [name] }
            return name
        }
        return Started(own: name, table: self)
    }

    /// Kills a process.
    package func kill(_ name: String) { state.withLock { _ = $0.alive.remove(name) } }

    /// One process of the table.
    package struct Started: ProcessRegistry {
        package let own: String
        fileprivate let table: ProcessTable
        package func isAlive(_ owner: String) -> Bool { table.isAlive(owner) }
    }
}

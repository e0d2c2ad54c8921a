package import PaymentAbstraction
internal import PaymentBase

/// The registry of a store that is opened before the processes of a check are known.
package final class LateRegistry: ProcessRegistry {
    private let table = Locked((any ProcessRegistry)?.none)

    /// A registry that knows no process.
    package init() {}

    package var own: String { "store" }
    package func isAlive(_ owner: String) -> Bool { table.withLock { $0 }?.isAlive(owner) ?? false }
    /// Answers as another one from now on.
    package func follow(_ registry: any ProcessRegistry) { table.withLock { $0 = registry } }
}

public import PaymentBase

/// A provider whose state can be kept in a file, so that two runs of a program meet the same provider.
///
/// ```swift
/// extension Acme: Persistable {
///     func snapshot() -> JSON { state.withLock { ["ledger": $0.ledger.json, "orders": … ] } }
///     func restore(_ snapshot: JSON) -> Bool { … }
/// }
/// ```
public protocol StatefulProvider: SimulatedProvider {
    /// Everything that a restart must not lose.
    func snapshot() -> JSON
    /// Takes over what an earlier snapshot says; false, and nothing changes, when it can't be read.
    func restore(_ snapshot: JSON) -> Bool
}

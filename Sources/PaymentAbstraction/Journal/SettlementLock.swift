/// Lets one process at a time settle in the background; the others leave it to that one.
public protocol SettlementLock: Sendable {
    /// Takes the lock if it is free; says whether it was.
    func acquire() -> Bool
    /// Gives it back.
    func release()
}

/// Tells whether another process that began an attempt is still there; only when it is gone may we take over.
public protocol OwnerRegistry: Sendable {
    /// Whether the process of that name still runs.
    func isAlive(_ owner: String) -> Bool
}

/// Right where one client alone uses a journal: whoever else has written in it is gone.
public struct SoleOwner: OwnerRegistry {
    /// Makes a registry that knows of nobody.
    public init() {}
    public func isAlive(_ owner: String) -> Bool { false }
}

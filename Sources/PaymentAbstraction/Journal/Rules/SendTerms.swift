/// What a send is opened with.
public struct SendTerms: Hashable, Sendable {
    /// The key under which the provider does it once, however often it comes.
    public var key: String?
    /// How long the provider keeps such a key, in milliseconds from the first send under it; nil for ever.
    public var keyLives: Int64?
    /// For how long bytes of it can leave, in milliseconds from its opening; nil for as long as it likes.
    public var leavesWithin: Int64?

    /// Terms without a key.
    public init(key: String? = nil, keyLives: Int64? = nil, leavesWithin: Int64?) {
        (self.key, self.keyLives, self.leavesWithin) = (key, keyLives, leavesWithin)
    }
}

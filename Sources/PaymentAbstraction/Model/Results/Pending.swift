/// Something that was accepted and is not final.
public struct Pending: Hashable, Sendable {
    /// What the provider calls it.
    public var references: PaymentReferences
    /// What the provider said.
    public let provider: ProviderMessage?
    /// Whether the client shall ask again within the same call.
    public let shouldPoll: Bool
    /// The attempt that is pending; the client fills it in.
    public package(set) var attempt: AttemptID?

    /// Makes a pending answer; with `shouldPoll` the client polls by the driver's plan before it gives up.
    public init(references: PaymentReferences = [:], provider: ProviderMessage? = nil, shouldPoll: Bool) {
        (self.references, self.provider, self.shouldPoll) = (references, provider, shouldPoll)
    }

    var recordable: Pending {
        var copy = Pending(references: references, provider: provider?.recordable, shouldPoll: shouldPoll)
        copy.attempt = attempt
        return copy
    }
}

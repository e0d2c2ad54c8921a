public import PaymentBase

/// A finished request in the provider's own words, which somebody else made: the merchant's back end, say.
///
/// The adapter checks that it asks for what the application says, sends it as it is, and keeps the answer in it. Only
/// a provider with the feature `prepared` takes one.
public final class PreparedRequest: Sendable {
    /// The request as it was made.
    public let bytes: [UInt8]
    private let answer = Locked<[UInt8]?>(nil)

    /// Takes a finished request.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The provider's answer to it; nil as long as there is none, and where it was lost.
    public var reply: [UInt8]? { answer.withLock { $0 } }

    /// Keeps the answer; called by the adapter.
    public func storeReply(_ reply: [UInt8]) { answer.withLock { $0 = reply } }
}

extension PreparedRequest: Hashable {
    public static func == (one: PreparedRequest, other: PreparedRequest) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension PreparedRequest: RedactedDescription {
    /// How long it is; never what it says.
    public var description: String { "PreparedRequest(\(bytes.count) bytes)" }
}

public import PaymentAbstraction

/// A message that somebody wants explained: its bytes, and what is known about where it comes from.
public struct InspectedMessage: Hashable, Sendable {
    /// The body, as it stood on the wire.
    public let body: [UInt8]
    /// What it belongs to, where the message alone can't tell.
    public var operation: PaymentOperation?
    /// The status of the reply, where somebody knows it.
    public var httpStatus: Int?

    /// Makes a message.
    public init(_ body: [UInt8]) { self.body = body }
}

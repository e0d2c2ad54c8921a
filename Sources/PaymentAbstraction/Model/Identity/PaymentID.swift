/// Names a payment: our own id of the attempt that it came from.
public struct PaymentID: Hashable, Sendable {
    /// The attempt that the payment came from.
    public let attempt: AttemptID

    /// Names the payment that came from an attempt.
    public init(_ attempt: AttemptID) { self.attempt = attempt }

    /// Reads a payment's name back from its text.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when it is no name of ours.
    public init(_ text: String) throws(PaymentError) { attempt = try AttemptID(text) }
}

extension PaymentID: CustomStringConvertible {
    public var description: String { attempt.text }
}

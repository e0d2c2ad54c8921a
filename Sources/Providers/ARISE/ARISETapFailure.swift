/// A failure of Tap to Pay with ARISE's own code: what a reader of an application throws, so that the code is kept.
public struct ARISETapFailure: Error, Hashable, Sendable {
    /// The code, such as `GPS003`, `notActive` or `PaymentCardReaderError.0`.
    public let code: String
    /// What came with it.
    public let message: String

    /// Keeps a code and a text.
    public init(_ code: String, message: String = "") { (self.code, self.message) = (code, message) }
}

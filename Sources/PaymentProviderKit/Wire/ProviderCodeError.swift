/// What goes wrong on the device or with an answer, under one of the provider's own codes.
///
/// An adapter throws it; its ``PaymentAbstraction/ErrorTable`` says what the code means.
public struct ProviderCodeError: Error, Hashable, Sendable {
    /// The code, as the adapter's table lists it.
    public let code: String
    /// What the provider or the device said.
    public var message = ""

    /// Makes a failure of a code and what was said.
    public init(_ code: String, _ message: String = "") { (self.code, self.message) = (code, message) }
}

public import PaymentBase

/// A final set of parameters with its signature.
public struct EcommpaySignedParameters: Sendable {
    /// The parameters as they were signed.
    public let parameters: JSON
    /// The signature, in Base64.
    public let signature: String

    /// Keeps parameters with their signature.
    public init(_ parameters: JSON, signature: String) { (self.parameters, self.signature) = (parameters, signature) }
}

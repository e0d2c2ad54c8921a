public import PaymentBase

/// A set of parameters that is to be signed.
public struct EcommpaySigningRequest: Sendable {
    /// The parameters.
    public let parameters: JSON
    /// The text of them that the signature is made of.
    public let text: String

    /// Makes a request of parameters.
    public init(_ parameters: JSON) { self.init(parameters, nil) }

    init(_ parameters: JSON, _ text: String?) {
        (self.parameters, self.text) = (parameters, text ?? EcommpaySigning.text(parameters))
    }
}

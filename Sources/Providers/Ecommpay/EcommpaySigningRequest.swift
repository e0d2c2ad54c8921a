public import PaymentAbstraction
public import PaymentBase

/// A set of parameters that is to be signed.
public struct EcommpaySigningRequest: Sendable {
    /// The parameters.
    public let parameters: JSON
    /// The text of them that the signature is made of.
    public let text: String

    /// Makes a request of parameters.
    ///
    /// - Throws: `invalidRequest`, nothing moved, if the parameters exceed the limits of what is signed. A server that signs
    ///   for others answers them with a refusal then.
    public init(_ parameters: JSON) throws(PaymentError) {
        do { self.init(parameters, text: try EcommpaySigning.text(parameters)) } catch {
            throw PaymentError.notExecuted(.invalidRequest, "the message can't be signed: \(error.reason)")
        }
    }

    init(_ parameters: JSON, text: String) { (self.parameters, self.text) = (parameters, text) }
}

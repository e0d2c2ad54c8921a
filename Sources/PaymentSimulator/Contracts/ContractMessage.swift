public import PaymentBase

/// One message on its way, with the name under which it is described.
public struct ContractMessage: Sendable {
    /// Who said it.
    public let side: ContractViolation.Side
    /// The call or the occasion, as a reader knows it: `POST /v72/payments`.
    public let call: String
    /// The name in the tables; nil where nobody describes it.
    public let name: String?
    /// What it says; nil where there is nothing to read.
    public let body: JSON?
    /// What is wrong with it beside its body.
    public var faults: [String] = []

    /// Names a message.
    public init(_ side: ContractViolation.Side, _ call: String, _ name: String?, _ body: JSON?) {
        (self.side, self.call, self.name, self.body) = (side, call, name, body)
    }
}

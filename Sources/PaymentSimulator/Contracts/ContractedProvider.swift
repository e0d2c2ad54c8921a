public import PaymentBase
public import PaymentTransport

/// A simulated provider whose original publishes descriptions or examples of its messages.
public protocol ContractedProvider: SimulatedProvider {
    /// What is published.
    static var contracts: APIContract { get }
    /// The described messages of one exchange.
    func described(_ request: HTTPRequest, _ answer: HTTPResponse?) -> [ContractMessage]
    /// The described messages in one that the provider sends by itself.
    func described(_ body: JSON) -> [ContractMessage]
}

extension ContractedProvider {
    /// The messages that the calls' table names.
    public func described(_ request: HTTPRequest, _ answer: HTTPResponse?) -> [ContractMessage] {
        Self.contracts.messages(request, answer)
    }

    /// A provider of whose messages nothing is published.
    public func described(_ body: JSON) -> [ContractMessage] { [] }
}

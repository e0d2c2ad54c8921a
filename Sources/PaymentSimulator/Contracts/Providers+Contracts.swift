public import PaymentBase
public import PaymentTransport

/// A simulated provider whose original publishes descriptions or examples of its messages.
public protocol ContractedProvider: SimulatedProvider {
    /// What is published.
    static var contracts: APIContract { get }
    /// The described messages of one exchange.
    func described(_ request: HTTPRequest, _ answer: HTTPResponse?) -> [ContractMessage]
    /// The described messages in one that the provider sends on its own.
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

extension ARISESimulator: ContractedProvider { public static let contracts = APIContract.arise }
extension NISimulator: ContractedProvider { public static let contracts = APIContract.ni }

extension HaloSimulator: ContractedProvider {
    public static let contracts = APIContract.halo

    public func described(_ body: JSON) -> [ContractMessage] {
        [ContractMessage(.provider, "webhook", "webhook", body)]
    }
}

extension EcommpaySimulator: ContractedProvider {
    public static let contracts = APIContract.ecommpay

    /// A callback is one of three published kinds, by what is in it.
    public func described(_ body: JSON) -> [ContractMessage] {
        let kind = body["payment"] == nil ? "other" : body["operation"] == nil ? "step" : "payment"
        return [ContractMessage(.provider, "callback about \(kind)", "callback.\(kind)", body)]
    }
}

extension AdyenSimulator: ContractedProvider {
    public static let contracts = APIContract.adyen

    public func described(_ request: HTTPRequest, _ answer: HTTPResponse?) -> [ContractMessage] {
        let isLocal = TerminalWay(request)?.kind == .local
        guard isLocal || TerminalWay(request) != nil || request.target == Self.phonePath + "perform" else {
            return Self.contracts.messages(request, answer)
        }
        let sent = plain(request.body, isLocal)
        guard let answer, !answer.body.isEmpty else { return Self.terminal(.client, sent) }
        let said = plain(answer.body, isLocal)
        let isRefused = answer.status >= 400 && said?["kit"] == nil
        let error = ContractMessage(
            .provider, "terminal \(answer.status)", "cloud/DefaultErrorResponseEntity", said)
        return Self.terminal(.client, sent) + (isRefused ? [error] : Self.terminal(.provider, said))
    }

    private func plain(_ body: [UInt8], _ isSealed: Bool) -> JSON? {
        let json = try? JSONReader().read(body)
        return isSealed ? json.flatMap { nexo?.open($0) } : json
    }

    /// The head and the body of a message to or from a terminal, and the message that an answer repeats.
    private static func terminal(_ side: ContractViolation.Side, _ json: JSON?) -> [ContractMessage] {
        for root in ["SaleToPOIRequest", "SaleToPOIResponse"] {
            guard let members = json?[root]?.object?.members else { continue }
            return members.flatMap { member -> [ContractMessage] in
                let message = ContractMessage(side, member.key, "terminal/\(member.key)", member.value)
                let inner = member.value["RepeatedMessageResponse"]?["RepeatedResponseMessageBody"]?.object?.members
                return [message]
                    + (inner ?? []).map {
                        ContractMessage(side, "\($0.key), repeated", "terminal/\($0.key)", $0.value)
                    }
            }
        }
        return []
    }

    /// A webhook for each item, by its event.
    public func described(_ body: JSON) -> [ContractMessage] {
        (body["notificationItems"]?.array ?? []).map { item in
            let event = item["NotificationRequestItem"]?["eventCode"]?.string ?? ""
            return ContractMessage(
                .provider, "webhook \(event)", "webhooks/\(event)", body.adding("notificationItems", [item]))
        }
    }
}

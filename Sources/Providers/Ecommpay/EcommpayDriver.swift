public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

/// ecommpay: keyed cards, saved cards, tokens and wallets in sessions with questions to the customer; holds, refunds
/// and debits through the Gate.
///
/// The attempt's id is the payment's name, and an acknowledgement never means paid: what happened is what the status
/// of the payment says.
public struct EcommpayDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public let capabilities: Capabilities
    let configuration: EcommpayConfiguration
    let sessions: JSONClient
    let gate: JSONClient
    let webSockets: (any WebSocketTransport)?
    let seal: EcommpaySignatureMode
    let crypto: any Crypto
    /// Steps of payments that this process follows, as callbacks tell them.
    let steps = EcommpaySteps()

    /// Makes a driver that speaks with the given tools.
    ///
    /// - Throws: `configuration`, nothing moved, when nobody is there who signs, or production is to be spoken to by
    ///   messages of our own.
    public init(_ configuration: EcommpayConfiguration, _ tools: ProviderDependencies) throws(PaymentError) {
        if configuration.link == .session, configuration.environment == "production" {
            throw PaymentError.notExecuted(
                .configuration,
                "link session of \(configuration.name) speaks messages of our own, which only the simulated provider "
                    + "knows: what the vendor's kit says to its hosts is not public. Set link to kit, on a phone with "
                    + "the vendor's SDK, or on a server to gate, where it may hold card numbers, and to page, "
                    + "where it may not")
        }
        if let server = tools.delegates[configuration.name] as? any EcommpaySigner {
            seal = .server(server, tools.crypto)
        } else if let signer = tools.signers[configuration.name] {
            seal = .bytes(signer, tools.crypto)
        } else if let secret = configuration.secret, !secret.isEmpty {
            seal = .local(secret, tools.crypto)
        } else {
            throw PaymentError.notExecuted(
                .configuration, "nobody signs for \(configuration.name): give a signer, or the secret on a server")
        }
        (self.configuration, crypto, webSockets) = (configuration, tools.crypto, tools.webSockets)
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "ecommpay", environment: configuration.environment,
            merchant: String(configuration.project))
        sessions = JSONClient(tools.transport, configuration.sessions)
        gate = JSONClient(tools.transport, configuration.gate)
        capabilities = Self.takes(configuration, sendLimit: tools.transport.sendLimitMilliseconds)
    }

    private static func takes(_ configuration: EcommpayConfiguration, sendLimit: Int64?) -> Capabilities {
        var takes = Capabilities(sources: [.card, .saved, .token, .wallet], sendLimit: sendLimit)
        takes.features = [
            .customer, .contact, .billing, .displayText, .language, .saveInstrument, .cardOnFile, .recipient,
            .partialApproval,
        ]
        if configuration.link == .page {
            // The page asks the customer by itself whether a card is kept.
            takes.sources = [.page]
            takes.features.remove(.saveInstrument)
        }
        if configuration.link == .page || configuration.link == .gate {
            // Wallets and recipients stand in no published message that begins a payment.
            takes.sources.remove(.wallet)
            takes.features.remove(.recipient)
        }
        takes.authorizationSources = takes.sources
        takes.verificationSources = configuration.link == .page ? [] : [.card]
        takes.currencies = configuration.currencies
        takes.captureRule = .single
        takes.isExclusive = configuration.isSoleUser
        return takes
    }

    public var secrets: [Secret] { configuration.secret.map { [$0] } ?? [] }

    /// Absence proves nothing: that a payment is not found is never final here, and for ten seconds it means nothing.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        var plan = LookupPlan(
            every: Self.shownAfterMilliseconds, giveUpAfter: 3 * Self.shownAfterMilliseconds)
        plan.comparesTotals = operation == .capture || operation == .adjust || operation == .void
        return plan
    }

    public func classify(_ error: any Error) -> RequestFailure {
        var fault = ErrorTable.ecommpay.failure(error) { body in
            let said = EcommpayRefusal(body)
            return (said.code, said.message)
        }
        if let code = fault.provider?.code, fault.provider?.message.isEmpty == true,
            let advice = EcommpayAdvice.text(code)
        {
            fault.provider = ProviderMessage(code: code, message: advice)
        }
        return fault
    }

    // MARK: Exchanges

    /// Sends something to the session's interface.
    func send<Message>(
        _ path: String, _ body: JSON, as message: (JSON?) -> Message?
    ) async throws -> Message {
        try await sessions.read(
            "POST", configuration.sessionPath + path, body: body, unreadable: Self.unreadable, as: message)
    }

    /// Sends a signed message to the Gate.
    func send<Message>(
        signed message: JSON, to path: String, as read: (JSON?) -> Message?
    ) async throws -> Message {
        let body = try await seal.signed(message)
        return try await gate.read("POST", path, body: body, unreadable: Self.unreadable, as: read)
    }

    /// Asks the Gate for something; what is not signed by the provider is not believed.
    func ask<Message>(_ question: JSON, at path: String, as read: (JSON?) -> Message?) async throws -> Message {
        let (json, message) = try await send(signed: question, to: path) { json in
            read(json).flatMap { message in json.map { ($0, message) } }
        }
        guard try await seal.isGenuine(json) else {
            throw PaymentError.unknown(.signatureInvalid, "the answer is not signed by the provider")
        }
        return message
    }

    /// What the Gate says about a payment; what is about another payment is not believed.
    func status(_ payment: String) async throws -> EcommpayReport {
        let report = try await ask(
            EcommpayMapping.gate(payment, configuration.project), at: EcommpayPath.status, as: { EcommpayReport($0) })
        try believe(report, about: payment)
        return report
    }

    /// What the Gate says about one request of ours; nil where it does not know it, or not yet.
    func status(ofRequest request: String, _ payment: String) async throws -> EcommpayReport? {
        let body: JSON = [
            "project_id": EcommpayMapping.number(configuration.project), "request_id": .string(request),
        ]
        do {
            let report = try await ask(body, at: EcommpayPath.requestStatus) { EcommpayReport(request: $0) }
            try believe(report, about: payment)
            return report
        } catch let refusal as HTTPErrorResponse where refusal.status == 404 { return nil }
    }

    /// Throws unless a report is about our payment.
    func believe(_ report: EcommpayReport, about payment: String) throws(PaymentError) {
        guard report.payment == payment,
            report.project ?? String(configuration.project) == String(configuration.project)
        else { throw PaymentError.unknown(.mismatch, "the answer is about another payment") }
    }

    /// For how long after a request the Gate may show nothing of it, in milliseconds: a request is not asked for sooner,
    /// and what is not shown not more often.
    static let shownAfterMilliseconds: Int64 = 10_000

    /// The code under which an answer that can't be read fails.
    static let unreadable = "SERVER_CONTENT_PARSING_ERROR"
}

public import PaymentProviderKit

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
    /// - Throws: `configuration`, nothing moved, without a signer, or production is to be spoken to by
    ///   messages of our own.
    public init(_ configuration: EcommpayConfiguration, _ tools: ProviderDependencies) throws(PaymentError) {
        if configuration.link == .session, ["production", "test"].contains(configuration.environment) {
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
                .configuration, "nothing signs for \(configuration.name): give a signer, or the secret on a server")
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
            // The page asks the customer on its own whether a card is kept. A part that is paid there may be reported when no caller
            // waits any more, and then no one could say whether it is taken.
            takes.sources = [.page]
            takes.features.remove(.saveInstrument)
            takes.features.remove(.partialApproval)
        }
        if configuration.link == .page || configuration.link == .gate {
            // Wallets stand in no published message that begins a payment, and recipients in none of a page.
            takes.sources.remove(.wallet)
            if configuration.link == .page { takes.features.remove(.recipient) }
        }
        takes.authorizationSources = takes.sources
        takes.verificationSources = configuration.link == .page ? [] : [.card]
        takes.currencies = configuration.currencies
        takes.uniqueNames = EcommpayMapping.Name.naming
        takes.captureRule = .single
        takes.isExclusive = configuration.isSoleUser
        return takes
    }

    public var secrets: [Secret] { configuration.secret.map { [$0] } ?? [] }

    /// Absence proves nothing: that a payment is not found is never final here, and for ten seconds it means nothing.
    ///
    /// An id is registered once in a project, and from then on answered 3041 (`PAYMENT_ALREADY_EXIST`, or
    /// `PAYMENT_HAS_FINAL_STATUS`); of the words of a payment *decline* is a final one. While other tries under the id are
    /// possible the word is another: *awaiting customer*, or *processing*. Debits are left out, since the provider may try a
    /// declined one again on its own, and so are the page and the vendor's SDK, where the customer tries again.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        var plan = LookupPlan(
            every: Self.shownAfterMilliseconds, giveUpAfter: 3 * Self.shownAfterMilliseconds)
        plan.comparesTotals = operation == .capture || operation == .adjust || operation == .void
        let isOurs = configuration.link == .gate || configuration.link == .session
        plan.takesIDOnce = isOurs && [.sale, .authorize, .verify].contains(operation)
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

    /// What the Gate says about one request of our own; nil where it does not know it, or not yet.
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

extension EcommpayDriver: SaleDriver, VerificationDriver, TokenizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await taking(try await pay(.sale, EcommpayMapping.Order(request), context), request, context)
    }

    /// What becomes of an approval of a part only: the application takes it, or it goes back.
    func taking(_ verdict: Verdict, _ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .approved(let approval) = verdict, approval.isPartial else { return verdict }
        let offer = PartialApprovalOffer(approved: approval.amount, of: request.amount)
        if !request.acceptsPartialApproval { return verdict }
        if await context.ask(offer) == true { return verdict }
        context.givesBack()
        // A part that is not taken goes back, under the sale's own name.
        return try await sendRefund(
            context.attempt.text, approval.amount, "a part that was not taken", context.note(Self.methodNote), context)
    }

    public func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try needsCustomer(request)
        return try await pay(.verify, EcommpayMapping.Order(request), context)
    }

    public func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try needsCustomer(request)
        if let verdict = try await tokenizedAtGate(request, context) { return verdict }
        return try await pay(.tokenize, EcommpayMapping.Order(request), context)
    }

    /// What came of a token that is made through the Gate; nil where sessions make them.
    func tokenizedAtGate(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict? {
        guard configuration.tokenizesAtGate || configuration.link == .gate, case .card(let card) = request.source,
            let customer = request.customer
        else { return nil }
        return try await tokenize(card, of: customer, .zero(request.currency), context)
    }

    func needsCustomer(_ request: VerificationRequest) throws(ProviderCodeError) {
        if request.customer?.isEmpty ?? true { throw ProviderCodeError("CUSTOMER_ID_NOT_EXIST") }
    }

    // MARK: A session

    /// A session under way.
    private struct Visit {
        let operation: PaymentOperation
        let order: EcommpayMapping.Order
        let opening: EcommpayOpening
        /// What has to be compared with a payment that is taken up.
        let restored: EcommpayClaim?
    }

    /// The order of a session: open it, pay in it, answer what it asks, learn how it ended.
    func pay(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        if case .hostedPage = order.source { return try await lead(operation, order, context) }
        if configuration.link == .gate { return try await begin(operation, order, context) }
        var order = order
        order.extras = await extras(operation, order, context)
        try visaRule(order)
        _ = try method(order.source)
        let opening: EcommpayOpening
        do { opening = try await open(order, context) } catch {
            guard (error as? PaymentError)?.provider?.code == Self.alreadyThere else { throw error }
            return try await found(operation, try await claimBeforeSending(order.amount, context), context)
        }
        let restored = opening.offer.isRestored ? try await claimBeforeSending(order.amount, context) : nil
        return try await leaving(opening.session, context) {
            if !opening.offer.isRestored {
                order.source = try await chosen(operation, order, opening.offer, context) { id throws(PaymentError) in
                    try await forget(id, opening.offer, opening.session, context)
                }
            }
            try visaRule(order, opening.offer.saved)
            if case .wallet = order.source {
                try context.note(Self.methodNote, try method(order.source))
            }
            return try await hear(
                Visit(operation: operation, order: order, opening: opening, restored: restored), context)
        }
    }

    /// Notifies the provider when no caller waits in a session any more: the caller has left, or the payment takes its
    /// time. Whatever is under way continues, and is looked up.
    private func leaving(
        _ session: Secret, _ context: PaymentContext, _ body: () async throws -> Verdict
    ) async throws -> Verdict {
        let leave: @Sendable () async -> Void = {
            let message: JSON = ["sid": .string(session.expose())]
            _ = try? await context.exchange(.readOnly) { _ in
                try await send(EcommpayPath.leave, message) { $0?["status"]?.string }
            }
        }
        do {
            let verdict = try await body()
            if case .pending(let pending) = verdict, !pending.shouldPoll { await leave() }
            return verdict
        } catch {
            if Task.isCancelled { await context.ignoringCancellation(leave) }
            throw error
        }
    }

    private func hear(_ visit: Visit, _ context: PaymentContext) async throws -> Verdict {
        let opening = visit.opening
        guard let events = EcommpayEvents(webSockets, configuration, opening.session) else {
            return try await rounds(visit, nil, context)
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await events.listen(context) }
            defer { group.cancelAll() }
            return try await rounds(visit, events, context)
        }
    }

    private func rounds(_ visit: Visit, _ events: EcommpayEvents?, _ context: PaymentContext) async throws -> Verdict {
        let session = visit.opening.session
        var effect = RequestEffect.idempotent
        var claim: EcommpayClaim
        if let restored = visit.restored {
            claim = restored
        } else {
            claim = try await start(visit, visit.order.source, context)
            effect = .readOnly
        }
        var (waits, refusals) = (0, 0)
        var done: EcommpayCustomerStep.Step?
        for _ in 0..<Self.roundsMax {
            let report = try await context.exchange(effect) { _ in try await state(session, context.attempt.text) }
            effect = .readOnly
            try believe(report, visit.operation, by: claim)
            if let question = report.question, done == nil || question.step != done {
                done = question.step
                let heard = try await answer(question, report, .session(session), context)
                if heard == .answered { continue }
                refusals += 1
                if heard == .refused, refusals < Self.refusalsMax { continue }
                return .pending(Pending(references: ["payment": report.payment], shouldPoll: false))
            }
            switch try EcommpayMapping.standing(report, visit.operation) {
            case .verdict(let verdict): return try await confirmed(verdict, visit, context)
            case .doubtful: return .pending(Pending(shouldPoll: true))
            case .waiting where report.question?.step == nil:
                guard let source = try await again(report, visit.order, visit.operation, context) else {
                    return .pending(Pending(references: ["payment": report.payment], shouldPoll: false))
                }
                claim = try await start(visit, source, context)
            case .waiting, .moving:
                waits += 1
                let poll = min(Int64(waits) * 1_000, Self.pollMillisecondsMax)
                await context.pause(until: context.now + (events?.isHearing == true ? Self.pushMilliseconds : poll))
            }
        }
        return .pending(Pending(references: ["payment": context.attempt.text], shouldPoll: false))
    }

    /// What the application knows beyond the request.
    func extras(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async -> EcommpayRequestOptions.Answer {
        guard (try? context.needs(EcommpayRequestOptions.self)) != nil else { return EcommpayRequestOptions.Answer() }
        let asked = EcommpayRequestOptions(context.attempt, operation, order.amount)
        return await context.ask(asked) ?? EcommpayRequestOptions.Answer()
    }

    /// What the customer chooses out of what the session offers, where the application shows it; else what was asked.
    func chosen(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ offer: EcommpayMethodList,
        _ context: PaymentContext, forget: @escaping @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void
    ) async throws(PaymentError) -> PaymentSource {
        guard (try? context.needs(EcommpayMethodChoice.self)) != nil else { return order.source }
        guard let source = await context.ask(EcommpayMethodChoice(offer, forget: forget)) else { return order.source }
        guard sources(operation).contains(source.kind) else {
            throw PaymentError.notExecuted(.unsupported, "this operation takes no \(source.kind.rawValue)")
        }
        guard isOurs(source) else {
            throw PaymentError.notExecuted(.unsupported, "what was chosen was made by another provider")
        }
        return source
    }

    /// Whether no other provider or account made it: under its name here another customer's card may be kept.
    func isOurs(_ source: PaymentSource) -> Bool {
        if case .saved(let id, _) = source { return id.isKept(at: identity) }
        return source.tokenProvider.map { $0 == identity.id } ?? true
    }

    /// Takes a saved instrument out of what a session offers, for good.
    private func forget(
        _ id: SavedInstrument.ID, _ offer: EcommpayMethodList, _ session: Secret, _ context: PaymentContext
    ) async throws(PaymentError) {
        guard let account = Int64(id.rawValue), offer.saved.contains(where: { $0.id == id }) else {
            throw PaymentError.notExecuted(.notFound, "the session does not offer this instrument")
        }
        let body: JSON = [
            "sid": .string(session.expose()), "saved_account_id": EcommpayMapping.number(account),
        ]
        _ = try await context.exchange(.readOnly) { _ in
            try await send(EcommpayPath.forgetAccount, body) { $0?["status"]?.string == "success" ? true : nil }
        }
    }

    /// What an operation is paid with.
    func sources(_ operation: PaymentOperation) -> Set<PaymentSource.Kind> {
        switch operation {
        case .sale: capabilities.sources
        case .verify, .tokenize: capabilities.verificationSources
        case .authorize, .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .debit, .chargeback:
            capabilities.authorizationSources
        }
    }

    /// How often a session is asked how it is.
    static var roundsMax: Int { 24 }
    /// How long to wait between two questions at most, in milliseconds.
    static var pollMillisecondsMax: Int64 { 5_000 }
    /// How long to wait where events are pushed, in milliseconds; then the session is asked all the same.
    static var pushMilliseconds: Int64 { 30_000 }
    /// The code that says that there is a payment of this name.
    static var alreadyThere: String { "3041" }
    static var methodNote: String { "method" }

    private func open(
        _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> EcommpayOpening {
        let parameters = EcommpayMapping.session(order, context.attempt, configuration)
        let more = try EcommpayMapping.unsigned(order)
        return try await context.exchange(.readOnly) { _ in
            var body = try await seal.signed(session: parameters)
            for (name, value) in more { body = body.adding(name, value) }
            return try await send(EcommpayPath.open, body, as: EcommpayOpening.init)
        }
    }

    /// Sends what is paid with; says what has to be compared with the payment.
    private func start(
        _ visit: Visit, _ source: PaymentSource, _ context: PaymentContext
    ) async throws -> EcommpayClaim {
        let body = try EcommpayMapping.payment(
            visit.operation, visit.order, source, visit.opening.session, configuration)
        let (ack, claim) = try await context.exchange(.idempotent) { _ in
            try await beginning(visit.operation, visit.order.amount, context) {
                try await send(EcommpayPath.pay, body) { EcommpayAck($0, about: context.attempt.text) }
            }
        }
        guard ack.payment == context.attempt.text else {
            throw PaymentError.unknown(.mismatch, "the answer is about another payment")
        }
        return claim
    }

    /// Runs a request under our own name; that the provider has it already proves that it arrived.
    func acknowledged(_ payment: String, _ send: () async throws -> EcommpayAck) async throws -> EcommpayAck {
        do { return try await send() } catch let refusal as HTTPErrorResponse {
            guard isKnown(refusal) else { throw refusal }
            return EcommpayAck(payment: payment, request: nil)
        }
    }

    /// Whether a refusal says that the provider has this payment already.
    func isKnown(_ refusal: HTTPErrorResponse) -> Bool {
        refusal.status < 500 && Self.known.contains(EcommpayRefusal(refusal.body).code)
    }

    /// Codes that say that our own request is there already.
    private static var known: Set<String> { [alreadyThere, "3230"] }

    private func state(_ session: Secret, _ payment: String) async throws -> EcommpayReport {
        let report = try await send(
            EcommpayPath.state, ["sid": .string(session.expose())], as: { EcommpayReport($0) })
        try believe(report, about: payment)
        return report
    }

    /// What a session says about another amount than was asked for has to be beyond doubt: the signed status says it.
    private func confirmed(_ verdict: Verdict, _ visit: Visit, _ context: PaymentContext) async throws -> Verdict {
        guard case .approved(let approval) = verdict, approval.amount != visit.order.amount, !approval.isPartial else {
            return verdict
        }
        do {
            let said = try await found(visit.operation, nil, context).told(against: visit.order.amount)
            if case .approved(let signed) = said, signed.saved == nil, let saved = approval.saved {
                var whole = signed
                whole.saved = saved
                return .approved(whole)
            }
            return said
        } catch  where !(error is CancellationError) {
            throw PaymentError.unknown(.mismatch, "it was approved over another amount, and the status doesn't show it")
        }
    }

    /// There is a payment of this name, which is final: what the Gate says about it.
    ///
    /// - Parameter claim: What has to be compared; nil where the payment is known to be the attempt's own.
    func found(
        _ operation: PaymentOperation, _ claim: EcommpayClaim?, _ context: PaymentContext
    ) async throws -> Verdict {
        let report = try await context.exchange(.idempotent) { _ in try await status(context.attempt.text) }
        if let claim { try believe(report, operation, by: claim) }
        if case .verdict(let verdict) = try EcommpayMapping.standing(report, operation) {
            return verdict
        }
        return .pending(Pending(shouldPoll: true))
    }

    /// Since August 2024 a Visa card that is authenticated needs a way to reach its holder.
    ///
    /// - Parameter saved: What the session offers, whose brands are known.
    func visaRule(_ order: EcommpayMapping.Order, _ saved: [SavedInstrument] = []) throws(PaymentError) {
        let isVisa =
            switch order.source {
            case .card(let card): card.number.expose().hasPrefix("4")
            case .saved(let id, _):
                saved.contains { $0.id == id && $0.card?.brand?.lowercased().contains("visa") == true }
            case .reader, .external, .token, .wallet, .bank, .hostedPage: false
            }
        guard configuration.authenticatesCustomers, isVisa, !order.isReachable else { return }
        throw PaymentError.notExecuted(
            .invalidRequest,
            "Visa's rule of August 2024: with 3-D Secure the e-mail address or the telephone number is needed")
    }

    /// What 3-D Secure 2, the only one that the platform supports, needs to know of each payment at the Gate.
    func authenticationRule(_ order: EcommpayMapping.Order) throws(PaymentError) {
        guard configuration.authenticatesCustomers else { return }
        // Here and not when it opens: a journal is read without them.
        guard configuration.returnAddress != nil, configuration.notificationAddress != nil else {
            throw PaymentError.notExecuted(
                .configuration,
                "With 3-D Secure the Gate needs two addresses of the shop: set `returnAddress` and `notificationAddress` in "
                    + "the settings of \(configuration.name), or set `authenticates` to false if the project does not "
                    + "authenticate customers.")
        }
        guard order.isReachable else {
            throw EcommpayMapping.refused(
                "With 3-D Secure the Gate needs the customer's e-mail address or telephone number: give one in the contact."
            )
        }
        guard order.contact?.additional["screen_res"]?.value.isEmpty == false else {
            throw EcommpayMapping.refused(
                "With 3-D Secure the Gate needs the size of the customer's screen: give `screen_res`, such as 1920x1080, in "
                    + "the contact's further fields.")
        }
    }

    /// What the provider calls the way a payment was made.
    func method(_ source: PaymentSource) throws(PaymentError) -> String {
        if case .wallet(let token) = source { return try EcommpayMapping.method(token.wallet, configuration) }
        return "card"
    }
}

extension EcommpayDriver: AuthorizationDriver {
    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await pay(.authorize, EcommpayMapping.Order(request), context)
    }

    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await change("capture", ["capture"], request.amount, .idempotent, request, context)
    }
}

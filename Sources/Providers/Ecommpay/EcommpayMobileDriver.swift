public import PaymentMobileSDKs
public import PaymentProviderKit

/// ecommpay on a phone: the vendor's kit holds the session and makes the payment; its delegate's calls are questions
/// to the customer.
///
/// The whole call of the kit is one send: written down before it, ended by its answer. It carries our own name under
/// which the provider makes one payment, so that it is taken up again where its answer is lost. What became of a payment
/// is asked of the Gate, through which everything afterwards goes too; the application's server signs all of it.
public struct EcommpayMobileDriver: MobileSDKDriver {
    /// The same project by its Gate.
    public let apiDriver: EcommpayDriver
    let kit: any EcommpayPhoneSDK.SDK

    /// How long a kit may be silent until the Gate is asked, in milliseconds.
    static let silenceMilliseconds: Int64 = 30_000
    /// How long a kit's session lives without an event, in milliseconds.
    static let callMilliseconds: Int64 = 30 * 60_000
    /// How many events of the kit one payment may have.
    static let eventsMax = 512

    /// Makes a driver that pays with a kit, and does the rest through another's Gate.
    ///
    /// - Throws: `configuration`, nothing moved, when the project's secret would be on a phone in production.
    public init(_ driver: EcommpayDriver, _ kit: any EcommpayPhoneSDK.SDK) throws(PaymentError) {
        let configuration = driver.configuration
        if configuration.secret != nil, configuration.environment == "production" {
            throw PaymentError.notExecuted(
                .configuration,
                "link kit of \(configuration.name) has the project's secret on a phone: leave `secret` out, and hand over "
                    + "an EcommpaySigner that asks the application's server")
        }
        (apiDriver, self.kit) = (driver, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.sources = [.card, .saved, .token, .wallet]
        takes.authorizationSources = takes.sources
        takes.verificationSources = [.card]
        takes.features.insert(.recipient)
        return takes
    }

}

extension EcommpayMobileDriver: SaleDriver, AuthorizationDriver, VerificationDriver, TokenizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.taking(try await pay(.sale, EcommpayMapping.Order(request), context), request, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await pay(.authorize, EcommpayMapping.Order(request), context)
    }

    public func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try apiDriver.needsCustomer(request)
        return try await pay(.verify, EcommpayMapping.Order(request), context)
    }

    public func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try apiDriver.needsCustomer(request)
        if let verdict = try await apiDriver.tokenizedAtGate(request, context) { return verdict }
        return try await pay(.tokenize, EcommpayMapping.Order(request), context)
    }

    /// The order of a payment: open a session, pay in it, and complete what the kit leaves out.
    private func pay(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        var order = order
        order.extras = await apiDriver.extras(operation, order, context)
        try apiDriver.visaRule(order)
        _ = try EcommpayKitMapping.request(operation, order)
        let first = try await context.exchange(.readOnly) { _ in try await open(order, context) }
        switch first {
        case .begun:
            return try await apiDriver.found(
                operation, try await apiDriver.claimBeforeSending(order.amount, context), context)
        case .restored: _ = try await apiDriver.claimBeforeSending(order.amount, context)
        case .open: break
        }
        if case .open(_, let offer) = first {
            order.source = try await apiDriver.chosen(operation, order, offer, context, forget: forget(order, context))
            try apiDriver.visaRule(order, offer.saved)
        }
        let request = try EcommpayKitMapping.request(operation, order)
        if case .wallet = order.source { try context.note(EcommpayDriver.methodNote, "applepay") }
        let end = try await context.exchange(.idempotent) { current in
            // One session makes one payment: a second request opens another, which finds what the first left.
            let door = current.number == 1 ? first : try await open(order, context)
            return try await through(door, request, context)
        }
        return try await completed(end, operation, order, context)
    }

    /// Takes a saved instrument out of what a session offers, for good; the kit has no call for it, and the Gate has.
    private func forget(
        _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) -> @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void {
        { id throws(PaymentError) in
            guard let customer = order.customer else {
                throw PaymentError.notExecuted(.notFound, "the session is of no customer, and offers no instrument")
            }
            do { try await apiDriver.remove(id, of: customer, context.query) } catch let error as PaymentError {
                throw error
            } catch {
                throw PaymentError.notExecuted(.invalidRequest, "the instrument can't be removed: \(error)")
            }
        }
    }
}

extension EcommpayMobileDriver: AdjustmentDriver, VoidDriver, RefundDriver, CardOnFileDriver {}

extension EcommpayMobileDriver: SavedInstrumentDriver, DetailsDriver, WebhookDriver {}

extension EcommpayMobileDriver {
    /// What opening a session came to.
    enum Door {
        /// A session in which nothing was paid yet.
        case open(any EcommpayPhoneSDK.MSDKCoreSession, EcommpayMethodList)
        /// A session whose payment was begun before and waits.
        case restored(any EcommpayPhoneSDK.MSDKCoreSession)
        /// The payment was begun before, and no session takes it up.
        case begun
    }

    /// How the kit ended a payment, as far as it says.
    enum KitEnd {
        case success(EcommpayPhoneSDK.Payment)
        case refused(EcommpayPhoneSDK.Payment)
        /// It was declined, and may be tried again in the same payment.
        case mayBeTriedAgain
        /// It is not over: a person has to act, or the provider decides later.
        case waits
        /// The Gate has to be asked: the kit says nothing more.
        case silent
        /// The Gate has to be asked: the payment was begun before, and no session takes it up.
        case begun
    }

    // MARK: The session

    /// Signs a payment on the application's server and opens a session for it; nothing can move by that.
    func open(_ order: EcommpayMapping.Order, _ context: PaymentContext) async throws -> Door {
        let request = try await opening(order, context.attempt)
        let session = await kit.makeSession(config: sessionConfig)
        let ear = EcommpayEventQueue<EcommpayPhoneSDK.InitDelegate> { context.wake() }
        await session.getInitInteractor().execute(request: request) { ear.hear($0) }
        switch try await firstEvent(ear, context) {
        case .onInitReceived(let methods, let saved):
            return .open(session, await shown(EcommpayKitMapping.offer(methods, saved), session))
        case .onPaymentRestored(let payment):
            try believe(payment, context.attempt)
            return .restored(session)
        case .onError(.paymentAlreadyExist, _), .onError(.paymentHasFinalStatus, _): return .begun
        case .onError(let code, let message):
            throw EcommpayKitMapping.failure(code, message, in: .getInitInteractor, .nothingSeen)
        }
    }

    /// What a session says first. One that never opens must not keep its payment: the Gate can be asked.
    private func firstEvent(
        _ ear: EcommpayEventQueue<EcommpayPhoneSDK.InitDelegate>, _ context: PaymentContext
    ) async throws -> EcommpayPhoneSDK.InitDelegate {
        let end = context.uptime + Self.silenceMilliseconds
        while context.uptime < end, !Task.isCancelled {
            if let event = ear.take() { return event }
            await context.pause(until: context.now + end - context.uptime)
        }
        if let event = ear.take() { return event }
        if Task.isCancelled { throw CancellationError() }
        let seconds = Self.silenceMilliseconds / 1_000
        throw PaymentError.unknown(.timedOut, "the kit opened no session within \(seconds) seconds")
    }

    /// The same offer with the kit's own title, and with the logos of its methods and saved cards.
    private func shown(
        _ given: EcommpayMethodList, _ session: any EcommpayPhoneSDK.MSDKCoreSession
    ) async -> EcommpayMethodList {
        var offer = given
        offer.titles[Self.methodsTitle] = await session.getStringResourceManager().getStringByKey(
            key: Self.methodsTitle)
        let logos = await session.getSecureLogoResourceManager()
        let brands = offer.saved.compactMap { $0.card?.brand?.lowercased() }
        for name in Set(offer.methods.map(\.code) + brands) { offer.logos[name] = await logos.getLogoUrl(key: name) }
        for index in offer.methods.indices { offer.methods[index].logo = offer.logos[offer.methods[index].code] }
        return offer
    }

    /// The key of the title above the ways to pay.
    private static let methodsTitle = "title_payment_methods"

    private var sessionConfig: EcommpayPhoneSDK.MSDKCoreSessionConfig {
        let configuration = apiDriver.configuration
        return EcommpayPhoneSDK.MSDKCoreSessionConfig(
            configuration.environment == "production" ? .release : .debug, apiHost: configuration.sessions.host,
            wsApiHost: (configuration.events ?? configuration.sessions).host)
    }

    private func opening(
        _ order: EcommpayMapping.Order, _ attempt: AttemptID
    ) async throws -> EcommpayPhoneSDK.InitRequest {
        if order.extras.risk != nil {
            throw PaymentError.notExecuted(.unsupported, "risk data are not handed to the vendor's kit so far")
        }
        let configuration = apiDriver.configuration
        // Here and not when it opens: a journal is read without a signer.
        if apiDriver.seal.signsBytes, configuration.environment == "production" {
            throw PaymentError.notExecuted(
                .configuration,
                "link kit of \(configuration.name) has a signer of bytes, whose server can't tell a request from a callback: "
                    + "hand over an EcommpaySigner in `delegates` instead")
        }
        let parameters = EcommpayMapping.session(order, attempt, configuration)
        // The kit says what is signed; the server may add to it, and must keep amount, currency and names.
        let text = await kit.getParamsForSignature(try EcommpayKitMapping.info(.object(parameters)))
        let signed = try await apiDriver.seal.signed(session: parameters, text: text)
        var request = EcommpayPhoneSDK.InitRequest(paymentInfo: try EcommpayKitMapping.info(signed))
        for (name, value) in try EcommpayMapping.unsigned(order) {
            if name == "recurring" { request.recurrentInfo = try EcommpayKitMapping.recurrence(value) }
            if name == "additional_fields" { request.additionalFields = EcommpayKitMapping.fields(value) }
        }
        return request
    }

    /// Throws where the kit speaks of another payment.
    private func believe(_ payment: EcommpayPhoneSDK.Payment, _ attempt: AttemptID) throws(PaymentError) {
        guard let id = payment.id, id != attempt.text else { return }
        throw PaymentError.unknown(.mismatch, "the kit speaks of another payment")
    }

    // MARK: The payment

    /// Pays in a session, or takes up what was begun, and learns how it ended.
    func through(
        _ door: Door, _ request: EcommpayPhoneSDK.PayRequest, _ context: PaymentContext
    ) async throws -> KitEnd {
        switch door {
        case .begun: .begun
        case .restored(let session):
            try await call(session, .paymentRestore(EcommpayPhoneSDK.PaymentRestoreRequest()), .submitted, context)
        case .open(let session, _): try await call(session, request, .nothingSeen, context)
        }
    }

    private func call(
        _ session: any EcommpayPhoneSDK.MSDKCoreSession, _ request: EcommpayPhoneSDK.PayRequest, _ before: SDKEvidence,
        _ context: PaymentContext
    ) async throws -> KitEnd {
        let ear = EcommpayEventQueue<EcommpayPhoneSDK.PayDelegate> { context.wake() }
        let payment = await session.getPayInteractor()
        var evidence = before
        var asked: (fields: [EcommpayPhoneSDK.ClarificationField], refusals: Int) = ([], 0)
        await payment.execute(request: request) { ear.hear($0) }
        for _ in 0..<Self.eventsMax {
            guard let event = await next(ear, context) else { return .silent }
            evidence.see(event)
            let isAnswered: Bool
            switch event {
            case .onPaymentCreated:
                // A wallet's sheet is completed now: it does not wait for the bank's page.
                context.emit(Self.createdKind)
                continue
            case .onThreeDSecureRedirectComplete: continue
            case .onStatusChanged(let status, let said):
                try believe(said, context.attempt)
                guard let word = said.serverStatusName ?? EcommpayKitMapping.word(status) else { continue }
                context.emit(Self.statusKind, ["status": word])
                if EcommpayMapping.isSlow(word) || EcommpayMapping.waitsElsewhere(word) { return .waits }
                continue
            case .onCompleteWithSuccess(let said):
                try believe(said, context.attempt)
                return .success(said)
            case .onCompleteWithDecline(let isTryAgain, _, let said):
                try believe(said, context.attempt)
                return isTryAgain ? .mayBeTriedAgain : .refused(said)
            case .onCustomerFields(let fields): isAnswered = await answer(fields, payment, context)
            case .onThreeDSecure(let page, let isCascading, let said):
                try believe(said, context.attempt)
                isAnswered = await answer(page, isCascading: isCascading, payment, context)
            case .onClarificationFields(let fields, let said):
                try believe(said, context.attempt)
                asked.fields = fields
                isAnswered = await answer(fields, payment, context)
            case .onError(.clarificationFieldsError, _)
            where !asked.fields.isEmpty && asked.refusals < EcommpayDriver.refusalsMax:
                asked.refusals += 1
                context.emit(
                    EcommpayDriver.answerRefused, ["code": EcommpayPhoneSDK.ErrorCode.clarificationFieldsError.rawValue]
                )
                isAnswered = await answer(asked.fields, payment, context)
            case .onError(let code, let message):
                throw EcommpayKitMapping.failure(code, message, in: .getPayInteractor, evidence)
            }
            // No answer came: the provider ends the payment after half an hour, unless it has already.
            if !isAnswered, !ear.hasNews { return .waits }
        }
        return .waits
    }

    /// The kit's next event; nil where the Gate has decided in the meantime, or the kit has been silent for as long as
    /// its session lives. Silence itself proves nothing.
    private func next(
        _ ear: EcommpayEventQueue<EcommpayPhoneSDK.PayDelegate>, _ context: PaymentContext
    ) async -> EcommpayPhoneSDK.PayDelegate? {
        let end = context.uptime + Self.callMilliseconds
        while true {
            if let event = ear.take() { return event }
            if Task.isCancelled || context.uptime >= end { return nil }
            await context.pause(until: context.now + Self.silenceMilliseconds)
            if !ear.hasNews, let report = try? await apiDriver.status(context.attempt.text),
                EcommpayMapping.isGood(report.status) || EcommpayMapping.isOver(report.status)
            {
                return ear.take()
            }
        }
    }

    /// The platform has created the kit's payment, which nothing has decided yet.
    static let createdKind = PaymentEvent.Kind(rawValue: "ecommpay.created")
    /// The kit told the state of its payment.
    static let statusKind = PaymentEvent.Kind(rawValue: "ecommpay.status")

    // MARK: Questions

    private func answer(
        _ fields: [EcommpayPhoneSDK.CustomerField], _ payment: any EcommpayPhoneSDK.PayInteractor,
        _ context: PaymentContext
    ) async -> Bool {
        let visible = fields.filter { !$0.isHidden }
        // Nothing is to be asked: the kit waits for an answer all the same, and the vendor's own screens give it none.
        if visible.isEmpty {
            await payment.sendCustomerFields(fields: [])
            return true
        }
        let question = RequestedFields(visible.map { EcommpayKitMapping.field($0) })
        guard let given = await context.ask(question) else { return false }
        await payment.sendCustomerFields(
            fields: fields.compactMap { field in given[field.name].map { .init(name: field.name, value: $0) } })
        return true
    }

    private func answer(
        _ fields: [EcommpayPhoneSDK.ClarificationField], _ payment: any EcommpayPhoneSDK.PayInteractor,
        _ context: PaymentContext
    ) async -> Bool {
        guard let given = await context.ask(RequestedFields(fields.map { EcommpayKitMapping.field($0) })) else {
            return false
        }
        await payment.sendClarificationFields(
            fields: fields.compactMap { field in given[field.name].map { .init(name: field.name, value: $0) } })
        return true
    }

    /// Shows the customer a page; what the bank said there, the provider learns from the bank.
    private func answer(
        _ page: EcommpayPhoneSDK.ThreeDSecurePage, isCascading: Bool, _ payment: any EcommpayPhoneSDK.PayInteractor,
        _ context: PaymentContext
    ) async -> Bool {
        // Another try that shows another page needs the customer's consent; no answer is none.
        if isCascading, await context.ask(CascadeConsent()) != true { return false }
        guard let given = await context.ask(EcommpayKitMapping.challenge(page)) else { return false }
        // The kit wants the address at which the page ended: by the page itself, where the application didn't follow it.
        guard let address = given.address?.expose() ?? page.returnUrl ?? page.loadUrl else { return false }
        await payment.threeDSecureRedirectHandle(url: address)
        return true
    }

    // MARK: The end

    /// What the kit leaves out, from the Gate: an amount beyond doubt, what was kept, and why a payment was refused.
    func completed(
        _ end: KitEnd, _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        switch end {
        case .waits: return .pending(Pending(references: ["payment": context.attempt.text], shouldPoll: false))
        case .silent: return try await apiDriver.found(operation, nil, context)
        case .begun:
            return try await apiDriver.found(
                operation, try await apiDriver.claim(order.amount, .unproven, context), context)
        case .success(let payment): return try await approved(payment, operation, order, context)
        case .refused(let payment): return try await refused(payment, operation, context)
        case .mayBeTriedAgain: return try await open(operation, context)
        }
    }

    /// Declined, but not for good: until the Gate says that it is over, the payment may still be paid.
    private func open(_ operation: PaymentOperation, _ context: PaymentContext) async throws -> Verdict {
        switch try? await recorded(operation, context) {
        case .pending(let pending): return .pending(pending)
        case .declined, .cancelled, .approved: return try await apiDriver.found(operation, nil, context)
        case nil: return .pending(Pending(references: ["payment": context.attempt.text], shouldPoll: false))
        }
    }

    private func approved(
        _ payment: EcommpayPhoneSDK.Payment, _ operation: PaymentOperation, _ order: EcommpayMapping.Order,
        _ context: PaymentContext
    ) async throws -> Verdict {
        let said = EcommpayKitMapping.amount(payment)
        let own = EcommpayKitMapping.approval(order.amount, payment, context.attempt.text)
        let isHeld = operation == .sale && EcommpayKitMapping.word(payment) == EcommpayMapping.heldWord
        let isPlain = said == order.amount && payment.serverStatusName != EcommpayMapping.partialWord && !isHeld
        let keeps = order.cardOnFile != nil || order.savesInstrument && order.customer != nil
        if isPlain, !keeps { return .approved(own) }
        let record: Verdict
        do {
            record = try await recorded(operation, context).told(against: order.amount)
        } catch  where !(error is CancellationError) {
            if isPlain { return .approved(own) }
            throw PaymentError.unknown(.mismatch, "the kit says no amount that fits, and the Gate shows none")
        }
        guard case .approved(var approval) = record else {
            if isPlain, case .pending = record { return .approved(own) }
            throw PaymentError.unknown(.mismatch, "the kit says success, and the Gate does not")
        }
        approval.saved = approval.saved ?? own.saved
        if approval.saved == nil, order.savesInstrument, let customer = order.customer {
            if let number = payment.account { approval.saved = await apiDriver.kept(number, of: customer, context) }
        }
        return .approved(approval)
    }

    private func refused(
        _ payment: EcommpayPhoneSDK.Payment, _ operation: PaymentOperation, _ context: PaymentContext
    ) async throws -> Verdict {
        let word = EcommpayKitMapping.word(payment)
        let own = Decline(
            .declinedByProvider, provider: ProviderMessage(code: word ?? ""),
            references: ["payment": context.attempt.text])
        let isPaid = word.map { EcommpayMapping.isGood($0) } ?? false
        switch try? await recorded(operation, context) {
        case .declined(let decline): return .declined(decline)
        case .cancelled(let cancellation): return .cancelled(cancellation)
        case .approved: throw PaymentError.unknown(.mismatch, "the kit says declined, and the Gate says approved")
        case .pending where isPaid, nil where isPaid:
            throw PaymentError.unknown(.mismatch, "the kit says declined, and its payment says that it was paid")
        // The provider waits for another try, which the kit's document doesn't have.
        case .pending(let pending) where pending.provider?.code == Self.anotherTry: return .pending(pending)
        case .pending, nil: return .declined(own)
        }
    }

    /// The word of a payment that may be tried again.
    private static let anotherTry = "awaiting customer"

    /// What the Gate shows; what it doesn't decide is pending under its word.
    private func recorded(
        _ operation: PaymentOperation, _ context: PaymentContext
    ) async throws -> Verdict {
        let report = try await context.exchange(.readOnly) { _ in try await apiDriver.status(context.attempt.text) }
        if case .verdict(let verdict) = try EcommpayMapping.standing(report, operation) { return verdict }
        return .pending(
            Pending(
                references: ["payment": report.payment], provider: ProviderMessage(code: report.status),
                shouldPoll: false))
    }
}

/// The calls of a kit's delegate, in order, for a driver that reads it event by event.
final class EcommpayEventQueue<Event: Sendable>: Sendable {
    /// How many unread events are kept; the oldest go first, since an end comes last.
    static var eventsMax: Int { 256 }

    private let events = Locked([Event]())
    /// Called after each event.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// The kit calls its delegate.
    func hear(_ event: Event) {
        events.withLock { events in
            if events.count >= Self.eventsMax { events.removeFirst() }
            events.append(event)
        }
        wake()
    }

    /// Whether there is an unread event.
    var hasNews: Bool { events.withLock { !$0.isEmpty } }

    /// The oldest unread event.
    func take() -> Event? { events.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

public import PaymentMobileSDKs
public import PaymentProviderKit

/// ARISE on a phone: the vendor's kit takes cards by tapping; all else goes through the platform's interface.
///
/// A tap is one call of the kit and one send: nothing can be held back in it, and no id of the client travels with it.
/// The session is the kit's, whose token serves the interface as well.
public struct ARISEMobileDriver: MobileSDKDriver {
    /// The same account by the platform's interface.
    public let apiDriver: ARISEDriver
    /// The same for looking taps up, which come back without our own reference.
    let tapped: ARISEDriver
    let kit: any ARISEPhoneSDK.TappingSdk
    let watch = ARISEEventMonitor()

    /// How long a customer may take to present a card, in milliseconds; no document names a limit.
    static let untilTapMilliseconds: Int64 = 120_000
    /// How long reading, PIN and submission take at most after that, in milliseconds.
    static let afterTapMilliseconds: Int64 = 120_000
    /// How long the kit's call takes at most, in milliseconds.
    static let callMilliseconds = untilTapMilliseconds + afterTapMilliseconds
    /// How long a token is used that doesn't say how long it lives, in milliseconds.
    static let tokenMilliseconds: Int64 = 10 * 60_000
    /// Under which name the merchant's order of a tap's result is kept with the attempt.
    static let orderNote = "orderId"
    /// How long the kit's answer to a wish to cancel may come after the end of the call that it is about, in milliseconds.
    static let abortMilliseconds: Int64 = 2_000
    /// How long after the end of a call its events may still come, in milliseconds: no document names their thread.
    static let lateEventsMilliseconds: Int64 = 2_000

    /// Makes a driver that takes taps with a kit, and does all else through another's interface.
    public init(_ driver: ARISEDriver, _ kit: any ARISEPhoneSDK.TappingSdk) {
        var tapped = driver
        tapped.configuration.referenceEcho = .none
        (apiDriver, self.tapped, self.kit) = (driver, tapped, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.usesProviderTerminal = true
        return takes
    }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await (inquiry.record.intent.source == .reader ? tapped : apiDriver).lookup(inquiry, context)
    }

    public func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] {
        try await (inquiry.record.intent.source == .reader ? tapped : apiDriver).lookAlikes(of: inquiry, context)
    }

    public func classify(_ error: any Error) -> RequestFailure {
        guard let failure = error as? ARISEPhoneSDK.Failure else { return apiDriver.classify(error) }
        return RequestFailure(Self.failure(failure, .prepare, .notExecuted))
    }

    /// An error of the kit as ours.
    static func failure(
        _ failure: ARISEPhoneSDK.Failure, _ call: ARISEPhoneSDK.Call, _ outcome: PaymentError.Outcome
    ) -> PaymentError {
        PaymentError(ARISEPhoneSDK.rule(of: failure, in: call), outcome, failure.said)
    }
}

extension ARISEPhoneSDK.Failure {
    /// The error in the kit's words: under its code, where it has one.
    var said: ProviderMessage {
        switch self {
        case .ttp(let error):
            let code = error.code?.rawValue ?? ""
            return ProviderMessage(code: code.isEmpty ? error.name : code, message: error.text)
        case .api(let error): return ProviderMessage(code: name, message: error.text)
        case .other(_, let text): return ProviderMessage(code: name, message: text)
        case .authentication, .cardReader: return ProviderMessage(code: name)
        }
    }
}

extension ARISEPhoneSDK.Failure {
    /// Whether the kit has to be prepared before the next payment.
    var endsPreparation: Bool {
        switch self {
        case .ttp(.notActive), .ttp(.sdkNotInitialized), .ttp(.activationFailed), .ttp(.configurationFailed): true
        case .ttp, .api, .authentication, .cardReader, .other: false
        }
    }

    /// Apple's errors of which no document of a vendor's kit says at which moment of a payment they come.
    private static let errorsAtAnyTime: Set<String> = [
        "backgroundRequestNotAllowed", "networkAuthenticationError", "networkError", "notReady", "prepareExpired",
        "requestInterrupted", "serviceConnectionError", "tokenExpired", "unknown",
    ]

    /// Whether it is an error of Apple's that may come after a card was read and submitted.
    var mayFollowCard: Bool {
        switch self {
        case .cardReader(let error): Self.errorsAtAnyTime.contains(error.rawValue)
        case .ttp, .api, .authentication, .other: false
        }
    }

    /// Whether it is a failed payment's error without a code, which the kit gives for a cancelled read as well.
    var saysNothing: Bool {
        switch self {
        case .ttp(.transactionFailed(let code, _)): code.rawValue.isEmpty
        case .ttp, .api, .authentication, .cardReader, .other: false
        }
    }
}

extension ARISEPhoneSDK.TTPError {
    fileprivate var text: String {
        switch self {
        case .notCompatible(let reasons): reasons.joined(separator: "; ")
        case .notActive, .sdkNotInitialized: ""
        case .configurationFailed(_, let text), .activationFailed(_, let text), .transactionFailed(_, let text),
            .failedToAbortTransaction(_, let text), .unknown(_, let text):
            text
        }
    }
}

extension ARISEPhoneSDK.AriseApiError {
    fileprivate var text: String {
        switch self {
        case .badRequest(let text), .unauthorized(let text), .forbidden(let text), .notFound(let text),
            .serverError(let text), .unknown(let text), .invalidResponse(let text), .networkError(let text):
            text
        }
    }
}

extension ARISEMobileDriver: SaleDriver {
    /// What the kit's call ended with.
    private typealias End = Result<ARISEPhoneSDK.TTPTransactionResult, ARISEPhoneSDK.Failure>

    /// What the customer pays, as the kit gets it.
    private enum Price: Sendable {
        case plain(SDKDecimal)
        case quoted(ARISEPhoneSDK.CalculateAmountResponse, isDebit: Bool)
    }

    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .reader = request.source else { return try await apiDriver.sale(request, context) }
        let profile = try await apiDriver.checkTap(request, context)
        // What would end the kit's call before its card is found out before it, where an error proves something.
        let status = try await context.exchange(.readOnly) { _ in try await kit.ttp.getStatus() }
        guard status == .active else { throw Self.failure(.ttp(.notActive), .performTransaction, .notExecuted) }
        let price = try await price(request, profile, context)
        let began = context.now
        let verdict = try await context.atTerminal {
            let call = watch.calls.begin(context, .init())
            var isCancelled = false
            defer { watch.calls.end(call, isCancelled: isCancelled) }
            let events = try await kit.ttp.eventsStream()
            let verdict = try await context.exchange(.visible) { _ in
                let end = await context.outlasting(Self.callMilliseconds) { await tap(price, events, call, context) }
                try note(end, context)
                await abortAnswer(after: end, call, context)
                return try judged(end, watch.calls.seen(call) ?? .init(), request.amount)
            }
            if case .cancelled = verdict { isCancelled = true }
            return verdict
        }
        return await apiDriver.named(verdict, since: began, context.query)
    }

    /// The price that was quoted, as the platform makes it now: the kit wants its own answer.
    private func price(
        _ request: SaleRequest, _ profile: ARISEProfile, _ context: PaymentContext
    ) async throws -> Price {
        let places = request.amount.currency.exponent
        func decimal(_ money: Money) throws(PaymentError) -> SDKDecimal {
            if let exact = SDKDecimal(minorUnits: money.minorUnits, places: places) { return exact }
            throw PaymentError.notExecuted(.invalidRequest, "the amount has no decimal text")
        }
        let number = try ARISEMapping.number(of: request.amount.currency).int64
        let currency = number.map { ARISEPhoneSDK.Currency(rawValue: Int($0)) } ?? .usd
        guard let quoted = request.quote, let price = quoted.quote.tenders[quoted.tender] else {
            let plain = Price.plain(try decimal(request.amount))
            guard let tip = request.tip, !tip.isZero, profile.settings?.zeroCost != .dualPricing,
                let base = try? request.amount.subtracting(tip)
            else { return plain }
            // Only a calculation takes a tip to ARISE; one that comes to something else is not what was asked for.
            var asked = ARISEPhoneSDK.CalculateAmountRequest(amount: try decimal(base), currency: currency)
            asked.tipAmount = try decimal(tip)
            let wanted = asked
            let said = try? await context.exchange(.readOnly) { _ in try await kit.calculateAmount(request: wanted) }
            guard let said,
                [said.creditCard, said.debitCard].allSatisfy({
                    Self.total($0?.totalAmount, request.amount.currency) == request.amount
                        && Self.total($0?.tipAmount, request.amount.currency) == tip
                })
            else { return plain }
            return .quoted(said, isDebit: false)
        }
        var asked = ARISEPhoneSDK.CalculateAmountRequest(amount: try decimal(price.base), currency: currency)
        if let inputs = quoted.quote.request {
            // What the quote was asked with: the rates of its answer have a unit that no document names.
            asked = ARISEPhoneSDK.CalculateAmountRequest(amount: try decimal(inputs.amount), currency: currency)
            asked.percentageOffRate = inputs.discountPercent.flatMap { SDKDecimal($0) }
            asked.surchargeRate = inputs.surchargePercent.flatMap { SDKDecimal($0) }
            asked.tipAmount = try inputs.tip.map { tip throws(PaymentError) in try decimal(tip) }
            asked.tipRate = inputs.tipPercent.flatMap { SDKDecimal($0) }
            if profile.settings?.zeroCost == .dualPricing { asked.useCardPrice = inputs.isCardPrice }
        } else {
            asked.percentageOffRate = price.rates["discount"].flatMap { SDKDecimal($0) }
            asked.surchargeRate = price.rates["surcharge"].flatMap { SDKDecimal($0) }
            asked.tipAmount = try price.tip.map { tip throws(PaymentError) in try decimal(tip) }
            if profile.settings?.zeroCost == .dualPricing { asked.useCardPrice = true }
        }
        let wanted = asked
        let said = try await context.exchange(.readOnly) { _ in try await kit.calculateAmount(request: wanted) }
        let isDebit = quoted.tender == .debit
        guard let total = (isDebit ? said.debitCard : said.creditCard)?.totalAmount else {
            throw PaymentError.notExecuted(
                .unsupported, "the kit gives no price for a \(isDebit ? "debit" : "credit") card")
        }
        guard Self.total(total, request.amount.currency) == request.amount else {
            throw PaymentError.notExecuted(.mismatch, "the price is another now; get a new quote")
        }
        return .quoted(said, isDebit: isDebit)
    }

    /// A number of the kit's as money, without the dust of a binary number; nil where it is none.
    private static func total(_ number: SDKDecimal?, _ currency: Currency) -> Money? {
        guard let number, let exact = try? JSONNumber(number.text) else { return nil }
        return try? ARISEMapping.money(.number(exact), currency)
    }

    /// Lets the kit take the card; who leaves doesn't end it, and every event that it gave by then was received.
    private func tap(
        _ price: Price, _ events: AsyncStream<ARISEPhoneSDK.TTPEvent>, _ call: Int, _ context: PaymentContext
    ) async -> End {
        let end = Promise<End>()
        await context.ignoringCancellation {
            let result: End = await watch.listening(to: events) {
                let answer = await taken(at: price)
                await lateEvents(after: answer, call, context)
                return answer
            }
            end.fulfill(result)
        }
        return await end.value()
    }

    /// The kit's call that takes the card.
    private func taken(at price: Price) async -> End {
        do throws(ARISEPhoneSDK.Failure) {
            let ttp = await kit.ttp
            switch price {
            case .plain(let amount): return .success(try await ttp.performTransaction(amount: amount))
            case .quoted(let amounts, let isDebit):
                return .success(try await ttp.performTransaction(calculationResult: amounts, isDebitCard: isDebit))
            }
        } catch { return .failure(error) }
    }

    /// Waits a moment for events that come after the end of a call: one of them may show a payment on its way.
    ///
    /// Where the kit or its reader has said that the wait for a card was cancelled, nothing more is waited for.
    private func lateEvents(after end: End, _ call: Int, _ context: PaymentContext) async {
        guard Self.restsOnSilence(end) else { return }
        let last = context.uptime + Self.lateEventsMilliseconds
        while context.uptime < last, let seen = watch.calls.seen(call), seen.evidence == .nothingSeen,
            !seen.isCancelled
        {
            await context.pause(until: context.now + Self.lateEventsMilliseconds / 20)
        }
    }

    /// Whether an end says that nothing moved, and a sight of a payment on its way would take that back.
    private static func restsOnSilence(_ end: End) -> Bool {
        func proven(_ evidence: SDKEvidence) -> SDKOutcome? {
            switch end {
            case .success(let result): return ARISEPhoneSDK.outcome(of: result.status, seen: evidence)
            case .failure(let failure):
                return ARISEPhoneSDK.outcome(of: failure, in: .performTransaction, seen: evidence)
            }
        }
        return proven(.nothingSeen) == .notExecuted && proven(.submitted) != .notExecuted
    }

    /// Keeps the vendor's own name of the transaction before anything of its result is read, so that it is found by it.
    private func note(_ end: End, _ context: PaymentContext) throws(PaymentError) {
        guard case .success(let result) = end else { return }
        if let id = result.transactionId, !id.isEmpty { try context.note(ARISEMapping.transactionKey, id) }
        if let order = result.orderId, !order.isEmpty { try context.note(Self.orderNote, order) }
    }

    /// Waits a moment for what the kit says to a wish to cancel: its call may end before that.
    private func abortAnswer(after end: End, _ call: Int, _ context: PaymentContext) async {
        if case .success(let result) = end, result.status != .failed { return }
        let last = context.uptime + Self.abortMilliseconds
        while let seen = watch.calls.seen(call), seen.wantsCancel, !seen.isAborted, context.uptime < last {
            await context.pause(until: context.now + Self.abortMilliseconds / 20)
        }
    }

    /// What the call's end says, by the outcome tables of the kit and by what was seen of the payment.
    private func judged(
        _ end: End, _ seen: ARISEEventMonitor.Seen, _ asked: Money
    ) throws(PaymentError) -> Verdict {
        switch end {
        case .success(let result): return try judged(result, seen, asked)
        case .failure(let failure):
            if failure.endsPreparation { watch.calls.tell(.notReady) }
            let rule = ARISEPhoneSDK.rule(of: failure, in: .performTransaction)
            switch ARISEPhoneSDK.outcome(of: failure, in: .performTransaction, seen: seen.evidence) {
            case .declined: return .declined(Decline(.declinedOffline, provider: failure.said))
            // Without any event nothing shows that the error came before a card: the SDK's stream may have ended.
            case .notExecuted where !seen.hasEvents && failure.mayFollowCard:
                throw PaymentError(rule, .unknown, failure.said)
            case .notExecuted where rule?.cause == .cancelled: return cancelled(seen, failure.said)
            case .notExecuted: throw PaymentError(rule, .notExecuted, failure.said)
            case .unknown where seen.isCancelled && failure.saysNothing: return cancelled(seen, failure.said)
            case .unknown: throw PaymentError(rule, .unknown, failure.said)
            }
        }
    }

    private func judged(
        _ result: ARISEPhoneSDK.TTPTransactionResult, _ seen: ARISEEventMonitor.Seen, _ asked: Money
    ) throws(PaymentError) -> Verdict {
        let said = ARISETapResult(result)
        let word = result.transactionOutcome?.uppercased()
        var evidence = seen.evidence
        // What the gateway speaks of, or has a name for, was submitted, unless it says itself that it was cancelled.
        if word != nil || result.transactionId != nil, word != "CANCELLED" { evidence.raise(to: .submitted) }
        guard let outcome = ARISEPhoneSDK.outcome(of: result.status, seen: evidence) else {
            guard word == nil || word == "APPROVED" || ARISETapResult.words[word ?? ""] == nil else {
                throw PaymentError.unknown(.mismatch, "the kit says approved, and the gateway something else")
            }
            return try ARISEMapping.verdict(said, asked, reference: nil)
        }
        let message = ProviderMessage(code: result.authorisationResponseCode ?? result.status.rawValue)
        // The kit has no word for what is decided later; the gateway has.
        if word == "PENDING" { return try ARISEMapping.verdict(said, asked, reference: nil) }
        switch outcome {
        case .declined where word == "APPROVED":
            throw PaymentError.unknown(.mismatch, "the kit says declined, and the gateway approved")
        case .declined: return try ARISEMapping.verdict(said, asked, reference: nil)
        case .notExecuted: return cancelled(seen, message)
        case .unknown
        where seen.isCancelled && result.status == .failed && word == nil && result.transactionId == nil
            && result.authorizationCode == nil && result.authorizedAmount == nil:
            return cancelled(seen, message)
        case .unknown:
            let rule = ARISEPhoneSDK.endings.rule(
                for: result.status.rawValue, in: ARISEPhoneSDK.Call.performTransaction)
            throw PaymentError(rule, .unknown, message)
        }
    }

    private func cancelled(_ seen: ARISEEventMonitor.Seen, _ said: ProviderMessage) -> Verdict {
        .cancelled(Cancellation(cause: seen.wantsCancel ? .merchant : .customer, provider: said))
    }
}

extension ARISEMobileDriver: ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let found = await kit.ttp.checkCompatibility()
        if found.isCompatible { return ReaderCompatibility([]) }
        let version = found.iosVersionCheck
        let (place, right) = (found.locationPermission, found.tapToPayEntitlement)
        var checks = [
            ReaderCompatibility.Check(
                .model, passed: found.deviceModelCheck.isCompatible, found: found.deviceModelCheck.modelIdentifier,
                required: "iPhone XS"),
            .init(
                .systemVersion, passed: version.isCompatible, found: version.version,
                required: version.minimumRequiredVersion),
            // The SDK doesn't ask for the place: the application does, and looks again.
            .init(
                .location, passed: place == .granted, found: place.rawValue,
                required: ARISEPhoneSDK.LocationPermissionStatus.granted.rawValue),
            .init(
                .entitlement, passed: right == .available, found: right.rawValue,
                required: ARISEPhoneSDK.TapToPayEntitlementStatus.available.rawValue),
        ]
        // The reasons say what else is in the way.
        if checks.allSatisfy(\.passed) {
            let reasons = found.incompatibilityReasons.joined(separator: "; ")
            checks.append(.init(.integrity, passed: false, found: reasons, required: "nothing in the way"))
        }
        return ReaderCompatibility(checks)
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let status = try await context.exchange { _ in
            // A phone that the platform doesn't know is one that was never activated.
            do throws(ARISEPhoneSDK.Failure) { return try await kit.ttp.getStatus() } catch {
                if case .api(.notFound) = error { return ARISEPhoneSDK.TTPStatus.inactive }
                throw error
            }
        }
        return ActivationStatus(status == .active ? .active : .inactive, raw: status.rawValue)
    }

    public func activate(_ context: ReaderContext) async throws {
        try await context.exchange { _ in try await kit.ttp.activate() }
    }

    public func prepare(_ context: ReaderContext) async throws {
        watch.calls.attach(context.sink)
        try await context.exchange { _ in
            let ttp = await kit.ttp
            // Before it is prepared the SDK may have no events to give.
            guard let events = try? await ttp.eventsStream() else { return try await ttp.prepare() }
            let result: Result<Void, ARISEPhoneSDK.Failure> = await watch.listening(to: events) {
                do throws(ARISEPhoneSDK.Failure) { return .success(try await ttp.prepare()) } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    /// Only while no card was seen; the kit itself refuses once it reads one, and the payment continues.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        switch watch.cancel() {
        case .nothing: return .nothingToCancel
        case .tooLate: return .tooLate
        case .ask(let ended):
            guard (try? await kit.ttp.abortTransaction()) == true else { return .tooLate }
            watch.aborted()
            return await ended.value() ? .cancelled : .tooLate
        }
    }
}

extension ARISEMobileDriver: EducationDriver {
    /// The SDK's own screen, with Apple's content.
    public func showEducation(_ context: ReaderContext) async throws { try await kit.ttp.showEducationalInfo() }
}

extension ARISEMobileDriver: SessionDriver {
    /// The session is the kit's: it signs in once, renews on its own, and gives its token for the interface.
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        var isIn = false
        if last != nil { isIn = (try? await kit.refreshAccessToken()) ?? false }
        if !isIn {
            let secret = try await apiDriver.configuration.secret()
            isIn = try await kit.authenticate(clientId: apiDriver.configuration.clientID, clientSecret: secret)
        }
        guard isIn, let token = await kit.getAccessToken() else {
            throw PaymentError.notExecuted(.authentication, "the kit has signed no user in")
        }
        return AccessToken(token, expiresAt: context.now + Self.tokenMilliseconds)
    }

    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        await kit.clearStoredToken()
    }
}

extension ARISEMobileDriver: AuthorizationDriver, UnlinkedRefundDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {}

extension ARISEMobileDriver: DetailsDriver, ListDriver, PricingDriver, SettingsDriver, WebhookDriver {}

extension ARISEMobileDriver: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        let own = await kit.getDeviceId()
        return try await apiDriver.devices(context).map { Self.marked($0, own) }
    }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        let own = await kit.getDeviceId()
        return try await apiDriver.device(id, context).map { Self.marked($0, own) }
    }

    /// The SDK keeps this phone's identifier, by which the platform lists it.
    private static func marked(_ device: DeviceSummary, _ own: String) -> DeviceSummary {
        var device = device
        if !own.isEmpty { device.isThisDevice = device.id == own }
        return device
    }
}

/// Listens to the kit: the payment's timeline gets its events, and what they show about the money is kept.
struct ARISEEventMonitor {
    /// What the kit has shown of a payment so far.
    struct Seen: Sendable {
        var evidence = SDKEvidence.nothingSeen
        /// Whether a card was seen, after which nothing is cancelled.
        var hasCard = false
        /// Whether the kit has reported anything while it ran, so that it would have reported a card, too.
        var hasEvents = false
        /// Whether the till wanted it cancelled.
        var wantsCancel = false
        /// Whether the kit has said that it stopped the payment.
        var isAborted = false
        /// Whether the reader has said that its read was cancelled.
        var isReadCancelled = false

        /// Whether an end that says nothing of the money is the end of a wait for a card: stopped by the kit's own word, or
        /// by the reader's, and nothing was seen that could have left the phone.
        var isCancelled: Bool { evidence == .nothingSeen && (isAborted || isReadCancelled) }
    }

    let calls = MobileSDKCalls<Seen>()

    /// How often other tasks get their turn after the end of a call, before its events are given up.
    private static let turnsAfterEnd = 16

    /// The newest payment is to be ended.
    func cancel() -> MobileSDKCalls<Seen>.Cancel {
        calls.cancel { seen in
            if !seen.hasCard { seen.wantsCancel = true }
            return !seen.hasCard
        }
    }

    /// The kit has stopped what the till wanted cancelled.
    func aborted() { calls.hear { $0.isAborted = $0.wantsCancel } }

    /// Listens while something runs, and to the end of what the kit has said by then.
    func listening<Value: Sendable>(
        to events: AsyncStream<ARISEPhoneSDK.TTPEvent>, _ body: () async -> Value
    ) async -> Value {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await event in events { heard(event) } }
            let value = await body()
            // What hands the SDK's events on may still have some: it comes to its turn before the end.
            for _ in 0..<Self.turnsAfterEnd { await Task.yield() }
            // A stream that is given up still hands over what it holds.
            group.cancelAll()
            await group.waitForAll()
            return value
        }
    }

    /// The kit says something.
    func heard(_ event: ARISEPhoneSDK.TTPEvent) {
        let context = calls.hear { $0.hear(event) }
        switch event {
        case .readerEvent(.other(let name)), .customEvent(.unknownEvent(let name)):
            context?.emit(PaymentEvent.Kind(rawValue: "arise.unknownEvent"), ["name": name])
        case .readerEvent(let event):
            guard let event = Self.event(event) else { return }
            calls.tell(event)
            context?.emit(.reader(event))
        case .customEvent(.readerNotReady(let reason)):
            calls.tell(.notReady)
            context?.emit(.reader(.notReady), ["reason": reason])
        case .customEvent(.updateReaderProgress(let percent)):
            calls.tell(.updateProgress(max(1, min(100, percent))))
        case .customEvent(let event): context?.emit(PaymentEvent.Kind(rawValue: "arise.\(event)"))
        }
    }

    private static func event(_ event: ARISEPhoneSDK.TTPReaderEvent) -> ReaderEvent? {
        switch event {
        case .updateProgress(let percent): .updateProgress(max(1, min(100, percent)))
        case .notReady: .notReady
        case .readyForTap: .readyForTap
        case .cardDetected: .cardDetected
        case .removeCard: .removeCard
        case .readCompleted: .readCompleted
        case .readRetry: .readRetry
        case .readCancelled: .readCancelled
        case .pinEntryRequested: .pinEntryRequested
        case .pinEntryCompleted: .pinEntryCompleted
        case .userInterfaceDismissed: .userInterfaceDismissed
        case .readNotCompleted: .readNotCompleted
        case .other: nil
        }
    }
}

extension ARISEEventMonitor.Seen {
    /// Takes in what the kit says of a payment.
    mutating func hear(_ event: ARISEPhoneSDK.TTPEvent) {
        hasEvents = true
        // At which moment a payment is in progress no document says; before a card was seen nothing left the phone.
        if event != .customEvent(.inProgress) || hasCard { evidence.see(event) }
        switch event {
        case .readerEvent(.cardDetected), .customEvent(.cardDetected): hasCard = true
        // That the sheet is gone says less: it goes after a card was read, too.
        case .readerEvent(.readCancelled): isReadCancelled = true
        case .readerEvent, .customEvent: if evidence != .nothingSeen { hasCard = true }
        }
    }
}

/// The thirteen events of the ARISE SDK beside the reader's own, out of the neutral events of a payment.
public enum ARISEEvent: Hashable, Sendable {
    /// The kit gets ready.
    case preparing
    /// The kit is ready for a card.
    case ready
    /// A card is in the field.
    case cardDetected
    /// The card was read.
    case cardReadSuccess
    /// The card was not read.
    case cardReadFailure
    /// The transaction is with the issuer.
    case authorizing
    /// It was approved.
    case approved
    /// It was declined.
    case declined
    /// Something went wrong.
    case errorOccurred
    /// It is under way.
    case inProgress
    /// The reader has to be prepared, with the reason.
    case readerNotReady(String)
    /// How far the reader's update is, in percent.
    case updateReaderProgress(Int)
    /// Something that the document does not list, under its own name.
    case unknownEvent(String)

    /// Reads a neutral event; every event is at least an unknown one.
    public init(_ event: PaymentEvent) {
        switch event.kind {
        case .begun: self = .preparing
        case .reader(.readyForTap), .readyForCard: self = .ready
        case .reader(.notReady): self = .readerNotReady(event.attributes["reason"] ?? "")
        case .reader(.cardDetected): self = .cardDetected
        case .reader(.readCompleted), .cardRead: self = .cardReadSuccess
        case .reader(.readNotCompleted): self = .cardReadFailure
        case .reader(.updateProgress(0)): self = .updateReaderProgress(Int(event.attributes["percent"] ?? "") ?? 0)
        case Self.authorizing.kind: self = .authorizing
        case .approved: self = .approved
        case .declined: self = .declined
        case .failed: self = .errorOccurred
        case .submitted, .pending, .waiting, .lookedUp: self = .inProgress
        default: self = .unknownEvent(event.kind.rawValue)
        }
    }

    /// The kind under which the driver reports what the neutral events don't have.
    public var kind: PaymentEvent.Kind { PaymentEvent.Kind(rawValue: "arise.\(self)") }
}

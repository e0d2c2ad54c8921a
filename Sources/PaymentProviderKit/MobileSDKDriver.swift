public import PaymentBase
public import PaymentDriverKit
public import PaymentMobileSDKs

/// The driver of a vendor's kit: the kit takes cards, and what it has no call for goes through another driver of the same
/// account.
///
/// Whatever protocol both conform to is done by the office, unless the kit's driver does it itself.
public protocol MobileSDKDriver: PaymentDriver {
    /// What reaches the provider without the kit.
    associatedtype Office: PaymentDriver
    /// The same account, reached without the kit.
    var apiDriver: Office { get }
}

// What every driver answers.
extension MobileSDKDriver {
    public var identity: ProviderIdentity { apiDriver.identity }
    public var secrets: [Secret] { apiDriver.secrets }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { apiDriver.lookupPlan(for: operation) }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await apiDriver.lookup(inquiry, context)
    }

    public func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] {
        try await apiDriver.lookAlikes(of: inquiry, context)
    }

    public func classify(_ error: any Error) -> RequestFailure { apiDriver.classify(error) }
}

// What the office does in the place of a kit, protocol by protocol.

extension MobileSDKDriver where Self: AuthorizationDriver, Office: AuthorizationDriver {
    /// By the office.
    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.authorize(request, context)
    }

    /// By the office.
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.capture(request, context)
    }
}

extension MobileSDKDriver where Self: AdjustmentDriver, Office: AdjustmentDriver {
    /// By the office.
    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.adjust(request, context)
    }
}

extension MobileSDKDriver where Self: VoidDriver, Office: VoidDriver {
    /// By the office.
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.void(request, context)
    }
}

extension MobileSDKDriver where Self: RefundDriver, Office: RefundDriver {
    /// By the office.
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.refund(request, context)
    }
}

extension MobileSDKDriver where Self: UnlinkedRefundDriver, Office: UnlinkedRefundDriver {
    /// By the office.
    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.refundUnlinked(request, context)
    }
}

extension MobileSDKDriver where Self: TipAdjustmentDriver, Office: TipAdjustmentDriver {
    /// By the office.
    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.adjustTip(request, context)
    }
}

extension MobileSDKDriver where Self: CardOnFileDriver, Office: CardOnFileDriver {
    /// By the office.
    public func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.chargeCardOnFile(request, context)
    }
}

extension MobileSDKDriver where Self: DetailsDriver, Office: DetailsDriver {
    /// By the office.
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        try await apiDriver.details(references, context)
    }
}

extension MobileSDKDriver where Self: ListDriver, Office: ListDriver {
    /// By the office.
    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        try await apiDriver.list(query, context)
    }
}

extension MobileSDKDriver where Self: PricingDriver, Office: PricingDriver {
    /// By the office.
    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await apiDriver.quote(request, context)
    }
}

extension MobileSDKDriver where Self: SettingsDriver, Office: SettingsDriver {
    /// By the office.
    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        try await apiDriver.settings(context)
    }

    /// By the office.
    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        try await apiDriver.permissions(context)
    }
}

extension MobileSDKDriver where Self: DeviceDriver, Office: DeviceDriver {
    /// By the office.
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        try await apiDriver.devices(context)
    }

    /// By the office.
    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await apiDriver.device(id, context)
    }

    /// By the office.
    public func unbind(terminal: String, _ context: LookupContext) async throws {
        try await apiDriver.unbind(terminal: terminal, context)
    }
}

extension MobileSDKDriver where Self: SavedInstrumentDriver, Office: SavedInstrumentDriver {
    /// By the office.
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await apiDriver.instruments(of: customer, context)
    }

    /// By the office.
    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        try await apiDriver.remove(instrument, of: customer, context)
    }
}

extension MobileSDKDriver where Self: SessionDriver, Office: SessionDriver {
    /// By the office.
    public var renewalMarginMilliseconds: Int64 { apiDriver.renewalMarginMilliseconds }
    /// By the office.
    public var accessAddresses: [String] { apiDriver.accessAddresses }

    /// By the office.
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await apiDriver.accessToken(replacing: last, context)
    }

    /// By the office.
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        try await apiDriver.signOut(access, context)
    }
}

extension MobileSDKDriver where Self: WebhookDriver, Office: WebhookDriver {
    /// By the office.
    public var acknowledgement: WebhookAcknowledgement { apiDriver.acknowledgement }

    /// By the office.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try apiDriver.notices(in: message) }
}

/// The payments for which a vendor's kit is at work, what it has shown of each, and the receiver of its reader.
///
/// `Seen` is what an adapter reads out of its kit's events; `Void` where a kit reports nothing of a payment.
public final class MobileSDKCalls<Seen: Sendable>: Sendable {
    /// What to do with a wish to cancel.
    public enum Cancel {
        /// No payment runs.
        case nothing
        /// It can't be stopped any more.
        case tooLate
        /// The kit is to be asked; the promise says whether the payment ended as cancelled.
        case ask(Promise<Bool>)
    }

    private struct Call: Sendable {
        let number: Int
        let context: PaymentContext
        let ended = Promise<Bool>()
        var seen: Seen
    }

    private struct State {
        /// More than one only while a call outlives its time.
        var calls: [Call] = []
        var nextNumber = 0
        var sink: (@Sendable (ReaderEvent) -> Void)?
    }

    private let state = Locked(State())

    /// Begins without any.
    public init() {}

    /// Names the receiver of the reader.
    public func attach(_ sink: @escaping @Sendable (ReaderEvent) -> Void) { state.withLock { $0.sink = sink } }

    /// Notifies the receiver of the reader.
    public func tell(_ event: ReaderEvent) { state.withLock { $0.sink }?(event) }

    /// A payment's call is about to begin; gives its number.
    public func begin(_ context: PaymentContext, _ seen: Seen) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.calls.append(Call(number: state.nextNumber, context: context, seen: seen))
            return state.nextNumber
        }
    }

    /// What was seen of a payment whose call runs; nil when it is over.
    public func seen(_ number: Int) -> Seen? { state.withLock { $0.calls.first { $0.number == number }?.seen } }

    /// A payment's call is over.
    public func end(_ number: Int, isCancelled: Bool = false) {
        let call = state.withLock { state in
            let call = state.calls.first { $0.number == number }
            state.calls.removeAll { $0.number == number }
            return call
        }
        call?.ended.fulfill(isCancelled)
    }

    /// Takes in what the kit shows; a call that outlived its time may be what it is about, so that all have seen it.
    ///
    /// - Returns: Whose timeline it belongs on: the oldest payment's.
    @discardableResult
    public func hear(_ change: (inout Seen) -> Void = { _ in }) -> PaymentContext? {
        state.withLock { state in
            for index in state.calls.indices { change(&state.calls[index].seen) }
            return state.calls.first?.context
        }
    }

    /// The newest payment is to be ended; `asks` says whether it still can be.
    public func cancel(_ asks: (inout Seen) -> Bool) -> Cancel {
        state.withLock { state in
            guard let last = state.calls.indices.last else { return .nothing }
            return asks(&state.calls[last].seen) ? .ask(state.calls[last].ended) : .tooLate
        }
    }
}

extension PaymentError {
    /// A conflict with what another system did under the attempt's id: it was there before the attempt's first request, so
    /// that the refusal answers no copy of it. Nothing moved.
    public static func idInUse(_ said: ProviderMessage, _ detail: String) -> PaymentError {
        var error = PaymentError(.conflict, outcome: .notExecuted, provider: said, detail: detail)
        error.excludesCopy = true
        return error
    }

    /// What a row of a kit's outcome table makes of an error; without a row it is unknown.
    ///
    /// - Parameters:
    ///   - rule: The error's row, if the kit's document lists it.
    ///   - outcome: What is left of the row's outcome after what the kit has shown.
    ///   - said: The error in the kit's words.
    public init(_ rule: SDKErrorRule?, _ outcome: Outcome, _ said: ProviderMessage) {
        let why = rule?.why ?? "the kit's document lists no such code"
        self.init(
            Code(rawValue: rule?.cause.rawValue ?? SDKErrorCause.unreadableReply.rawValue), outcome: outcome,
            provider: said, retry: rule?.advice?.retry == .never ? .never : nil,
            requiresUserAction: rule?.advice?.retry == .afterFix ? true : nil,
            detail: [why, rule?.advice?.action ?? ""].filter { !$0.isEmpty }.joined(separator: "; "))
        // A row says it of the call itself, by what the kit has shown of it.
        excludesCopy = outcome == .notExecuted
    }
}

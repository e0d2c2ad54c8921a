internal import PaymentMobileSDKs
public import PaymentProviderKit

/// Adyen on a phone: payments run in the vendor's own kit, which opens and renews its session on its own.
///
/// The whole call of the kit is one send, ended by its answer: it can't be held back, and its screens are not shown again
/// by a repeat. No key is on the phone: the application's server opens sessions (``AdyenSessions``) and carries what the
/// back office is asked (``AdyenMerchantServer``).
public struct AdyenMobileDriver: AdyenTerminalDriver {
    public let core: AdyenCore
    let kit: any AdyenPhoneSDK.PaymentService

    init(_ core: AdyenCore, _ kit: any AdyenPhoneSDK.PaymentService) { (self.core, self.kit) = (core, kit) }

    private var isAsked: Bool { core.configuration.phoneStatus == .asked }

    /// A webhook says what became of a payment. Where the configuration says that the phone can be asked, it is asked, under the
    /// installation that took the payment; that it never saw a message proves nothing, since no document says how long it
    /// remembers one.
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        guard isAsked, let phone = inquiry.note(AdyenMapping.Name.phone), (try? await kit.installationId) == phone
        else {
            return .cannotTell(
                "Only the phone that took the payment can be asked, and only where the configuration says so.")
        }
        let silent = [AdyenMapping.Name.reversing, AdyenMapping.Name.office]
        let found = try await lookedUp(inquiry, context, silent: silent)
        if case .notFound = found { return .cannotTell("The phone does not know the payment.") }
        return found
    }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        isAsked ? AdyenDriver.terminalPlan(for: operation) : nil
    }
}

extension AdyenMobileDriver {
    /// The kit is asked for the reader, so that a payment doesn't fail for it.
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        do {
            try await kit.getPaymentInterface(with: core.paymentInterface)
            return ReaderCompatibility([])
        } catch {
            let fault = AdyenKitFailure(code: error, call: .getPaymentInterface).fault
            guard fault.code == .deviceUnsupported || fault.code == .deviceCompromised else { throw error }
            return ReaderCompatibility([
                .init(.model, passed: false, found: error.rawValue, required: core.paymentInterface.rawValue)
            ])
        }
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        try await warmUp(context)
        return ActivationStatus(.active)
    }

    /// Begins again, as for another merchant: the kit forgets its session and asks the application's server for
    /// another.
    public func activate(_ context: ReaderContext) async throws {
        try await kit.resetSession()
        try await warmUp(context)
    }

    public func prepare(_ context: ReaderContext) async throws {
        try await context.exchange { _ in
            try await kit.warmUp()
            try await kit.getPaymentInterface(with: core.paymentInterface)
        }
    }

    /// The kit's own screen is what ends a payment.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        core.slot.running == nil ? .nothingToCancel : .tooLate
    }

    public func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async {
        guard change == .becameActive else { return }
        // A failed warm-up costs only time: the next payment does it again.
        try? await warmUp(context)
    }

    private func warmUp(_ context: ReaderContext) async throws {
        try await context.exchange { _ in try await kit.warmUp() }
    }
}

/// The application's own server, as a driver on a phone sees it: what carries requests to the back office.
///
/// No key is on a phone. The server adds its own (`X-API-Key`), sends the request on as it is, with its
/// `Idempotency-Key`, and returns the answer; how the phone proves itself to the server is the application's business.
/// It is handed over in `delegates` by the same value that is the phone's kit. What a failure proves is said as by every
/// transport: what may have left the server is `maybeSent`.
public protocol AdyenMerchantServer: HTTPTransport {}

/// What the application's server does for a phone: opens the session that the phone's kit asks for.
///
/// The kit hands its set-up token to the application, the application to its server, and the session's data goes the
/// same way back; the key stays on the server.
///
/// ```swift
/// let sessions = AdyenSessions(at: address, merchant: "TestMerchant", apiKey: key, transport)
/// let data = try await sessions.data(for: setupToken)
/// ```
public struct AdyenSessions: Sendable {
    private let client: JSONClient
    private let target: String
    private let merchant: String
    private let store: String?
    private let subMerchant: [String: String]

    /// Makes the server's side of sessions.
    ///
    /// - Parameters:
    ///   - address: Where sessions are opened: `/softposconfig/v3/auth/certificate`, or `/checkout/possdk/v68/sessions` of
    ///     older accounts.
    ///   - merchant: The merchant account.
    ///   - store: The reference of the store that the phone's payments belong to; nil if stores are merchant accounts.
    ///   - subMerchant: Whom a payment facilitator takes payments for, by the provider's names: `id`, `mcc`, `name` and
    ///     `displayName`, and whatever else is known. Empty for everyone else.
    ///   - apiKey: The key of the account's user.
    ///   - transport: What carries the request.
    public init(
        at address: WebURL, merchant: String, store: String? = nil, subMerchant: [String: String] = [:],
        apiKey: Secret, _ transport: any HTTPTransport
    ) {
        client = JSONClient(transport, address.origin, headers: [AdyenRequestSender.keyHeader: apiKey.expose()])
        (target, self.merchant, self.store) = (address.target, merchant, store)
        self.subMerchant = subMerchant
    }

    /// The session's data for a phone's set-up token.
    ///
    /// - Throws: What the transport or the provider says, or `unreadableReply`, nothing moved, for an answer without a
    ///   session.
    public func data(for setupToken: Secret) async throws -> Secret {
        var body: JSONObject = [
            "merchantAccount": .string(merchant), "setupToken": .string(setupToken.expose()),
        ]
        body.add("store", store)
        if !subMerchant.isEmpty {
            var members = JSONObject()
            for (name, value) in subMerchant.sorted(by: { $0.key < $1.key }) { members.add(name, value) }
            body["subMerchantData"] = .object(members)
        }
        let reply = try await client.send("POST", target, body: .object(body))
        guard let data = reply["sdkData"]?.text, !data.isEmpty else {
            throw PaymentError.notExecuted(.unreadableReply, "the answer holds no session")
        }
        return Secret(data)
    }
}

/// How a payment is shown on a phone, and what reads its card.
struct AdyenPhoneScreen: Sendable {
    var mode = AdyenPhoneSDK.TransactionPresentationMode.presentingViewController
    var interface: AdyenInterface
}

/// To a phone's kit, which runs payments and reversals and nothing else.
struct MobileLink: AdyenLink {
    let kit: any AdyenPhoneSDK.PaymentService
    let screen: Locked<AdyenPhoneScreen>

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        let (call, answer): (AdyenPhoneSDK.Call, AdyenPhoneSDK.Answer)
        switch header.category {
        case .reversal:
            call = .performReversal
            answer = await kit.performReversal(with: .init(data: message))
        default:
            call = .performTransaction
            let shown = screen.withLock { $0 }
            answer = await kit.performTransaction(
                with: .init(data: message), paymentInterface: .init(rawValue: shown.interface.rawValue),
                presentationMode: shown.mode)
        }
        switch answer {
        case .failed(let code): throw AdyenKitFailure(code: code, call: call)
        case .message(let bytes):
            let reply = try AdyenRequestSender.answer(AdyenRequestSender.read(bytes), to: header)
            if let code = Self.finding(in: reply.response) { throw AdyenKitFailure(code: code, call: call) }
            return reply
        }
    }

    /// What the checks of the phone's security found, as an answer that failed has it. The document says that errors
    /// are in the answer and not where: any of its words that is one of the listed codes says so.
    private static func finding(in response: NexoResponse?) -> AdyenPhoneSDK.ErrorCode? {
        guard let response, response.result == "Failure", !AdyenDeclineCodes.isDecline(response) else { return nil }
        // One of the codes has a mark in it that is between two pairs, unless it was escaped.
        let pairs = response.additional.pairs
        let texts =
            [response.condition] + pairs.map(\.value)
            + [pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")]
        let words = texts.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "&") } }
        return words.lazy.map { String($0) }.first {
            AdyenPhoneSDK.table.rule(for: $0, in: AdyenPhoneSDK.Call.warmUp) != nil
        }
        .map { AdyenPhoneSDK.ErrorCode(rawValue: $0) }
    }
}

public import PaymentBase

/// Halo Dot's Halo.Swift 4.0, the SDK that takes contactless payments on an iPhone, as plain values and one protocol.
///
/// The name space has a name of this package's: the SDK's module and its main type are both called `HaloSDK`, and a
/// type of that name here would hide the module from the application that makes it conform.
public enum HaloPhoneSDK {
    /// The SDK's documented calls, which take and refund contactless payments; an application makes the SDK conform.
    ///
    /// Every requirement is asynchronous, so that a witness may be on the main actor, where the SDK wants to be.
    public protocol SDK: Sendable {
        /// Prepares the SDK for payments and says what the device can do; calls the token provider once.
        func initialize(
            tokenProvider: @escaping TokenProvider, environment: Environment
        ) async throws(HaloError) -> HaloDeviceCapabilities

        /// Takes or refunds a contactless payment with the reader's own screen; never throws.
        ///
        /// A declined result is not always a decline: it means cancellations and failures as well.
        func startContactlessPayment(
            amountMinor: Int64, currency: String, merchantReference: String,
            passthroughFields: HaloPassthroughFields, type: HaloTransactionType
        ) async -> HaloPaymentResult

        /// Stops the reader and ends the payment, whose own call then returns.
        func cancelPayment() async

        /// Names the receiver of the reader's preparation, of errors and of a payment's timeline.
        func setEventDelegate(_ delegate: @escaping @Sendable (HaloEventDelegate) -> Void) async

        /// Forgets the SDK's tokens; payments need ``initialize(tokenProvider:environment:)`` again.
        func deinitialize() async
    }

    /// The server leg: gives a signed JWT with an `exp` claim for the merchant's payments.
    ///
    /// The application's server signs it; no key is on the phone. The SDK asks at its start, before requests when the
    /// last token expires within 30 seconds, and once more after a 401. A throw counts as `authTokenUnauthorized`.
    public typealias TokenProvider = @Sendable () async throws -> Secret

    /// Where the SDK's payments go.
    public struct Environment: SDKTextCode {
        /// The spelling of the payments' environment.
        public let rawValue: String
        /// Takes the spelling of the payments' environment.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Test services, where no real payment is made.
        public static let sandbox = Self(rawValue: "sandbox")
        /// Real payments.
        public static let production = Self(rawValue: "production")
    }

    /// Which way the money of a contactless payment goes.
    public struct HaloTransactionType: SDKTextCode {
        /// The spelling of the payment's type.
        public let rawValue: String
        /// Takes the spelling of a payment's type.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A sale, which is the SDK's default.
        public static let purchase = Self(rawValue: "purchase")
        /// A refund by tapping the card again.
        public static let refund = Self(rawValue: "refund")
    }

    /// What goes to the vendor's server with each payment; required from 1.0.95 on.
    ///
    /// Without `streetAddress`, `city`, `stateProvince` and `countryCode` the SDK declines before its reader shows.
    public struct HaloPassthroughFields: Hashable, Sendable {
        /// The payment's fields as a JSON object.
        public let json: String
        /// Takes the payment's fields as a JSON object.
        public init(json: String) { self.json = json }
    }

    /// What the device can do for payments; the document names one member.
    public struct HaloDeviceCapabilities: Hashable, Sendable {
        /// Whether the device can take payments.
        public let canAcceptPayments: Bool
        /// Says what a device can do.
        public init(canAcceptPayments: Bool) { self.canAcceptPayments = canAcceptPayments }
    }

    /// How a contactless payment ended.
    public enum HaloPaymentResult: Hashable, Sendable {
        /// The payment was approved.
        case approved(HaloReceipt)
        /// The payment was not approved, for any reason; ``HaloPhoneSDK/outcome(of:seen:)`` says what that proves.
        case declined(errorCode: HaloErrorCode?, errorMessage: String?)
    }

    /// What an approved payment leaves for the receipt.
    public struct HaloReceipt: Hashable, Sendable {
        /// The vendor's own reference of the payment.
        public let transactionId: String
        /// The processor's authorization code; the document doesn't say that a refund has one.
        public var authCode: String?
        /// The card's scheme.
        public var cardBrand: String?
        /// The card's product, from 1.0.78 on.
        public var cardType: String?
        /// The card number's last four digits.
        public var last4: String?
        /// The payment's amount in minor units.
        public let amountMinor: Int64
        /// The payment's currency.
        public let currency: String
        /// The merchant's reference, as it was given.
        public let reference: String
        /// When the payment was approved, in milliseconds since 1970; the document says only "timestamp".
        public let approvedAt: Int64

        /// Makes the receipt of an approved payment.
        public init(
            transactionId: String, authCode: String? = nil, cardBrand: String? = nil, cardType: String? = nil,
            last4: String? = nil, amountMinor: Int64, currency: String, reference: String, approvedAt: Int64
        ) {
            (self.transactionId, self.authCode, self.last4) = (transactionId, authCode, last4)
            (self.cardBrand, self.cardType) = (cardBrand, cardType)
            (self.amountMinor, self.currency) = (amountMinor, currency)
            (self.reference, self.approvedAt) = (reference, approvedAt)
        }
    }
}

extension HaloPhoneSDK {
    /// What the SDK reports to the application's delegate about the reader and the payment; it may come on any thread.
    public enum HaloEventDelegate: Hashable, Sendable {
        /// The reader's preparation has come so far, in thousandths of the whole.
        case didUpdatePreparationProgress(thousandths: Int)
        /// The reader can take payments.
        case haloSDKDidBecomeReady
        /// The reader could not be prepared.
        case didFailPreparationWithError(HaloError)
        /// An error happened, in a payment or outside one.
        case didReceiveError(HaloErrorEvent)
        /// A step of a payment's timeline was reached.
        case didEmitAnalyticsEvent(HaloAnalyticsEvent)
    }

    /// An error of the SDK or of a payment, as the delegate learns of it.
    public struct HaloErrorEvent: Hashable, Sendable {
        /// The error's code.
        public let errorCode: HaloErrorCode
        /// The error's name.
        public let errorName: String
        /// The error in words.
        public let errorDescription: String
        /// Which part of the payment it came from; the document lists no values.
        public let source: String

        /// Makes an error event of a payment.
        public init(errorCode: HaloErrorCode, errorName: String, errorDescription: String, source: String) {
            (self.errorCode, self.errorName) = (errorCode, errorName)
            (self.errorDescription, self.source) = (errorDescription, source)
        }
    }

    /// A step of a payment's timeline.
    public struct HaloAnalyticsEvent: Hashable, Sendable {
        /// Which step of the payment it is.
        public let type: EventType
        /// When the payment's step was reached, in milliseconds since 1970.
        public let timestamp: Int64
        /// What else the SDK says of the payment's step.
        public let metadata: [String: String]

        /// Makes a step of a payment's timeline.
        public init(_ type: EventType, timestamp: Int64, metadata: [String: String] = [:]) {
            (self.type, self.timestamp, self.metadata) = (type, timestamp, metadata)
        }

        /// Whether the payment's card is presented once and its PIN sent after it; nil where the SDK doesn't say.
        public var isSingleTapAndPin: Bool? { metadata["isSingleTapAndPin"].map { $0 == "true" } }
        /// Whether the answer approved the payment; nil where the SDK doesn't say.
        public var isApproved: Bool? { metadata["isApproved"].map { $0 == "true" } }
        /// The payment that a PIN belongs to, by the vendor's reference.
        public var originalTransactionId: String? { metadata["originalTransactionId"] }
    }

    /// The steps of a payment's timeline.
    public struct EventType: SDKTextCode {
        /// The spelling of the payment's step.
        public let rawValue: String
        /// Takes the spelling of a payment's step.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The SDK is ready to prepare the reader.
        public static let sdkInitialized = Self(rawValue: "sdkInitialized")
        /// The reader is prepared.
        public static let sdkReaderPrepared = Self(rawValue: "sdkReaderPrepared")
        /// The merchant was shown how to take payments.
        public static let discoveryShown = Self(rawValue: "discoveryShown")
        /// The payment's call has begun.
        public static let paymentStarted = Self(rawValue: "paymentStarted")
        /// The payment's parameters were found to be right.
        public static let paymentValidated = Self(rawValue: "paymentValidated")
        /// The reader waits for a card.
        public static let readyForTap = Self(rawValue: "readyForTap")
        /// The reader sees a card.
        public static let cardDetected = Self(rawValue: "cardDetected")
        /// The card's data, or the PIN after it, is being sent to the vendor.
        public static let transactionSubmissionStarted = Self(rawValue: "transactionSubmissionStarted")
        /// The vendor has answered a payment's submission.
        public static let transactionResponseReceived = Self(rawValue: "transactionResponseReceived")
        /// The customer is asked for the PIN.
        public static let pinCaptureStarted = Self(rawValue: "pinCaptureStarted")
        /// The customer has entered the PIN.
        public static let pinCaptureSucceeded = Self(rawValue: "pinCaptureSucceeded")
        /// The payment was approved.
        public static let paymentApproved = Self(rawValue: "paymentApproved")
        /// The payment was declined.
        public static let paymentDeclined = Self(rawValue: "paymentDeclined")
        /// The payment was cancelled.
        public static let paymentCancelled = Self(rawValue: "paymentCancelled")
        /// The payment ended with an error.
        public static let paymentError = Self(rawValue: "paymentError")
    }
}

extension SDKEvidence {
    /// Takes in a step of a contactless payment's timeline.
    ///
    /// An answer that asks for the PIN closes its submission, since it approved nothing; any other answer that isn't an
    /// approval leaves the submission as it was seen. Steps that the document doesn't list say nothing.
    public mutating func see(_ event: HaloPhoneSDK.HaloAnalyticsEvent) {
        switch event.type {
        case .transactionSubmissionStarted: raise(to: .submitted)
        case .paymentApproved: self = .approved
        case .transactionResponseReceived:
            if event.isApproved == true {
                self = .approved
            } else if event.isSingleTapAndPin == true, self == .submitted {
                self = .nothingSeen
            }
        default: break
        }
    }
}

extension HaloPhoneSDK {
    /// The SDK's calls that can end with an error.
    public enum Call: String, SDKCall {
        /// Makes the SDK ready for payments.
        case initialize
        /// Takes or refunds a contactless payment.
        case startContactlessPayment

        /// Whether the call pays or refunds.
        public var isAboutMoney: Bool { self == .startContactlessPayment }
    }

    /// What a payment that was not approved proves about its money.
    public static func outcome(of code: HaloErrorCode?, seen evidence: SDKEvidence) -> SDKOutcome {
        guard let code else { return .unknown }
        return table.outcome(of: code.rawValue, in: Call.startContactlessPayment, seen: evidence)
    }

    /// What an error of the SDK's life proves about the money of the call that it came out of.
    public static func outcome(of error: HaloError, in call: Call, seen evidence: SDKEvidence) -> SDKOutcome {
        table.outcome(of: error.name, in: call, seen: evidence)
    }

    /// The outcome rules of contactless payments: the document's rows, the same codes as they are spelt since 1.0.90, and
    /// the codes that came with that.
    public static let table = SDKErrorTable(paymentRows + lifeRows + respelt(paymentRows) + laterRows)

    private static let paymentRows: [SDKErrorRule] = [
        SDKErrorRule(
            "USER_CANCELLED", .unknown, .cancelled, at(169, 184, 622),
            advice: SDKErrorAdvice(.again, "ask the customer"),
            why: "whether it came before the card's data went out is not said, nor what becomes of them"),
        SDKErrorRule(
            "CARD_DECLINED", .declined, .declined, at(170, 187),
            advice: SDKErrorAdvice(.afterFix, "another way to pay"),
            why: "the issuer decided, so an answer has come"),
        SDKErrorRule(
            "NETWORK_ERROR", .unknown, .network, at(171, 190), advice: SDKErrorAdvice(.again),
            why: "on which side of the submission the connection failed is not said"),
        SDKErrorRule(
            "PAYMENT_IN_PROGRESS", .notExecuted, .readerBusy, at(172),
            why: "another payment holds the reader; ours was not begun"),
        SDKErrorRule(
            "DEVICE_NOT_SUPPORTED", .notExecuted, .deviceUnsupported, at(173, 755), why: "no card can be read"),
        SDKErrorRule(
            "SCREEN_CAPTURE_DETECTED", .unknown, .deviceCompromised, at(174, 583),
            why: "the attempt is aborted when it is seen, before or after a submission"),
        SDKErrorRule("NOT_INITIALIZED", .notExecuted, .configuration, at(175), why: "nothing is there to send with"),
        SDKErrorRule("TIMEOUT", .unknown, .timedOut, at(176), why: "a request timed out, so there was one"),
        SDKErrorRule(
            "AUTH_TOKEN_UNAUTHORIZED", .notExecuted, .authentication, at(177, 357, 771),
            advice: SDKErrorAdvice(.afterFix, "correct the token provider, then initialize again"),
            why: "refused with 401 twice; with a submission out a gateway says that as well, whatever was carried out"),
        SDKErrorRule(
            "104", .unknown, .configuration, at(178), advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "the server is not set up to charge; when in a payment it comes is not said"),
        SDKErrorRule(
            "PPS-4003", .notExecuted, .timedOut, at(767, 769), holds: true,
            why: "the card's data is refused for its age, which is the answer to a submission"),
        SDKErrorRule(
            "Request Expired", .notExecuted, .timedOut, at(767, 769), holds: true,
            why: "the same refusal of old card data, in words"),
        SDKErrorRule(
            "Entitlement missing", .notExecuted, .configuration, at(759, 761),
            advice: SDKErrorAdvice(.afterFix, "get Apple's entitlement for the card reader"),
            why: "without it no card can be read"),
    ]

    private static let lifeRows: [SDKErrorRule] = [
        SDKErrorRule(
            "HaloError.notInitialized", .notExecuted, .configuration, at(269),
            advice: SDKErrorAdvice(.afterFix, "initialize first"), why: "nothing is there to send with"),
        SDKErrorRule(
            "HaloError.deviceNotSupported", .notExecuted, .deviceUnsupported, at(84, 273, 595, 613),
            why: "no card can be read"),
        SDKErrorRule(
            "HaloError.deviceNotCompliant", .notExecuted, .deviceCompromised, at(279, 585, 589),
            why: "the device is barred from payments"),
        SDKErrorRule(
            "HaloError.paymentInProgress", .notExecuted, .readerBusy, at(283),
            advice: SDKErrorAdvice(.later, "wait for the other payment"),
            why: "another payment holds the reader; ours was not begun"),
        SDKErrorRule(
            "HaloError.networkError", .unknown, .network, at(287),
            advice: SDKErrorAdvice(.again, "check the connection"),
            why: "on which side of a submission the connection failed is not said"),
        SDKErrorRule(
            "HaloError.authTokenUnauthorized", .notExecuted, .authentication, at(68, 90, 291, 349, 784),
            advice: SDKErrorAdvice(.afterFix, "sign a fresh token and initialize again"),
            why: "the token provider threw, or 401 came twice; with a submission out a gateway says that as well"),
        SDKErrorRule(
            "HaloError.accountLinkingError", .notExecuted, .accountNotLinked, at(295),
            advice: SDKErrorAdvice(.afterFix, "link the merchant's account in the phone's settings"),
            why: "no card is read before the account is linked"),
        SDKErrorRule(
            "HaloError.tokenError", .notExecuted, .configuration, at(299),
            advice: SDKErrorAdvice(.afterFix, "a fresh token from the server"),
            why: "the reader's connection is not made without its token"),
        SDKErrorRule(
            "HaloError.readerError", .notExecuted, .readerUnavailable, at(303), advice: SDKErrorAdvice(.again),
            why: "the reader gave no card to submit"),
        SDKErrorRule(
            "HaloError.userCancelled", .unknown, .cancelled, at(307),
            why: "ended by the customer; when, and what becomes of a submission on its way, is not said"),
        SDKErrorRule(
            "HaloError.cardDeclined", .declined, .declined, at(311), why: "the issuer decided, so an answer has come"),
        SDKErrorRule(
            "HaloError.locationError", .notExecuted, .locationRequired, later(9),
            advice: SDKErrorAdvice(.afterFix, "let the phone's place be known"),
            why: "it fails before the reader's screen"),
        SDKErrorRule(
            "HaloError.offlineDeclined", .notExecuted, .declined, later(10),
            advice: SDKErrorAdvice(.afterFix, "another way to pay"), why: "the card declined before a submission"),
        SDKErrorRule(
            "HaloError.cardNotSupported", .unknown, .declined, later(11),
            why: "when in a payment it comes is not said"),
    ]

    private static func at(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("seeds/halo.txt", $0) }
    }
    private static func later(_ line: Int) -> [DocumentCitation] {
        [DocumentCitation("Tests/Contracts/sdk/halo-differences.tsv", line)]
    }
}

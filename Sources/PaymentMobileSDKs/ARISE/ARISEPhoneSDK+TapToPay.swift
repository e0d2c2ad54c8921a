public import PaymentBase

extension ARISEPhoneSDK {
    /// Whether the phone can take cards, and what is in the way.
    public struct TTPCompatibilityResult: Hashable, Sendable {
        /// Whether the phone can take cards.
        public var isCompatible: Bool
        /// Whether the phone's model can take cards.
        public var deviceModelCheck: DeviceModelCheck
        /// Whether the phone's system can take cards.
        public var iosVersionCheck: IOSVersionCheck
        /// Whether the application may know the phone's place.
        public var locationPermission: LocationPermissionStatus
        /// Whether Apple lets the application take cards.
        public var tapToPayEntitlement: TapToPayEntitlementStatus
        /// What is in the way of taking cards; empty if nothing is.
        public var incompatibilityReasons: [String]

        /// Makes the result of checking a phone for card payments.
        public init(
            isCompatible: Bool, deviceModelCheck: DeviceModelCheck, iosVersionCheck: IOSVersionCheck,
            locationPermission: LocationPermissionStatus, tapToPayEntitlement: TapToPayEntitlementStatus,
            incompatibilityReasons: [String]
        ) {
            self.isCompatible = isCompatible
            self.deviceModelCheck = deviceModelCheck
            self.iosVersionCheck = iosVersionCheck
            self.locationPermission = locationPermission
            self.tapToPayEntitlement = tapToPayEntitlement
            self.incompatibilityReasons = incompatibilityReasons
        }
    }

    /// Whether a phone's model can take cards.
    public struct DeviceModelCheck: Hashable, Sendable {
        /// Whether the phone's model can take cards.
        public var isCompatible: Bool
        /// The phone's model, as Apple writes it.
        public var modelIdentifier: String

        /// Makes the result of checking a phone's model.
        public init(isCompatible: Bool, modelIdentifier: String) {
            (self.isCompatible, self.modelIdentifier) = (isCompatible, modelIdentifier)
        }
    }

    /// Whether a phone's system can take cards.
    public struct IOSVersionCheck: Hashable, Sendable {
        /// Whether the phone's system can take cards.
        public var isCompatible: Bool
        /// The version of the phone's system.
        public var version: String
        /// The oldest system that can take cards.
        public var minimumRequiredVersion: String

        /// Makes the result of checking a phone's system.
        public init(isCompatible: Bool, version: String, minimumRequiredVersion: String) {
            self.isCompatible = isCompatible
            self.version = version
            self.minimumRequiredVersion = minimumRequiredVersion
        }
    }

    /// A part of the data that verified the cardholder.
    public struct TTPCVMData: Hashable, Sendable {
        /// The tag of the cardholder's data.
        public var tag: String?
        /// The cardholder's data itself.
        public var value: Secret?

        /// Begins a part of the cardholder's data of which nothing is known.
        public init() {}
    }

    /// A tapped payment with its parts; no call of the document takes one.
    public struct TTPTransactionRequest: Hashable, Sendable {
        /// The payment's amount.
        public var amount: SDKDecimal
        /// The tip as text.
        public var tip: String?
        /// The reduction as text.
        public var discount: String?
        /// The amount before tip and reduction, as text.
        public var subTotal: String
        /// The merchant's order.
        public var orderId: String?
        /// The rate of the surcharge, as text.
        public var surchargeRate: String?

        /// Makes a tapped payment.
        public init(amount: SDKDecimal, subTotal: String) { (self.amount, self.subTotal) = (amount, subTotal) }
    }

    /// How a tapped payment ended, and what its card said.
    public struct TTPTransactionResult: Hashable, Sendable {
        /// The transaction's identifier at the processor.
        public var transactionId: String?
        /// The payment's result in the gateway's words.
        public var transactionOutcome: String?
        /// The payment's result, as the SDK reads those words.
        public var status: TTPTransactionStatus
        /// The merchant's order.
        public var orderId: String?
        /// The amount that was approved, as text without a documented unit.
        public var authorizedAmount: String?
        /// The payment's authorization code.
        public var authorizationCode: String?
        /// The acquirer's code of the result; spelt as in the document.
        public var authorisationResponseCode: String?
        /// When the payment was approved, as text.
        public var authorizedDate: String?
        /// How the text of the payment's approval time is to be read.
        public var authorizedDateFormat: String?
        /// The card's scheme.
        public var cardBrandName: String?
        /// The card's number, masked.
        public var maskedCardNumber: String?
        /// A reference of the payment; the document doesn't say whose.
        public var externalReferenceID: String?
        /// The card's application.
        public var applicationIdentifier: String?
        /// What the card calls its application.
        public var applicationPreferredName: String?
        /// The cryptogram of the card's chip.
        public var applicationCryptogram: Secret?
        /// How many payments the card's chip has counted.
        public var applicationTransactionCounter: String?
        /// What the reader found in checking the card.
        public var terminalVerificationResults: String?
        /// What the card's chip has to say to its issuer.
        public var issuerApplicationData: Secret?
        /// Which of several cards of the same number it is.
        public var applicationPANSequenceNumber: String?
        /// What a partner put in about the payment.
        public var partnerDataMap: [String: Secret]?
        /// The data that verified the cardholder.
        public var cvmTags: [TTPCVMData]?
        /// What was done to verify the cardholder.
        public var cvmAction: String?

        /// Makes the result of a tapped payment.
        public init(status: TTPTransactionStatus) { self.status = status }
    }
}

extension ARISEPhoneSDK {
    /// What happens in the reader and in a tapped payment.
    public enum TTPEvent: Hashable, Sendable {
        /// The card reader says something.
        case readerEvent(TTPReaderEvent)
        /// The SDK says something of the payment.
        case customEvent(TTPCustomEvent)
    }

    /// What the card reader says in a payment: Apple's twelve events.
    public enum TTPReaderEvent: Hashable, Sendable {
        /// The reader's preparation has come so far, in hundredths.
        case updateProgress(Int)
        /// The reader can't take a card yet.
        case notReady
        /// The reader waits for a card.
        case readyForTap
        /// The reader sees a card.
        case cardDetected
        /// The card can be taken away.
        case removeCard
        /// The card was read.
        case readCompleted
        /// The card has to be tapped again.
        case readRetry
        /// Reading the card was cancelled.
        case readCancelled
        /// The customer is asked for the PIN.
        case pinEntryRequested
        /// The customer has entered the PIN.
        case pinEntryCompleted
        /// The reader's screen was closed.
        case userInterfaceDismissed
        /// The reader's screen has ended without a card.
        case readNotCompleted
        /// An event of the reader that the document doesn't list, by its name.
        case other(String)
    }

    /// What the SDK says of a tapped payment.
    public enum TTPCustomEvent: Hashable, Sendable {
        /// The reader is being prepared.
        case preparing
        /// The reader is ready.
        case ready
        /// The reader is not ready, and why.
        case readerNotReady(String)
        /// The reader sees a card.
        case cardDetected
        /// The card was read.
        case cardReadSuccess
        /// The card was not read.
        case cardReadFailure
        /// The payment is being authorized.
        case authorizing
        /// The payment was approved.
        case approved
        /// The payment was declined.
        case declined
        /// Something went wrong in the payment.
        case errorOccurred
        /// The payment is under way.
        case inProgress
        /// The reader's preparation has come so far, in hundredths.
        case updateReaderProgress(Int)
        /// An event of a payment that the SDK itself doesn't know.
        case unknownEvent(String)
    }
}

extension SDKEvidence {
    /// Takes in an event of a tapped payment.
    ///
    /// From a card that was read on, the payment may be on its way; the document doesn't say when it is sent, nor at
    /// which moment a payment is "in progress". Events that it doesn't list say nothing.
    public mutating func see(_ event: ARISEPhoneSDK.TTPEvent) {
        switch event {
        case .readerEvent(.readCompleted), .readerEvent(.pinEntryCompleted): raise(to: .submitted)
        case .customEvent(.cardReadSuccess), .customEvent(.authorizing), .customEvent(.inProgress),
            .customEvent(.declined):
            raise(to: .submitted)
        case .customEvent(.approved): self = .approved
        case .readerEvent, .customEvent: break
        }
    }
}

extension ARISEPhoneSDK {
    /// The SDK's calls that can end with an error.
    public enum Call: String, SDKCall {
        /// Signs the merchant in.
        case authenticate
        /// Renews the merchant's token.
        case refreshAccessToken
        /// Lists transactions.
        case getTransactions
        /// Reads a transaction.
        case getTransactionDetails
        /// Holds an amount on a card.
        case submitAuthTransaction
        /// Makes a sale by card.
        case submitSaleTransaction
        /// Voids a payment.
        case voidTransaction
        /// Captures an authorization.
        case captureTransaction
        /// Refunds a payment.
        case refundTransaction
        /// Works out a payment's amounts.
        case calculateAmount
        /// Asks whether the phone may take cards.
        case getStatus
        /// Activates the phone for taking cards.
        case activate
        /// Shows how cards are taken.
        case showEducationalInfo
        /// Makes the card reader ready.
        case prepare
        /// Takes a payment by tapping.
        case performTransaction
        /// Stops a payment; its error says nothing of the payment, whose own call continues.
        case abortTransaction
        /// Opens the stream of the reader and of payments.
        case eventsStream
        /// Reads the merchant's settings.
        case getPaymentSettings
        /// Reads what the merchant may do.
        case getPermissions
        /// Lists the merchant's phones.
        case getDevices
        /// Reads a phone.
        case getDeviceInfo

        /// Whether the call pays, takes back or stops a payment.
        public var isAboutMoney: Bool {
            switch self {
            case .submitAuthTransaction, .submitSaleTransaction, .voidTransaction, .captureTransaction,
                .refundTransaction, .performTransaction, .abortTransaction:
                true
            case .authenticate, .refreshAccessToken, .getTransactions, .getTransactionDetails, .calculateAmount,
                .getStatus, .activate, .showEducationalInfo, .prepare, .eventsStream, .getPaymentSettings,
                .getPermissions, .getDevices, .getDeviceInfo:
                false
            }
        }
    }

    /// What an error of the SDK proves about the money of the call that threw it.
    ///
    /// A failed tap is judged by its code where it has a listed one, and a failed configuration or activation comes before a
    /// card whatever its code says; Apple's errors that the document doesn't list are
    /// judged by Apple's list. An error of stopping a payment says nothing of that payment, which continues or not.
    public static func outcome(of failure: Failure, in call: Call, seen evidence: SDKEvidence) -> SDKOutcome {
        guard call != .abortTransaction else { return .unknown }
        switch failure {
        case .ttp(.transactionFailed(let code, _)), .ttp(.unknown(let code, _)):
            let key = table.rule(for: code.rawValue, in: call) == nil ? failure.name : code.rawValue
            return table.outcome(of: key, in: call, seen: evidence)
        case .cardReader(let error) where table.rule(for: failure.name, in: call) == nil:
            return ProximityReaderErrors.outcome(ofReader: error.rawValue, seen: evidence)
        case .api, .ttp, .authentication, .cardReader, .other:
            return table.outcome(of: failure.name, in: call, seen: evidence)
        }
    }

    /// The row that speaks of an error, with its cause and advice; nil where neither the document nor Apple's list has one.
    public static func rule(of failure: Failure, in call: Call) -> SDKErrorRule? {
        let own = table.rule(for: failure.name, in: call)
        if let code = failure.code, let rule = table.rule(for: code, in: call) { return rule }
        switch failure {
        case .cardReader(let error):
            let apples = ProximityReaderErrors.Call.prepare
            return own ?? ProximityReaderErrors.reader.rule(for: error.rawValue, in: apples)
        case .api, .ttp, .authentication, .other: return own
        }
    }

    /// What the end of a tapped payment proves; nil for an approval, whose amount is to be judged.
    public static func outcome(of status: TTPTransactionStatus, seen evidence: SDKEvidence) -> SDKOutcome? {
        guard status != .approved else { return nil }
        return endings.outcome(of: status.rawValue, in: Call.performTransaction, seen: evidence)
    }

    /// The outcome rules of the SDK's errors, in the document's order.
    public static let table = SDKErrorTable(apiRows + ttpRows + codeRows + sessionRows)

    /// The outcome rules of a tapped payment's ends that are no approval.
    public static let endings = SDKErrorTable([
        SDKErrorRule("declined", .declined, .declined, at(1528), why: "the processor's own word"),
        SDKErrorRule(
            "cancelled", .notExecuted, .cancelled, at(1529),
            why: "cancelled by a person or the system; whether a payment on its way was, is not said"),
        SDKErrorRule("failed", .unknown, .providerFailed, at(1530), why: "when it failed is not said"),
    ])

    private static let taps = ["performTransaction"]

    /// A row for the calls that speak to the platform, and one for taps, where the same error proves nothing.
    private static func api(
        _ name: String, _ outcome: SDKOutcome, _ cause: SDKErrorCause, _ lines: [Int], _ advice: SDKErrorAdvice?,
        _ why: String
    ) -> [SDKErrorRule] {
        let places = at(lines)
        let tapped = "the tap's call asks the platform before the card and reports to it after, so this says nothing"
        return [
            SDKErrorRule(name, outcome, cause, places, advice: advice, why: why),
            SDKErrorRule(name, .unknown, cause, places + at(642, 661), calls: taps, advice: advice, why: tapped),
        ]
    }

    private static let fix = SDKErrorAdvice(.afterFix, "put the request right")
    private static let apiRows: [SDKErrorRule] = [
        api("AriseApiError.badRequest", .notExecuted, .invalidRequest, [1575], fix, "refused for what it is"),
        api(
            "AriseApiError.unauthorized", .notExecuted, .authentication, [1576],
            SDKErrorAdvice(.afterFix, "authenticate"),
            "401 refuses before anything is carried out"),
        api(
            "AriseApiError.forbidden", .notExecuted, .permission, [1577],
            SDKErrorAdvice(.never, "check the permissions"),
            "403 refuses before anything is carried out"),
        api(
            "AriseApiError.notFound", .notExecuted, .notFound, [1578],
            SDKErrorAdvice(.afterFix, "check the identifier"),
            "there is nothing to act on"),
        api(
            "AriseApiError.serverError", .unknown, .providerFailed, [1579], SDKErrorAdvice(.later),
            "the platform failed in carrying the request out"),
        api(
            "AriseApiError.unknown", .unknown, .providerFailed, [1580], SDKErrorAdvice(.again),
            "unexpected, and no more is said"),
        api(
            "AriseApiError.invalidResponse", .unknown, .unreadableReply, [1581], nil, "an answer came and can't be read"
        ),
        api(
            "AriseApiError.networkError", .unknown, .network, [1582], SDKErrorAdvice(.afterFix, "check the connection"),
            "on the way there or on the way back"),
    ].flatMap { $0 }

    private static let ttpRows: [SDKErrorRule] = [
        early(
            "TTPError.notCompatible", .deviceUnsupported, 1587,
            SDKErrorAdvice(.afterFix, "read the reasons: location, model, system, entitlement")),
        early("TTPError.notActive", .termsNotAccepted, 1588, SDKErrorAdvice(.afterFix, "activate")),
        early("TTPError.sdkNotInitialized", .configuration, 1589, SDKErrorAdvice(.afterFix, "initialize the SDK")),
        early(
            "TTPError.configurationFailed", .configuration, 1590, SDKErrorAdvice(.afterFix, "complete the settings")),
        early("TTPError.activationFailed", .accountNotLinked, 1591, SDKErrorAdvice(.again, "accept the terms")),
        SDKErrorRule(
            "TTPError.transactionFailed", .unknown, .providerFailed, at(1592),
            advice: SDKErrorAdvice(.afterFix, "read the code"),
            why: "reader, processing and other failures share the name; a listed code decides first"),
        SDKErrorRule(
            "TTPError.failedToAbortTransaction", .unknown, .conflict, at(1593, 697),
            advice: SDKErrorAdvice(.never, "let it end"),
            why: "the card is being read and the payment continues"),
        SDKErrorRule(
            "TTPError.unknown", .unknown, .providerFailed, at(1594),
            advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "unexpected, and no more is said; a listed code decides first"),
    ]

    /// An error of the checks that come before a card is asked for.
    private static func early(_ name: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            name, .notExecuted, cause, at([line] + [636, 638, 640]), advice: advice,
            why: "found before a card is asked for")
    }

    private static let sessionRows: [SDKErrorRule] = [
        signing("invalidCredentials", .authentication, 1646, SDKErrorAdvice(.afterFix, "check the credentials")),
        signing("networkError", .network, 1647, SDKErrorAdvice(.afterFix, "check the connection")),
        signing("invalidResponse", .unreadableReply, 1648, SDKErrorAdvice(.later)),
        signing("tokenExpired", .authentication, 1649, SDKErrorAdvice(.afterFix, "renew the token")),
        signing("unknown", .providerFailed, 1650, SDKErrorAdvice(.again)),
        [
            SDKErrorRule(
                "PaymentCardReaderError.notAllowed", .notExecuted, .configuration, at(1655),
                advice: SDKErrorAdvice(.afterFix, "check entitlement, Apple account and phone"),
                why: "the system has blocked the reader, so no card is read")
        ],
    ].flatMap { $0 }

    private static func signing(_ name: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice)
        -> [SDKErrorRule]
    {
        api(
            "AuthenticationError.\(name)", .notExecuted, cause, [line], advice,
            "signing in failed, which comes before the request or after its refusal")
    }

    static func at(_ lines: Int...) -> [DocumentCitation] { at(lines) }
    static func at(_ lines: [Int]) -> [DocumentCitation] { lines.map { DocumentCitation("seeds/arise.txt", $0) } }
}

extension ARISEPhoneSDK.Failure {
    /// The code that goes with an error of tapping; nil where it has none.
    var code: String? {
        guard case .ttp(let error) = self, let code = error.code?.rawValue, !code.isEmpty else { return nil }
        return code
    }
}

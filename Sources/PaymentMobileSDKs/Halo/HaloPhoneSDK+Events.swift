extension HaloPhoneSDK {
    /// What the SDK tells the application's delegate about the reader and the payment; it may come on any thread.
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

    /// An error of the SDK or of a payment, as the delegate hears of it.
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

extension AdyenPhoneSDK {
    /// An error of the phone's security checks or of the SDK itself; open, since only the most common are listed.
    public struct ErrorCode: Error, SDKTextCode {
        /// The error's spelling.
        public let rawValue: String
        /// Takes an error's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A debugger is attached; the payment was cancelled.
        public static let debuggerEnabled = Self(rawValue: "DEBUGGER_ENABLED")
        /// The paired reader's firmware is not fit for payments.
        public static let invalidNYC1FirmwareVersion = Self(rawValue: "INVALID_NYC1_FIRMWARE_VERSION")
        /// The phone's clock was set by hand; the payment was cancelled.
        public static let localTimeTampering = Self(rawValue: "LOCAL_TIME_TAMPERING")
        /// The phone's safety can't be checked; the payment was cancelled.
        public static let nonSelfResolvable = Self(rawValue: "NON_SELF_RESOLVABLE")
        /// The phone has no proof of its safety, without which it makes no payment.
        public static let noToken = Self(rawValue: "NO_TOKEN")
        /// Payments that were kept on the phone may be lost.
        public static let offlineDataTampering = Self(rawValue: "OFFLINE_DATA_TAMPERING")
        /// The phone's passcode was removed; the payment was cancelled and kept ones may be lost.
        public static let passcodeNotEnabled = Self(rawValue: "PASSCODE_NOT_ENABLED")
        /// The screen was recorded; the payment was cancelled.
        public static let screenRecording = Self(rawValue: "SCREEN_RECORDING")
        /// The screen was captured; the payment was cancelled.
        public static let screenCaptured = Self(rawValue: "SCREEN_CAPTURED")
        /// The application left the full screen; the payment was cancelled.
        public static let screenTampering = Self(rawValue: "SCREEN_TAMPERING")
        /// Something covered the payment's screen; the payment was cancelled.
        public static let screenOverlay = Self(rawValue: "SCREEN_OVERLAY")
        /// The system was changed or restarted; the payment was cancelled.
        public static let systemChange = Self(rawValue: "SYSTEM_CHANGE")
        /// The time for keeping payments on the phone is over.
        public static let tokenExpiredStoreAndForward = Self(rawValue: "TOKEN_EXPIRED_S&F")
    }

    /// The errors after which payments that are kept on the phone may be lost, so that each of them is in doubt.
    public static let storedPaymentsInDoubt: Set<ErrorCode> = [.offlineDataTampering, .passcodeNotEnabled]
}

// The names that the SDK's public interface has and the document leaves out.
extension AdyenPhoneSDK.ErrorCode {
    /// Another payment is being made.
    public static let transactionInProgress = Self(rawValue: "transactionInProgress")
    /// The merchant may not take payments on the phone itself.
    public static let tapToPayNotAllowed = Self(rawValue: "tapToPayNotAllowed")
    /// The phone can't take payments by itself.
    public static let tapToPayNotSupported = Self(rawValue: "tapToPayNotSupported")
    /// The phone has no such reader for payments.
    public static let paymentInterfaceNotSupported = Self(rawValue: "paymentInterfaceNotSupported")
    /// No card reader is paired.
    public static let noPairedReaders = Self(rawValue: "noPairedReaders")
    /// The connection to the card reader failed.
    public static let deviceConnectionFailure = Self(rawValue: "deviceConnectionFailure")
    /// The payment's request can't be read.
    public static let malformedTransactionRequest = Self(rawValue: "malformedTransactionRequest")
    /// The time of a payment's success screen is out of bounds.
    public static let invalidSuccessScreenTimeout = Self(rawValue: "invalidSuccessScreenTimeout")
    /// There is no session, so no installation to name in a payment.
    public static let unableToObtainInstallationId = Self(rawValue: "unableToObtainInstallationId")
    /// The reader is not warmed up for payments in the background.
    public static let backgroundWarmupNotAllowed = Self(rawValue: "backgroundWarmupNotAllowed")
    /// The card reader's radio could not be updated.
    public static let bluetoothFirmwareUpdateError = Self(rawValue: "bluetoothFirmwareUpdateError")
    /// The card reader's firmware could not be fetched.
    public static let firmwareDownloadError = Self(rawValue: "firmwareDownloadError")
    /// The card reader's firmware could not be updated.
    public static let firmwareUpdateError = Self(rawValue: "firmwareUpdateError")
    /// The card reader doesn't tell its battery's charge.
    public static let unableToFetchCardReaderBatteryInfo = Self(rawValue: "unableToFetchCardReaderBatteryInfo")
    /// The phone's own card reader failed in a payment.
    public static let tapToPayPaymentInterfaceFailure = Self(rawValue: "tapToPayPaymentInterfaceFailure")
}

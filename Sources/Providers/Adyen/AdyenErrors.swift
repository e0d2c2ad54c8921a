internal import PaymentAbstraction
internal import PaymentBase

extension ErrorTable {
    /// What terminals, the back office, the phone's kit and its checks mean; what is not listed may have been executed.
    static let adyen = ErrorTable(conditions + statuses + backOffice + kit + attestation)

    /// Why a terminal did not do it; refusals and cancellations are results and stand in ``AdyenDeclineCodes``.
    private static let conditions: [Row] = [
        Row("Busy", "condition", .readerBusy, .refused, isRetryable: true, "the terminal is busy"),
        Row("DeviceOut", "condition", .readerUnavailable, .refused, "a part of the terminal does not work"),
        Row("UnavailableDevice", "condition", .readerUnavailable, .refused, "a part of the terminal is missing"),
        Row(
            "InsertedCard", "condition", .readerBusy, .refused, userAction: true,
            "a card is left in the terminal; take it out"),
        Row("LoggedOut", "condition", .configuration, .refused, "the till has to log in first"),
        Row("NotAllowed", "condition", .permission, .refused, retry: .never, "this is not allowed here"),
        Row("MessageFormat", "condition", .invalidRequest, .refused, "the message has a mistake"),
        Row("NotFound", "condition", .notFound, .refused, retry: .never, "there is no such payment at the terminal"),
        Row("InProgress", "condition", .inDoubt, .maybeSent, "it is being worked on"),
        Row("UnreachableHost", "condition", .providerUnavailable, .maybeSent, "the host could not be reached"),
        Row("UnavailableService", "condition", .providerUnavailable, .maybeSent, "the service is not there for now"),
    ]

    private static let statuses: [Row] = [
        Row("400", "http", .invalidRequest, .refused, "the request could not be read"),
        Row("401", "http", .authentication, .maybeSent, "the key is unknown"),
        Row("403", "http", .permission, .maybeSent, "the key does not allow this"),
        Row("404", "http", .notFound, .maybeSent, "there is no such thing"),
        Row("409", "http", .inDoubt, .maybeSent, "the request came before, or is being worked on"),
        Row("422", "http", .invalidRequest, .refused, "the request is not valid"),
        Row("429", "http", .rateLimited, .maybeSent, isRetryable: true, "too many requests"),
        Row("500", "http", .providerFailed, .maybeSent, "something broke on the way"),
        Row("502", "http", .providerUnavailable, .maybeSent, "something broke on the way"),
        Row("503", "http", .providerUnavailable, .maybeSent, "the service is not there for now"),
        Row("504", "http", .providerUnavailable, .maybeSent, "no answer came in time"),
    ]

    private static let backOffice: [Row] = [
        Row("010", "checkout", .permission, .refused, "the key has no such role"),
        Row("101", "checkout", .invalidRequest, .refused, "the card number is not valid"),
        Row("704", "checkout", .inDoubt, .maybeSent, "the request came before, or is being worked on"),
        Row("167", "checkout", .notFound, .refused, "the original payment is needed and not known"),
    ]

    /// What the phone's kit throws before or instead of an answer.
    private static let kit: [Row] = [
        Row("transactionInProgress", "kit", .readerBusy, .refused, "a payment is under way"),
        Row("tapToPayNotAllowed", "kit", .permission, .refused, "this account may not take taps on a phone"),
        Row("tapToPayNotSupported", "kit", .deviceUnsupported, .refused, "this phone can't take taps"),
        Row("paymentInterfaceNotSupported", "kit", .deviceUnsupported, .refused, "this phone has no such reader"),
        Row("noPairedReaders", "kit", .readerUnavailable, .refused, "no reader is paired"),
        Row(
            "deviceConnectionFailure", "kit", .readerUnavailable, .maybeSent,
            "the reader was lost, and a payment that was submitted may have been done"),
        Row("bluetoothFirmwareUpdateError", "kit", .readerUnavailable, .refused, "the reader's update failed"),
        Row("firmwareDownloadError", "kit", .readerUnavailable, .refused, "the reader's update failed"),
        Row("firmwareUpdateError", "kit", .readerUnavailable, .refused, "the reader's update failed"),
        Row("unableToFetchCardReaderBatteryInfo", "kit", .readerUnavailable, .refused, "the reader does not answer"),
        Row("malformedTransactionRequest", "kit", .invalidRequest, .refused, "the request could not be read"),
        Row("invalidSuccessScreenTimeout", "kit", .invalidRequest, .refused, "the success screen can't stay so long"),
        Row("unableToObtainInstallationId", "kit", .configuration, .refused, "the phone has no session"),
        Row("backgroundWarmupNotAllowed", "kit", .configuration, .refused, "the application is not in front"),
        Row(
            "tapToPayPaymentInterfaceFailure", "kit", .readerUnavailable, .maybeSent,
            "the phone's reader failed, and a payment that was submitted may have been done"),
    ]

    /// What the checks of a phone's security find; the running payment has not moved.
    private static let attestation: [Row] = [
        Row("DEBUGGER_ENABLED", "attestation", .deviceCompromised, .refused, "disconnect the debugger and try again"),
        Row(
            "INVALID_NYC1_FIRMWARE_VERSION", "attestation", .readerUnavailable, .refused, userAction: true,
            "update the reader's software and try again"),
        Row(
            "LOCAL_TIME_TAMPERING", "attestation", .configuration, .refused, userAction: true,
            "let the phone set its date and time by itself"),
        Row("NON_SELF_RESOLVABLE", "attestation", .deviceCompromised, .refused, "ask the provider's support"),
        Row("NO_TOKEN", "attestation", .authentication, .refused, "the phone must go online first"),
        Row(
            "OFFLINE_DATA_TAMPERING", "attestation", .deviceCompromised, .refused,
            "the phone must go online; payments that were stored offline may have been lost"),
        Row(
            "PASSCODE_NOT_ENABLED", "attestation", .configuration, .refused, userAction: true,
            "set a passcode; payments that were stored offline are lost, and none can be stored any more"),
        Row("SCREEN_RECORDING", "attestation", .deviceCompromised, .refused, "stop the recording and try again"),
        Row("SCREEN_CAPTURED", "attestation", .deviceCompromised, .refused, "the screen was captured; try again"),
        Row("SCREEN_TAMPERING", "attestation", .deviceCompromised, .refused, "keep the application on the full screen"),
        Row("SCREEN_OVERLAY", "attestation", .deviceCompromised, .refused, "keep the application on the full screen"),
        Row(
            "SYSTEM_CHANGE", "attestation", .deviceCompromised, .refused,
            "the phone must go online; undo a change of the clock"),
        Row("TOKEN_EXPIRED_S&F", "attestation", .authentication, .refused, "the time for offline payments is over"),
    ]

    /// The codes of the security checks that can be put right without a network.
    static let resolvedOffline: Set<String> = [
        "DEBUGGER_ENABLED", "LOCAL_TIME_TAMPERING", "PASSCODE_NOT_ENABLED", "SCREEN_RECORDING", "SCREEN_CAPTURED",
        "SCREEN_TAMPERING", "SCREEN_OVERLAY",
    ]
}

internal import PaymentMobileSDKs
internal import PaymentProviderKit

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
        Row("401", "http", .authentication, .maybeSent, "the key is unknown; check the credential apiKey"),
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
            "tapToPayPaymentInterfaceFailure", "kit", .readerUnavailable, .refused,
            "the phone's reader could not be had, which comes before a payment"),
    ]

    /// What the checks of a phone's security find; the running payment has not moved, unless no document says so.
    private static let attestation: [Row] = [
        Row("DEBUGGER_ENABLED", "attestation", .deviceCompromised, .refused, "disconnect the debugger and try again"),
        Row(
            "INVALID_NYC1_FIRMWARE_VERSION", "attestation", .readerUnavailable, .refused, userAction: true,
            "update the reader's software and try again"),
        Row(
            "LOCAL_TIME_TAMPERING", "attestation", .configuration, .refused, userAction: true,
            "let the phone set its date and time on its own"),
        Row("NON_SELF_RESOLVABLE", "attestation", .deviceCompromised, .refused, "ask the provider's support"),
        Row("NO_TOKEN", "attestation", .authentication, .refused, "the phone must go online first"),
        Row(
            "OFFLINE_DATA_TAMPERING", "attestation", .deviceCompromised, .maybeSent,
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
        Row("TOKEN_EXPIRED_S&F", "attestation", .authentication, .maybeSent, "the time for offline payments is over"),
    ]

    /// The codes of the security checks that can be put right without a network.
    static let resolvedOffline: Set<String> = [
        "DEBUGGER_ENABLED", "LOCAL_TIME_TAMPERING", "PASSCODE_NOT_ENABLED", "SCREEN_RECORDING", "SCREEN_CAPTURED",
        "SCREEN_TAMPERING", "SCREEN_OVERLAY",
    ]
}

/// Why payments are refused or ended, in neutral words.
enum AdyenDeclineCodes {
    /// The conditions that are refusals, with the reason where nothing more is said.
    static let declines: [String: Decline.Reason] = [
        "Refusal": .unmapped, "InvalidCard": .invalidCard, "PaymentRestriction": .notPermitted,
        "WrongPIN": .incorrectPIN,
    ]

    /// The conditions that end a payment before it was decided.
    static let cancellations: [String: Cancellation.Cause] = ["Cancel": .customer, "Aborted": .merchant]

    /// What the numbers in front of a refusal's text mean.
    static let codes: [String: Decline.Reason] = [
        "129": .incorrectPIN, "199": .blockedCard, "210": .insufficientFunds, "214": .doNotHonor, "228": .expiredCard,
    ]

    /// What the back office's numbers mean.
    static let office: [String: Decline.Reason] = [
        "2": .doNotHonor, "5": .blockedCard, "6": .expiredCard, "7": .invalidAmount, "8": .invalidCard,
        "9": .issuerUnavailable, "10": .cardNotSupported, "12": .insufficientFunds, "14": .suspectedFraud,
        "17": .incorrectPIN, "18": .pinTriesExceeded, "20": .suspectedFraud, "22": .suspectedFraud, "23": .notPermitted,
        "24": .incorrectSecurityCode, "25": .notPermitted, "27": .doNotHonor, "28": .limitExceeded,
        "31": .suspectedFraud, "38": .authenticationRequired,
    ]
    /// What the words beside a refusal mean.
    static let words: [String: Decline.Reason] = [
        "BLOCK_CARD": .blockedCard, "CARD_EXPIRED": .expiredCard, "INVALID_AMOUNT": .invalidAmount,
        "INVALID_CARD": .invalidCard, "INVALID_PIN": .incorrectPIN, "NOT_ENOUGH_BALANCE": .insufficientFunds,
    ]

    /// Numbers in front of a text that says who ended a payment before it was decided.
    private static let endings: Set<String> = ["101", "102", "104", "108", "126"]

    /// Whether the issuer or the account refused: by the condition, or, where that is in no list, by the reason beside.
    static func isDecline(_ response: NexoResponse) -> Bool {
        declines[response.condition] != nil || !isListed(response) && response.additional["refusalReason"] != nil
    }

    /// Whether it was ended before it was decided: by the condition, or, where that is in no list, by the number beside.
    static func isCancellation(_ response: NexoResponse) -> Bool {
        if cancellations[response.condition] != nil { return true }
        let number = response.message.split(separator: " ").first.map(String.init) ?? ""
        return !isListed(response) && response.additional["refusalReason"] == nil && endings.contains(number)
    }

    private static func isListed(_ response: NexoResponse) -> Bool {
        let condition = response.condition
        return declines[condition] != nil || cancellations[condition] != nil || ErrorTable.adyen[condition] != nil
    }

    /// A refusal with its reason and its raw code: the number in front of the text if it is listed, or the condition if it is
    /// not; without a number the word beside it, else the condition. A general number is made plainer by the word.
    static func decline(_ response: NexoResponse) -> (reason: Decline.Reason, provider: ProviderMessage) {
        let fallback = declines[response.condition] ?? .unmapped
        let text = response.additional["refusalReason"] ?? ""
        let first = text.split(separator: " ").first.map { String($0) }
        // A code has a digit in it; the first word of a sentence is none.
        let number = first.flatMap { $0.contains { $0.isASCII && $0.isNumber } ? $0 : nil }
        let word = response.additional["message"].flatMap { words[$0] }
        let said = ProviderMessage(
            code: number ?? response.condition, message: text.isEmpty ? response.additional["message"] ?? "" : text)
        guard let number else { return (word ?? fallback, said) }
        guard let listed = codes[number] else { return (fallback, said) }
        return (listed == .doNotHonor ? plainer(word, fallback) : listed, said)
    }

    private static func plainer(_ word: Decline.Reason?, _ fallback: Decline.Reason) -> Decline.Reason {
        word ?? (fallback == .unmapped ? .doNotHonor : fallback)
    }

    /// Who ended a payment: the number in front of the text says it better than the condition.
    static func cause(_ response: NexoResponse) -> Cancellation.Cause {
        // The shopper walked away instead of using the chip.
        if response.message.lowercased().contains("contactless fallback") { return .customer }
        return switch response.message.split(separator: " ").first {
        case "104": .merchant
        case "101": .customer
        default: cancellations[response.condition] ?? .provider
        }
    }
}

/// What can go wrong with a terminal's message, beside what goes wrong on the way.
enum AdyenFailure: Error {
    /// The terminal or the cloud rejected the message.
    case rejected(NexoMessage.Rejection)
    /// The terminal said why it did not do it.
    case refused(NexoResponse)
    /// The answer could not be read, or says nothing about the outcome.
    case unreadable(String)
    /// The answer belongs to another message.
    case stranger
    /// The answer's encryption or its proof is wrong.
    case notVerified
    /// There is nothing under the address.
    case nowhere(Origin, String)

    /// What is proven about the exchange.
    var fault: RequestFailure {
        switch self {
        case .rejected(.notDelivered(let said)):
            var fault = RequestFailure(
                .providerUnavailable, .refused, provider: ProviderMessage(code: "Reject", message: said),
                detail: "the terminal could not be reached; nothing was delivered")
            fault.isRetryable = true
            return fault
        case .rejected(.malformed(let said)):
            return RequestFailure(
                .invalidRequest, .refused, provider: ProviderMessage(code: "Reject", message: said),
                detail: "the message could not be read")
        case .rejected(.unknown(let said)):
            return RequestFailure(
                .providerUnavailable, .maybeSent, provider: ProviderMessage(code: "Reject", message: said),
                detail: "no answer came from the terminal")
        case .refused(let response):
            // What is wrong with a message is in a list of its own.
            let mistakes = response.condition == "MessageFormat" ? response.additional["errors"] : nil
            return ErrorTable.adyen.failure(
                code: response.condition,
                message: [response.message, mistakes ?? ""].filter { !$0.isEmpty }.joined(separator: "; "))
        case .unreadable(let what): return RequestFailure(.unreadableReply, .maybeSent, detail: what)
        case .stranger: return RequestFailure(.mismatch, .maybeSent, detail: "the answer belongs to another message")
        case .nowhere(let origin, let target):
            var fault = ErrorTable.adyen.failure(code: "404")
            fault.detail = "there is nothing under \(origin)\(target); check `endpoint`, the merchant and the terminal"
            return fault
        case .notVerified:
            return RequestFailure(
                .signatureInvalid, .maybeSent, detail: "the answer's encryption could not be verified")
        }
    }
}

extension AdyenFailure: DiagnosedFailure {
    var diagnosis: FailureDiagnosis? {
        guard case .nowhere(let origin, _) = self else { return nil }
        return FailureDiagnosis(status: 404, host: "\(origin)")
    }
}

/// An error that a phone's kit told, and the call that it ended.
struct AdyenKitFailure: Error {
    let code: AdyenPhoneSDK.ErrorCode
    let call: AdyenPhoneSDK.Call

    /// What the kit's outcome table says of it.
    var fault: RequestFailure {
        let rule = AdyenPhoneSDK.table.rule(for: code.rawValue, in: call)
        let isSafe = AdyenPhoneSDK.outcome(of: code, in: call) == .notExecuted
        let advice = rule?.advice
        var fault = RequestFailure(
            PaymentError.Code(rawValue: rule?.cause.rawValue ?? SDKErrorCause.unreadableReply.rawValue),
            isSafe ? .refused : .maybeSent, provider: ProviderMessage(code: code.rawValue),
            detail: Self.detail(code, rule))
        if isSafe, advice?.retry == .never { fault.retry = .never }
        if isSafe, advice?.retry == .afterFix { fault.requiresUserAction = true }
        return fault
    }

    private static func detail(_ code: AdyenPhoneSDK.ErrorCode, _ rule: SDKErrorRule?) -> String {
        var parts = [rule?.why ?? "the kit's document lists no such code", rule?.advice?.action ?? ""]
        if AdyenPhoneSDK.storedPaymentsInDoubt.contains(code) {
            parts.append("payments that were kept on the phone may be lost: each of them is in doubt")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

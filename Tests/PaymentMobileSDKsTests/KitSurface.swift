/// What one kit is held against: its document's list, and every difference with its reason.
struct KitSurface: Sendable, CustomStringConvertible {
    /// The kit's folder.
    let folder: String
    /// The name space in the sources.
    let space: String
    /// The beginning of the lists' names.
    let list: String
    /// What the document has and the kit leaves out, and why.
    var notBuilt: [String: String] = [:]
    /// What the kit spells otherwise: the document's name and ours.
    var renamed: [String: String] = [:]
    /// What the kit has and the document doesn't, and why; a name with a closing point stands for all of its members.
    var own: [String: String] = [:]

    var description: String { folder }

    /// What is missing, what is too much, and which of the reasons are about nothing.
    func differences(document: Set<String>, ours: Set<String>) -> [String] {
        let expected = Set(document.subtracting(notBuilt.keys).map { renamed[$0] ?? $0 })
        let missing = expected.subtracting(ours).map { "\($0) is documented and not built" }
        let extra = ours.subtracting(expected).filter { name in
            own[name] == nil && !own.keys.contains { $0.hasSuffix(".") && name.hasPrefix($0) }
        }.map { "\($0) is in no document" }
        let pointless = Set(notBuilt.keys).union(renamed.keys).subtracting(document).map { "\($0) is not documented" }
        let built = notBuilt.keys.filter { ours.contains($0) }.map { "\($0) is built after all" }
        let stale = own.keys.filter { name in
            name.hasSuffix(".") ? !ours.contains { $0.hasPrefix(name) } : !ours.contains(name)
        }.map { "\($0) is not there any more" }
        return (missing + extra + pointless + built + stale).sorted()
    }
}

extension KitSurface {
    /// The five kits.
    static let all: [KitSurface] = [.arise, .adyen, .ni, .ecommpay, .halo]

    private static let rules: [String: String] = [
        "Call": "the outcome table's name for a call", "Call.": "the outcome table's names for the calls",
        "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
    ]

    static let halo = KitSurface(
        folder: "Halo", space: "HaloPhoneSDK", list: "halo",
        notBuilt: ["HaloError.localizedDescription": "words for people; the application asks its SDK's own error"],
        renamed: [
            "tokenProvider": "TokenProvider", "HaloEnvironment.sandbox": "Environment.sandbox",
            "HaloEnvironment.production": "Environment.production",
            "HaloError.deviceNotSupported.reason": "HaloReason", "HaloError.networkError.reason": "HaloReason",
            "HaloError.accountLinkingError.reason": "HaloReason", "HaloError.tokenError.reason": "HaloReason",
            "HaloError.readerError.reason": "HaloReason",
        ],
        own: rules.merging([
            "SDK": "the protocol of the documented calls", "setEventDelegate.delegate": "the parameter without a label",
            "Environment": "the document shows the values only",
            "Environment.rawValue": "open", "HaloTransactionType": "the document shows the values only",
            "HaloTransactionType.rawValue": "open", "HaloErrorCode": "named in passing",
            "HaloErrorCode.rawValue": "open",
            "HaloErrorCode.paymentInProgress": "a listed code whose constant isn't shown",
            "HaloErrorCode.deviceNotSupported": "a listed code whose constant isn't shown",
            "HaloErrorCode.screenCaptureDetected": "a listed code whose constant isn't shown",
            "HaloErrorCode.notInitialized": "a listed code whose constant isn't shown",
            "HaloErrorCode.timeout": "a listed code whose constant isn't shown",
            "HaloErrorCode.serverConfiguration": "a listed code whose constant isn't shown",
            "HaloErrorCode.requestTooOld": "a listed code whose constant isn't shown",
            "HaloErrorCode.requestExpired": "a listed code whose constant isn't shown",
            "HaloErrorCode.entitlementMissing": "a listed error whose constant isn't shown",
            "HaloReason": "the document shows the values only", "HaloReason.rawValue": "open",
            "HaloErrorTraits": "the error's properties as a value", "HaloError.name": "the outcome table's name",
            "HaloError.other": "open", "HaloError.other.": "open",
            "HaloEventDelegate.didUpdatePreparationProgress.thousandths": "the SDK's binary number as a whole one",
            "EventType": "the document shows the values only", "EventType.rawValue": "open",
            "startContactlessPayment.passthroughFields": "since 1.0.94, required since 1.0.95",
            "HaloPassthroughFields": "since 1.0.94", "HaloPassthroughFields.json": "the SDK's dictionary as JSON",
            "HaloErrorCode.invalidPassthroughFields": "since 1.0.95", "HaloReceipt.cardType": "since 1.0.78",
            "HaloError.locationError": "since 1.0.81", "HaloError.offlineDeclined": "since 1.0.86",
            "HaloError.cardNotSupported": "since 1.0.86", "HaloReason.servicesDisabled": "since 1.0.81",
            "HaloReason.permissionDenied": "since 1.0.81", "HaloReason.timeout": "since 1.0.81",
            "HaloReason.unavailable": "since 1.0.81",
        ]) { one, _ in one })

    static let adyen = KitSurface(
        folder: "Adyen", space: "AdyenPhoneSDK", list: "adyen",
        notBuilt: [
            "transactionModal": "a modifier of the application's own view",
            "transactionModal.with": "a modifier of the application's own view",
            "transactionModal.logo": "it stands in the parameters",
            "transactionModal.parameters": "a modifier of the application's own view",
            "paymentResponse": "the document's name for the variable that holds the answer",
            "reversalResponse": "the document's name for the variable that holds the answer",
            "Payment.Response.data": "the answer's bytes stand in the case of the answer",
        ],
        own: rules.merging([
            "Payment": "the name space of the documented type", "Reversal": "the name space of the documented type",
            "Payment.Response": "the type of the documented answer",
            "Reversal.Response": "the type of the documented answer",
            "Answer": "the answers' shape", "Answer.": "the answers' shape", "Registration": "the server leg",
            "PaymentInterface.rawValue": "open", "TransactionPresentationMode.style": "the mode as a value",
            "TransactionPresentationMode.parameters": "the mode as a value",
            "TransactionPresentationMode.Style": "the mode as a value",
            "TransactionPresentationMode.Style.": "the mode as a value",
            "Parameters": "the type of a documented argument",
            "Parameters.successScreenMillisecondsMin": "a documented bound",
            "Parameters.successScreenMillisecondsMax": "a documented bound",
            "ErrorCode": "held against the list of errors", "ErrorCode.": "held against the list of errors",
            "storedPaymentsInDoubt": "our rule", "resetSession": "the SDK's public interface has it",
        ]) { one, _ in one })
}

internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs

/// An error that a phone's kit told, and the call that it ended.
struct AdyenKitFailure: Error {
    let code: AdyenPhoneSDK.ErrorCode
    let call: AdyenPhoneSDK.Call

    /// What the kit's outcome table says of it.
    var fault: RequestFailure {
        let rule = AdyenPhoneSDK.table.rule(for: code.rawValue, in: call)
        let isSafe = AdyenPhoneSDK.outcome(of: code, in: call) == .nothingMoved
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

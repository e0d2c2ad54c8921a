internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentKits

/// An error that a phone's kit told, and the call that it ended.
struct AdyenKitFailure: Error {
    let code: AdyenKit.ErrorCode
    let call: AdyenKit.Call

    /// What the kit's outcome table says of it.
    var fault: Fault {
        let rule = AdyenKit.table.rule(for: code.rawValue, in: call)
        let isSafe = AdyenKit.outcome(of: code, in: call) == .nothingMoved
        let advice = rule?.advice
        var fault = Fault(
            PaymentError.Code(rawValue: rule?.cause.rawValue ?? KitCause.unreadableReply.rawValue),
            isSafe ? .refused : .maybeSent, provider: ProviderMessage(code: code.rawValue),
            detail: Self.detail(code, rule))
        if isSafe, advice?.retry == .never { fault.retry = .never }
        if isSafe, advice?.retry == .afterFix { fault.requiresUserAction = true }
        return fault
    }

    private static func detail(_ code: AdyenKit.ErrorCode, _ rule: KitRule?) -> String {
        var parts = [rule?.why ?? "the kit's document lists no such code", rule?.advice?.action ?? ""]
        if AdyenKit.storedPaymentsInDoubt.contains(code) {
            parts.append("payments that were kept on the phone may be lost: each of them is in doubt")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

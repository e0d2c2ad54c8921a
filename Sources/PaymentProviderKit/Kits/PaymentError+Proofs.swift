public import PaymentAbstraction
public import PaymentMobileSDKs

extension PaymentError {
    /// A conflict with what another system did under the attempt's id: it was there before the attempt's first request, so
    /// that the refusal answers no copy of it. Nothing moved.
    public static func idInUse(_ said: ProviderMessage, _ detail: String) -> PaymentError {
        var error = PaymentError(.conflict, outcome: .notExecuted, provider: said, detail: detail)
        error.excludesCopy = true
        return error
    }

    /// What a row of a kit's outcome table makes of an error; without a row nobody can tell.
    ///
    /// - Parameters:
    ///   - rule: The error's row, if the kit's document lists it.
    ///   - outcome: What is left of the row's outcome after what the kit has shown.
    ///   - said: The error in the kit's words.
    public init(_ rule: SDKErrorRule?, _ outcome: Outcome, _ said: ProviderMessage) {
        let why = rule?.why ?? "the kit's document lists no such code"
        self.init(
            Code(rawValue: rule?.cause.rawValue ?? SDKErrorCause.unreadableReply.rawValue), outcome: outcome,
            provider: said, retry: rule?.advice?.retry == .never ? .never : nil,
            requiresUserAction: rule?.advice?.retry == .afterFix ? true : nil,
            detail: [why, rule?.advice?.action ?? ""].filter { !$0.isEmpty }.joined(separator: "; "))
        // A row says it of the call itself, by what the kit has shown of it.
        excludesCopy = outcome == .notExecuted
    }
}

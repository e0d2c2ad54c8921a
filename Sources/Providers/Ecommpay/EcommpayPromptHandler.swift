internal import PaymentBase

/// Where answers to what a payment waits for go.
enum EcommpayPromptHandler: Sendable {
    /// To the session that asked.
    case session(Secret)
    /// To the Gate, about the payment of this name.
    case gate(String)

    /// The Gate's path for what a session has under another.
    static func gatePath(_ path: String) -> String? {
        switch path {
        case EcommpayPath.authenticationMethod: "/v2/payment/card/3ds_check_iframe"
        case EcommpayPath.authenticationResult: "/v2/payment/card/3ds_result"
        case EcommpayPath.clarification: "/v2/payment/clarification"
        default: nil
        }
    }
}

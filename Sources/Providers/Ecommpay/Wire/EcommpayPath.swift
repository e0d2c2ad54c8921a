internal import PaymentAbstraction

/// Where things are asked for.
enum EcommpayPath {
    // The session.
    static let open = "/init"
    static let pay = "/pay"
    static let state = "/status"
    static let customerFields = "/customer_fields"
    static let clarification = "/clarification"
    static let authenticationMethod = "/3ds/check"
    static let authenticationResult = "/3ds/result"
    static let cascade = "/cascade"
    static let forgetAccount = "/account/delete"
    static let leave = "/cancel"
    static let events = "/events"
    /// Where fields go that people have filled in, and may have filled in wrongly.
    static let forms: Set<String> = [customerFields, clarification]

    // The Payment Page.
    static let page = "/payment"

    // The Gate.
    static let status = "/v2/payment/status"
    static let requestStatus = "/v2/payment/status/request"
    static let recurring = "/v2/payment/card/recurring"
    static let incremental = "/v2/payment/card/incremental"
    static let registration = "/v2/payment/card/recurring/info"
    static let changeRegistration = "/v2/payment/card/recurring/update"
    static let endRegistration = "/v2/payment/card/recurring/cancel"
    static let stopRetries = "/v2/recurring/retry_stop"
    static let customer = "/v2/customer/info"
    static let tokenize = "/v2/customer/card/tokenize"
    static let byToken = "/v2/customer/card/bytoken"
    static let revoke = "/v2/customer/card/token/revoke"
    static let accounts = "/v2/customer/saved_account/list"
    static let removeAccount = "/v2/customer/saved_account/delete"

    /// Where a payment begins with a card's number; saved accounts and tokens have a path below it.
    static func beginning(_ operation: PaymentOperation) -> String {
        switch operation {
        case .authorize: "/v2/payment/card/auth"
        case .verify: "/v2/payment/card/account_verification"
        default: "/v2/payment/card/sale"
        }
    }

    /// What is done with a payment of a method: `capture`, `cancel`, `refund`.
    static func action(_ verb: String, _ method: String) -> String { "/v2/payment/\(method)/\(verb)" }
}

internal import PaymentProviderKit

/// The names that the documents have for members of messages.
enum EcommpayMembers {
    static let known = KnownFields(names, open: open)

    /// Members whose own members have unlisted names, or that only some projects have.
    private static let open = """
        params errors strings logos fields additional_fields additional_data threeds clarification_fields
        provider_extra_fields receipt_data booking_info addendum translations redirectData redirect_data display_data
        avs_result interface_type body encrypted
        """

    private static let names = """
        acceptance accept accept_header account account_id account_token accounts acs acs_return_url acs_url action
        additional additional_data additional_fields addendum address address_match amount attempts_timeout auth_code
        AuthCode authentication_data avs_data avs_post_code avs_result avs_street_address bank_name best_before billing
        birthplace body booking_info brand browser callback card card_holder card_types cascading_with_redirect city
        clarification_fields code color_depth constraint country created_at created_date cres currency customer customer_amount
        customer_currency customer_fields customer_id cvv date day_of_birth decision decline delay description
        destination display_data ds_operation_id eci email encrypted endpoint_id environment errors exp_month exp_year expiry
        expiry_day expiry_month expiry_year extra_param field fields first_name force_disable force_payment_method
        frame_mode general gift_card hide_saved_wallets hint holder icon_url id identify iframe interface_type
        interval ip_address is_hidden is_new_attempts_available is_required is_tokenize java_enabled js_enabled label
        language language_code last_deposit_date last_name last_payment_at last_payout_date last_tokenize_date logos mcc md merchant
        merchant_callback_url merchant_id merchant_refund_id message method middle_name month moto_type mpi_result name number
        operation operation_fee operation_type operations options originator pa_req pan params pares payment payment_amount
        payment_currency payment_description payment_id payment_methods payment_system_id payment_token
        payment_url period period_interval phone postal product_name project_id provider provider_extra_fields provider_id qr_code
        receipt_data recipient recurring recurring_enable recurring_id recurring_register redirect redirectData
        redirect_data referrer_url region region_code register register_payment_id remaining_refund reorder request
        request_id result_code result_message return return_url rrn save save_mode saved_account_id
        scheduled_payment_id schedule screen_res shipping sid signature split_with_redirect start_date start_time state status
        stored_card_type street strings success sum sum_converted sum_initial sum_real sum_refund sum_request term_url
        terminal_callback_url threeds threeds2 threeds_completion_indicator time timezone_offset title token
        token_created_at token_status transaction translations trigger_operation_id type url user valid_thru validator wallet_id
        wallet_owner year zip
        """
}

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

    /// What the paths of later changes have for the provider's words of methods.
    private static let segments = [
        "card": "card", "applepay": "applepay", "etoken": "applepay", "googlepay": "googlepay",
        "etoken-google": "googlepay",
    ]

    /// What is done with a payment of a method: `capture`, `cancel`, `refund`. A refund has a path without a method, too.
    ///
    /// - Throws: `unsupported`, nothing moved, if no path is published for the method.
    static func action(_ verb: String, _ method: String) throws(PaymentError) -> String {
        if let segment = segments[method] { return "/v2/payment/\(segment)/\(verb)" }
        if verb == "refund" { return "/v2/payment/refund" }
        throw PaymentError.notExecuted(
            .unsupported,
            "The payment was made by \(method), for which no path of \(verb) is published. Change it in the Dashboard.")
    }
}

/// A session that was opened.
struct EcommpayOpening: Sendable {
    let session: Secret
    let offer: EcommpayMethodList

    init?(_ json: JSON?) {
        guard let json, json["status"]?.string == "success", let session = json["sid"]?.string, !session.isEmpty
        else { return nil }
        self.session = Secret(session)
        // A payment of this name is there already, and is not final.
        var offer = EcommpayMethodList(isRestored: json["payment"]?.object != nil)
        offer.methods = (json["payment_methods"]?.array ?? []).compactMap { Self.method($0) }
        offer.saved = (json["accounts"]?.array ?? []).compactMap { EcommpayMapping.instrument($0, of: nil) }
        (offer.titles, offer.logos) = (Self.texts(json["strings"]), Self.texts(json["logos"]))
        self.offer = offer
    }

    private static func method(_ json: JSON) -> EcommpayMethodList.Method? {
        guard let code = json["code"]?.string else { return nil }
        var method = EcommpayMethodList.Method(code: code)
        (method.title, method.kind) = (json["name"]?.string, json["type"]?.string)
        (method.saving, method.logo) = (json["save_mode"]?.string, json["icon_url"]?.string)
        method.cards = (json["card_types"]?.array ?? []).compactMap(\.string)
        method.fields = (json["customer_fields"]?.array ?? []).compactMap { EcommpayCustomerPrompt.field($0) }
        return method
    }

    private static func texts(_ json: JSON?) -> [String: String] {
        var texts: [String: String] = [:]
        for member in json?.object?.members ?? [] { texts[member.key] = member.value.string }
        return texts
    }
}

/// What the provider says when it has accepted something; it never says that anything was paid.
struct EcommpayAck: Sendable {
    let payment: String
    /// The name of the request; nil where the provider only says that it has it already.
    let request: String?

    init(payment: String, request: String?) { (self.payment, self.request) = (payment, request) }

    /// Reads an answer; on our own connection it is about our own request, also where it doesn't name the payment.
    init?(_ json: JSON?, about payment: String) {
        guard json?["status"]?.string == "success" else { return nil }
        let request = json?["request_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        self.init(payment: json?["payment_id"]?.string ?? payment, request: request)
    }
}

/// What the provider says about a payment: in a session, in the Gate's status and in callbacks.
struct EcommpayReport: Sendable {
    /// One operation of the payment.
    struct Operation: Sendable {
        let id: String
        var type: String
        let status: String
        let request: String?
        var refund: String?
        let code: String
        let message: String
        let amount: Money?
        let at: Int64?
        let createdAt: Int64?
        let authorization: String?

        /// Reads an operation; nil where that can't be done, as where it names an amount that no payment has.
        init?(_ json: JSON?) {
            guard let json, let id = EcommpayRefusal.text(json["id"]), let type = json["type"]?.string,
                let status = json["status"]?.string
            else { return nil }
            (self.id, self.type, self.status, request) = (id, type, status, json["request_id"]?.string)
            refund = json["merchant_refund_id"]?.string
            code = EcommpayRefusal.text(json["code"]) ?? ""
            message = json["message"]?.string ?? ""
            let sum = json["sum_initial"] ?? json["sum"]
            amount = EcommpayReport.money(sum)
            if EcommpayReport.isUnbelievable(sum) { return nil }
            at = json["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
            createdAt = json["created_date"]?.string.flatMap { Timestamp($0)?.milliseconds }
            authorization = json["provider"]?["auth_code"]?.string
        }

        /// Whether it gives something back, or takes that back.
        var isRefund: Bool { ["refund", "reversal", "refund reverse"].contains(type) }
    }

    let project: String?
    let payment: String
    let status: String
    let sum: Money?
    let at: Int64?
    let method: String?
    var isCascading: Bool
    var operations: [Operation]
    /// Whether there is an operation or a sum that could not be read.
    let isTorn: Bool
    let account: JSON?
    let recurring: String?
    let token: Secret?
    private(set) var errors: [EcommpayRefusal]
    let question: EcommpayCustomerPrompt?

    init?(_ json: JSON?) {
        guard let json, let payment = json["payment"]?["id"]?.string ?? json["general"]?["payment_id"]?.string,
            let status = json["payment"]?["status"]?.string
        else { return nil }
        (self.payment, self.status) = (payment, status)
        project = EcommpayRefusal.text(json["project_id"]) ?? EcommpayRefusal.text(json["general"]?["project_id"])
        sum = Self.money(json["payment"]?["sum"])
        at = json["payment"]?["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
        method = json["payment"]?["method"]?.string
        isCascading = json["payment"]?["cascading_with_redirect"]?.bool ?? false
        let listed = json["operations"]?.array ?? (json["operation"].map { [$0] } ?? [])
        operations = Self.named(listed.compactMap { Operation($0) }, json["payment"]?["merchant_refund_id"]?.string)
        isTorn = operations.count != listed.count || Self.isUnbelievable(json["payment"]?["sum"])
        (account, recurring) = (json["account"], EcommpayRefusal.text(json["recurring"]?["id"]))
        token = json["token"]?.string.map { Secret($0) }
        errors = (json["errors"]?.array ?? []).map { EcommpayRefusal($0) }
        question = EcommpayCustomerPrompt(json)
    }

    /// Whether nothing is known of the payment, or not yet.
    var isUnknownSoFar: Bool {
        operations.isEmpty && errors.contains { ["3061", "3062"].contains($0.code) }
    }

    /// Reads what the Gate says about one request: the state is beside the payment.
    init?(request json: JSON?) {
        guard let json, let status = json["status"] else { return nil }
        let payment = json["payment"] ?? [:]
        self.init(json.adding("payment", payment.adding("status", payment["status"] ?? status)))
        let result = EcommpayRefusal(code: payment["result_code"], message: payment["result_message"])
        if !result.code.isEmpty { errors.append(result) }
    }

    /// The payment names one refund: the only one in the list that has no name of its own.
    private static func named(_ operations: [Operation], _ refund: String?) -> [Operation] {
        let nameless = operations.indices.filter { operations[$0].isRefund && operations[$0].refund == nil }
        guard let refund, nameless.count == 1, let index = nameless.first,
            !operations.contains(where: { $0.refund == refund })
        else { return operations }
        var named = operations
        named[index].refund = refund
        return named
    }

    /// An amount in minor units; nil where there is none, or one that no payment has.
    static func money(_ json: JSON?) -> Money? {
        guard let units = json?["amount"]?.int64, let code = json?["currency"]?.string,
            let currency = Currency.known(code)
        else { return nil }
        return try? Money(minorUnits: units, currency).believable()
    }

    /// Whether there is a number in an amount's place that no payment has.
    static func isUnbelievable(_ json: JSON?) -> Bool {
        guard let number = json?["amount"]?.number else { return false }
        return number.int64.map { !(0...Money.believableMinorUnitsMax).contains($0) } ?? true
    }
}

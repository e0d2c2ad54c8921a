internal import PaymentMobileSDKs
public import PaymentProviderKit

/// Domain ⇄ kit, as pure functions.
enum EcommpayKitMapping {
    // MARK: What a session is opened for

    /// The payment of a session, out of its signed parameters.
    ///
    /// - Throws: `configuration`, nothing moved, for a parameter that the kit has no place for: its signature would not
    ///   fit what the kit sends.
    static func info(_ parameters: JSON) throws(PaymentError) -> EcommpayPhoneSDK.PaymentInfo {
        guard let project = parameters["project_id"]?.int64.flatMap({ Int32(exactly: $0) }),
            let name = parameters["payment_id"]?.string,
            let units = parameters["payment_amount"]?.int64, let currency = parameters["payment_currency"]?.string
        else {
            throw PaymentError.notExecuted(.mismatch, "the signer took the amount, the currency or a name away")
        }
        var info = EcommpayPhoneSDK.PaymentInfo(
            projectId: project, paymentId: name, paymentAmount: units, paymentCurrency: currency)
        for (member, value) in parameters.object?.members.map({ ($0.key, $0.value) }) ?? [] {
            switch member {
            case "project_id", "payment_id", "payment_amount", "payment_currency": break
            case "customer_id": info.customerId = value.string
            case "payment_description": info.paymentDescription = value.string
            case "region_code": info.regionCode = value.string
            case "language_code": info.languageCode = value.string
            case "account_token": info.token = value.string.map { Secret($0) }
            case "force_payment_method": info.forcePaymentMethod = value.string
            case "hide_saved_wallets": info.hideSavedWallets = value.bool
            case EcommpaySigning.member: info.signature = value.string
            default:
                throw PaymentError.notExecuted(
                    .configuration, "the signer added \(member), for which the vendor's kit has no place")
            }
        }
        return info
    }

    /// What a payment registers for later debits, with days and months in two digits, as the SDK wants them.
    static func recurrence(_ parameters: JSON) throws(PaymentError) -> EcommpayPhoneSDK.RecurrentInfo {
        var info = EcommpayPhoneSDK.RecurrentInfo()
        for (name, value) in parameters.object?.members.map({ ($0.key, $0.value) }) ?? [] where name != "register" {
            if name == "schedule", let charges = value.array {
                info.schedule = charges.compactMap { charge in
                    guard let date = charge["date"]?.string, let amount = charge["amount"]?.int64 else { return nil }
                    return .init(date: date, amount: amount)
                }
                guard info.schedule.count == charges.count else { throw refused("a charge has no day or no amount") }
                continue
            }
            guard let text = EcommpayRefusal.text(value) else {
                throw PaymentError.notExecuted(.unsupported, "the vendor's kit has no place for a \(name) of debits")
            }
            let isShort = text.utf8.count == 1 && ["expiry_day", "expiry_month"].contains(name)
            info.fields[name] = isShort ? "0\(text)" : text
        }
        return info
    }

    /// What is known of the customer, by the names that the vendor's own screens hand to the SDK; of a telephone number
    /// they hand over the digits alone.
    static func fields(_ parameters: JSON) -> [EcommpayPhoneSDK.CustomerFieldValue] {
        (parameters.object?.members ?? []).compactMap { member in
            guard let text = member.value.string else { return nil }
            let isPhone = member.key == EcommpayPhoneSDK.AdditionalField.customerPhone.rawValue
            let said = isPhone ? text.filter { $0.isASCII && $0.isNumber } : text
            return EcommpayPhoneSDK.CustomerFieldValue(name: member.key, value: PersonalData(said))
        }
    }

    // MARK: What is paid with

    /// The kit's request for an operation.
    static func request(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order
    ) throws(PaymentError) -> EcommpayPhoneSDK.PayRequest {
        let isHold = operation == .authorize
        let recipient = order.recipient.map { self.recipient($0) }
        switch order.source {
        case .card(let card):
            return try request(operation, card, saves: order.savesInstrument, recipient)
        case .saved(let id, let code):
            guard let account = Int64(id.rawValue) else { throw refused("a saved account's id is a number here") }
            if isHold {
                return .savedCardAuth(with(.init(accountId: account, cvv: code)) { $0.recipientInfo = recipient })
            }
            return .savedCardSale(with(.init(accountId: account, cvv: code)) { $0.recipientInfo = recipient })
        case .token(_, _, _, let code):
            if isHold { return .cardAuthTokenize(with(.init(cvv: code)) { $0.recipientInfo = recipient }) }
            return .cardSaleTokenize(with(.init(cvv: code)) { $0.recipientInfo = recipient })
        case .wallet(let token) where token.wallet == .applePay:
            if isHold { return .applePayAuth(.init(token: token.payload, recipientInfo: recipient)) }
            return .applePaySale(with(.init(token: token.payload)) { $0.recipientInfo = recipient })
        case .wallet(let token):
            throw PaymentError.notExecuted(.unsupported, "the vendor's kit takes no \(token.wallet.rawValue)")
        case .reader, .external, .bank, .hostedPage:
            throw PaymentError.notExecuted(.unsupported, "this source is not taken")
        }
    }

    /// A value with a change.
    private static func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var changed = value
        change(&changed)
        return changed
    }

    private static func request(
        _ operation: PaymentOperation, _ card: KeyedCard, saves: Bool, _ recipient: EcommpayPhoneSDK.RecipientInfo?
    ) throws(PaymentError) -> EcommpayPhoneSDK.PayRequest {
        let expiry = EcommpayPhoneSDK.CardDate(month: card.expiryMonth, year: card.expiryYear)
        guard let holder = card.holder else { throw refused("the vendor's kit wants the cardholder's name") }
        if operation == .tokenize {
            return .cardTokenize(.init(pan: card.number, expiryDate: expiry, cardHolder: holder))
        }
        guard let code = card.securityCode else { throw refused("the vendor's kit wants the card's security code") }
        switch operation {
        case .authorize:
            return .cardAuth(
                with(.init(cvv: code, pan: card.number, expiryDate: expiry, cardHolder: holder, saveCard: saves)) {
                    $0.recipientInfo = recipient
                })
        case .verify:
            return .cardVerify(
                .init(cvv: code, pan: card.number, expiryDate: expiry, cardHolder: holder))
        case .sale, .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .tokenize, .debit,
            .chargeback:
            return .newCardSale(
                with(.init(cvv: code, pan: card.number, expiryDate: expiry, cardHolder: holder, saveCard: saves)) {
                    $0.recipientInfo = recipient
                })
        }
    }

    private static func recipient(_ contact: CustomerContact) -> EcommpayPhoneSDK.RecipientInfo {
        var fields = contact.additional
        fields["first_name"] = contact.firstName
        fields["last_name"] = contact.lastName
        return EcommpayPhoneSDK.RecipientInfo(fields)
    }

    private static func refused(_ why: String) -> PaymentError { PaymentError.notExecuted(.invalidRequest, why) }

    // MARK: What a session offers and asks

    static func offer(
        _ methods: [EcommpayPhoneSDK.PaymentMethod], _ saved: [EcommpayPhoneSDK.SavedAccount]
    ) -> EcommpayMethodList {
        var offer = EcommpayMethodList(isRestored: false)
        offer.methods = methods.map { method in
            var shown = EcommpayMethodList.Method(code: method.code)
            (shown.title, shown.saving) = (method.name, method.walletSaveMode)
            return shown
        }
        offer.saved = saved.map { account in
            var card = CardSummary(brand: account.cardType, maskedNumber: account.number)
            card.expiry = account.cardExpiry
            return SavedInstrument(.init(rawValue: String(account.id)), token: account.token, card: card)
        }
        return offer
    }

    static func field(_ asked: EcommpayPhoneSDK.CustomerField) -> RequestedFields.Field {
        var field = RequestedFields.Field(asked.name)
        (field.label, field.hint, field.pattern) = (asked.label, asked.hint, asked.validator)
        field.isRequired = asked.isRequired
        return field
    }

    static func field(_ asked: EcommpayPhoneSDK.ClarificationField) -> RequestedFields.Field {
        var field = RequestedFields.Field(asked.name)
        (field.label, field.hint, field.pattern) = (asked.label, asked.hint, asked.validator)
        return field
    }

    /// The page of an authentication, by its address or as the kit has built it, which is among the fields as `content`.
    static func challenge(_ page: EcommpayPhoneSDK.ThreeDSecurePage) -> ThreeDSecureChallenge {
        let step: ThreeDSecureChallenge.Step =
            switch page.type {
            case .threeDs1: .legacy
            case .threeDs2Frictionless: .method
            default: .challenge
            }
        return ThreeDSecureChallenge(
            step, address: page.loadUrl ?? "about:blank",
            fields: page.content.map { ["content": $0.expose()] } ?? [:], returnAddress: page.returnUrl)
    }

    // MARK: What became of it

    /// What a payment is worth, where the kit says so.
    static func amount(_ payment: EcommpayPhoneSDK.Payment) -> Money? {
        guard let currency = payment.currency.flatMap({ Currency.known($0) }) else { return nil }
        return try? Money(minorUnits: payment.sum, currency).believable()
    }

    /// A payment's status in the platform's words, where the kit says one.
    static func word(_ payment: EcommpayPhoneSDK.Payment) -> String? {
        payment.serverStatusName ?? payment.status.flatMap { word($0) }
    }

    /// The platform's word for a status of the kit's; nil where the kit has none either.
    static func word(_ status: EcommpayPhoneSDK.PaymentStatus) -> String? {
        switch status {
        case .unknown: nil
        case .awaitingRedirectResult: "awaiting redirect result"
        case .awaiting3dsResult: "awaiting 3ds result"
        case .awaitingCapture: "awaiting capture"
        case .awaitingCustomer: "awaiting customer"
        case .awaitingClarification: "awaiting clarification"
        case .awaitingConfirmation: "awaiting confirmation"
        case .refundProcessing: "refund processing"
        case .reversalProcessing: "reversal processing"
        case .refundReversalProcessing: "refund reversal processing"
        case .partiallyRefunded: "partially refunded"
        default: status.rawValue
        }
    }

    static func approval(_ amount: Money, _ payment: EcommpayPhoneSDK.Payment, _ name: String) -> Approval {
        var approval = Approval(amount, references: ["payment": name])
        if let number = payment.account { approval.card = CardSummary(maskedNumber: number) }
        if let token = payment.token {
            let id = "\(EcommpayMapping.tokenPrefix)\(name)"
            approval.saved = SavedInstrument(.init(rawValue: id), token: token, card: approval.card)
        }
        return approval
    }

    /// An error that the kit told, with what it proves.
    static func failure(
        _ code: EcommpayPhoneSDK.ErrorCode, _ message: String, in call: EcommpayPhoneSDK.Call, _ evidence: SDKEvidence
    ) -> PaymentError {
        let rule = EcommpayPhoneSDK.table.rule(for: code.rawValue, in: call)
        let outcome: PaymentError.Outcome =
            EcommpayPhoneSDK.outcome(of: code, in: call, seen: evidence) == .notExecuted ? .notExecuted : .unknown
        let retry = rule?.advice?.retry
        return PaymentError(
            PaymentError.Code(rawValue: rule?.cause.rawValue ?? SDKErrorCause.unreadableReply.rawValue),
            outcome: outcome,
            provider: ProviderMessage(code: code.rawValue, message: message),
            retry: outcome == .unknown ? .afterStatusCheck : retry == .never ? .never : nil,
            requiresUserAction: outcome == .notExecuted && retry == .afterFix ? true : nil,
            detail: [rule?.why ?? "the kit's document lists no such code", rule?.advice?.action ?? ""]
                .filter { !$0.isEmpty }.joined(separator: "; "))
    }
}

/// A session is open and nothing is paid yet: what the customer wants to pay with.
///
/// An application that shows no choice gives no handler, and what the request names is charged.
public struct EcommpayMethodChoice: Question {
    public typealias Answer = PaymentSource
    public static let timeout: Duration = .seconds(25 * 60)
    public static func secrets(in answer: Answer) -> [Secret] { RetryPrompt.secrets(in: .retryWith(answer)) }
    /// What there is to choose from.
    public let offer: EcommpayMethodList
    private let forget: @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void

    init(
        _ offer: EcommpayMethodList, forget: @escaping @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void
    ) {
        (self.offer, self.forget) = (offer, forget)
    }

    /// Has the provider forget a saved instrument of the offer, because the customer wants that.
    public func remove(_ instrument: SavedInstrument.ID) async throws(PaymentError) { try await forget(instrument) }
}

/// What a session offers the customer, with titles and labels in the customer's language.
public struct EcommpayMethodList: Hashable, Sendable {
    /// One way to pay.
    public struct Method: Hashable, Sendable {
        /// The provider's code for it, such as `card`.
        public let code: String
        /// Its title for people.
        public var title: String?
        /// The kind of method, such as `card` or `applePay`.
        public var kind: String?
        /// Whether it is kept for the customer: `never`, `ask` or `always`.
        public var saving: String?
        /// Where its logo is.
        public var logo: String?
        /// The kinds of cards that it takes.
        public var cards: [String] = []
        /// What the customer is asked for beside it.
        public var fields: [RequestedFields.Field] = []

        init(code: String) { self.code = code }
    }

    /// Whether a payment of this name is under way already and is only continued.
    public let isRestored: Bool
    /// The ways to pay, in the order in which they are to be shown.
    public internal(set) var methods: [Method] = []
    /// What is kept for the customer.
    public internal(set) var saved: [SavedInstrument] = []
    /// Titles and labels by name, such as `payment.methodsTitle`.
    public internal(set) var titles: [String: String] = [:]
    /// Addresses of logos by name, such as `visa`.
    public internal(set) var logos: [String: String] = [:]

    init(isRestored: Bool) { self.isRestored = isRestored }
}

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

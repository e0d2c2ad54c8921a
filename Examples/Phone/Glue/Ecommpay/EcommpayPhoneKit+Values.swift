#if canImport(MsdkCore)
import MsdkCore
import PaymentBase
import PaymentMobileSDKs

// What goes to the SDK.

nonisolated extension EcommpayPhoneSDK.PaymentInfo {
    var kotlin: PaymentInfo {
        let info = PaymentInfo.companion.create(
            projectId: projectId, paymentId: paymentId, paymentAmount: paymentAmount, paymentCurrency: paymentCurrency)
        (info.customerId, info.paymentDescription, info.regionCode) = (customerId, paymentDescription, regionCode)
        (info.token, info.forcePaymentMethod, info.signature) = (token?.expose(), forcePaymentMethod, signature)
        info.languageCode = languageCode
        info.hideSavedWallets = hideSavedWallets.map { KotlinBoolean(bool: $0) }
        return info
    }
}

nonisolated extension EcommpayPhoneSDK.RecurrentInfo {
    /// The members that the SDK has a place for, by the platform's names.
    private static let places: Set<String> = [
        "type", "expiry_day", "expiry_month", "expiry_year", "period", "interval", "time", "start_date",
        "scheduled_payment_id", "amount",
    ]

    /// Whether a member would be lost on the way to the SDK: it has no place there, or its number doesn't fit.
    var isCut: Bool {
        !Self.places.isSuperset(of: fields.keys) || fields["interval"].map { Int32($0) == nil } == true
            || fields["amount"].map { Int64($0) == nil } == true
    }

    var kotlin: RecurrentInfo {
        RecurrentInfo(
            register: register, type: fields["type"], expiryDay: fields["expiry_day"],
            expiryMonth: fields["expiry_month"], expiryYear: fields["expiry_year"], period: fields["period"],
            interval: fields["interval"].flatMap { Int32($0) }.map { KotlinInt(int: $0) }, time: fields["time"],
            startDate: fields["start_date"], scheduledPaymentID: fields["scheduled_payment_id"],
            amount: fields["amount"].flatMap { Int64($0) }.map { KotlinLong(longLong: $0) },
            schedule: schedule.isEmpty
                ? nil
                : schedule.map { RecurrentInfoSchedule(date: $0.date, amount: KotlinLong(longLong: $0.amount)) })
    }
}

nonisolated extension EcommpayPhoneSDK.CustomerFieldValue {
    var kotlin: CustomerFieldValue { CustomerFieldValue(name: name, value: value.value) }
}

nonisolated extension EcommpayPhoneSDK.ClarificationFieldValue {
    var kotlin: ClarificationFieldValue { ClarificationFieldValue(name: name, value: value.value) }
}

nonisolated extension EcommpayPhoneSDK.CardDate {
    fileprivate var kotlin: CardDate { CardDate(month: Int32(clamping: month), year: Int32(clamping: year)) }
}

nonisolated extension EcommpayPhoneSDK.RecipientInfo {
    /// The members that the SDK has a place for: the platform's names, and the SDK's where they differ.
    private static let places = [
        "wallet_owner": "walletOwner", "wallet_id": "walletId", "country": "country", "pan": "pan",
        "card_holder": "cardHolder", "day_of_birth": "dayOfBirth", "address": "address", "city": "city",
        "state_code": "stateCode", "first_name": "firstName", "last_name": "lastName",
    ]

    /// Whether a member would be lost on the way to the SDK, which has no place for it.
    var isCut: Bool { !Set(Self.places.keys).union(Self.places.values).isSuperset(of: fields.keys) }

    private func text(_ name: String) -> String? {
        (fields[name] ?? Self.places[name].flatMap { fields[$0] })?.value
    }

    fileprivate var kotlin: RecipientInfo {
        RecipientInfo(
            walletOwner: text("wallet_owner"), walletId: text("wallet_id"), country: text("country"),
            pan: text("pan"), cardHolder: text("card_holder"), dayOfBirth: text("day_of_birth"),
            address: text("address"), city: text("city"), stateCode: text("state_code"),
            firstName: text("first_name"), lastName: text("last_name"))
    }
}

nonisolated extension EcommpayPhoneSDK.PayRequest {
    /// Whose debt it settles, where it does.
    private var recipientInfo: EcommpayPhoneSDK.RecipientInfo? {
        switch self {
        case .newCardSale(let asked): asked.recipientInfo
        case .cardAuth(let asked): asked.recipientInfo
        case .savedCardSale(let asked): asked.recipientInfo
        case .savedCardAuth(let asked): asked.recipientInfo
        case .cardSaleTokenize(let asked): asked.recipientInfo
        case .cardAuthTokenize(let asked): asked.recipientInfo
        case .applePaySale(let asked): asked.recipientInfo
        case .applePayAuth(let asked): asked.recipientInfo
        case .cardVerify, .cardTokenize, .paymentRestore: nil
        }
    }

    /// Whether something of it would be lost on the way to the SDK.
    var isCut: Bool { recipientInfo?.isCut == true }

    /// The SDK's own request; where it wants a security code and there is none, it is given an empty text.
    var kotlin: PayRequest {
        let recipient = recipientInfo?.kotlin
        switch self {
        case .newCardSale(let card):
            return NewCardSaleRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, saveCard: card.saveCard, storedCardType: nil,
                recipientInfo: recipient)
        case .cardAuth(let card):
            let request = CardAuthRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, saveCard: card.saveCard, storedCardType: nil)
            request.recipientInfo = recipient
            return request
        case .cardVerify(let card):
            return CardVerifyRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, storedCardType: nil)
        case .cardTokenize(let card):
            return CardTokenizeRequest(
                pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin, cardHolder: card.cardHolder.value)
        case .savedCardSale(let saved):
            let request = SavedCardSaleRequest(cvv: saved.cvv?.expose() ?? "", accountId: saved.accountId)
            request.recipientInfo = recipient
            return request
        case .savedCardAuth(let saved):
            let request = SavedCardAuthRequest(cvv: saved.cvv?.expose() ?? "", accountId: saved.accountId)
            request.recipientInfo = recipient
            return request
        case .cardSaleTokenize(let asked):
            let request = CardSaleTokenizeRequest(cvv: asked.cvv?.expose() ?? "")
            request.recipientInfo = recipient
            return request
        case .cardAuthTokenize(let asked):
            let request = CardAuthTokenizeRequest(cvv: asked.cvv?.expose() ?? "")
            request.recipientInfo = recipient
            return request
        case .applePaySale(let wallet):
            let request = ApplePaySaleRequest(token: wallet.token.expose())
            request.recipientInfo = recipient
            return request
        case .applePayAuth(let wallet):
            let request = ApplePayAuthRequest(token: wallet.token.expose())
            request.recipientInfo = recipient
            return request
        case .paymentRestore: return PaymentRestoreRequest()
        }
    }
}

// What comes from the SDK.

nonisolated extension EcommpayPhoneSDK.PaymentMethod {
    init(_ said: PaymentMethod) {
        self.init(code: said.code, name: said.name)
        walletSaveMode = said.walletSaveMode.name
    }
}

nonisolated extension EcommpayPhoneSDK.SavedAccount {
    init(_ said: SavedAccount) {
        self.init(id: said.id)
        (number, type, token) = (said.number, said.type, said.token.map { Secret($0) })
        (cardExpiry, cardType) = (said.cardExpiry?.stringValue, said.cardType)
    }
}

nonisolated extension EcommpayPhoneSDK.Payment {
    init(_ said: Payment) {
        self.init(id: said.id)
        (status, serverStatusName) = (said.status.map { .init($0) }, said.serverStatusName)
        (sum, currency, method) = (said.sum, said.currency, said.method)
        (token, account) = (said.token.map { Secret($0) }, said.account?.number)
    }
}

nonisolated extension EcommpayPhoneSDK.ThreeDSecurePage {
    init(_ said: ThreeDSecurePage) {
        self.init(type: .init(said.type))
        (content, loadUrl, returnUrl) = (said.content.map { Secret($0) }, said.loadUrl, said.returnUrl)
    }
}

nonisolated extension EcommpayPhoneSDK.ThreeDSecurePageType {
    fileprivate init(_ type: ThreeDSecurePageType) {
        switch type {
        case .threeDs1: self = .threeDs1
        case .threeDs2Frictionless: self = .threeDs2Frictionless
        case .threeDs2Challenge: self = .threeDs2Challenge
        default: self.init(rawValue: type.name)
        }
    }
}

nonisolated extension EcommpayPhoneSDK.ClarificationField {
    init(_ asked: ClarificationField) {
        self.init(name: asked.name)
        (label, hint, validator) = (asked.defaultLabel, asked.defaultHint, asked.validatorName)
    }
}

nonisolated extension EcommpayPhoneSDK.CustomerField {
    init(_ asked: CustomerField) {
        self.init(name: asked.name)
        (label, hint, validator) = (asked.label, asked.hint, asked.validatorName)
        (isRequired, isHidden) = (asked.isRequired, asked.isHidden)
    }
}

nonisolated extension EcommpayPhoneSDK.PaymentStatus {
    /// Kotlin's statuses are objects: one that the header doesn't list keeps its own name.
    init(_ status: PaymentStatus) {
        switch status {
        case .processing: self = .processing
        case .awaitingRedirectResult: self = .awaitingRedirectResult
        case .awaiting3dsResult: self = .awaiting3dsResult
        case .awaitingCapture: self = .awaitingCapture
        case .canceled: self = .canceled
        case .success: self = .success
        case .decline: self = .decline
        case .awaitingCustomer: self = .awaitingCustomer
        case .awaitingClarification: self = .awaitingClarification
        case .refundProcessing: self = .refundProcessing
        case .reversalProcessing: self = .reversalProcessing
        case .refundReversalProcessing: self = .refundReversalProcessing
        case .refunded: self = .refunded
        case .reversed: self = .reversed
        case .partiallyRefunded: self = .partiallyRefunded
        case .awaitingConfirmation: self = .awaitingConfirmation
        case .unknown: self = .unknown
        default: self.init(rawValue: status.name)
        }
    }
}

nonisolated extension EcommpayPhoneSDK.ErrorCode {
    /// Kotlin's codes are objects: one that the header doesn't list keeps its own name, and proves nothing.
    init(_ code: ErrorCode) {
        switch code {
        case .clarificationFieldsError: self = .clarificationFieldsError
        case .customerIdNotExist: self = .customerIdNotExist
        case .illegalArguments: self = .illegalArguments
        case .illegalState: self = .illegalState
        case .networkError: self = .networkError
        case .networkIsNotAvailable: self = .networkIsNotAvailable
        case .networkTimeout: self = .networkTimeout
        case .paymentAlreadyExist: self = .paymentAlreadyExist
        case .paymentHasFinalStatus: self = .paymentHasFinalStatus
        case .paymentMethodNotAvailable: self = .paymentMethodNotAvailable
        case .paymentNotFound: self = .paymentNotFound
        case .paymentRequestTypeNotExist: self = .paymentRequestTypeNotExist
        case .paymentTokenNotExist: self = .paymentTokenNotExist
        case .serverApiError: self = .serverApiError
        case .serverContentParsingError: self = .serverContentParsingError
        case .serverMethodNotFound: self = .serverMethodNotFound
        case .serverUnauthorized: self = .serverUnauthorized
        case .sessionNotInitialized: self = .sessionNotInitialized
        case .unknown: self = .unknown
        default: self.init(rawValue: code.name)
        }
    }
}
#else
#error("No module MsdkCore: add the pod MsdkCore or its package, or leave this file out.")
#endif

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
        return info
    }
}

nonisolated extension EcommpayPhoneSDK.RecurrentInfo {
    /// Whether it has a member that is a number of Kotlin's in the SDK.
    var hasNumbers: Bool { fields["interval"] != nil || fields["amount"] != nil }

    var kotlin: RecurrentInfo {
        RecurrentInfo(
            register: register, type: fields["type"], expiryDay: fields["expiry_day"],
            expiryMonth: fields["expiry_month"], expiryYear: fields["expiry_year"], period: fields["period"],
            interval: nil, time: fields["time"], startDate: fields["start_date"],
            scheduledPaymentID: fields["scheduled_payment_id"], amount: nil, schedule: nil)
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
    fileprivate var kotlin: RecipientInfo {
        RecipientInfo(
            walletOwner: fields["walletOwner"]?.value, walletId: fields["walletId"]?.value,
            country: fields["country"]?.value, pan: fields["pan"]?.value, cardHolder: fields["cardHolder"]?.value,
            dayOfBirth: fields["dayOfBirth"]?.value, address: fields["address"]?.value, city: fields["city"]?.value,
            stateCode: fields["stateCode"]?.value, firstName: fields["firstName"]?.value,
            lastName: fields["lastName"]?.value)
    }
}

nonisolated extension EcommpayPhoneSDK.PayRequest {
    /// The SDK's own request; where it wants a security code and there is none, it is given an empty text.
    var kotlin: PayRequest {
        switch self {
        case .newCardSale(let card):
            NewCardSaleRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, saveCard: card.saveCard, storedCardType: nil, recipientInfo: nil)
        case .cardAuth(let card):
            CardAuthRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, saveCard: card.saveCard, storedCardType: nil)
        case .cardVerify(let card):
            CardVerifyRequest(
                cvv: card.cvv.expose(), pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin,
                cardHolder: card.cardHolder.value, storedCardType: nil)
        case .cardTokenize(let card):
            CardTokenizeRequest(
                pan: card.pan.expose(), expiryDate: card.expiryDate.kotlin, cardHolder: card.cardHolder.value)
        case .savedCardSale(let saved):
            SavedCardSaleRequest(cvv: saved.cvv?.expose() ?? "", accountId: saved.accountId)
        case .savedCardAuth(let saved):
            SavedCardAuthRequest(cvv: saved.cvv?.expose() ?? "", accountId: saved.accountId)
        case .cardSaleTokenize(let asked): CardSaleTokenizeRequest(cvv: asked.cvv?.expose() ?? "")
        case .cardAuthTokenize(let asked): CardAuthTokenizeRequest(cvv: asked.cvv?.expose() ?? "")
        case .applePaySale(let wallet): ApplePaySaleRequest(token: wallet.token.expose())
        case .applePayAuth(let wallet): wallet.kotlin
        case .paymentRestore: PaymentRestoreRequest()
        }
    }
}

nonisolated extension EcommpayPhoneSDK.ApplePayAuthRequest {
    fileprivate var kotlin: ApplePayAuthRequest {
        let request = ApplePayAuthRequest(token: token.expose())
        request.recipientInfo = recipientInfo?.kotlin
        return request
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

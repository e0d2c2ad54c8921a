extension KitSurface {
    private static let callback = "the SDK's callback is the function's value or throw"
    private static let call = "the outcome table's names for the calls"
    private static let header = "the public header of 0.14.2"
    private static let gone = "not in the public header of 0.14.2"
    private static let unreleased = "in the document alone: no release up to 0.0.6 has it"

    static let ni = KitSurface(
        folder: "NI", space: "NIPhoneSDK", list: "ni",
        notBuilt: Dictionary(
            uniqueKeysWithValues: [
                "prepare", "isAccountLinked", "processPayment", "getTransactions", "getTransactionDetails",
                "refundTransaction", "voidTransaction",
            ].flatMap { [("\($0).onSuccess", callback), ("\($0).onError", callback)] }
                + [("AppleTapToPaySDKError.localizedDescription", "words for people; the SDK's error has them")]),
        renamed: ["SoftPOSSupport.0": "SoftPOSSupport.supported", "SoftPOSSupport.-2": "SoftPOSSupport.tooOld"],
        own: [
            "TapToPay": "half of the manager's calls", "TransactionManagement": "half of the manager's calls",
            "onError.handler": "the property's closure", "DeviceToken": "the server leg",
            "Setup": "the initialiser's values",
            "SoftPOSSupport": "the numbers as a type", "SoftPOSSupport.rawValue": "open",
            "PaymentType.rawValue": "open",
            "Amount": "a shape that the document shows", "AuthResponse": "a shape that the document shows",
            "Transaction": "a shape that the document shows", "AppleTapToPaySDKError.code": "the documented number",
            "AppleTapToPaySDKError.name": "the documented name",
            "AppleTapToPaySDKError.key": "the outcome table's name",
            "AppleTapToPaySDKError.saying": "the same error with words",
            "AppleTapToPaySDKError.saying.errorMessage": "the same error with words",
            "AppleTapToPaySDKError.dataParsingError.code": "one name that stands for three numbers",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
        ])

    static let ecommpay = KitSurface(
        folder: "Ecommpay", space: "EcommpayPhoneSDK", list: "ecommpay",
        notBuilt: [
            "PROJECT_SECRET_KEY": "a secret key has no place on a phone; the server signs test payments too",
            "AcsPage": gone, "Additional.card": gone, "Additional.country": gone, "Additional.email": gone,
            "Additional.phone": gone, "Additional.recurring_enable": gone,
            "ApplePayAuthRequest.recepientInfo": "spelt "
                + "recipientInfo in the public header",
            "CardDetails.bank_name": gone, "CardDetails.country": gone, "CardDetails.expiry": gone,
            "CardDetails.holder": gone, "CardDetails.product_name": gone, "CardDetails.type": gone,
            "CardVerifyRequest.saveCard": gone, "PayDelegate.onCompleteWithFail": gone,
            "PayDelegate.onThreeDSecure.acsPage": gone, "PaymentTexts.methodsTitle": gone,
            "SavedAccount.additional": gone, "SavedAccount.last_deposit_date": gone,
            "SavedAccount.last_tokenize_date": gone, "StringResourceManager.payment": gone,
            "sendClarificationFields.clarificationFields": gone, "sendCustomerFields.customerFields": gone,
            "threeDSecureHandled": "threeDSecureRedirectHandle in the public header",
        ],
        renamed: [
            "MSDKCoreSession.config": "makeSession.config"
        ],
        own: [
            "SDK": "what makes sessions", "makeSession": "the session's initialiser",
            "getParamsForSignature.paymentInfo": "the object that the document's call belongs to",
            "Signer": "the server leg", "Companion": "the configuration's maker as a value",
            "Companion.rawValue": "open",
            "Companion.release": "the maker for real payments in the SDK's public header",
            "AdditionalField": "the fields' names as a type", "AdditionalField.rawValue": "open",
            "RecurrentInfo": "the type of a documented parameter", "RecurrentInfo.fields": "members of another article",
            "PayRequest": "one type for all requests", "PayRequest.": "one type for all requests",
            "RecipientInfo": "the type of a documented parameter", "RecipientInfo.fields": "members are not documented",
            "ApplePayAuthRequest.recipientInfo": header, "PaymentMethod.name": "public header",
            "ThreeDSecurePage": header, "ThreeDSecurePage.": header, "ThreeDSecurePageType": header,
            "ThreeDSecurePageType.": header, "ClarificationFieldValue": header, "ClarificationFieldValue.": header,
            "CustomerFieldValue": header, "CustomerFieldValue.": header, "PaymentStatus": header,
            "PaymentStatus.": header, "Payment.serverStatusName": header, "SavedAccount.cardExpiry": header,
            "SavedAccount.cardType": header, "getStringByKey": header, "getStringByKey.key": header,
            "sendClarificationFields.fields": header, "sendCustomerFields.fields": header,
            "threeDSecureRedirectHandle": header, "threeDSecureRedirectHandle.url": header,
            "PayDelegate.onStatusChanged.status": header, "PayDelegate.onThreeDSecure.threeDSecurePage": header,
            "PayDelegate.onThreeDSecureRedirectComplete": header,
            "PayDelegate.onCompleteWithDecline.isTryAgain": header,
            "PayDelegate.onCompleteWithDecline.paymentMessage": header,
            "ClarificationField.": "public header; no members are documented",
            "CustomerField.": "public header; no members are documented",
            "Payment.id": "public header", "Payment.sum": "public header", "Payment.currency": "public header",
            "Payment.method": "public header", "Payment.account": "public header",
            "InitDelegate.onPaymentRestored.payment": "the document shows no parameters",
            "PayDelegate.onStatusChanged.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithSuccess.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithDecline.payment": "the document shows no parameters",
            "ErrorCode": "held against the list of errors", "ErrorCode.": "held against the list of errors",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
            "endings": "our rule",
        ])

    static let arise = KitSurface(
        folder: "ARISE", space: "ARISEPhoneSDK", list: "arise",
        notBuilt: [
            "showEducationalInfo.viewController": "the view stays with the application",
            "VoidTransactionRequest": "the document's name for the void's only parameter",
            "AriseApiError.apiError": unreleased, "RefundRequest": unreleased,
            "RefundRequest.transactionId": unreleased, "RefundRequest.cardDataSource": unreleased,
            "AuthorizationResponse": "gone before 0.0.4: the answer is CardTransactionResponse",
        ],
        renamed: [
            "init": "Maker", "init.environment": "Environment", "captureTransactionRequest": "captureTransaction",
        ],
        own: [
            "Sessions": "a group of calls", "Reports": "a group of calls", "Payments": "a group of calls",
            "Pricing": "a group of calls", "Settings": "a group of calls", "Devices": "a group of calls",
            "Activation": "a group of calls", "Taps": "a group of calls", "TappingSdk": "a group of calls",
            "rule": "our rule", "rule.": "our rule", "TTP": "the type of the documented member",
            "Credentials": "the server leg", "Environment.rawValue": "open",
            "TransactionReceiptDto.currencyCode": "the second of two members of one name",
            "TTPReaderEvent.other": "open", "Failure": "the four documented types as one",
            "Failure.": "the four as one",
            "AriseApiError.name": "the outcome table's name", "TTPError.name": "the outcome table's name",
            "TTPError.code": "the documented code", "TTPErrorCode": "held against the list of errors",
            "TTPErrorCode.rawValue": "open", "AuthenticationError.rawValue": "open",
            "PaymentCardReaderError.rawValue": "open", "CreateMethodId.rawValue": "open", "Currency.rawValue": "open",
            "ZeroCostProcessingOption.rawValue": "open", "OperationType.rawValue": "open",
            "PaymentMethodType.rawValue": "open", "AccountType.rawValue": "open", "AccountHolderType.rawValue": "open",
            "CardTokenType.rawValue": "open", "TransactionType.rawValue": "open", "TransactionStatus.rawValue": "open",
            "EMVFallbackCondition.rawValue": "open", "EMVFallbackLastChipRead.rawValue": "open",
            "LocationPermissionStatus.rawValue": "open", "TapToPayEntitlementStatus.rawValue": "open",
            "TTPStatus.rawValue": "open", "TTPTransactionStatus.rawValue": "open", "ApiPermission.rawValue": "open",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
            "endings": "our rule",
        ])
}

extension KitSurface {
    private static let callback = "the SDK's callback is the function's value or throw"
    private static let call = "the outcome table's names for the calls"

    static let ni = KitSurface(
        folder: "NI", space: "NIKit", list: "ni",
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
        folder: "Ecommpay", space: "EcommpayKit", list: "ecommpay",
        notBuilt: [
            "PROJECT_SECRET_KEY": "a secret key has no place on a phone; the server signs test payments too"
        ],
        renamed: [
            "MSDKCoreSession.config": "makeSession.config",
            "SavedAccount.last_deposit_date": "SavedAccount.lastDepositDate",
            "SavedAccount.last_tokenize_date": "SavedAccount.lastTokenizeDate",
            "Additional.recurring_enable": "Additional.recurringEnable",
            "CardDetails.bank_name": "CardDetails.bankName",
            "CardDetails.product_name": "CardDetails.productName",
        ],
        own: [
            "SDK": "what makes sessions", "makeSession": "the session's initialiser",
            "getParamsForSignature.paymentInfo": "the object that the document's call belongs to",
            "Signer": "the server leg", "Companion": "the configuration's maker as a value",
            "Companion.rawValue": "open",
            "Companion.release": "the maker for real payments in the SDK's public header",
            "AdditionalField": "the fields' names as a type", "AdditionalField.rawValue": "open",
            "RecurrentInfo": "the type of a documented parameter", "RecurrentInfo.fields": "members of another article",
            "PaymentTexts": "the type of a documented member",
            "PayRequest": "one type for all requests", "PayRequest.": "one type for all requests",
            "RecepientInfo": "the type of a documented parameter", "RecepientInfo.fields": "members are not documented",
            "PaymentMethod.name": "public header", "Additional": "the type of a documented member",
            "CardDetails": "the type of a documented member", "AcsPage.": "public header; no members are documented",
            "ClarificationField.": "public header; no members are documented",
            "CustomerField.": "public header; no members are documented",
            "Payment.id": "public header", "Payment.sum": "public header", "Payment.currency": "public header",
            "Payment.method": "public header", "Payment.account": "public header",
            "InitDelegate.onPaymentRestored.payment": "the document shows no parameters",
            "PayDelegate.onPaymentCreated.payment": "the document shows no parameters",
            "PayDelegate.onStatusChanged.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithSuccess.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithFail.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithDecline.payment": "the document shows no parameters",
            "ErrorCode": "held against the list of errors", "ErrorCode.": "held against the list of errors",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
            "endings": "our rule",
        ])

    static let arise = KitSurface(
        folder: "ARISE", space: "ARISEKit", list: "arise",
        notBuilt: [
            "showEducationalInfo.viewController": "the view stays with the application",
            "VoidTransactionRequest": "the document's name for the void's only parameter",
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
            "refundTransaction.request": "the parameter without a label",
            "TransactionReceiptDto.currencyCode": "the second of two members of one name",
            "CalculateAmountResponse.currencyCode": "the second of two members of one name",
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

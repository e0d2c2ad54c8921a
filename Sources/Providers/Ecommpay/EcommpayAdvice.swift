/// What the provider's document recommends after an error of its kit, in the document's own words.
///
/// It is shown as the provider's words and never as our advice, which depends on what is known about the money.
enum EcommpayAdvice {
    /// The recommendation for a name of the kit; nil where the document has none.
    static func text(_ code: String) -> String? { byCode[code] }

    static let byCode: [String: String] = [
        "CLARIFICATION_FIELDS_ERROR": "Resubmit additional information",
        "CUSTOMER_ID_NOT_EXIST": "Correct the request",
        "ILLEGAL_ARGUMENTS": "Correct the request",
        "INTERACTOR_NOT_RUNNING": "Send the request for payment creation",
        "NETWORK_ERROR": "Contact the technical support specialists",
        "NETWORK_IS_NOT_AVAILABLE": "Retry the request later",
        "NETWORK_TIMEOUT": "Retry the request later",
        "PAYMENT_ALREADY_EXIST": "Specify the identifier that is unique within the project and retry the request",
        "PAYMENT_HAS_FINAL_STATUS": "Specify the identifier that is unique within the project and retry the request",
        "PAYMENT_METHOD_NOT_AVAILABLE":
            "Specify a payment method available within the project and retry the request",
        "PAYMENT_NOT_FOUND": "Retry the request. In case of an error, contact the technical support specialists",
        "PAYMENT_TOKEN_NOT_EXIST": "Specify the payment data token and retry the request",
        "SERVER_API_ERROR": "Contact the technical support specialists",
        "SERVER_CONTENT_PARSING_ERROR": "Correct the request",
        "SERVER_METHOD_NOT_FOUND": "Correct the request",
        "SERVER_UNAUTHORIZED": "Retry the request later",
        "SESSION_NOT_INITIALIZED": "Initiate the creation of a payment session (InitInteractor)",
    ]
}

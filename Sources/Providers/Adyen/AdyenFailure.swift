internal import PaymentAbstraction
internal import PaymentBase

/// What can go wrong with a terminal's message, beside what goes wrong on the way.
enum AdyenFailure: Error {
    /// The terminal or the cloud rejected the message.
    case rejected(NexoMessage.Rejection)
    /// The terminal said why it did not do it.
    case refused(NexoResponse)
    /// The answer could not be read, or says nothing about the outcome.
    case unreadable(String)
    /// The answer belongs to another message.
    case stranger
    /// The answer's encryption or its proof is wrong.
    case notVerified
    /// There is nothing under the address.
    case nowhere(String)

    /// What is proven about the exchange.
    var fault: RequestFailure {
        switch self {
        case .rejected(.notDelivered(let said)):
            var fault = RequestFailure(
                .providerUnavailable, .refused, provider: ProviderMessage(code: "Reject", message: said),
                detail: "the terminal could not be reached; nothing was delivered")
            fault.isRetryable = true
            return fault
        case .rejected(.malformed(let said)):
            return RequestFailure(
                .invalidRequest, .refused, provider: ProviderMessage(code: "Reject", message: said),
                detail: "the message could not be read")
        case .rejected(.unknown(let said)):
            return RequestFailure(
                .providerUnavailable, .maybeSent, provider: ProviderMessage(code: "Reject", message: said),
                detail: "no answer came from the terminal")
        case .refused(let response):
            return ErrorTable.adyen.failure(code: response.condition, message: response.message)
        case .unreadable(let what): return RequestFailure(.unreadableReply, .maybeSent, detail: what)
        case .stranger: return RequestFailure(.mismatch, .maybeSent, detail: "the answer belongs to another message")
        case .nowhere(let address):
            var fault = ErrorTable.adyen.failure(code: "404")
            fault.detail = "there is nothing under \(address); check `endpoint`, the merchant and the terminal"
            return fault
        case .notVerified:
            return RequestFailure(
                .signatureInvalid, .maybeSent, detail: "the answer's encryption could not be verified")
        }
    }
}

public import PaymentAbstraction
public import PaymentBase
internal import PaymentTransport

extension ErrorTable {
    /// Sorts what an adapter over HTTP throws: a refusal by the code in its body, else by its status as `http.404`.
    ///
    /// A failure of the server may have been executed, whatever code it names.
    public func fault(_ error: any Error, _ said: (JSON?) -> (code: String, message: String)) -> Fault {
        switch error {
        case let refusal as HTTPRefusal:
            let (code, message) = said(refusal.body)
            let known = refusal.status >= 500 ? "" : code
            var fault = fault(code: known, fallback: "http.\(refusal.status)", message: message)
            if known.isEmpty, !code.isEmpty { fault.provider = ProviderMessage(code: code, message: message) }
            fault.waitMilliseconds = refusal.retryAfterMilliseconds
            return fault
        case let failure as CodedFailure: return fault(code: failure.code, message: failure.message)
        default: return Fault(error)
        }
    }
}

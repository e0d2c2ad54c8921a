public import PaymentAbstraction
public import PaymentBase
internal import PaymentTransport

/// Holds and releases bank transfers that were not sent yet: only ARISE has that, and no money moves by it.
///
/// An extension of the public API. The token is the session's: `await client.session?.token()`.
public struct ARISEBankHolds: Sendable {
    private let driver: ARISEDriver

    /// Works through a driver.
    public init(_ driver: ARISEDriver) { self.driver = driver }

    /// Keeps a transfer back; gives the state afterwards, in ARISE's word.
    public func hold(_ references: PaymentReferences, token: Secret) async throws(PaymentError) -> String {
        try await ask("hold", references, token)
    }

    /// Lets a transfer go again; gives the state afterwards, in ARISE's word.
    public func unhold(_ references: PaymentReferences, token: Secret) async throws(PaymentError) -> String {
        try await ask("unhold", references, token)
    }

    private func ask(_ verb: String, _ references: PaymentReferences, _ token: Secret) async throws(PaymentError)
        -> String
    {
        guard let id = references[ARISEMapping.transactionKey].flatMap({ PercentEncoding.pathSegment($0) }) else {
            throw PaymentError.notExecuted(.invalidRequest, "the references name no transaction")
        }
        do {
            let reply = try await driver.wire.send("POST", ARISEPath.bank(id, verb), bearer: token)
            return reply["status"]?.string ?? ""
        } catch {
            let fault = driver.classify(error)
            throw PaymentError(fault.code, outcome: .notExecuted, provider: fault.provider, detail: fault.detail)
        }
    }
}

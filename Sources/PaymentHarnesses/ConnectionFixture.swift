internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentSandbox

/// A fixture of one provider at the end of a line: what all of ours do in the same way.
protocol ConnectionFixture: SimulatedFixture {
    /// The line to the provider.
    var connection: ProviderConnection { get }
    /// Ends every access; false where there is none to end.
    func revoke() -> Bool
    /// Settles everything that was charged; false where refunds don't wait for that.
    func settle() -> Bool
}

extension ConnectionFixture {
    func arm(_ fault: NeutralFault, after skipped: Int) { connection.arm(fault, after: skipped) }

    func happen(_ event: ProviderEvent) -> [ProviderNews]? {
        switch event {
        case .accessRevoked: revoke() ? [] : nil
        case .settled: settle() ? [] : nil
        case .decided(let attempt, let succeeds):
            notifying.decide(attempt.text, succeeds: succeeds).map { [ProviderNews($0)] }
        case .failedLater(let attempt): notifying.failLater(attempt.text).map { [ProviderNews($0)] }
        }
    }
}

extension ProviderNews {
    /// A message of a simulated provider as the suite has it.
    init(_ message: OutgoingMessage) { self.init(headers: message.headers, body: message.body) }
}

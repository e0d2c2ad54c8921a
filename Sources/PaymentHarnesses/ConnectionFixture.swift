internal import PaymentAbstraction
internal import PaymentConformance

/// A fixture of one provider at the end of a line: what all of ours do in the same way.
protocol ConnectionFixture: Fixture {
    /// The line to the provider.
    var connection: ProviderConnection { get }
    /// Ends every access; false where there is none to end.
    func revoke() -> Bool
    /// Settles everything that was charged; false where refunds don't wait for that.
    func settle() -> Bool
    /// Decides what is pending under an attempt; nil where nothing is.
    func decide(_ attempt: String, succeeds: Bool) -> ProviderNews?
    /// Lets fail what was done under an attempt; nil where nothing was.
    func failLater(_ attempt: String) -> ProviderNews?
}

extension ConnectionFixture {
    func arm(_ fault: NeutralFault, after skipped: Int) { connection.arm(fault, after: skipped) }

    func happen(_ event: ProviderEvent) -> [ProviderNews]? {
        switch event {
        case .accessRevoked: revoke() ? [] : nil
        case .settled: settle() ? [] : nil
        case .decided(let attempt, let succeeds): decide(attempt.text, succeeds: succeeds).map { [$0] }
        case .failedLater(let attempt): failLater(attempt.text).map { [$0] }
        }
    }
}

extension ProviderNews {
    /// A message with header fields, as the simulated providers give it.
    init(_ message: (headers: [String: String], body: [UInt8])) {
        self.init(headers: message.headers, body: message.body)
    }

    /// A message whose proof is in its body.
    init(_ body: [UInt8]) { self.init(headers: [:], body: body) }
}

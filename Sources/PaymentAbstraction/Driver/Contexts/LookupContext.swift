public import PaymentBase

/// The door for calls that can't move money: it has no `.money`, so that a lookup can't charge by mistake.
public struct LookupContext: Sendable {
    let provider: ProviderRuntime
    let services: Services
    var run: AttemptRun?
    var scrub = SecretScrubber([])

    /// Milliseconds since 1970.
    public var now: Int64 { services.clock.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await services.installed() }

    /// A number that no other process that shares the journal has had or will have, over restarts.
    public func number() async throws(PaymentError) -> Int64 {
        try await services.number(run?.outcome ?? .notExecuted)
    }

    /// The same door, which also takes these secrets out of whatever comes back.
    public func hiding(_ secrets: [Secret]) -> LookupContext {
        var copy = self
        copy.scrub = scrub.hiding(secrets)
        run?.hide(secrets)
        return copy
    }

    /// Runs one request that only asks; repeats it if it was provably not executed, and whatever it was if it only reads.
    public func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply {
        try await provider.query(for: run, scrub, services, send)
    }
}

public import PaymentBase

/// The door for calls that can't move money: it has no `.money`, so that a lookup can't charge by mistake.
public struct LookupContext: Sendable {
    let provider: OpenProvider
    let services: Services
    var run: AttemptRun?
    var scrub = Scrubber([])

    /// Milliseconds since 1970.
    public var now: Int64 { services.clock.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await services.installed() }

    /// A number that nobody else who shares the journal has had or will have, over restarts and processes.
    public func number() async throws(PaymentError) -> Int64 {
        try await services.number(run?.outcome ?? .nothingMoved)
    }

    /// The same door, which also takes these secrets out of whatever is told of an exchange.
    public func hiding(_ secrets: [Secret]) -> LookupContext {
        var copy = self
        copy.scrub = scrub.hiding(secrets)
        run?.hide(secrets)
        return copy
    }

    /// Runs one exchange that only asks; repeats it when it was provably not executed.
    public func exchange<Reply>(_ send: (Try) async throws -> Reply) async throws(PaymentError) -> Reply {
        let asker = Asker(run: run, scrub: scrub, secrets: provider.driver.secrets)
        return try await provider.exchange(.read, for: asker, services, send)
    }
}

internal import PaymentBase

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

    /// Runs one exchange that only asks; repeats it when it was provably not executed.
    public func exchange<Reply>(_ send: (Try) async throws -> Reply) async throws(PaymentError) -> Reply {
        try await provider.exchange(
            services, hide: { access in run?.hiding(access) ?? scrub.hiding(provider.driver.secrets + access.secrets) },
            known: { run?.outcome ?? .nothingMoved }, before: { () throws(PaymentError) in },
            after: { _ in run?.outcome ?? .nothingMoved }, send)
    }
}

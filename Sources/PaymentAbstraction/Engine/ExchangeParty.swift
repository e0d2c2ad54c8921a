internal import PaymentBase

/// On whose behalf an exchange is made: what it may send, and what its failures mean for the money.
protocol ExchangeParty {
    /// What is known about the money while nothing of this exchange was sent.
    var outcome: PaymentError.Outcome { get }
    /// Remembers an access that goes out; gives what takes everything secret out of a text.
    func hiding(_ access: ProviderAccess) -> Scrubber
    /// A name for an exchange that the provider does once, however often it comes.
    func freshKey() -> String?
    /// Hears that a try is about to be sent; throws when nothing may be sent any more.
    func willSend(_ effect: Effect, key: String?) async throws(PaymentError)
    /// Hears that a try was answered.
    func answered(_ effect: Effect)
    /// Waits for the quiet time, then asks the provider; says whether that proves that the request which a gateway has just
    /// refused never arrived. Where nothing can prove it within the call, the answer is no at once.
    func leavesNoTrace(after milliseconds: Int64) async -> Bool
    /// Hears what a failed try proves; says what is known about the money then.
    func failed(_ effect: Effect, _ fault: Fault) -> PaymentError.Outcome
    /// Hears that another try follows.
    func repeats(_ number: Int)
}

/// Somebody who only asks: it changes nothing about the money, with or without a run beside it.
struct Asker: ExchangeParty {
    let run: AttemptRun?
    let scrub: Scrubber
    let secrets: [Secret]

    var outcome: PaymentError.Outcome { run?.outcome ?? .nothingMoved }

    func hiding(_ access: ProviderAccess) -> Scrubber {
        run?.hiding(access) ?? scrub.hiding(secrets + access.secrets)
    }

    func freshKey() -> String? { nil }
    /// What is read on behalf of an attempt is read after it was written down, so that nobody else changes it meanwhile.
    func willSend(_ effect: Effect, key: String?) async throws(PaymentError) { try await run?.beginOnce() }
    func answered(_ effect: Effect) {}
    func leavesNoTrace(after milliseconds: Int64) async -> Bool { false }
    func failed(_ effect: Effect, _ fault: Fault) -> PaymentError.Outcome { outcome }
    func repeats(_ number: Int) {}
}

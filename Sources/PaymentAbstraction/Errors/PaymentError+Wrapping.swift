extension PaymentError {
    /// Makes the public error of whatever an adapter, a reader or a transport threw.
    init(
        wrapping error: any Error, _ outcome: Outcome, _ attempt: AttemptID? = nil, _ driver: any PaymentDriver,
        scrub: SecretScrubber = SecretScrubber([])
    ) {
        let own = error as? PaymentError
        let fault = own.map { RequestFailure($0) } ?? driver.classify(error)
        self.init(
            fault.code, outcome: outcome, attempt: attempt ?? own?.attempt, provider: scrub(fault.provider),
            retry: fault.retry, requiresUserAction: fault.requiresUserAction, detail: scrub(fault.detail))
    }
}

extension PaymentDriver {
    /// The public error of a call that moves no money.
    func wrapped(_ error: any Error) -> PaymentError { PaymentError(wrapping: error, .notExecuted, nil, self) }
}

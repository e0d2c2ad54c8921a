public import Payments

/// A till on a phone: what its buttons do, and which screen comes of it. It knows no provider and no framework of screens.
public actor Till {
    /// The screen now.
    public private(set) var screen = Screen.starting

    private let payments: PaymentClient
    private let executor: (any TaskExecutor)?
    private var watchers: [AsyncStream<Screen>.Continuation] = []
    private var listening: Task<Void, Never>?
    /// The payment on the screen, named before anything was sent.
    private var current: AttemptID?
    private var isWorking = false

    /// Makes a till of a client.
    ///
    /// - Parameters:
    ///   - payments: The client, opened with the vendor's kit.
    ///   - executor: What runs its tasks; nil for the global pool.
    public init(_ payments: PaymentClient, executor: (any TaskExecutor)? = nil) {
        (self.payments, self.executor) = (payments, executor)
    }

    deinit { listening?.cancel() }

    /// The screens, each as it comes; begins with the one that is there.
    public func screens() -> AsyncStream<Screen> {
        let (stream, continuation) = AsyncStream.makeStream(of: Screen.self, bufferingPolicy: .bufferingNewest(32))
        continuation.yield(screen)
        watchers.append(continuation)
        return stream
    }

    // MARK: Before the first customer

    /// Gets the phone ready; called when the application starts, and after whatever was in the way was put right.
    ///
    /// What a crash left behind is looked up first: as long as one is open, its screen stands.
    public func start() async {
        guard begins() else { return }
        defer { isWorking = false }
        listen()
        do {
            if let open = try await payments.recover().first {
                current = open
                return show(.unknown(open))
            }
            try await prepare()
        } catch { show(failure(error)) }
    }

    /// Accepts the terms, where the person at the till may do that, and gets the reader ready.
    public func acceptTerms() async {
        guard screen == .terms, begins() else { return }
        defer { isWorking = false }
        do {
            try await payments.reader?.activate()
            try await prepare()
        } catch { show(failure(error)) }
    }

    /// Shows how a card is taken, where the vendor's SDK or the reader has a lesson; the screen stays as it is.
    public func showLesson() async {
        guard screen.takesPayments || screen == .terms, begins() else { return }
        defer { isWorking = false }
        do { try await payments.reader?.showEducation() } catch {
            if error.code != .unsupported { show(failure(error)) }
        }
    }

    private func prepare() async throws(PaymentError) {
        guard let reader = payments.reader else { return show(.unsuitable(["this provider reads no cards"])) }
        let able = try await reader.compatibility()
        guard able.isCompatible else {
            // What the person at the till can allow is no phone that can't take cards.
            let isOnlyPlace = able.checks.allSatisfy { $0.passed || $0.kind == .location }
            return show(isOnlyPlace ? .needsLocation : .unsuitable(able.reasons))
        }
        let activation = try await reader.activation()
        if activation.step != .active || activation.isLinked == false { return show(.terms) }
        show(.preparing(percent: 0))
        try await reader.prepare { [weak self, executor] percent in
            _ = Task(executorPreference: executor) { await self?.heard(percent) }
        }
        show(.ready)
    }

    // MARK: Payments

    /// Charges a card that is held to the phone.
    public func charge(_ amount: Money, reference: String) async {
        guard screen.takesPayments, begins() else { return }
        defer { isWorking = false }
        do {
            let attempt = try await payments.newAttempt()
            current = attempt
            show(.paying(.begun))
            show(try await payments.sale(amount, from: .reader, reference: reference, attempt: attempt), refund: false)
        } catch { show(failure(error)) }
    }

    /// Ends the wait for a card; what became of the payment, its own call says.
    public func cancel() async {
        guard case .paying = screen else { return }
        _ = try? await payments.reader?.cancel()
    }

    /// Gives money back, all that is left unless an amount is named.
    public func refund(_ payment: PaymentID, of amount: Money? = nil) async {
        guard screen.takesPayments, begins() else { return }
        defer { isWorking = false }
        do {
            let attempt = try await payments.newAttempt()
            current = attempt
            show(.paying(.deciding))
            show(try await payments.refund(payment, of: amount, attempt: attempt), refund: true)
        } catch { show(failure(error)) }
    }

    /// Asks once more what became of the payment in doubt.
    public func askAgain() async {
        guard let current, begins() else { return }
        switch screen {
        case .unknown, .pending: break
        case _:
            isWorking = false
            return
        }
        defer { isWorking = false }
        do {
            let isRefund = try await payments.attempt(current)?.intent.operation.isOrigin == false
            show(try await payments.status(current), refund: isRefund)
        } catch { show(failure(error)) }
    }

    // MARK: The application's coming and going

    /// The application came to the front: the reader is looked after, and an open payment is asked for.
    public func cameToTheFront() async {
        await payments.reader?.appDidBecomeActive()
        switch screen {
        case .unknown, .pending: await askAgain()
        case _: break
        }
    }

    /// The application left the front; a card that was waited for is waited for no longer.
    public func leftTheFront() async { await payments.reader?.appDidEnterBackground() }
}

// What becomes of an answer.
extension Till {
    private func begins() -> Bool {
        if isWorking { return false }
        isWorking = true
        return true
    }

    private func show(_ screen: Screen) {
        self.screen = screen
        for watcher in watchers { watcher.yield(screen) }
    }

    private func show(_ result: PaymentResult, refund: Bool) {
        switch result {
        case .approved(let payment):
            show(refund ? .refunded(payment.id, payment.approved) : .paid(payment.id, payment.approved))
        case .declined(let decline): show(.declined(decline.reason.rawValue))
        case .cancelled(let cancellation): show(.cancelled(cancellation.cause.rawValue))
        case .pending(let pending): show((pending.attempt ?? current).map { .pending($0) } ?? .ready)
        }
    }

    /// What an error leaves on the screen. Only what is proven to have moved nothing lets the next payment begin.
    private func failure(_ error: PaymentError) -> Screen {
        if error.code == .termsNotAccepted || error.code == .accountNotLinked { return .terms }
        switch error.outcome {
        case .notExecuted: return .failed(error.message, needsPerson: error.requiresUserAction)
        // What moved is its attempt's, which is asked for its result.
        case .executed, .unknown:
            guard let open = error.attempt ?? current else {
                return .failed(error.message, needsPerson: true)
            }
            current = open
            return .unknown(open)
        }
    }

    private func listen() {
        guard listening == nil else { return }
        let events = payments.events()
        listening = Task(executorPreference: executor) { [weak self] in
            for await event in events { await self?.heard(event) }
        }
    }

    private func heard(_ event: PaymentEvent) {
        guard event.attempt == current, case .paying(let before) = screen, let step = Step(event.kind), step != before
        else { return }
        show(.paying(step))
    }

    private func heard(_ percent: Int) {
        if case .preparing = screen { show(.preparing(percent: percent)) }
    }
}

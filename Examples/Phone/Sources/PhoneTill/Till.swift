public import Payments

/// A till on a phone: what its buttons do, and which screen comes of it. It knows no provider and no framework of screens.
public actor Till {
    /// The screen now.
    public private(set) var screen = TillScreen.starting

    private let payments: PaymentClient
    private let executor: (any TaskExecutor)?
    private let clock: any PaymentClock
    /// How long it waits for a card before it cancels, in milliseconds.
    private let patience: Int64
    private var watchers: [AsyncStream<TillScreen>.Continuation] = []
    private var listening: Task<Void, Never>?
    /// The payment on the screen, named before anything was sent.
    private var current: AttemptID?
    /// A sale that is decided later, shown once the reader is ready, or at the next press.
    private var pendingSale: AttemptID?
    /// What was shown as decided later since the start: each is shown once.
    private var shown: Set<AttemptID> = []
    /// What is in doubt besides the payment on the screen; the next press shows it.
    private var next: AttemptID?
    private var isWorking = false

    /// Makes a till of a client.
    ///
    /// - Parameters:
    ///   - payments: The client, opened with the vendor's kit.
    ///   - executor: What runs its tasks; nil for the global pool.
    ///   - clock: What it waits by.
    ///   - patience: How long it waits for a card before it cancels, in milliseconds.
    public init(
        _ payments: PaymentClient, executor: (any TaskExecutor)? = nil, clock: any PaymentClock = SystemClock(),
        patience: Int64 = 90_000
    ) {
        (self.payments, self.executor, self.clock, self.patience) = (payments, executor, clock, patience)
    }

    deinit { listening?.cancel() }

    /// The screens, each as it comes; begins with the one that is there.
    public func screens() -> AsyncStream<TillScreen> {
        let (stream, continuation) = AsyncStream.makeStream(of: TillScreen.self, bufferingPolicy: .bufferingNewest(32))
        continuation.yield(screen)
        watchers.append(continuation)
        return stream
    }

    // MARK: Before the first customer

    /// Gets the phone ready; called when the application starts, and after whatever was in the way was put right.
    ///
    /// What a crash left behind is looked up first: as long as one is in doubt, its screen stands. A sale that is decided later is
    /// shown once the reader is ready.
    public func start() async {
        guard begins() else { return }
        defer { isWorking = false }
        listen()
        shown = []
        do {
            let open = try await openAttempts()
            (next, pendingSale) = (open.doubt, open.sale)
            if showsNext() { return }
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
        _ = showsPendingSale()
    }

    // MARK: Payments

    /// Charges a card that is held to the phone.
    ///
    /// What is in doubt besides, or a sale that is decided later and was not shown, is shown in its place.
    public func charge(_ amount: Money, reference: String) async {
        guard screen.takesPayments, begins() else { return }
        defer { isWorking = false }
        if showsNext() { return }
        do {
            let attempt = try await payments.newAttempt()
            current = attempt
            show(.paying(.wait))
            // The till ends the wait for a card, since only a cancel ends it in the same way at every provider.
            let waiting = Task(executorPreference: executor) { [weak self, clock, patience] in
                try await clock.sleep(until: clock.now + patience)
                await self?.cancel()
            }
            defer { waiting.cancel() }
            let result = try await payments.sale(amount, from: .reader, reference: reference, attempt: attempt)
            show(TillScreen(result, of: attempt))
        } catch { show(failure(error)) }
    }

    /// Ends the wait for a card; what became of the payment, its own call says.
    public func cancel() async {
        guard case .paying = screen else { return }
        _ = try? await payments.reader?.cancel()
    }

    /// Gives money back, all that is left unless an amount is named.
    ///
    /// A refund of the payment that is open, as one that is decided later, is shown in place of a further one; so is what is in
    /// doubt besides.
    ///
    /// - Parameters:
    ///   - payment: The payment that the money comes from.
    ///   - amount: How much; nil for all that is left.
    ///   - open: The refund that was shown as open, if the cashier wants a further one beside it.
    public func refund(_ payment: PaymentID, of amount: Money? = nil, beside open: AttemptID? = nil) async {
        guard screen.takesPayments, begins() else { return }
        defer { isWorking = false }
        if showsNext() { return }
        do {
            let held = try await payments.payment(payment).openAttempts
            if let newest = held.last(where: { $0.intent.operation == .refund })?.intent.attempt, newest != open {
                current = newest
                return show(TillScreen(try await payments.status(newest), of: newest))
            }
            let attempt = try await payments.newAttempt()
            current = attempt
            show(.paying(.deciding))
            // Two refunds of one amount need two references.
            let reference = open.map { "beside \($0)" }
            let result = try await payments.refund(payment, of: amount, reference: reference, attempt: attempt)
            show(TillScreen(result, of: attempt))
        } catch { show(failure(error)) }
    }

    /// Asks once more what became of the payment in doubt. Its end stands until the next press, whatever else is in doubt.
    public func askAgain() async {
        guard let current, begins() else { return }
        switch screen {
        case .unknown, .pending: break
        case _:
            isWorking = false
            return
        }
        defer { isWorking = false }
        do { show(TillScreen(try await payments.status(current), of: current)) } catch { show(failure(error)) }
        // What can't be read now leaves what is known.
        if screen.takesPayments, let open = try? await openAttempts() { (next, pendingSale) = (open.doubt, open.sale) }
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

    private func show(_ screen: TillScreen) {
        self.screen = screen
        if case .pending(let open) = screen { shown.insert(open) }
        for watcher in watchers { watcher.yield(screen) }
    }

    /// The first attempt of which it is not known whether money moved, and the first sale that is decided later and was not shown.
    /// What the provider decides later, such as a refund, keeps no customer waiting.
    private func openAttempts() async throws(PaymentError) -> (doubt: AttemptID?, sale: AttemptID?) {
        var (doubt, sale) = (AttemptID?.none, AttemptID?.none)
        for open in try await payments.recover() {
            guard let held = try? await payments.attempt(open), held.state == .pending else {
                if doubt == nil { doubt = open }
                continue
            }
            if sale == nil, held.intent.operation == .sale, !shown.contains(open) { sale = open }
        }
        return (doubt, sale)
    }

    /// Shows what is in doubt besides the payment on the screen, or else a sale that is decided later; false if nothing is.
    private func showsNext() -> Bool {
        guard let open = next else { return showsPendingSale() }
        (current, next) = (open, nil)
        show(.unknown(open))
        return true
    }

    /// Shows a sale that is decided later, so that no order is charged again; false if there is none that was not shown.
    private func showsPendingSale() -> Bool {
        guard let sale = pendingSale else { return false }
        (current, pendingSale) = (sale, nil)
        show(.pending(sale))
        return true
    }

    private func failure(_ error: PaymentError) -> TillScreen {
        let screen = TillScreen(error, of: current)
        if case .unknown(let open) = screen { current = open }
        return screen
    }

    private func listen() {
        guard listening == nil else { return }
        let events = payments.events()
        listening = Task(executorPreference: executor) { [weak self] in
            for await event in events { await self?.heard(event) }
        }
    }

    private func heard(_ event: PaymentEvent) {
        let next = screen.after(event)
        if event.attempt == current, next != screen { show(next) }
    }

    private func heard(_ percent: Int) {
        if case .preparing = screen { show(.preparing(percent: percent)) }
    }
}

public import PaymentBase
internal import PaymentCore
public import PaymentDriverKit
internal import PaymentTesting
internal import PaymentTransport

extension CheckContext {
    /// Where a check takes money from when it does not matter: keyed if that is taken, else the first that is.
    public var source: PaymentSource.Kind {
        let taken = driver.capabilities.sources
        if let preferred, taken.contains(preferred) { return preferred }
        let order: [PaymentSource.Kind] = [.card, .reader, .token, .saved, .wallet, .external, .bank, .page]
        return order.first { taken.contains($0) } ?? .card
    }

    /// What brings a script about; a script that is missing without having been declared fails.
    public func scripted(
        _ script: SimulatedOutcome = .approved, _ operation: PaymentOperation = .sale,
        from source: PaymentSource.Kind? = nil
    ) throws -> TestPayment {
        if let scripted = fixture.scripted(script, operation, source ?? self.source) { return scripted }
        if let reason = declaration.unsupportedOutcomes[script] { throw NotApplicable("\(script): \(reason)") }
        throw CheckFailure(
            "The harness can't play \(script) for \(operation). Declare the reason in `unsupportedOutcomes`.")
    }

    /// Charges by a script.
    public func sale(
        _ script: SimulatedOutcome = .approved, from source: PaymentSource.Kind? = nil, reference: String? = nil,
        attempt: AttemptID? = nil, _ change: (inout SaleRequest) -> Void = { _ in }
    ) async throws -> PaymentResult {
        let scripted = try scripted(script, .sale, from: source)
        let id = try attempt ?? self.attempt()
        var request = scripted.request(reference ?? "order-\(id)")
        change(&request)
        return try await client.sale(request, attempt: id)
    }

    /// Charges by a script that may well end with an error; nil when it does. A script that can't be played still
    /// fails.
    public func attemptedSale(
        _ script: SimulatedOutcome = .approved, from source: PaymentSource.Kind? = nil, reference: String? = nil,
        attempt: AttemptID
    ) async throws -> PaymentResult? {
        try await trying(attempt) { try await sale(script, from: source, reference: reference, attempt: attempt) }
    }

    /// The result of a call about an attempt that may well end with an error; nil when it does. The error must not say
    /// that nothing moved where something did.
    public func trying(
        _ attempt: AttemptID, _ call: () async throws -> PaymentResult
    ) async throws -> PaymentResult? {
        switch try await result(of: call) {
        case .success(let result): return result
        case .failure(let error):
            let entries = fixture.ledger.entries(of: attempt)
            if error.outcome == .notExecuted, !entries.isEmpty {
                throw CheckFailure("told that nothing moved, and the ledger has \(Self.text(entries))")
            }
            return nil
        }
    }

    /// What a call about money ends with: a result, or our own error. Whatever else is thrown is a failure of the
    /// check.
    public func result(
        of call: () async throws -> PaymentResult
    ) async throws -> Result<PaymentResult, PaymentError> {
        do { return .success(try await call()) } catch let error as PaymentError { return .failure(error) }
    }

    /// The result of a call that may well end with an error; nil when it does.
    public func trying(_ call: () async throws -> PaymentResult) async throws -> PaymentResult? {
        switch try await result(of: call) {
        case .success(let result): result
        case .failure: nil
        }
    }

    /// Charges, and insists on the approval.
    public func approvedSale(
        _ script: SimulatedOutcome = .approved, from source: PaymentSource.Kind? = nil, reference: String? = nil,
        attempt: AttemptID? = nil, _ change: (inout SaleRequest) -> Void = { _ in }
    ) async throws -> Payment {
        try approved(try await sale(script, from: source, reference: reference, attempt: attempt, change))
    }

    /// Charges an exact amount, and insists on the approval.
    public func approvedSale(_ amount: Money, reference: String? = nil) async throws -> Payment {
        let id = try attempt()
        let request = try scripted().request(reference ?? "order-\(id)", over: amount)
        return try approved(try await client.sale(request, attempt: id))
    }

    /// A check of a cue's source, for a customer who has a name: some providers keep instruments for no other customer.
    func verification(_ scripted: TestPayment, reference: String) -> VerificationRequest {
        var request = VerificationRequest(scripted.source, in: scripted.amount.currency, reference: reference)
        (request.customer, request.contact) = ("customer-1", scripted.contact)
        return request
    }

    /// Makes a sale keep its instrument for later charges: with the customer's agreement where the provider takes one.
    func puttingOnFile(_ request: inout SaleRequest) {
        request.savesInstrument = true
        if driver.capabilities.features.contains(.cardOnFile) { request.cardOnFile = CardOnFileTerms(.unscheduled) }
    }

    /// Holds by a script.
    public func authorize(
        _ script: SimulatedOutcome = .approved, from source: PaymentSource.Kind? = nil, reference: String? = nil,
        attempt: AttemptID? = nil
    ) async throws -> PaymentResult {
        let scripted = try scripted(script, .authorize, from: source ?? holdSource)
        let id = try attempt ?? self.attempt()
        return try await client.authorize(scripted.request(reference ?? "room-\(id)"), attempt: id)
    }

    /// Holds, and insists on the approval.
    public func authorized(reference: String? = nil) async throws -> Payment {
        try approved(try await authorize(reference: reference))
    }

    var holdSource: PaymentSource.Kind {
        let taken = driver.capabilities.authorizationSources
        return taken.contains(source) ? source : taken.sorted { $0.rawValue < $1.rawValue }.first ?? source
    }

    /// The approval of a result, or a failure.
    public func approved(_ result: PaymentResult) throws -> Payment {
        guard let payment = result.payment else { throw CheckFailure("it was not approved but \(Self.word(result))") }
        return payment
    }

    /// The decline of a result, or a failure.
    public func declined(_ result: PaymentResult) throws -> Decline {
        guard case .declined(let decline) = result else {
            throw CheckFailure("it was not declined but \(Self.word(result))")
        }
        return decline
    }

    /// The approval that a result is or becomes: what the provider only received is decided, and its message delivered.
    public func done(_ result: PaymentResult) async throws -> Payment {
        guard case .pending(let pending) = result, let attempt = pending.attempt,
            let operation = try await record(attempt)?.intent.operation,
            declaration.asynchronousOperations[operation] != nil
        else { return try approved(result) }
        guard let news = fixture.trigger(.decided(attempt, succeeds: true)) else {
            throw CheckFailure("the \(operation) is pending, and the provider has nothing to decide about it")
        }
        try await deliver(news.map { mutant?.changeWebhook?($0) ?? $0 })
        return try approved(try await client.status(attempt))
    }

    /// Lets the provider decide everything that it has received, and delivers its messages.
    public func decidePending() async throws {
        if declaration.asynchronousOperations.isEmpty { return }
        try await wait(declaration.decidedAfterMilliseconds)
        try await deliver(fixture.deliveredWebhooks())
    }

    /// Delivers what the provider has sent out on its own so far.
    public func deliverWebhooks() async throws { try await deliver(fixture.deliveredWebhooks()) }

    /// How often the client asks about one sale before it gives up.
    var lookupsMax: Int {
        guard let plan = driver.lookupPlan(for: .sale) else { return 1 }
        return Int(plan.giveUpAfter / plan.every) + 1
    }

    static func word(_ result: PaymentResult) -> String {
        switch result {
        case .approved: "approved"
        case .declined(let decline): "declined (\(decline.reason))"
        case .cancelled: "cancelled"
        case .pending: "pending"
        }
    }

    /// The error that a call ends with, or a failure when it ends with none.
    public func failure(_ what: String = "the call", _ call: () async throws -> Void) async throws -> PaymentError {
        do { try await call() } catch let error as PaymentError { return error } catch let error as CheckFailure {
            throw error
        } catch let error as NotApplicable { throw error } catch {
            throw CheckFailure("\(what) ended with a foreign error of type \(type(of: error))")
        }
        throw CheckFailure("\(what) ended well, and an error was due")
    }

    /// Runs a call in a task of its own on the stage.
    public func start<Value: Sendable>(
        _ call: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: scheduler) { try await call() }
    }

    /// Holds back the next exchange that may move money, and those that follow it, until they are let through.
    public func holdMoney() throws -> (reached: Promise<Bool>, opened: Promise<Bool>) {
        let (reached, opened) = (Promise<Bool>(), Promise<Bool>())
        try watched.beforeMoney { [mishaps] in
            mishaps.withLock { $0.append(.hold(ending: "", reached: reached, opened: opened)) }
        }
        return (reached, opened)
    }

    /// From the next exchange that may move money on, loses every answer of what is done, until the line is calm again.
    public func dropReplies() throws {
        let losing = Interceptor { (request, next) async throws(TransportFailure) in
            _ = try await next(request)
            throw .maybeSent(.other)
        }
        try watched.beforeMoney { [mishaps] in mishaps.withLock { $0.append(.rewrite(losing)) } }
    }

    /// From the next exchange that may move money on, no request leaves, until the line is calm again.
    func keepMoneyHere() throws {
        let refusing = Interceptor { (_, _) async throws(TransportFailure) in throw .notSent(.connectionRefused) }
        try watched.beforeMoney { [mishaps] in mishaps.withLock { $0.append(.rewrite(refusing)) } }
    }

    /// Breaks the line under the next exchange that may move money: it arrives, after a while if one is given, and is
    /// carried out, and its sender learns at once that nothing more comes.
    func loseLine(arrivingAfter milliseconds: Int64 = 0) throws {
        let isWhole = Locked(true)
        let breaking = Interceptor { [scheduler] (request, next) async throws(TransportFailure) in
            let isFirst = isWhole.withLock { isWhole in
                defer { isWhole = false }
                return isWhole
            }
            guard isFirst else { return try await next(request) }
            Task(executorPreference: scheduler) {
                if milliseconds > 0 { _ = try? await scheduler.sleep(until: scheduler.now + milliseconds) }
                _ = try? await next(request)
            }
            throw .maybeSent(.connectionReset)
        }
        try watched.beforeMoney { [mishaps] in mishaps.withLock { $0.append(.rewrite(breaking)) } }
    }

    /// How long lies between two recoveries while a customer takes his time, in milliseconds.
    static let lookMilliseconds: Int64 = 5_000

    /// What a customer at a terminal takes who is called slow, at least, in milliseconds.
    static let slowCustomerMilliseconds: Int64 = 30_000

    /// Loses a sale on its way, so that it never arrives; where its sends carry a key, every one of them.
    func loseSale(attempt: AttemptID) async throws -> PaymentResult? {
        guard declaration.idempotentOperations.contains(.sale) else {
            return try await attemptedSale(.requestLost, attempt: attempt)
        }
        try await signIn()
        let losing = Interceptor { (_, _) async throws(TransportFailure) in throw .maybeSent(.other) }
        try watched.beforeMoney { [mishaps] in mishaps.withLock { $0.append(.rewrite(losing)) } }
        return try await attemptedSale(attempt: attempt)
    }

    /// Fails if what a check prepared for an exchange about money never met one: then it has tested nothing.
    func expectPlayed() throws {
        guard let journal = journal as? ObservedJournal else { return }
        try expect(!journal.isWaiting, "no exchange about money met what the check had prepared for it")
    }

    /// The journal of the suite, which notices exchanges about money.
    var watched: ObservedJournal {
        get throws {
            guard let journal = journal as? ObservedJournal else {
                throw CheckFailure("the suite's journal is not its own")
            }
            return journal
        }
    }

    /// Holds back every exchange whose path ends so, until it is opened.
    public func delayReplies(_ ending: String = "") -> (reached: Promise<Bool>, opened: Promise<Bool>) {
        let (reached, opened) = (Promise<Bool>(), Promise<Bool>())
        mishaps.withLock { $0.append(.hold(ending: ending, reached: reached, opened: opened)) }
        return (reached, opened)
    }

    /// Holds back the next exchange that may move money, until it is opened.
    func holdBackMoney() throws -> (reached: Promise<Bool>, opened: Promise<Bool>) {
        let (reached, opened, isHeld) = (Promise<Bool>(), Promise<Bool>(), Locked(false))
        let holding = Interceptor { (request, next) async throws(TransportFailure) in
            let isFirst = isHeld.withLock { isHeld in
                defer { isHeld = true }
                return !isHeld
            }
            if isFirst {
                reached.fulfill(true)
                _ = await opened.value()
            }
            return try await next(request)
        }
        try watched.beforeMoney { [mishaps] in mishaps.withLock { $0.append(.rewrite(holding)) } }
        return (reached, opened)
    }

    /// Of cases with a fault each, those whose fault is not left out with a reason; at least one.
    func played(_ cases: [String], as fault: (String) -> String) throws -> [String] {
        let played = cases.filter { declaration.unsupportedFaults[fault($0)] == nil }
        guard !played.isEmpty else { throw NotApplicable(cases.map(fault).joined(separator: ", ") + ": left out") }
        return played
    }

    /// A fault by its name; one that is left out without a reason fails.
    private func playable(_ id: String) throws -> InjectedFault {
        if let fault = declaration.faults.first(where: { $0.id == id }) { return fault }
        if let reason = declaration.unsupportedFaults[id] { throw NotApplicable("\(id): \(reason)") }
        throw CheckFailure("The harness can't play \(id). Leave it out with the reason, by `leaveOut`.")
    }

    /// Plays a fault on the exchange after so many others, and on those that follow it.
    public func arm(_ fault: String, after skipped: Int = 0, times: Int = 1) throws {
        let fault = try playable(fault)
        for _ in 0..<times { fixture.arm(fault, after: skipped) }
    }

    /// Plays a fault on the next exchange that may move money, and on those that follow it; what a driver reads before
    /// that exchange is let through.
    public func armMoney(_ fault: String, times: Int = 1) throws {
        let fault = try playable(fault)
        try watched.beforeMoney { [fixture] in
            for _ in 0..<times { fixture.arm(fault, after: 0) }
        }
    }

    /// Plays a fault on every exchange that may move money; what a driver reads in between is let through.
    public func armEachMoney(_ fault: String) throws {
        let fault = try playable(fault)
        try watched.beforeEachMoney { [fixture] in fixture.arm(fault, after: 0) }
    }

    /// Refunds what was charged, once it is settled where a provider insists on that.
    @discardableResult
    public func refund(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil, attempt: AttemptID? = nil
    ) async throws -> PaymentResult {
        if fixture.trigger(.settled) != nil { try await wait(Self.settlementMilliseconds) }
        return try await client.refund(payment, of: amount, reference: reference, attempt: attempt)
    }

    /// Refunds under an attempt of its own, and insists on the approval.
    func refunded(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil
    ) async throws -> Payment {
        try await done(try await refund(payment, of: amount, reference: reference, attempt: attempt()))
    }

    /// Takes what is held under an attempt of its own, and insists on the approval.
    func captured(_ payment: PaymentID, of amount: Money? = nil, reference: String? = nil) async throws -> Payment {
        try await done(try await client.capture(payment, of: amount, reference: reference, attempt: attempt()))
    }

    /// Undoes under an attempt of its own, and insists on the approval.
    func voided(_ payment: PaymentID) async throws -> Payment {
        try await done(try await client.void(payment, attempt: attempt()))
    }

    /// How long after a settlement money is refunded.
    static let settlementMilliseconds: Int64 = 1_000

    /// Signs in, and prepares the reader where only cards are read, so that the next exchange is the one that the
    /// check is about.
    public func signIn() async throws {
        try await client.session?.open()
        if source == .reader || driver.capabilities.usesProviderTerminal { try await client.reader?.prepare() }
    }

    /// Lets something happen at the provider.
    public func happen(_ event: ProviderEvent) throws -> [ProviderWebhook] {
        guard let news = fixture.trigger(event) else { throw NotApplicable("the provider has no such event") }
        return news.map { mutant?.changeWebhook?($0) ?? $0 }
    }

    /// Hands a message of the provider to the client.
    @discardableResult
    public func deliver(_ news: [ProviderWebhook]) async throws -> [ProviderNotice] {
        var notices: [ProviderNotice] = []
        for message in news {
            let answer = try await client.receiveWebhook(
                message.body, headers: message.headers, from: driver.identity.id)
            notices += answer.notices
        }
        // What a hint owes is looked up beside the answer, at most once in five seconds.
        if !notices.isEmpty { try await wait(Self.hintMilliseconds) }
        return notices
    }

    /// How long it takes until all that hints owe is looked up, in milliseconds.
    static let hintMilliseconds: Int64 = 6_000

    /// What the journal holds about an attempt.
    public func record(_ attempt: AttemptID) async throws -> Attempt? {
        try await journal.record(attempt)
    }

    /// Waits until everything that can be decided is decided, in a new process; gives what stays open.
    public func recovered() async throws -> (context: CheckContext, open: [AttemptID]) {
        try await wait(declaration.decidedAfterMilliseconds)
        let fresh = try restarted()
        let news = fixture.deliveredWebhooks().map { mutant?.changeWebhook?($0) ?? $0 }
        var refused: [ProviderWebhook] = []
        for message in news {
            do { try await fresh.deliver([message]) } catch is PaymentError { refused.append(message) }
        }
        // A provider sends once more what was not taken.
        try await fresh.deliver(refused)
        return (fresh, try await fresh.client.recover())
    }

    /// The same, and fails if anything stays open.
    func decided() async throws -> CheckContext {
        let (fresh, open) = try await recovered()
        try expect(open.isEmpty, "it stays open")
        return fresh
    }
}

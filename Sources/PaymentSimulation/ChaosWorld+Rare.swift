internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentTesting

/// What does not happen every day: mistakes of people, another application of the same journal, backups, the provider's dashboard.
extension ChaosWorld {
    func takeRare(_ step: ChaosStep) async {
        switch step.act {
        case .mixUp(let number, let isOtherScope): mixUp(number, isOtherScope, at: step.till)
        case .mistype(let number): await mistype(number, at: step.till)
        case .deliverElsewhere(let pick):
            guard let (process, _) = running(step.till), let other = other(process), let letter = letter(pick) else {
                return
            }
            start { [self] in await hand(letter, other, process) }
        case .backUp: restorable?.backUp()
        case .restore: restore()
        case .cardRefuses: running(step.till)?.process.refuseNextCard()
        case .lapse: if let (process, _) = running(step.till) { living.remove(process.name) }
        case .dashboard(let operation, let number, let isPart): await dashboard(operation, number, isPart, step.number)
        case .idle(let hours): await wait(Int64(hours) * 3_600_000)
        case .cutOff(let isCutOff): cutOff(isCutOff, state.withLock { $0.active[step.till] ?? 0 })
        case .refusesFirst: _ = troubled(state.withLock { $0.active[step.till] ?? 0 })?.refuseFirstCard()
        case .confuse(let number, let other): await confuse(number, other, at: step.till)
        default: break
        }
    }

    /// The id of an order: every third time one that the library draws, else the application's own.
    func id(_ number: Int) -> AttemptID? {
        guard number.isMultiple(of: 3), let generation = restorable?.generationNow else {
            return try? AttemptID("order-\(number)")
        }
        return AttemptID(generation: generation, now: scheduler.now, random: SeededRandom(seed: UInt64(number)))
    }

    /// Orders that few steps make.
    func rareOrder(_ step: ChaosStep, _ attempt: AttemptID) -> Order? {
        let provider = state.withLock { $0.active[step.till] ?? 0 }
        func scripted(
            _ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind, _ provider: Int
        ) -> TestPayment? {
            fixtures[provider].scripted(script, operation, source)
                ?? fixtures[provider].scripted(.approved, operation, source)
        }
        var order: Order
        switch step.act {
        case .chargeUnnamed(let script, let source):
            guard let payment = scripted(script, .sale, source, provider) else { return nil }
            order = Order(
                number: step.number, attempt: attempt, operation: .sale, amount: payment.amount,
                source: payment.source, reference: "unnamed-\(step.number)", origin: nil, provider: provider)
            (order.isUnnamed, order.customer, order.contact) = (true, payment.customer, payment.contact)
        case .chargeEither(let limit):
            guard let payment = scripted(.approved, .sale, .card, 0) ?? scripted(.approved, .sale, .reader, 0) else {
                return nil
            }
            order = Order(
                number: step.number, attempt: attempt, operation: .sale, amount: payment.amount,
                source: payment.source, reference: "either-\(step.number)", origin: nil, provider: 0)
            (order.limit, order.customer, order.contact) = (.milliseconds(limit), payment.customer, payment.contact)
        case .reasonedRefund(let number, let reason, let isLinked, let source):
            guard let origin = state.withLock({ $0.orders[number] }), origin.origin == nil else { return nil }
            let operation: PaymentOperation = isLinked ? .refund : .unlinkedRefund
            let payment = scripted(.approved, operation, source, origin.provider)
            guard isLinked || payment != nil else { return nil }
            order = Order(
                number: step.number, attempt: attempt, operation: operation, amount: origin.amount.map(Self.quarter),
                source: isLinked ? nil : payment?.source, reference: origin.reference, origin: origin.attempt,
                provider: origin.provider)
            order.reason = "reason \(reason) of \(number)"
        default: return nil
        }
        return order
    }

    /// A part that can be refunded more than once.
    private static func quarter(_ amount: Money) -> Money {
        Money(minorUnits: max(1, amount.minorUnits / 4), amount.currency)
    }

    // MARK: Mistakes

    /// An id is used for a second purchase: whatever the first one came to is no answer to that.
    private func mixUp(_ number: Int, _ isOtherScope: Bool, at till: Int) {
        guard let order = state.withLock({ $0.orders[number] }), let (process, client) = running(till),
            judge({ $0.sights[order.attempt]?.movedWrittenAt != nil && $0.sights[order.attempt]?.isLost != true }),
            order.source != nil, order.origin == nil
        else { return }
        guard let asked = isOtherScope ? other(process) : client else { return }
        start { [self] in
            do throws(PaymentError) {
                let result = isOtherScope ? try await order.call(asked) : try await order.callForAnother(asked)
                if process.isGone { return }
                judge { $0.accuse("\(order.attempt) answers for another purchase: \(DeliveredResult(result).word)") }
            } catch { note("the id \(order.attempt) is not taken twice: \(error.code)") }
        }
    }

    private func mistype(_ number: Int, at till: Int) async {
        guard let order = state.withLock({ $0.orders[number] }), let (_, client) = running(till),
            let amount = order.amount
        else { return }
        let other = amount.currency == .jpy ? Currency.usd : .jpy
        do throws(PaymentError) {
            _ = try await client.resolve(
                order.attempt, as: .executed(name: "slip-\(number)", Money(minorUnits: amount.minorUnits, other)),
                reason: "a slip of the pen")
            judge { $0.accuse("\(order.attempt) is decided in another currency than its own") }
        } catch { note("a person can't decide \(order.attempt) in \(other.code): \(error.detail)") }
    }

    /// A person finds another order's payment in the provider's books, and says that it is this one's.
    private func confuse(_ number: Int, _ other: Int, at till: Int) async {
        let orders = state.withLock { $0.orders }
        guard number != other, let order = orders[number], let theirs = orders[other], order.origin == nil,
            theirs.origin == nil, order.provider == theirs.provider, let (process, client) = running(till),
            let found = fixtures[theirs.provider].ledger.entries(of: theirs.attempt).first
        else { return }
        do throws(PaymentError) {
            _ = try await client.resolve(
                order.attempt, as: .executed(name: found.payment, nil), reason: "it is in the provider's books")
            judge { $0.decided(order.attempt, isMisjudged: true, isCertain: false) }
            if process.isGone { return }
            note("a person takes \(found.payment) of \(theirs.attempt) for \(order.attempt)")
        } catch {
            note("a person can't take \(found.payment) for \(order.attempt): \(error.detail)")
            if error.code == .journal { judge { $0.decided(order.attempt, isMisjudged: true, isCertain: false) } }
        }
    }

    /// Orders without a reference of one amount of which it is not known what became of them.
    func doubts(like order: Order, _ client: PaymentClient) async -> Set<AttemptID> {
        let alike = state.withLock { $0.orders.values.filter { $0.isUnnamed && $0.number != order.number } }
        var found: Set<AttemptID> = []
        for other in alike where other.amount == order.amount {
            if (try? await client.attempt(other.attempt))?.state == .inDoubt { found.insert(other.attempt) }
        }
        return found
    }

    // MARK: Another application, and a journal that comes back

    /// Another application that shares the journal and the accounts.
    private func other(_ process: Process) -> PaymentClient? { try? client(process, 0, scope: "web") }

    /// The last backup is brought back, on a machine that can't say which processes of then are dead.
    private func restore() {
        // Where an account is declared exclusive, what was lost looks like what is open.
        guard !drivers.contains(where: \.capabilities.isExclusive) else { return }
        guard let restorable, let restored = restorable.restore() else { return }
        for till in machines.indices { kill(till) }
        for owner in restored.owners { living.forgetDeath(of: owner) }
        judge { judge in
            judge.lose(restored.lost)
            for attempt in restored.unasked { judge.loseNote(attempt) }
        }
        state.withLock { $0.silent = Set(fixtures.indices) }
        // A message that waited for its payment's name went with the journal, and its provider does not send it again.
        state.withLock { state in
            state.saidOfDashboards = state.saidOfDashboards.mapValues { said in
                said.filter { $0.value <= restored.writes }
            }
        }
    }

    // MARK: The provider's dashboard

    /// A provider at which more happens than its interface has; nil for another one.
    func troubled(_ provider: Int) -> (any TroubledFixture)? {
        fixtures.indices.contains(provider) ? fixtures[provider] as? any TroubledFixture : nil
    }

    private func cutOff(_ isCutOff: Bool, _ provider: Int) {
        guard troubled(provider)?.cutOff(isCutOff) == true, isCutOff else { return }
        state.withLock { _ = $0.cutOff.insert(provider) }
    }

    /// A person refunds at the provider's pages, whose books call it by the step's name; false where that is not possible.
    private func refundByHand(_ order: Order, of origin: AttemptID) -> Bool {
        guard order.operation == .refund, let office = troubled(order.provider) else { return false }
        _ = judge { $0.begin(order) }
        let isDone = office.refundByHand(origin, of: order.amount?.minorUnits, label: order.attempt.text)
        judge { $0.left(order.attempt, isDone ? "done by hand" : "not done by hand") }
        guard isDone else { return false }
        state.withLock { state in
            state.byHand.insert(order.attempt)
            state.atDashboard.insert(origin)
        }
        note("a person refunds \(origin) at the provider's pages")
        look(order.provider)
        return true
    }

    /// What the provider calls a payment, as its caller got it, or as a person finds it in the provider's books.
    private func paper(_ origin: Order) async -> Payment? {
        if let known = state.withLock({ $0.papers[origin.attempt] }) { return known }
        guard !fixtures[origin.provider].ledger.entries(of: origin.attempt).isEmpty, let copy = restorable?.copied(),
            let (client, _) = program(origin.provider, copy),
            case .approved(let payment)? = try? await client.status(origin.attempt)
        else { return nil }
        return payment
    }

    /// A program of the provider's own, which knows a payment by the provider's names and writes nothing to the journal.
    private func dashboard(_ operation: PaymentOperation, _ number: Int, _ isPart: Bool, _ step: Int) async {
        guard let origin = state.withLock({ $0.orders[number] }), origin.origin == nil, let asked = origin.amount,
            takesMessages(origin.provider), let id = try? AttemptID("dashboard-\(step)")
        else { return }
        let amount = isPart ? Self.quarter(asked) : nil
        var order = Order(
            number: step, attempt: id, operation: operation, amount: amount, source: nil, reference: origin.reference,
            origin: origin.attempt, provider: origin.provider)
        order.isAtDashboard = true
        if refundByHand(order, of: origin.attempt) { return }
        guard let paper = await paper(origin), paper.provider.id == identities[origin.provider],
            let (client, journal) = dashboard(origin.provider)
        else { return }
        let instant = Attempt.Instant(wall: scheduler.now, uptime: scheduler.now, boot: "dashboard")
        var movement = ImportedMovement(
            Begin(.init(origin.attempt, origin.operation, asked), paper.provider),
            .approved(Approval(paper.approved, references: paper.references)), saidAt: scheduler.now)
        movement.names = Set(paper.references.values).sorted()
        _ = try? await journal.write(
            JournalEntry(.report(origin.attempt, .imported(movement))), WriteID("dashboard \(step)"), at: instant)
        let since = judge { [order] in $0.begin(order) }
        state.withLock { _ = $0.atDashboard.insert(origin.attempt) }
        let told: DeliveredResult
        do throws(PaymentError) { told = DeliveredResult(try await order.call(client)) } catch {
            told = DeliveredResult(error, about: id)
        }
        note("the dashboard says of \(id): \(told)")
        lookAll()
        judge { $0.tell(id, told, isCall: true, since: since, in: "dashboard") }
    }

    /// Remembers a message about what was done without us, if it names the payment.
    func hearOfDashboard(_ notice: ProviderNotice) {
        guard let original = notice.original, notice.verdict != nil else { return }
        // A message that may be about either of two operations is a hint to ask.
        switch notice.subject {
        case .attempt(let id): guard id.text.hasPrefix("dashboard-"), notice.operations?.count == 1 else { return }
        case .reference(_, let operations): guard operations.count == 1 else { return }
        }
        let writes = restorable?.writes ?? 0
        state.withLock { state in
            if state.saidOfDashboards[original]?[notice.subject] == nil {
                state.saidOfDashboards[original, default: [:]][notice.subject] = writes
            }
        }
    }

    /// What was done at a dashboard, and no message named the payment, can't be known here.
    func excuseDashboards() async {
        for origin in state.withLock(\.atDashboard) {
            let byHand = state.withLock(\.byHand)
            let all = judge { judge in
                judge.sights.values.filter {
                    $0.order.isAtDashboard && $0.order.origin == origin && !$0.executedAt.isEmpty
                }.map(\.order)
            }
            // The provider says what a person did there, unless a message was lost.
            let silent = state.withLock(\.silent)
            let isSilent = all.contains { byHand.contains($0.attempt) && silent.contains($0.provider) }
            let done = all.count { !byHand.contains($0.attempt) }
            let names = (try? await store.payment(PaymentID(origin)))?.attempts.first?.names.map(\.value) ?? []
            let said = state.withLock { state in
                Set(names.flatMap { state.saidOfDashboards[$0].map { Array($0.keys) } ?? [] }).count
            }
            if said < done || isSilent { judge { $0.loseNote(origin) } }
        }
    }

    /// What failed by a name that no answer had given can't be known here: it is seen by what is left of its payment alone.
    func excuseNameless() async {
        for attempt in state.withLock(\.failed) {
            guard let order = judge({ $0.sights[attempt]?.order }), let origin = order.origin,
                let payment = try? await store.payment(PaymentID(origin)),
                payment.attempts.first(where: { $0.intent.attempt == attempt })?.names.isEmpty == true
            else { continue }
            judge { $0.loseNote(attempt) }
        }
    }

    /// Whether the provider says by messages what was done without us, and is not declared to be used by us alone.
    private func takesMessages(_ provider: Int) -> Bool {
        drivers[provider] is any WebhookDriver && !drivers[provider].capabilities.isExclusive
    }

    private func dashboard(_ provider: Int) -> (client: PaymentClient, journal: InMemoryJournal)? {
        if let known = state.withLock({ $0.dashboards[provider] }) { return known }
        guard let program = program(provider, InMemoryJournal(processes: SingleProcess("dashboard"))) else {
            return nil
        }
        state.withLock { $0.dashboards[provider] = program }
        return program
    }

    /// A program of the provider's own, with a journal of its own.
    private func program(
        _ provider: Int, _ journal: InMemoryJournal
    ) -> (client: PaymentClient, journal: InMemoryJournal)? {
        guard let driver = try? fixtures[provider].driver(.open) else { return nil }
        var options = ClientOptions(journal: journal)
        (options.clock, options.executor, options.reader) = (scheduler, scheduler, reader)
        options.random = SeededRandom(seed: 3)
        guard let client = try? PaymentClient(driver, options) else { return nil }
        return (client, journal)
    }

    /// How long a request can take on its way: less than the shortest time after which the provider's adapter takes silence for
    /// proof, or after which a refusal that is found counts. That time covers the way and the customer together, so that a customer
    /// who takes all of the reader's time leaves nothing for the way.
    func latest(_ provider: Int, _ attempt: String?) -> Int64 {
        if let attempt, state.withLock({ $0.slow.contains(attempt) }) { return 0 }
        return PaymentOperation.allCases.reduce(Self.refusalQuietMilliseconds) { least, operation in
            min(least, drivers[provider].lookupPlan(for: operation)?.quiet ?? least)
        } - 1
    }

    /// As long as the client waits for where no quiet time says so.
    private static let refusalQuietMilliseconds: Int64 = 60_000
}

/// A reader of whose cards one refuses on its own, when a process asks for that; what it can do beyond reading it still
/// can.
struct MoodyReader<Inner: CardReader>: CardReader {
    let inner: Inner
    let process: Process

    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.setEventHandler(sink) }
    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }

    func read(_ request: CardReadRequest) async throws -> CardReadResult {
        var read = try await inner.read(request)
        if !process.takesCard() { read.isDeclinedByCard = true }
        return read
    }

    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }

    func cancel() async throws -> CancelResult { try await inner.cancel() }
}

extension MoodyReader: AccountLinkingReader where Inner: AccountLinkingReader {
    func isLinked(token: Secret) async throws -> Bool { try await inner.isLinked(token: token) }
    func link(token: Secret, again: Bool) async throws { try await inner.link(token: token, again: again) }
}

extension MoodyReader: MerchantEducationReader where Inner: MerchantEducationReader {
    func showEducation() async throws { try await inner.showEducation() }
}

extension ChaosWorld {
    /// The reader of a process's till.
    func moody(_ reader: some CardReader, _ process: Process) -> any CardReader {
        MoodyReader(inner: reader, process: process)
    }
}

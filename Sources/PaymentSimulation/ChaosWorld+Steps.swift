internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentTesting

extension ChaosWorld {
    /// Lets one thing happen.
    func take(_ step: ChaosStep) async {
        switch step.act {
        case .charge, .follow, .chargeUnnamed, .chargeEither, .reasonedRefund:
            if let order = order(step) { begin(order, at: step.till) }
        case .again(let number):
            if let order = state.withLock({ $0.orders[number] }) { begin(order, at: step.till) }
        case .leave(let number): leave(number)
        case .status(let number): ask(number, at: step.till)
        case .recover:
            if let running = running(step.till) { start { _ = try? await running.client.recover() } }
        case .resolve(let number, let isHasty): await resolve(number, isHasty: isHasty, at: step.till)
        case .crash(let count): crash(step.till, after: count)
        case .change(let active):
            await finish(step.till)
            state.withLock { $0.active[step.till] = fixtures.indices.contains(active) ? active : 0 }
        case .reboot:
            state.withLock { $0.hasWrongClock = true }
            reboot(step.till)
        case .setClock(let milliseconds):
            state.withLock { $0.hasWrongClock = true }
            // Where the store has a machine of its own, that one's is set as often.
            let machine = milliseconds.isMultiple(of: 2) ? storeClock : nil
            (machine ?? running(step.till)?.process.clock)?.set(by: milliseconds)
        case .line(let fault, let count): running(step.till)?.process.arm(fault, after: count)
        case .journal(let fault, let count): running(step.till)?.process.arm(fault, after: count)
        case .provider(let pick, let count): misbehave(state.withLock { $0.active[step.till] ?? 0 }, pick, count)
        case .deliver(let pick, let isKept): deliver(pick, isKept: isKept, at: step.till)
        case .lose(let pick): lose(pick)
        case .decide(let number, let succeeds): happen(number, "provider decides") { .decided($0, succeeds: succeeds) }
        case .failLater(let number): happen(number, "fails later", isOnlyNews: true) { .failedLater($0) }
        case .settle(let provider):
            happen(.settled, provider)
            troubled(provider)?.announceCaptures()
        case .revoke(let provider): if !mayTwinsTravel(provider) { happen(.accessRevoked, provider) }
        case .mixUp, .mistype, .deliverElsewhere, .backUp, .restore, .dashboard, .idle, .cardRefuses, .lapse, .cutOff,
            .refusesFirst, .confuse:
            await takeRare(step)
        }
        collect()
    }

    func start(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: scheduler) { await body() }
    }

    // MARK: Orders

    /// The order that a step makes; the same however often the step is played.
    private func order(_ step: ChaosStep) -> Order? {
        guard let attempt = id(step.number) else { return nil }
        let orders = state.withLock { $0.orders }
        var order: Order
        switch step.act {
        case .charge(let isHold, let under, let isPart, let script, let source, let thousands):
            let provider = state.withLock { $0.active[step.till] ?? 0 }
            let operation: PaymentOperation = isHold ? .authorize : .sale
            let fixture = fixtures[provider]
            guard
                let scripted = fixture.scripted(script, operation, source)
                    ?? fixture.scripted(.approved, operation, source)
            else { return nil }
            var amount = scripted.amount
            amount = Money(minorUnits: amount.minorUnits.adding(thousands * 1_000), amount.currency)
            let reference = under.flatMap { orders[$0]?.reference } ?? "reference-\(step.number)"
            order = Order(
                number: step.number, attempt: attempt, operation: operation, amount: amount, source: scripted.source,
                reference: reference, origin: nil, provider: provider, part: isPart ? "part \(step.number)" : "")
            (order.customer, order.contact) = (scripted.customer, scripted.contact)
            if under != nil, step.number.isMultiple(of: 2) { order.spelling = reference + " " }
            order.acceptsPartial = script == .partial && operation == .sale
            if script == .slowCustomer { state.withLock { _ = $0.slow.insert(attempt.text) } }
        case .follow(let operation, let number, let script):
            guard let origin = orders[number], origin.origin == nil else { return nil }
            var amount: Money?
            if operation == .adjust || operation == .tipAdjustment || script != nil {
                let fixture = fixtures[origin.provider]
                guard
                    let scripted = fixture.scripted(script ?? .approved, operation, origin.source?.kind ?? .card)
                        ?? fixture.scripted(.approved, operation, origin.source?.kind ?? .card)
                else { return nil }
                amount = scripted.amount
                if operation == .adjust, let held = origin.amount {
                    amount = Money(minorUnits: held.minorUnits.adding(1_000), held.currency)
                }
            }
            order = Order(
                number: step.number, attempt: attempt, operation: operation, amount: amount, source: nil,
                reference: origin.reference, origin: origin.attempt, provider: origin.provider)
        default:
            guard let rare = rareOrder(step, attempt) else { return nil }
            order = rare
        }
        state.withLock { [order] in $0.orders[step.number] = order }
        return order
    }

    private func begin(_ order: Order, at till: Int) {
        guard let (process, client) = running(till) else { return }
        if let limit = order.limit?.wholeMilliseconds, order.number.isMultiple(of: 2) {
            // The first provider can't be reached for most of the time, and the second one is slow.
            process.arm(.unreachable(limit * 3 / 4), after: 0)
            process.arm(.replySlow(limit * 3 / 4), after: 0)
        }
        lookAll()
        let (number, since) = state.withLock { state in
            state.callCount += 1
            return (state.callCount, state.judge.begin(order))
        }
        let (beganAt, troubles) = (scheduler.now, process.troubleCount)
        let task = Task(executorPreference: scheduler) { [self] in
            let isNew = judge { $0.sights[order.attempt]?.executedAt.isEmpty ?? true }
            var doubts: Set<AttemptID> = []
            // A call that joins a request which left before the doubt came sends nothing.
            if order.isUnnamed, isNew, (try? await client.attempt(order.attempt))?.isOpen != true {
                doubts = await self.doubts(like: order, client)
            }
            let told: DeliveredResult
            var code: PaymentError.Code?
            do throws(PaymentError) {
                let result = try await order.call(client)
                if case .approved(let payment) = result { state.withLock { $0.papers[order.attempt] = payment } }
                told = DeliveredResult(result)
            } catch {
                (told, code) = (DeliveredResult(error, about: order.attempt), error.code)
            }
            guard state.withLock({ $0.calls.removeValue(forKey: number) }) != nil, !process.isGone else { return }
            lookAll()
            if code == .journal, process.troubleCount == troubles, !process.hadTrouble(with: order.attempt) {
                judge { $0.accuse("\(order.attempt) fails for the journal, which did nothing wrong to it") }
            }
            judge { $0.late(order, by: scheduler.now - beganAt) }
            if case .moved = told, !doubts.isDisjoint(with: await self.doubts(like: order, client)) {
                judge { $0.accuse("\(order.attempt) was charged beside one of its amount that is in doubt") }
            }
            note("\(process.name) gets of \(order.attempt): \(told)")
            judge { $0.tell(order.attempt, told, isCall: true, since: since, in: process.name) }
        }
        state.withLock { $0.calls[number] = Call(order: order.number, process: process, task: task) }
    }

    /// Cancels every call that waits for the order; the judge checks what a cancelled call returns as well.
    private func leave(_ number: Int) {
        let calls = state.withLock { state in
            state.calls.filter { $0.value.order == number }.sorted { $0.key < $1.key }.map(\.value)
        }
        guard let order = state.withLock({ $0.orders[number] }), !calls.isEmpty else { return }
        judge { $0.visit(order.attempt, "caller leaves") }
        for call in calls { call.task.cancel() }
    }

    private func ask(_ number: Int, at till: Int) {
        guard let order = state.withLock({ $0.orders[number] }), let (process, client) = running(till) else { return }
        let since = judge { $0.tick() }
        start { [self] in
            let told: DeliveredResult
            do throws(PaymentError) { told = DeliveredResult(try await client.status(order.attempt)) } catch {
                told =
                    error.attempt == order.attempt
                    ? DeliveredResult(error, about: order.attempt) : .unknown(error.code.rawValue)
            }
            if process.isGone { return }
            lookAll()
            note("\(process.name) hears of \(order.attempt): \(told)")
            judge { $0.tell(order.attempt, told, isCall: false, since: since, in: process.name) }
        }
    }

    /// A person who has the provider's books in front of him, and has it end what is pending first; a hasty one doesn't
    /// look, and says that nothing moved.
    private func resolve(_ number: Int, isHasty: Bool, at till: Int) async {
        guard let order = state.withLock({ $0.orders[number] }), let (process, client) = running(till) else { return }
        if !isHasty {
            if state.withLock({ $0.travelling[order.attempt.text] ?? 0 }) > 0 { return }
            happen(number, "provider decides") { .decided($0, succeeds: false) }
        }
        lookAll()
        // Another process may have taken the order to its own provider: a person reads the books of each.
        let entries = fixtures.flatMap { $0.ledger.entries(of: order.attempt) }
        let sight = judge { $0.sights[order.attempt] }
        guard let sight, !sight.ways.isEmpty || isHasty else { return }
        let decision: ManualResolution
        if !isHasty, let first = entries.first, sight.net > 0 {
            decision = .executed(
                name: first.payment, order.amount.map { Money(minorUnits: sight.gross, $0.currency) })
        } else {
            // A person who reads the books knows that none of the payments there is it; a hasty one names none.
            let others = isHasty ? [] : fixtures.flatMap { $0.ledger.entries.map(\.payment) }
            decision = .notExecuted(besides: Set(others).sorted())
        }
        do throws(PaymentError) {
            _ = try await client.resolve(order.attempt, as: decision, reason: "the provider's books say so")
            judge { $0.decided(order.attempt, isMisjudged: isHasty) }
            if process.isGone { return }
            note("a person decides \(order.attempt)\(isHasty ? " in haste" : "")")
        } catch {
            note("a person can't decide \(order.attempt): \(error.detail)")
            // It may be written, or become so, although the person got an error.
            if error.code == .journal { judge { $0.decided(order.attempt, isMisjudged: isHasty, isCertain: false) } }
        }
    }

    // MARK: Processes and machines

    private func crash(_ till: Int, after count: Int) {
        guard let running = state.withLock({ $0.running[till] }) else { return }
        if count == 0 { kill(till) } else { running.process.die(after: count) }
    }

    /// The processes of a till's machine are gone, and the machine begins again.
    private func reboot(_ till: Int) {
        let shared = storeClock == nil
        let tills = shared ? Array(machines.indices) : [till]
        for each in tills { kill(each) }
        machines[shared ? 0 : till].reboot()
    }

    // MARK: Providers

    /// Whether a request may be on its way that comes twice: the access that both were let in by can't end between them,
    /// which would make the second say of the first that no process looked at it.
    private func mayTwinsTravel(_ provider: Int) -> Bool {
        state.withLock { $0.doubling.contains(provider) && $0.travelling.values.contains { $0 > 0 } }
    }

    private func misbehave(_ provider: Int, _ pick: Int, _ skip: Int) {
        // A lie about an amount or a name can't be distinguished from the truth: what follows from it is no mistake of
        // the client.
        let lies: Set<String> = ["member.wrong-amount", "member.wrong-currency", "member.wrong-reference"]
        let faults = harnesses[provider].declaration.faults.filter { !lies.contains($0.id) }
        guard !faults.isEmpty else { return }
        let fault = faults[pick % faults.count]
        note("provider: \(fault) after \(skip)")
        if fault.executions > 1 { state.withLock { _ = $0.doubling.insert(provider) } }
        fixtures[provider].arm(fault, after: skip)
    }

    private func happen(
        _ number: Int, _ word: String, isOnlyNews: Bool = false, _ event: (AttemptID) -> ProviderEvent
    ) {
        guard let order = state.withLock({ $0.orders[number] }) else { return }
        let (about, event) = (isOnlyNews ? order.attempt : nil, event(order.attempt))
        guard happen(event, order.provider, about) else { return }
        if case .decided(_, false) = event { judge { $0.refuse(order.attempt) } }
        if case .failedLater = event { state.withLock { _ = $0.failed.insert(order.attempt) } }
        judge { $0.visit(order.attempt, word) }
        note("\(word): \(order.attempt)")
    }

    /// The customer of an order goes to the page and pays there.
    func visit(_ page: PaymentLink) async {
        let order = state.withLock { $0.orders.values.first { $0.attempt == page.attempt } }
        guard let provider = order?.provider else { return }
        await fixtures[provider].visitor(page)
        look(provider)
    }

    @discardableResult
    func happen(_ event: ProviderEvent, _ provider: Int, _ about: AttemptID? = nil) -> Bool {
        guard fixtures.indices.contains(provider), let news = fixtures[provider].trigger(event) else { return false }
        post(news, provider, about)
        look(provider)
        return true
    }

    private func post(_ news: [ProviderWebhook], _ provider: Int, _ about: AttemptID? = nil) {
        let letters = news.map {
            WebhookInFlight(provider: provider, news: mutant?.changeWebhook?($0) ?? $0, attempt: about)
        }
        state.withLock { $0.letters += letters }
    }

    /// Takes what providers have sent out on their own.
    func collect() {
        for provider in fixtures.indices { post(fixtures[provider].pendingWebhooks(), provider) }
    }

    private func lose(_ pick: Int) {
        state.withLock { state in
            if state.letters.isEmpty { return }
            state.lose(state.letters.remove(at: pick % state.letters.count))
        }
    }

    func letter(_ pick: Int, isKept: Bool = false) -> WebhookInFlight? {
        state.withLock { state in
            guard !state.letters.isEmpty else { return nil }
            let place = pick % state.letters.count
            return isKept ? state.letters[place] : state.letters.remove(at: place)
        }
    }

    private func deliver(_ pick: Int, isKept: Bool, at till: Int) {
        collect()
        let letter = letter(pick, isKept: isKept)
        guard let letter, let (process, client) = running(till) else { return }
        start { [self] in await hand(letter, client, process) }
    }

    /// Hands a message over; one that isn't taken comes again.
    func hand(_ letter: WebhookInFlight, _ client: PaymentClient, _ process: Process) async {
        do {
            let answer = try await client.receiveWebhook(
                letter.news.body, headers: letter.news.headers, from: identities[letter.provider])
            // The provider got no answer.
            if process.isGone { state.withLock { $0.letters.append(letter) } }
            for item in answer.items {
                if case .applied(let attempt) = item.effect { judge { $0.visit(attempt, "message applied") } }
                hearOfDashboard(item.notice)
            }
            note("\(process.name) hears a message: \(answer.items.map(\.effect))")
        } catch {
            guard error.code == .unsupported || error.code == .signatureInvalid else {
                return state.withLock { $0.letters.append(letter) }
            }
            // Its signature is older than the adapter takes, and it is not signed again here.
            state.withLock { $0.lose(letter) }
        }
    }
}

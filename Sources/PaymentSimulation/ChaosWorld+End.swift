internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentTesting

/// The end of a world: nothing goes wrong any more, everything is decided and delivered, and the books are compared.
extension ChaosWorld {
    /// The till at which the books are closed.
    private static let lastTill = 0
    /// How often open attempts are looked at in the end, and how often at most while messages come back.
    private static let (looks, looksMax) = (3, 12)
    /// How long after the other each look is, in milliseconds: more than any quiet time.
    private static let looksEveryMilliseconds: Int64 = 600_000
    /// How long until every look that is owed has come again, in milliseconds.
    private static let lastLookMilliseconds: Int64 = 25 * 3_600_000

    func settle() async {
        for running in state.withLock({ $0.running.values.map(\.process) }) { running.calm() }
        for machine in machines { machine.correct() }
        storeClock?.correct()
        for provider in fixtures.indices { _ = troubled(provider)?.cutOff(false) }
        await waitForCalls()
        lookAll()
        if violation != nil { return }
        for till in machines.indices { await finish(till) }
        let decided = harnesses.map(\.declaration.decidedAfterMilliseconds).max() ?? 0
        await wait(decided + Self.looksEveryMilliseconds)
        for order in state.withLock({ $0.orders.values.sorted { $0.number < $1.number } }) {
            happen(.decided(order.attempt, succeeds: order.number.isMultiple(of: 2)), order.provider)
        }
        let done = judge { $0.sights.values.map(\.order) }.filter(\.isAtDashboard).sorted { $0.number < $1.number }
        for order in done { happen(.decided(order.attempt, succeeds: true), order.provider) }
        guard let (process, client) = running(Self.lastTill) else { return }
        var open: Set<AttemptID> = []
        for look in 0..<Self.looksMax {
            collect()
            // What a provider was about to do wrong may still keep a message from being received.
            if look >= Self.looks, state.withLock(\.letters.isEmpty) { break }
            let letters = state.withLock { state in
                defer { state.letters = [] }
                return state.letters
            }
            for letter in letters { await hand(letter, client, process) }
            // What messages owe is looked up in the background, also of what is decided.
            let background = Task(executorPreference: scheduler) { await client.runRecovery() }
            await wait(Self.looksEveryMilliseconds)
            background.cancel()
            open = Set((try? await client.recover()) ?? [])
        }
        // A look that failed often comes again after a day at most, and the provider's faults would fail it once more.
        for fixture in fixtures { fixture.disarm() }
        let background = Task(executorPreference: scheduler) { await client.runRecovery() }
        await wait(Self.lastLookMilliseconds)
        background.cancel()
        open = Set((try? await client.recover()) ?? [])
        lookAll()
        await excuseDashboards()
        await excuseNameless()
        await audit(client, open)
    }

    /// Waits until each caller has its answer; no caller waits for ever.
    private func waitForCalls() async {
        // A call's deadline, the look after it, and a slow journal in between.
        for _ in 0..<120 where state.withLock({ !$0.calls.isEmpty }) { await wait(30_000) }
        let left = state.withLock { $0.calls.values.filter { !$0.process.isGone }.map(\.order).sorted() }
        if let first = left.first { judge { $0.accuse("the call of order \(first) never ends") } }
    }

    /// Whether the client can find out on its own that nothing was done: the provider says so of cards after a while,
    /// no harness declares that such an attempt may stay open, it is not too old for any provider's memory, and no
    /// clock was set.
    private func couldBeKnown(_ sight: ObservedAttempt) -> Bool {
        let (driver, operation) = (drivers[sight.order.provider], sight.order.operation)
        guard driver.lookupPlan(for: operation)?.quiet != nil, sight.order.limit == nil,
            sight.order.source?.kind == .card || sight.order.source?.kind == .reader,
            !state.withLock(\.hasWrongClock)
        else { return false }
        let declared = harnesses[sight.order.provider].declaration.expectedOpenAttempts.keys.contains {
            $0.operation == operation
        }
        return !declared && scheduler.now - sight.begunAt < Self.memoryMilliseconds
    }

    /// For how long every provider remembers what it was asked, in milliseconds.
    private static let memoryMilliseconds: Int64 = 40 * 3_600_000

    /// Compares what is reported of everything now with the books.
    private func audit(_ client: PaymentClient, _ open: Set<AttemptID>) async {
        let sights = judge {
            $0.sights.values.filter { !$0.order.isAtDashboard }.sorted { $0.order.number < $1.order.number }
        }
        var (final, paid) = ([AttemptID: DeliveredResult](), [String: [AttemptID]]())
        for sight in sights {
            let attempt = sight.order.attempt
            let told: DeliveredResult
            do throws(PaymentError) {
                let result = try await client.status(attempt)
                if sight.order.origin == nil {
                    for payment in inBooks(result) { paid[payment, default: []].append(attempt) }
                }
                told = DeliveredResult(result)
            } catch { told = DeliveredResult(error, about: attempt) }
            note("in the end \(attempt): \(told)")
            final[attempt] = told
            let couldBeKnown = couldBeKnown(sight)
            let isSilent = state.withLock { $0.hasWrongClock || $0.silent.contains(sight.order.provider) }
            judge {
                $0.close(
                    attempt, told, isOpen: open.contains(attempt), couldBeKnown: couldBeKnown, isSilent: isSilent)
            }
        }
        judge { [paid] in $0.close(paid) }
        for origin in sights where origin.order.origin == nil {
            guard let record = try? await client.payment(PaymentID(origin.order.attempt)) else { continue }
            let family = record.attempts.map(\.intent.attempt)
            judge { $0.close(origin.order.attempt, family, record.amounts, final) }
            await admit(.refund, record.amounts.refundable, record)
            await admit(.capture, record.amounts.capturableNow, record)
            let contradicted = Set(record.conflictingAttempts.map(\.intent.attempt))
            note("in the end \(origin.order.attempt) has \(record.amounts), contradicted: \(contradicted)")
            judge { judge in for attempt in family { judge.explain(attempt, isRaised: contradicted.contains(attempt)) }
            }
        }
    }

    /// What is shown as left of a payment can be asked for.
    private func admit(_ operation: PaymentOperation, _ left: Money, _ record: PaymentRecord) async {
        guard left.minorUnits > 0, let origin = record.origin, origin.absorbedBy == nil, record.holders.count == 1,
            let account = record.holders.first, let id = try? AttemptID("left-\(operation.rawValue)")
        else { return }
        let intent = Attempt.Intent(id, operation, left, payment: record.id, scope: origin.intent.scope)
        let entry = JournalEntry(.request(OpenRequest(Begin(intent, account), owner: "world", sendLimit: nil)))
        let instant = Attempt.Instant(wall: scheduler.now, uptime: scheduler.now, boot: "world")
        guard case .refused(let refusal, _)? = try? await store.preview(entry, at: instant) else { return }
        switch refusal {
        case .exceeds, .notAllowed:
            judge { $0.accuse("\(left) of \(record.id) is shown for a \(operation.rawValue), and refused: \(refusal)") }
        default: break
        }
    }

    /// The payments in a provider's books that a report names.
    private func inBooks(_ result: PaymentResult) -> Set<String> {
        guard case .approved(let payment) = result,
            let provider = identities.firstIndex(of: payment.provider.id)
        else { return [] }
        let known = Set(fixtures[provider].ledger.entries.map(\.payment))
        return Set(known.intersection(payment.references.values).map { "\($0) at \(payment.provider.id)" })
    }
}

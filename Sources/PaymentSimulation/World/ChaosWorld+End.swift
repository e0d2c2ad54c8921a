internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance

/// The end of a world: nothing goes wrong any more, everything is decided and delivered, and the books are compared.
extension ChaosWorld {
    /// The till at which the books are closed.
    private static let lastTill = 0
    /// How often open attempts are looked at in the end, and how often at most while messages come back.
    private static let (looks, looksMax) = (3, 12)
    /// How long after the other each look is, in milliseconds: more than any quiet time.
    private static let looksEveryMilliseconds: Int64 = 600_000

    func settle() async {
        for running in state.withLock({ $0.running.values.map(\.process) }) { running.calm() }
        for machine in machines { machine.correct() }
        storeClock?.correct()
        await waitForCalls()
        lookAll()
        if violation != nil { return }
        for till in machines.indices { await finish(till) }
        let decided = harnesses.map(\.declaration.decidedAfterMilliseconds).max() ?? 0
        await wait(decided + Self.looksEveryMilliseconds)
        for order in state.withLock({ $0.orders.values.sorted { $0.number < $1.number } }) {
            happen(.decided(order.attempt, succeeds: order.number.isMultiple(of: 2)), order.provider)
        }
        guard let (process, client) = running(Self.lastTill) else { return }
        var open: Set<AttemptID> = []
        for look in 0..<Self.looksMax {
            collect()
            // What a provider was about to do wrong may still keep a message from being heard.
            if look >= Self.looks, state.withLock(\.letters.isEmpty) { break }
            let letters = state.withLock { state in
                defer { state.letters = [] }
                return state.letters
            }
            for letter in letters { await hand(letter, client, process) }
            open = Set((try? await client.recover()) ?? [])
            await wait(Self.looksEveryMilliseconds)
        }
        lookAll()
        await audit(client, open)
    }

    /// Waits until everybody has his answer; nobody waits for ever.
    private func waitForCalls() async {
        // A call's deadline, the look after it, and a slow journal in between.
        for _ in 0..<120 where state.withLock({ !$0.calls.isEmpty }) { await wait(30_000) }
        let left = state.withLock { $0.calls.values.filter { !$0.process.isGone }.map(\.order).sorted() }
        if let first = left.first { judge { $0.accuse("the call of order \(first) never ends") } }
    }

    /// Compares what is told of everything now with the books.
    private func audit(_ client: PaymentClient, _ open: Set<AttemptID>) async {
        let sights = judge { $0.sights.values.sorted { $0.order.number < $1.order.number } }
        var final: [AttemptID: DeliveredResult] = [:]
        for sight in sights {
            let attempt = sight.order.attempt
            let told: DeliveredResult
            do throws(PaymentError) { told = DeliveredResult(try await client.status(attempt)) } catch {
                told = DeliveredResult(error, about: attempt)
            }
            note("in the end \(attempt): \(told)")
            final[attempt] = told
            judge { $0.close(attempt, told, isOpen: open.contains(attempt)) }
        }
        for origin in sights where origin.order.origin == nil {
            guard let record = try? await client.payment(PaymentID(origin.order.attempt)) else { continue }
            let family = record.attempts.map(\.intent.attempt)
            judge { $0.close(origin.order.attempt, family, record.amounts, final) }
            let contradicted = Set(record.conflictingAttempts.map(\.intent.attempt))
            judge { judge in for attempt in family { judge.explain(attempt, isRaised: contradicted.contains(attempt)) }
            }
        }
    }
}

import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct AttemptTests {
    private func attempt() throws -> AttemptID { try AttemptID("attempt-1") }

    @Test func aReplayGivesTheRecordedResultAndSendsNothing() throws {
        let till = Till()
        let client = try till.client()
        let attempt = try attempt()
        for amount: Int64 in [1_000, 1_051] {
            let id = try AttemptID("\(attempt)-\(amount)")
            let first = try till.play {
                try await client.sale(.cents(amount), from: .reader, reference: "\(id)", attempt: id)
            }
            let count = till.backend.requestCount
            let again = try till.play {
                try await client.sale(.cents(amount), from: .reader, reference: "\(id)", attempt: id)
            }
            #expect(first == again)
            #expect(till.backend.requestCount == count)
        }
    }

    @Test func otherContentIsAConflictThatNamesTheRecordedState() throws {
        let till = Till()
        let client = try till.client()
        let id = try attempt()
        _ = try till.play { try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id) }
        let error = till.failure {
            _ = try await client.sale(.cents(1_001), from: .reader, reference: "o", attempt: id)
        }
        #expect(error == PaymentError(.conflict, outcome: .executed))
        #expect(error?.state == .approved)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func twoCallersOfOneAttemptShareIt() throws {
        let till = Till()
        let client = try till.client()
        let id = try attempt()
        let results = try till.play {
            async let one = client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            async let two = client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            return try await [one, two]
        }
        #expect(results[0] == results[1])
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test(arguments: UInt64(1)...60) func oneLeavingNeverStopsTheOther(_ seed: UInt64) throws {
        let till = Till(seed: seed)
        let client = try till.client()
        let id = try attempt()
        let end = try till.play { [scheduler = till.scheduler] in
            let one = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            }
            let two = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            }
            try await scheduler.sleep(until: scheduler.now + 100)
            one.cancel()
            let left = await one.result
            return (left, try await two.value)
        }
        #expect(end.1.payment != nil)
        if case .failure(let error) = end.0 {
            #expect(error as? PaymentError == PaymentError(.cancelled, outcome: .unknown))
        }
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func whoLeavesBeforeTheMarkMovedNothing() throws {
        let till = Till()
        till.reader.present(nil)
        let client = try till.client()
        let error = till.failure { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            sale.cancel()
            _ = try await sale.value
        }
        #expect(error == PaymentError(.cancelled, outcome: .notExecuted))
        #expect(error?.attempt != nil)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func whoLeavesAfterTheMarkGetsUnknownAtOnceAndTheWorkGoesOn() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport))
        let id = try attempt()
        let error = till.failure { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            }
            _ = await gate.reached.value()
            sale.cancel()
            _ = try await sale.value
        }
        #expect(error == PaymentError(.cancelled, outcome: .unknown))
        #expect(error?.attempt == id)
        gate.opened.fulfill(true)
        till.scheduler.drain()
        let later = try till.play { try await client.status(id) }
        #expect(later.payment?.amounts.captured == .cents(1_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func theDeadlineReleasesTheCallerOnBothSidesOfTheMark() throws {
        let till = Till()
        till.reader.present(nil)
        let client = try till.client()
        let before = till.failure {
            _ = try await client.sale(
                SaleRequest(.cents(1_000), from: .reader, reference: "o"), timeout: .milliseconds(5_000))
        }
        #expect(before == PaymentError(.timedOut, outcome: .notExecuted))

        let gate = Gate()
        let other = try till.client(gate.transport(till.transport))
        let card = try Cards.good()
        let after = till.failure {
            _ = try await other.sale(
                SaleRequest(.cents(1_000), from: card, reference: "p"), timeout: .milliseconds(5_000))
        }
        #expect(after == PaymentError(.timedOut, outcome: .unknown))
        #expect(after?.retry == .afterStatusCheck)
    }

    @Test func anOpenReferenceRefusesASecondSale() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport))
        let card = try Cards.good()
        let error = till.failure { [scheduler = till.scheduler] in
            let first = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: card, reference: "o")
            }
            _ = await gate.reached.value()
            defer { gate.opened.fulfill(true) }
            _ = try await client.sale(.cents(1_000), from: card, reference: "o")
            _ = try await first.value
        }
        #expect(error == PaymentError(.referenceInUse, outcome: .notExecuted))
        till.scheduler.drain()
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aSecondExecutionShowsInTheLedger() throws {
        // The provider executes whatever arrives: the tests above could not pass by its kindness.
        let till = Till()
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                if request.target == "/payments" { _ = try await next(request) }
                return try await next(request)
            })
        _ = try till.play { try await client.sale(.cents(1_000), from: Cards.good(), reference: "o") }
        #expect(till.backend.ledger.movements.count == 2)
    }
}

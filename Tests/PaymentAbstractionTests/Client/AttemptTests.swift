import PaymentBase
import PaymentCore
import PaymentDriverKit
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

    /// Answered from the record, the second account would be booked as paid and never be.
    @Test func refund_toAnotherBankAccountUnderTheSameID_isAConflict() throws {
        let till = Till()
        let client = try till.client()
        let id = try attempt()
        @Sendable func refund(_ number: String) async throws -> PaymentResult {
            let account = BankAccount(number: Secret(number), routing: Secret("011000015"))
            return try await client.refundUnlinked(
                UnlinkedRefundRequest(.cents(1_000), to: .bank(account), reference: "o"), attempt: id)
        }
        #expect(try till.play { try await refund("000123456789") }.payment != nil)
        let error = till.failure { _ = try await refund("000123456780") }
        #expect(error == PaymentError(.conflict, outcome: .executed))
        #expect(try till.play { try await refund("000123456789") }.payment != nil)
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

    @Test func callerThatLeavesAfterTheMark_getsUnknownAtOnce_andTheWorkContinues() throws {
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

/// How long a call may take: a duration that is checked before anything is computed with it.
@Suite struct DeadlineTests {
    @Test(arguments: [
        Duration.zero, .seconds(-1), .seconds(366 * 86_400 + 1), .seconds(Int64.max), Duration.seconds(Int64.min),
    ])
    func aDurationThatCanNotBeMeantIsRefused(_ limit: Duration) throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let request = SaleRequest(.cents(100), from: card, reference: "o")
        let error = till.failure { _ = try await client.sale(request, timeout: limit) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(till.backend.requestCount == 0)
    }

    @Test func aYearIsNotTooLong() throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let request = SaleRequest(.cents(100), from: card, reference: "o")
        #expect(try till.play { try await client.sale(request, timeout: .seconds(366 * 86_400)) }.payment != nil)
    }

    @Test(arguments: [
        (Duration.zero, Int64(0)), (.milliseconds(1), 1), (.microseconds(1), 1), (.microseconds(1_001), 2),
        (.milliseconds(-1), -1), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func aPartOfAMillisecondCountsAsAWhole(_ duration: Duration, _ milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}

@Suite struct NthFailureTests {
    /// How many attempts the memory provider leaves open after recovery: it can always tell.
    static let declaredOpen = 0

    @Test(arguments: MoneyCase.all)
    func theBooksAgreeWhicheverCallOrWriteFails(_ money: MoneyCase) throws {
        var total = NthFailure.Report()
        for fault in NthFailure.Fault.all {
            let report = try NthFailure().play(money, fault)
            total.cases += report.cases
            total.open += report.open
            total.problems += report.problems
        }
        #expect(total.problems == [])
        #expect(total.open == Self.declaredOpen)
        #expect(total.cases >= 10)
        print("n-th failure, \(money): \(total.cases) cases, \(total.open) open")
    }
}

/// A caller who leaves before anything moved: what the driver still has to say to its provider is sent.
@Suite struct LeavingTests {
    /// A choice that is not made.
    private struct Choice: Question {
        typealias Answer = Int
        static let timeout: Duration = .seconds(10 * 60)
    }

    private struct Polite: StubDriver, SaleDriver {
        static let name = "polite"
        let provider: Provider
        let isPolite: Bool
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            _ = await context.ask(Choice())
            let leave: @Sendable () async -> Void = {
                _ = try? await context.exchange(.readOnly) { _ in
                    try Task.checkCancellation()
                    return try await provider.send("leave", [:])
                }
            }
            if isPolite { await context.ignoringCancellation(leave) } else { await leave() }
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", [:]) }
            return .approved(Approval(request.amount))
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
    }

    @Test(arguments: [true, false]) func reply_afterTheCallerLeft_isRecorded(_ isPolite: Bool) throws {
        let heard = Locked([String]())
        let provider = Provider { path, _, _ in
            heard.withLock { $0.append(path) }
            return [:]
        }
        var answers = QuestionHandlers()
        let till = Till()
        answers.handle(Choice.self) { [scheduler = till.scheduler] _ in
            try await scheduler.sleep(until: scheduler.now + 500_000)
            return 1
        }
        var dependencies = till.dependencies
        dependencies.answers = answers
        let client = try PaymentClient(Polite(provider: provider, isPolite: isPolite), dependencies)
        let card = try Cards.good()
        let error = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(400), from: card, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            sale.cancel()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.cancelled, outcome: .notExecuted))
        #expect(heard.withLock { $0 } == (isPolite ? ["leave"] : []))
    }
}

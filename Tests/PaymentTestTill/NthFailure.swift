internal import PaymentBase
package import PaymentCore
package import PaymentJournalKit
internal import PaymentSimulator
import PaymentTesting

/// Plays every money operation with every call and every journal write failing in turn, and compares the books.
package struct NthFailure: Sendable {
    /// What is made to fail, and how.
    package enum Fault: Sendable, Hashable, CustomStringConvertible {
        case transport(FailingTransport.Kind)
        case journal(FailingJournal.Kind)

        package static let all: [Fault] =
            FailingTransport.Kind.allCases.map { .transport($0) } + FailingJournal.Kind.allCases.map { .journal($0) }

        package var description: String {
            switch self {
            case .transport(let kind): "call \(kind.rawValue)"
            case .journal(let kind): "write \(kind.rawValue)"
            }
        }
    }

    /// What was found.
    package struct Report: Sendable {
        package var cases = 0
        package var open = 0
        package var problems: [String] = []

        package init() {}
    }

    /// Makes an empty journal for one case.
    package let makeJournal: @Sendable (any ProcessRegistry) throws -> any Journal

    package init(
        makeJournal: @escaping @Sendable (any ProcessRegistry) throws -> any Journal = {
            InMemoryJournal(processes: $0)
        }
    ) {
        self.makeJournal = makeJournal
    }

    /// How many failures in a row one operation can have at most before the test itself is wrong.
    private static let nthMax = 60

    /// Plays one operation under one kind of fault, for n = 1, 2, 3, … until nothing is left to fail.
    package func play(_ money: MoneyCase, _ fault: Fault) throws -> Report {
        var report = Report()
        for n in 1...Self.nthMax {
            let hasFailed = try play(money, fault, n, &report)
            if !hasFailed { return report }
            report.cases += 1
        }
        report.problems.append("\(money), \(fault): still failing at \(Self.nthMax)")
        return report
    }

    private func play(_ money: MoneyCase, _ fault: Fault, _ n: Int, _ report: inout Report) throws -> Bool {
        var till = Till()
        till.answers.handle(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        let processes = ProcessTable()
        let journal = try makeJournal(processes)
        (till.journal, till.process) = (journal, processes.start())
        let healthy = try till.client()
        let payment = try till.play { try await money.before(healthy) }
        let attempt = AttemptID(now: till.scheduler.now, random: SeededRandom(seed: UInt64(n)))

        let fragile: any Journal
        var transport: FailingTransport?
        var failing: FailingJournal?
        switch fault {
        case .transport(let kind):
            transport = FailingTransport(till.transport, failing: n, kind)
            fragile = journal
        case .journal(let kind):
            failing = FailingJournal(journal, failing: n, kind)
            fragile = failing ?? journal
        }
        till.journal = fragile
        let broken = try till.client(transport)
        var told: String
        do {
            let result = try till.play { try await money.call(broken, payment, attempt) }
            told = result.payment == nil ? "declined" : "approved"
        } catch let error as PaymentError {
            told = "error \(error.outcome.rawValue)"
        }
        till.scheduler.drain()
        guard (transport?.calls ?? failing?.writes ?? 0) >= n else { return false }

        let name = "\(money), \(fault) \(n)"
        check(told, attempt, till, name, &report)
        // A new process: everything in memory is gone, the journal is whole again, the quiet time has passed.
        till.scheduler.advance(by: 60_000)
        (till.journal, till.process) = (journal, processes.start())
        let fresh = try till.client()
        report.open += try till.play { try await fresh.recover() }.count
        try compare(attempt, till, journal, name, &report)
        try again(money, payment, attempt, till, fresh, name, &report)
        return true
    }

    /// What the caller got must be true of the ledger.
    private func check(_ told: String, _ attempt: AttemptID, _ till: Till, _ name: String, _ report: inout Report) {
        let moves = till.backend.ledger.movements(attempt: attempt.text).count
        switch told {
        case "declined" where moves > 0: report.problems.append("\(name): told declined, and money moved")
        case "error notExecuted" where moves > 0:
            report.problems.append("\(name): told that nothing moved, and money moved")
        default: break
        }
        if !till.backend.ledger.isBalanced { report.problems.append("\(name): the ledger does not balance") }
    }

    /// The journal and the ledger say the same about the attempt, and it was executed at most once.
    package func compare(
        _ attempt: AttemptID, _ till: Till, _ journal: any Journal, _ name: String, _ report: inout Report
    ) throws {
        let record = try till.play { try await journal.record(attempt) }
        let ledger = till.backend.ledger
        let moves = ledger.movements(attempt: attempt.text)
        let executions = Set(moves.map { "\($0.cause) \($0.at)" }).count
        if executions > 1 || moves.count > 2 { report.problems.append("\(name): executed \(moves.count) times") }
        switch record?.state {
        case .approved:
            guard let record, record.intent.operation.movesMoney else { break }
            let moved = moves.reduce(Int64(0)) { $0 + $1.amount.minorUnits }
            let expected = record.intent.operation == .adjust ? 1_000 : record.moved?.minorUnits ?? 0
            if moved != expected { report.problems.append("\(name): journal \(expected), ledger \(moved)") }
        case .declined, .notExecuted, .reversed, nil:
            if !moves.isEmpty {
                report.problems.append("\(name): nothing in the journal, \(moves.count) in the ledger")
            }
        case .running, .inDoubt, .pending: break
        }
    }

    /// The same call under the same attempt id: done once in the end, whatever happened before.
    package func again(
        _ money: MoneyCase, _ payment: PaymentID?, _ attempt: AttemptID, _ till: Till, _ client: PaymentClient,
        _ name: String, _ report: inout Report
    ) throws {
        do {
            let result = try till.play { try await money.call(client, payment, attempt) }
            // A question that was never answered ends in a decline, and a replay gives the recorded one.
            let mayDecline = money.description == "declined sale" || money.asksOnTheWay
            if result.payment == nil, !mayDecline { report.problems.append("\(name): again gave \(result)") }
        } catch let error as PaymentError {
            report.problems.append("\(name): again gave \(error.debugDescription)")
        }
        try compare(attempt, till, till.journal, "\(name), again", &report)
    }
}

extension PaymentOperation {
    /// Whether the memory provider moves money for it.
    var movesMoney: Bool {
        switch self {
        case .sale, .authorize, .capture, .adjust, .void, .refund, .unlinkedRefund, .debit: true
        case .tipAdjustment, .verify, .tokenize, .chargeback: false
        }
    }
}

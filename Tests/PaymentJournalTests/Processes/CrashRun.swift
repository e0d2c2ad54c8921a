import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentSandbox
import PaymentTestPipes
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// One money operation in a process of its own, which is killed at one of its steps; the provider survives here.
struct CrashRun {
    let money: MoneyCase
    let folder: Folder

    /// What was found.
    struct Report {
        var steps: [String] = []
        var books = NthFailure.Report()
    }

    private static let stepsMax = 200

    /// Plays to the end when `killAt` is nil, or kills before the step of that number is let go on.
    func play(killAt: Int?, _ report: inout Report) throws {
        let path = folder.file("\(killAt ?? 0).sqlite")
        var till = Till()
        till.answers.on(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        let payment = try prepare(&till, path)
        let attempt = AttemptID(now: till.scheduler.now, random: SeededRandom(seed: UInt64(killAt ?? 0)))
        let owner = "child-\(killAt ?? 0)"
        let child = try Child(
            "journal-child",
            [
                "money", money.description, path, attempt.text, payment?.attempt.text ?? "-", owner,
                "\(till.scheduler.now)",
            ])
        let (steps, instant, isDone) = try attend(child, till, killAt)
        report.steps = steps
        let name = "\(money), killed at \(steps.count) (\(steps.last ?? ""))"
        if let killAt {
            if steps.count != killAt { report.books.problems.append("\(name): there is no step \(killAt)") }
            report.books.cases += 1
        } else if !isDone {
            report.books.problems.append("\(name): the child did not end in order")
        }
        till.scheduler.advance(by: max(0, instant - till.scheduler.now))
        try recover(payment, attempt, owner, path, &till, name, &report.books)
    }

    /// Makes the payment that the operation needs, in this process.
    private func prepare(_ till: inout Till, _ path: String) throws -> PaymentID? {
        let journal = try SQLiteJournal.onStage(path)
        till.journal = journal.staged
        let healthy = try till.client()
        let payment = try till.play { [money] in try await money.before(healthy) }
        journal.close()
        return payment
    }

    /// Serves a child step by step; kills it when its time has come.
    private func attend(
        _ child: Child, _ till: Till, _ killAt: Int?
    ) throws -> (steps: [String], instant: Int64, isDone: Bool) {
        var steps: [String] = []
        var instant = till.scheduler.now
        while steps.count < Self.stepsMax, let message = try child.channel.receive() {
            var answer = PipeMessage.proceed
            switch message {
            case .step(let name, let now):
                steps.append(name)
                instant = max(instant, now)
            case .request(let request):
                // The provider has done it by now, and nobody has heard.
                steps.append("\(request.method) \(request.target), answered")
                let backend = till.backend
                switch try till.play({ await backend.answer(request) }) {
                case .reply(let response): answer = .reply(response)
                case .cutBefore, .cutAfter, .closed, .tornHead, .tornBody, .dripped, .silent, .upgrade: answer = .cut
                }
            case .done: return (steps, instant, child.wait() == .exited(0))
            case .proceed, .reply, .cut: throw PipeMessage.Unreadable()
            }
            if steps.count == killAt {
                child.kill()
                return (steps, instant, false)
            }
            try child.channel.send(answer)
        }
        child.kill()
        return (steps, instant, false)
    }

    /// A new process: another owner opens the file, waits out the quiet time and settles what is left.
    private func recover(
        _ payment: PaymentID?, _ attempt: AttemptID, _ owner: String, _ path: String, _ till: inout Till,
        _ name: String, _ report: inout NthFailure.Report
    ) throws {
        let locks = try ProcessLocks(besideJournal: path, owner: "parent")
        if locks.isAlive(owner) { report.problems.append("\(name): the child is taken to be alive") }
        (till.owners, till.owner) = (locks, "parent")
        let journal = try SQLiteJournal.onStage(path)
        defer { journal.close() }
        till.journal = journal.staged
        till.scheduler.advance(by: 60_000)
        let fresh = try till.client()
        report.open += try till.play { try await fresh.recover() }.count
        let books = NthFailure()
        try books.compare(attempt, till, till.journal, name, &report)
        try books.again(money, payment, attempt, till, fresh, name, &report)
    }
}

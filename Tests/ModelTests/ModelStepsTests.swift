import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import Testing

/// The rules of the code do what the models allow, step by step, and nothing that they don't.
struct ModelStepsTests {
    private struct Step {
        let facts, event, after, state: Substring
    }

    /// The steps at an account that can be asked what became of an attempt, or that can't.
    private static func steps(_ canLookUp: Bool) throws -> [Step] {
        let name = canLookUp ? "steps.txt" : "steps-unasked.txt"
        let file = URL(filePath: #filePath).appending(path: "../../../Models/\(name)").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let words = $0.split(separator: " ")
            try #require(words.count == 4)
            return Step(facts: words[0], event: words[1], after: words[2], state: words[3])
        }
    }

    @Test(arguments: [true, false])
    func everyStepOfTheModelsIsTheCodesStep(canLookUp: Bool) throws {
        let steps = try Self.steps(canLookUp)
        #expect(steps.count > 10_000)
        var wrong: [String] = []
        for (facts, steps) in Dictionary(grouping: steps, by: \.facts) {
            let attempt = ModelAttempt(ModelFacts(facts), canLookUp: canLookUp)
            for step in steps {
                let (after, isContradicted) = attempt.playing(step.event)
                let text = ModelFacts(after, isContradicted: isContradicted).text
                let state = after?.state.rawValue ?? ""
                if text != step.after || state != step.state {
                    wrong.append("\(facts) \(step.event): \(text) \(state) instead of \(step.after) \(step.state)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.sorted().prefix(30).joined(separator: "\n"))")
    }

    @Test(arguments: [true, false])
    func nothingElseIsPossible(canLookUp: Bool) throws {
        let steps = try Self.steps(canLookUp)
        let allowed = Dictionary(grouping: steps, by: \.facts).mapValues { Set($0.map { Self.command($0.event) }) }
        // Who ends a run is no rule; and where nothing can be asked, nothing is.
        let both = try Self.steps(true) + Self.steps(false)
        let events = Set(both.map { Self.command($0.event) }).filter { event in
            !event.hasPrefix("end.") && (canLookUp || !event.hasPrefix("look."))
        }
        var wrong: [String] = []
        var tried = 0
        for (facts, listed) in allowed {
            let model = ModelFacts(facts)
            let attempt = ModelAttempt(model, canLookUp: canLookUp)
            guard let before = attempt.attempt else { continue }
            for event in events where !listed.contains(event) && !isExempt(event, model, before) {
                tried += 1
                if let after = attempt.playing(event).attempt, moves(before, after) {
                    wrong.append("\(facts) \(event): \(ModelFacts(after).text) \(after.state)")
                }
            }
        }
        #expect(tried > 20_000)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.sorted().prefix(30).joined(separator: "\n"))")
    }

    /// Whether an event changes where an attempt stands or what may be opened next.
    private func moves(_ before: Attempt, _ after: Attempt) -> Bool {
        before.state != after.state || before.requests != after.requests || before.runs != after.runs
            || before.pendingRuns != after.pendingRuns
    }

    /// What the code allows although the models don't speak of it.
    private func isExempt(_ event: Substring, _ model: ModelFacts, _ attempt: Attempt) -> Bool {
        guard let run = model.runs.last else { return true }
        let words = event.split(separator: ".")
        switch words[0] {
        case "open":
            // Where a request may be opened, it is the run's discipline that what was answered isn't asked again.
            let isInDoubt = run.exchanges.contains { "ogl".contains($0) }
            let isOlderPending = attempt.pendingRuns.contains { $0 < attempt.runs.count }
            let mayOpen = attempt.state == .running && !isInDoubt && !isOlderPending
            return mayOpen && (words[1] == "1" && run.exchanges[1] != "." || run.exchanges.contains("a"))
        // A request is answered once; that it can be answered after it was lost stands in the models.
        case "answer": return Int(words[1]).map { "ogl".contains(run.exchanges[$0 - 1]) == false } ?? true
        // The models have at most two runs; and what a device approved counts always.
        case "run": return model.runs.count > 1 || words.last == "moved"
        default: return false
        }
    }

    /// What is one request to the code: of the same exchange, whether or not an earlier one is unanswered.
    private static func command(_ event: Substring) -> Substring {
        event.hasPrefix("again.") ? "open." + event.dropFirst(6) : event
    }
}

/// An attempt that stands as the models say, and the models' events played on the code's rules.
struct ModelAttempt {
    private static let account = ProviderIdentity("acme", adapter: "acme", environment: "sandbox", merchant: "m-1")
    private static let owner = "till"
    private static let id = AttemptID(now: 0, random: Zeros())
    private static let intent = Attempt.Intent(
        id, .sale, Money(minorUnits: 100, .eur), reference: "order-1")
    /// Long before anything is asked.
    private static let past = Attempt.Instant(wall: 1_000, uptime: 1_000)
    /// Long after everything has fallen silent.
    private static let now = Attempt.Instant(wall: 9_000_000, uptime: 9_000_000)
    private static let terms = LookupTerms(quietPeriod: 1_000)
    /// What a person calls the payment, and what the provider's own approvals do.
    private static let name = "p-1"
    private static let approved = Verdict.approved(Approval(intent.amount, references: ["payment": name]))
    private static let declined = Verdict.declined(
        Decline(.insufficientFunds, provider: ProviderMessage(code: "05")))
    private static let pending = Verdict.pending(Pending(shouldPoll: false))

    /// Nil before the first run.
    private(set) var attempt: Attempt?
    private let canLookUp: Bool
    /// The number of the payment's last entry.
    private var entry = 0

    /// Builds an attempt that stands as the letters say, at an account that can be asked or not.
    init(_ model: ModelFacts, canLookUp: Bool) {
        self.canLookUp = canLookUp
        if !model.runs.isEmpty { attempt = Attempt(Self.intent) }
        for (index, letters) in model.runs.enumerated() { add(letters, index + 1) }
    }

    private mutating func add(_ letters: ModelFacts.Run, _ number: Int) {
        let run = run(number)
        attempt?.apply(.run(run))
        let used = letters.exchanges.filter { $0 != "." }.count
        for (index, letter) in letters.exchanges.enumerated() {
            let isDouble = letters.isMany && used == 1 && letter != "."
            add(letter, "e\(index + 1)", number, isDouble: isDouble)
        }
        for letter in letters.words { add(letter, letters, number) }
        let causes: [Character: Attempt.Run.Cause] = ["o": .owner, "t": .takeOver, "p": .person]
        if let cause = causes[letters.end] { attempt?.apply(.ended(run: number, cause, at: Self.past)) }
    }

    private func run(_ number: Int) -> Attempt.Run {
        var run = Attempt.Run(number: number, account: Self.account, owner: Self.owner, begunAt: Self.past)
        run.canLookUp = canLookUp
        return run
    }

    private mutating func add(_ letter: Character, _ key: String, _ run: Int, isDouble: Bool) {
        let endings: [Attempt.Request.Ending?]
        switch letter {
        case "o": endings = isDouble ? [.notSent, nil] : [nil]
        case "g": endings = [.lost, nil]
        case "l": endings = isDouble ? [.lost, .lost] : [.lost]
        case "s": endings = isDouble ? [.notSent, .notSent] : [.notSent]
        case "a": endings = isDouble ? [.notSent, .answered] : [.answered]
        default: endings = []
        }
        for ending in endings {
            let number = (attempt?.requests.count ?? 0) + 1
            attempt?.apply(
                .request(.init(number: number, run: run, key: key, sendLimit: 0, openedAt: Self.past)))
            attempt?.apply(.named(.init(account: Self.account, value: "request \(number)", request: number)))
            if let ending { attempt?.apply(.closed(request: number, ending, at: Self.past)) }
        }
    }

    /// Each word came in an entry of its own, in the order of the letters.
    private mutating func add(_ letter: Character, _ letters: ModelFacts.Run, _ run: Int) {
        entry += 1
        let lookup = Attempt.Evidence.lookup(askedAt: Self.past, known: entry)
        var (what, evidence, request) = (Attempt.Report.What.notExecuted, lookup, Int?.none)
        switch letter {
        case "M": (what, evidence) = (.verdict(Self.approved), .webhook(id: "approved", providerTime: nil))
        case "D" where letters.words.contains("N"): what = .verdict(Self.declined)
        case "D": (what, evidence) = (.verdict(Self.declined), .reply)
        case "P": (what, evidence) = (.verdict(Self.pending), .reply)
        case "H": (what, evidence) = (.verdict(Self.approved), person)
        case "1", "2":
            (what, evidence) = (.verdict(Self.declined), .webhook(id: "declined \(letter)", providerTime: nil))
            request = attempt?.requests.last { $0.run == run && $0.key == "e\(letter)" }?.number
        default: if letters.words.contains("D") { return }
        }
        attempt?.apply(.report(.init(what, evidence, run: run, request: request, entry: entry, at: Self.past)))
    }

    private var person: Attempt.Evidence { .person(by: "Ann", reason: "seen", known: entry) }

    // MARK: - Playing

    /// Plays an event of the models; what holds afterwards, and whether the code raised a contradiction.
    func playing(_ event: Substring) -> (attempt: Attempt?, isContradicted: Bool) {
        guard let command = command(event) else { return (attempt, false) }
        let entry = JournalEntry(command)
        let reads = JournalRules.reads(entry)
        var slice = JournalSlice()
        slice.attempts = attempt.map { [$0] } ?? []
        slice.entries[Self.intent.paymentID] = self.entry
        for name in reads.names where attempt?.names.contains(where: { $0.value == name.value }) == true {
            slice.holders[name] = [Self.id]
        }
        let decision = JournalRules.decide(entry, slice, reads, at: Self.now)
        let change = decision.changes.first { $0.after.intent.attempt == Self.id }
        let isContradicted = change?.events.contains { if case .contradiction = $0 { true } else { false } } ?? false
        return (change?.after ?? attempt, isContradicted)
    }

    private func command(_ event: Substring) -> JournalCommand? {
        let words = event.split(separator: ".")
        let last = words.last ?? ""
        switch words[0] {
        case "run": return begin(last)
        case "open", "again": return open(last)
        case "safe": return finish(words[1], .notSent)
        case "lost": return finish(words[1], .lost)
        case "answer": return finish(words[1], .answered, verdict(last))
        case "end": return end(last)
        case "look": return look(last == "older" ? words[1] : last)
        case "person": return person(last)
        case "notice": return notice(words[1], of: words.count > 2 ? last : "run")
        default: return nil
        }
    }

    private func verdict(_ word: Substring) -> Verdict? {
        ["moved": Self.approved, "declined": Self.declined, "pending": Self.pending][word]
    }

    private func begin(_ word: Substring) -> JournalCommand {
        var begin = Begin(Self.intent, Self.account)
        begin.canLookUp = canLookUp
        if word == "run" {
            var open = OpenRequest(begin, owner: Self.owner, sendLimit: 0)
            open.key = "e1"
            return .request(open)
        }
        var finish = Finish(Self.id, owner: Self.owner, account: Self.account)
        (finish.begin, finish.verdict) = (begin, verdict(word))
        return .finish(finish)
    }

    private func open(_ exchange: Substring) -> JournalCommand {
        var open = OpenRequest(Self.id, owner: Self.owner, account: Self.account, sendLimit: 0)
        (open.run, open.key) = (attempt?.runs.count, "e\(exchange)")
        return .request(open)
    }

    private func finish(
        _ exchange: Substring, _ ending: Attempt.Request.Ending, _ verdict: Verdict? = nil
    ) -> JournalCommand? {
        guard let request = request(exchange) else { return nil }
        var finish = Finish(Self.id, owner: Self.owner, account: Self.account)
        (finish.run, finish.endsRun, finish.verdict) = (attempt?.runs.count, false, verdict)
        finish.closing = Closing(request, ending)
        return .finish(finish)
    }

    private func end(_ cause: Substring) -> JournalCommand {
        let run = attempt?.runs.count ?? 0
        switch cause {
        case "owner":
            var finish = Finish(Self.id, owner: Self.owner, account: Self.account)
            finish.run = run
            return .finish(finish)
        case "takeOver": return .takeOver(Self.id, run: run, .died)
        default: return .takeOver(Self.id, run: run, .isGone(by: "Ann", reason: "seen"))
        }
    }

    private func look(_ word: Substring) -> JournalCommand? {
        guard let basis else { return nil }
        let result = verdict(word).map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        return .report(Self.id, .lookup(result, basis, Self.terms, names: []))
    }

    /// Asked now, by the name of the run in question.
    private var basis: Finding.Basis? {
        guard let attempt else { return nil }
        var basis = Finding.Basis(attempt, known: entry, account: Self.account, askedAt: Self.now)
        basis.isByName = true
        return basis
    }

    private func person(_ word: Substring) -> JournalCommand? {
        guard let basis else { return nil }
        let resolution: ManualResolution
        switch word {
        case "moved": resolution = .executed(name: Self.name, nil)
        case "never": resolution = .notExecuted()
        default: resolution = .withdrawn
        }
        return .report(Self.id, .person(resolution, basis, quietPeriod: 1_000, by: "Ann", reason: "seen"))
    }

    /// A message names the attempt, or a request by the name that the provider gave it.
    private func notice(_ word: Substring, of what: Substring) -> JournalCommand? {
        var subject = Notice.Subject.attempt(Self.id)
        let older = attempt?.requests.first { $0.run < attempt?.runs.count ?? 0 }
        let number = what == "older" ? older?.number : request(what)
        if what != "run", what != "attempt" {
            guard let number else { return nil }
            subject = .name("request \(number)")
        }
        return .notice(Notice("message", Self.account, subject, [.sale], verdict(word), at: nil))
    }

    /// The number of the newest request of an exchange.
    private func request(_ exchange: Substring) -> Int? {
        attempt?.requests.last { $0.key == "e\(exchange)" && $0.run == attempt?.runs.count }?.number
    }
}

private struct Zeros: RandomSource {
    func next() -> UInt64 { 0 }
}

/// An attempt in the letters of the models: `Models/README.md` explains them.
struct ModelFacts {
    /// One run in letters.
    struct Run: Equatable {
        var exchanges: [Character]
        var end: Character
        var isMany: Bool
        var words: String

        /// A run after which another one began: only what is said about it later makes a difference.
        static func older(_ words: String) -> Run { Run(exchanges: ["s", "."], end: "o", isMany: false, words: words) }
    }

    var runs: [Run]
    /// Whether the step before raised a contradiction.
    var isContradicted: Bool

    /// Reads letters.
    init(_ text: Substring) {
        let parts = text.split(separator: ",")
        isContradicted = parts.count > 1
        runs =
            parts[0] == "-"
            ? []
            : parts[0].split(separator: "/").map { letters in
                let all = Array(letters)
                return Run(
                    exchanges: Array(all[0...1]), end: all[2], isMany: all[3] == "+", words: String(all.dropFirst(4)))
            }
    }

    /// Reads the letters off an attempt.
    init(_ attempt: Attempt?, isContradicted: Bool = false) {
        self.isContradicted = isContradicted
        runs = attempt.map { attempt in attempt.runs.map { ModelFacts.run($0, attempt) } } ?? []
    }

    /// The letters.
    var text: String {
        let letters = runs.map { run in
            String(run.exchanges) + String(run.end) + (run.isMany ? "+" : "-") + run.words
        }
        return (letters.isEmpty ? "-" : letters.joined(separator: "/")) + (isContradicted ? ",c" : "")
    }

    private static func run(_ run: Attempt.Run, _ attempt: Attempt) -> Run {
        let words = words(run.number, attempt)
        if run.number < attempt.runs.count {
            // What was pending and answered before the next run began makes no difference either.
            let isPending = attempt.pendingRuns.contains(run.number)
            return .older(words.filter { "MDH".contains($0) || $0 == "P" && isPending })
        }
        let requests = attempt.requests.filter { $0.run == run.number }
        let end: Character
        switch run.end {
        case nil: end = "r"
        case .owner, .imported, .provider: end = "o"
        case .takeOver: end = "t"
        case .person: end = "p"
        }
        return Run(
            exchanges: ["e1", "e2"].map { exchange($0, requests) }, end: end, isMany: requests.count > 1, words: words)
    }

    private static func exchange(_ key: String, _ all: [Attempt.Request]) -> Character {
        let requests = all.filter { $0.key == key }
        guard let last = requests.last else { return "." }
        if requests.contains(where: { $0.ending == .answered }) { return "a" }
        let isDoubtful = requests.dropLast().contains { $0.ending == .lost || $0.ending == nil }
        switch last.ending {
        case nil: return isDoubtful ? "g" : "o"
        case .lost: return "l"
        case .notSent, .refused: return isDoubtful ? "l" : "s"
        case .answered: return "a"
        }
    }

    private static func words(_ run: Int, _ attempt: Attempt) -> String {
        let reports = attempt.reports.filter { $0.run == run }
        let withdrawn = attempt.reports.lastIndex { $0.what == .withdrawn } ?? -1
        let isPerson = attempt.reports.enumerated().contains { index, report in
            report.run == run && report.isApproval && isOfPerson(report) && index > withdrawn
        }
        // A proof answers what was pending before it, and not what is pending since.
        let proof = reports.lastIndex { $0.what == .notExecuted || $0.isDecline && isFound($0) }
        let declines = reports.filter { $0.isDecline && !isPushed($0) }
        let pushed = ["1", "2"].filter { exchange in
            reports.contains { report in
                guard report.isDecline, isPushed(report), let number = report.request else { return false }
                let request = attempt.requests[number - 1]
                let mine = attempt.requests.filter { $0.run == run }
                return request.key == "e\(exchange)" && ModelFacts.exchange("e\(exchange)", mine) != "s"
            }
        }
        let pending = reports.lastIndex(where: \.isPending)
        var letters = reports.contains { $0.isApproval && !isOfPerson($0) } ? "M" : ""
        if !declines.isEmpty { letters += "D" }
        let isLate = proof.map { $0 < pending ?? -1 } ?? false && declines.isEmpty
        if pending != nil, !isLate { letters += "P" }
        if proof != nil { letters += "N" }
        if isLate { letters += "P" }
        return letters + (isPerson ? "H" : "") + pushed.joined()
    }

    private static func isOfPerson(_ report: Attempt.Report) -> Bool {
        if case .person = report.evidence { true } else { false }
    }

    private static func isFound(_ report: Attempt.Report) -> Bool {
        if case .lookup = report.evidence { true } else { false }
    }

    private static func isPushed(_ report: Attempt.Report) -> Bool {
        if case .webhook = report.evidence { true } else { false }
    }
}

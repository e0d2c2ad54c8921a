internal import PaymentBase
public import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting
internal import PaymentTransport

/// Walks through every scenario, every exchange of it under every fault, and every journal write of it failing; nothing
/// is drawn, everything is enumerated.
///
/// Each case: run, recover in a new process, compare ledger and journal, call again under the same attempt, compare
/// again.
public struct FaultSweep: Sendable {
    /// How many exchanges one scenario can make at most before something is wrong.
    public static let exchangesMax = 40
    /// How many journal writes of one scenario are made to fail.
    public static let writesMax = 80
    /// How many problems are kept.
    public static let problemsMax = 200

    /// The provider's harness.
    public let harness: any ConformanceHarness
    /// Whether faults come in pairs too: one on each exchange, and one of each class on what follows it.
    public var walksPairs = false
    /// Whether one fault is played for each class, as where every exchange takes real time.
    public var walksClassesOnly = false
    /// Of how many cases that no declaration is about one is played; every case at 1. The seed draws which. A case at a place
    /// that the harness declares is always played, so that the declared numbers can be compared.
    public var every: UInt64 = 1
    /// A driver broken on purpose; nil for the shipped one.
    public var mutant: Mutant?
    let seed: UInt64?

    /// Prepares a walk.
    public init(_ harness: any ConformanceHarness, seed: UInt64? = 1) { (self.harness, self.seed) = (harness, seed) }

    /// Walks all scenarios and compares the result with what the harness declares.
    public func walk(_ scenarios: [FaultSweepScenario] = FaultSweepScenario.all) -> FaultSweepReport {
        var report = FaultSweepReport()
        for scenario in scenarios { walk(scenario, &report) }
        compare(scenarios, &report)
        return report
    }

    /// What was declared must have happened: exactly as often where every single fault was played, else at least once.
    private func compare(_ scenarios: [FaultSweepScenario], _ report: inout FaultSweepReport) {
        let classFaults = Set(classes.map(\.id))
        for (place, opening) in harness.declaration.expectedOpenAttempts.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let due = FaultSweepScenario.all.filter { $0.operation == place.operation }.count
            let played = scenarios.filter { $0.operation == place.operation }.count
            let cases = report.openPlaces[place] ?? 0
            if walksClassesOnly {
                guard played > 0, classFaults.contains(place.fault), cases == 0 else { continue }
                note("\(place) is declared to stay open and never did", &report)
            } else if played == due, cases != opening.cases {
                note("\(place) stays open in \(cases) cases, \(opening.cases) are declared", &report)
            }
        }
        guard scenarios.count == FaultSweepScenario.all.count else { return }
        for fault in harness.declaration.expectedDoubleCharges.keys.sorted() where !report.doubleCharges.contains(fault)
        {
            if walksClassesOnly, !classFaults.contains(fault) { continue }
            note("\(fault) is declared to be booked twice and never was", &report)
        }
    }

    private func note(_ problem: String, _ report: inout FaultSweepReport) {
        if report.problems.count < Self.problemsMax { report.problems.append(problem) }
    }

    private func walk(_ scenario: FaultSweepScenario, _ report: inout FaultSweepReport) {
        let plain: (exchanges: [WireLog.Exchange], writes: Int)
        do {
            guard let undisturbed = try undisturbed(scenario) else { return }
            plain = undisturbed
        } catch {
            return note("\(scenario), undisturbed: \(ConformanceRunner.text(error))", &report)
        }
        report.scenarios += 1
        report.exchanges += plain.exchanges.count
        report.writes += plain.writes
        for (index, exchange) in plain.exchanges.prefix(Self.exchangesMax).enumerated() {
            for disturbance in disturbances(exchange) {
                playIfDue(scenario, "exchange", index, disturbance, &report)
            }
        }
        for index in 0..<(walksClassesOnly ? 0 : min(plain.writes, Self.writesMax)) {
            for isKept in [false, true] { playIfDue(scenario, "write", index, .write(isKept: isKept), &report) }
        }
    }

    /// Plays one case, if it is about a declaration or its turn has come.
    private func playIfDue(
        _ scenario: FaultSweepScenario, _ kind: String, _ index: Int, _ disturbance: Disturbance,
        _ report: inout FaultSweepReport
    ) {
        let number = UInt64(report.cases + report.passedOver)
        guard isDeclared(scenario, disturbance) || (number &+ (seed ?? 0)) % max(every, 1) == 0 else {
            report.passedOver += 1
            return
        }
        report.cases += 1
        do { try play(scenario, index, disturbance, &report) } catch {
            note(
                "\(scenario), \(kind) \(index + 1), \(disturbance.name): \(ConformanceRunner.text(error))", &report)
        }
    }

    /// Whether the harness declares something about such a case.
    private func isDeclared(_ scenario: FaultSweepScenario, _ disturbance: Disturbance) -> Bool {
        let declaration = harness.declaration
        return disturbance.ids.contains { id in
            declaration.expectedOpenAttempts[.init(scenario.operation, id)] != nil
                || declaration.expectedDoubleCharges[id] != nil
        }
    }

    /// One fault of each class.
    private var classes: [InjectedFault] {
        InjectedFault.Effect.allCases.compactMap { kind in harness.declaration.faults.first { $0.kind == kind } }
    }

    private func disturbances(_ exchange: WireLog.Exchange) -> [Disturbance] {
        let classes = classes
        if walksClassesOnly { return classes.map { .fault($0) } }
        let single = harness.declaration.faults.map { Disturbance.fault($0) } + exchange.members.map { .missing($0) }
        guard walksPairs else { return single }
        return single + classes.flatMap { first in classes.map { .pair(first, $0) } }
    }

    /// The exchanges and the journal writes of a scenario when nothing goes wrong; nil when the provider has no such
    /// thing.
    private func undisturbed(_ scenario: FaultSweepScenario) throws -> (exchanges: [WireLog.Exchange], writes: Int)? {
        let context = try CheckContext(harness, seed: seed, mutant: mutant)
        defer { context.fixture.close() }
        if try scenario.needs.contains(where: { try !context.has($0) }) { return nil }
        do {
            return try context.scheduler.run {
                let payment = try await scenario.before(context)
                context.log.notesMembers = true
                let (start, written) = (context.log.count, try context.watched.writes)
                _ = try await scenario.call(context, payment, context.attempt())
                let writes = try context.watched.writes - written
                try await context.audit()
                return (Array(context.log.exchanges.dropFirst(start)), writes)
            }
        } catch is NotApplicable { return nil }
    }

    private func play(
        _ scenario: FaultSweepScenario, _ index: Int, _ disturbance: Disturbance, _ report: inout FaultSweepReport
    ) throws {
        let context = try CheckContext(harness, seed: seed, mutant: mutant)
        defer { context.fixture.close() }
        let end = try context.scheduler.run { try await run(scenario, index, disturbance, context) }
        if end.isBookedTwice {
            report.expectedDoubleCharges += 1
            report.doubleCharges.formUnion(disturbance.ids)
        }
        if end.isBelieved { report.undetectableFalseReplies += 1 }
        guard end.isOpen else { return }
        // Of two faults either may be the one that leaves no trace.
        let places = disturbance.ids.map { ConformanceProfile.FaultLocation(scenario.operation, $0) }
        let place = places.first { harness.declaration.expectedOpenAttempts[$0] != nil } ?? places[0]
        report.open += 1
        if disturbance.isSingle { report.openPlaces[place, default: 0] += 1 }
        if harness.declaration.expectedOpenAttempts[place] == nil {
            throw CheckFailure("it stays open, and must be decided")
        }
    }
}

extension CheckContext {
    /// Changes the JSON of one answer, after so many others.
    func rewrite(at index: Int, _ change: @escaping @Sendable (JSON) -> JSON) {
        let left = Locked(index)
        rewrite(
            Interceptor { (request, next) async throws(TransportFailure) in
                var reply = try await next(request)
                let isNow = left.withLock { left in
                    left -= 1
                    return left == -1
                }
                if isNow, let json = try? JSONReader().read(reply.body) { reply.body = change(json).bytes() }
                return reply
            })
    }
}

extension FaultSweep {
    /// What is played in one case.
    enum Disturbance: Sendable {
        case fault(InjectedFault)
        case pair(InjectedFault, InjectedFault)
        case missing(FieldPath)
        case write(isKept: Bool)

        var name: String {
            switch self {
            case .fault(let fault): fault.id
            case .pair(let first, let second): "\(first) then \(second)"
            case .missing(let path): "member.missing \(path)"
            case .write: id
            }
        }

        /// The fault as a declaration names it.
        var id: String {
            switch self {
            case .fault(let fault): fault.id
            case .pair(let first, _): first.id
            case .missing: "member.missing"
            case .write(let isKept): isKept ? "journal.kept" : "journal.lost"
            }
        }

        /// Every fault in it, by name, each once.
        var ids: [String] { faults.isEmpty ? [id] : faults.map(\.id) }

        var faults: [InjectedFault] {
            switch self {
            case .fault(let fault): [fault]
            case .pair(let first, let second): [first, second]
            case .missing, .write: []
            }
        }

        /// Whether a journal write fails.
        var isWrite: Bool {
            switch self {
            case .write: true
            case .fault, .missing, .pair: false
            }
        }

        /// Whether one thing goes wrong, and no second.
        var isSingle: Bool {
            switch self {
            case .fault, .missing, .write: true
            case .pair: false
            }
        }
    }

    /// How a case ended.
    struct End: Sendable {
        var isOpen = false
        var isBookedTwice = false
        var isBelieved = false
    }

    /// Plays one case: the call, recovery in a new process, the same call again; the books are compared after each.
    func run(
        _ scenario: FaultSweepScenario, _ index: Int, _ disturbance: Disturbance, _ context: CheckContext
    ) async throws -> End {
        let payment = try await scenario.before(context)
        let attempt = try context.attempt()
        switch disturbance {
        case .fault(let fault): context.fixture.arm(fault, after: index)
        case .pair(let first, let second):
            context.fixture.arm(first, after: index)
            context.fixture.arm(second, after: index)
        case .missing(let path): context.rewrite(at: index) { path.changing($0) { _ in nil } }
        case .write(let isKept): try context.watched.failWrite(after: index, isKept: isKept)
        }
        let told = try await context.result { try await scenario.call(context, payment, attempt) }
        try judge(told, attempt, disturbance, context)
        context.calm()
        let (fresh, open) = try await context.recovered()
        var end = try await compare(scenario, disturbance, attempt, fresh)
        let moved = fresh.fixture.ledger.entries(of: attempt).count
        let isRecorded = try await fresh.record(attempt)?.approval != nil
        end.isOpen = !open.isEmpty
        _ = try await fresh.result { try await scenario.call(fresh, payment, attempt) }
        // The second of two faults may have met nothing yet, and then this call.
        let last = disturbance.isSingle ? fresh : try await fresh.recovered().context
        _ = try await compare(scenario, disturbance, attempt, last)
        if isRecorded || moved > 0, fresh.fixture.ledger.entries(of: attempt).count != moved {
            throw CheckFailure("what was done was sent again")
        }
        return end
    }

    /// Compares journal and ledger. Let off are exactly: a further time that the provider carried out a request which
    /// it was declared to carry out twice, an amount which it named where any part may be true, and what it did the
    /// first time where it refused the second and lied when it was asked.
    private func compare(
        _ scenario: FaultSweepScenario, _ disturbance: Disturbance, _ attempt: AttemptID, _ context: CheckContext
    ) async throws -> End {
        var (end, ledger) = (End(), context.fixture.ledger)
        if isDenied(disturbance), try await context.record(attempt)?.state == .notExecuted {
            let without = ledger.withoutOnly(attempt)
            (end.isBelieved, ledger) = (without != ledger, without)
        }
        for fault in disturbance.faults where harness.declaration.expectedDoubleCharges[fault.id] != nil {
            let once = ledger.withoutRepeats(of: attempt, executions: fault.executions)
            guard once != ledger else { continue }
            end.isBookedTwice = true
            // Where the provider reports both, both are in the journal, and nothing is let off.
            let known = try await context.record(attempt)?.approval?.amount.minorUnits
            if known != ledger.moved(by: attempt) { ledger = once }
        }
        if disturbance.faults.contains(where: { scenario.believable[$0.id] != nil }),
            let record = try await context.record(attempt), let named = record.approval?.amount
        {
            let believed = ledger.believing(named, of: record.intent.amount, for: attempt)
            if believed != ledger { (ledger, end.isBelieved) = (believed, true) }
        }
        if try await isReportedAsOther(disturbance, attempt, context), let named = try await named(attempt, context) {
            let believed = ledger.believing(named, of: named, for: attempt)
            if believed != ledger { (ledger, end.isBelieved) = (believed, true) }
        }
        try await context.audit(ledger)
        return end
    }

    private func named(_ attempt: AttemptID, _ context: CheckContext) async throws -> Money? {
        try await context.record(attempt)?.approval?.amount
    }

    /// Whether the provider lied about an amount, it could not be asked once more because of the other fault, and an
    /// event says that another amount was reported than was asked for.
    private func isReportedAsOther(
        _ disturbance: Disturbance, _ attempt: AttemptID, _ context: CheckContext
    ) async throws -> Bool {
        guard disturbance.faults.contains(where: { $0.id == "member.wrong-amount" }),
            let record = try await context.record(attempt),
            // Of these the books have the difference, and no amount that could be compared.
            record.intent.operation != .adjust, record.intent.operation != .tipAdjustment,
            disturbance.faults.count > 1 || record.evidence?.word != "lookup"
        else { return false }
        return try await context.client.timeline(of: record.intent.paymentID).contains { $0.kind == .otherAmount }
    }

    /// Whether the provider does something twice, as it was declared to, and then says something wrong about it.
    private func isDenied(_ disturbance: Disturbance) -> Bool {
        let faults = disturbance.faults
        return faults.contains { $0.id == "member.wrong-amount" }
            && faults.contains { $0.executions > 1 && harness.declaration.expectedDoubleCharges[$0.id] != nil }
    }

    /// What the caller got must be true of the ledger at once.
    private func judge(
        _ told: Result<PaymentResult, PaymentError>, _ attempt: AttemptID, _ disturbance: Disturbance,
        _ context: CheckContext
    ) throws {
        let entries = context.fixture.ledger.entries(of: attempt)
        switch told {
        case .success(.declined) where !entries.isEmpty:
            throw CheckFailure("told declined, and the ledger has \(CheckContext.text(entries))")
        case .success(.approved(let payment)) where !payment.isRecorded && !disturbance.isWrite:
            throw CheckFailure("told that it is not recorded, and the journal was whole")
        case .failure(let error) where error.outcome == .notExecuted && !entries.isEmpty:
            if isDenied(disturbance), entries.count == 1 { break }
            throw CheckFailure("told that nothing moved, and the ledger has \(CheckContext.text(entries))")
        case .success, .failure: break
        }
        try context.expect(context.fixture.ledger.isBalanced, "the provider's accounts don't add up")
    }
}

/// One money operation that is played under every fault: what has to be there before, and the call itself.
public struct FaultSweepScenario: Sendable, CustomStringConvertible {
    public let description: String
    /// What the call is.
    public let operation: PaymentOperation
    /// Faults whose lie about the amount can't be distinguished from the truth, with the reason; whatever else is wrong
    /// under them is a problem.
    public var believable: [String: String] = [:]
    let needs: [String]
    let before: @Sendable (CheckContext) async throws -> PaymentID?
    let call: @Sendable (CheckContext, PaymentID?, AttemptID) async throws -> PaymentResult

    private init(
        _ description: String, _ operation: PaymentOperation, _ needs: [String],
        before: @escaping @Sendable (CheckContext) async throws -> PaymentID? = { _ in nil },
        _ call: @escaping @Sendable (CheckContext, PaymentID?, AttemptID) async throws -> PaymentResult
    ) {
        (self.description, self.operation, self.needs) = (description, operation, needs)
        (self.before, self.call) = (before, call)
    }

    private static func sale(_ script: SimulatedOutcome, _ source: PaymentSource.Kind?, _ what: String)
        -> FaultSweepScenario
    {
        let needs = ["sale"] + (source.map { ["source.\($0.rawValue)"] } ?? [])
        return FaultSweepScenario("sale \(what)", .sale, needs) { context, _, attempt in
            try await context.sale(script, from: source, attempt: attempt)
        }
    }

    private static func follow(
        _ what: String, _ operation: PaymentOperation, _ needs: [String], onHeld isHeld: Bool = false,
        _ call: @escaping @Sendable (CheckContext, PaymentID, Money, AttemptID) async throws -> PaymentResult
    ) -> FaultSweepScenario {
        FaultSweepScenario(what, operation, needs + [isHeld ? "authorize" : "sale"]) { context in
            isHeld
                ? try await context.authorized(reference: "before").id
                : try await context.approvedSale(reference: "before").id
        } _: { context, payment, attempt in
            guard let payment else { throw CheckFailure("the payment before is missing") }
            let whole = try context.scripted(.approved, isHeld ? .authorize : .sale).amount
            return try await call(context, payment, whole, attempt)
        }
    }

    private static var part: FaultSweepScenario {
        var part = FaultSweepScenario("sale of a part", .sale, ["sale", "request.partialApproval"]) {
            context, _, attempt in
            try await context.sale(.partial, attempt: attempt) { $0.acceptsPartialApproval = true }
        }
        part.believable["member.wrong-amount"] = "any part of what was asked for may be true"
        return part
    }

    /// Every scenario: each money operation, each kind of source, each kind of question.
    public static let all: [FaultSweepScenario] =
        PaymentSource.Kind.allCases.map { sale(.approved, $0, "from \($0.rawValue)") } + [
            sale(.insufficientFunds, nil, "that is declined"), sale(.challenge, nil, "with a challenge"),
            sale(.clarification, nil, "with a clarification"), sale(.pin, .reader, "with a PIN"),
            part,
            FaultSweepScenario("authorisation", .authorize, ["authorize"]) { context, _, attempt in
                try await context.authorize(attempt: attempt)
            },
            follow("capture of a part", .capture, ["capture.partial"], onHeld: true) {
                context, payment, whole, attempt in
                try await context.client.capture(payment, of: whole.half, attempt: attempt)
            },
            follow("capture of all", .capture, [], onHeld: true) { context, payment, whole, attempt in
                try await context.client.capture(payment, of: whole, attempt: attempt)
            },
            follow("adjustment", .adjust, ["adjust"], onHeld: true) { context, payment, whole, attempt in
                try await context.client.adjust(payment, to: whole.plus(1_000), attempt: attempt)
            },
            follow("void of an authorisation", .void, ["void"], onHeld: true) { context, payment, _, attempt in
                try await context.client.void(payment, attempt: attempt)
            },
            follow("void of a sale", .void, ["void"]) { context, payment, _, attempt in
                try await context.client.void(payment, attempt: attempt)
            },
            follow("refund of a part", .refund, ["refund.partial"]) { context, payment, whole, attempt in
                try await context.refund(payment, of: whole.half, attempt: attempt)
            },
            follow("refund of all", .refund, ["refund"]) { context, payment, whole, attempt in
                try await context.refund(payment, of: whole, attempt: attempt)
            },
            follow("tip", .tipAdjustment, ["tip.adjust"]) { context, payment, whole, attempt in
                try await context.client.adjustTip(
                    payment, to: Money(minorUnits: 300, whole.currency), attempt: attempt)
            },
            FaultSweepScenario("refund without an original", .unlinkedRefund, ["refund.unlinked"]) {
                context, _, attempt in
                let taken = context.driver.capabilities.unlinkedRefundSources
                let scripted = try context.scripted(
                    .approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : context.source)
                let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "order")
                return try await context.client.refundUnlinked(request, attempt: attempt)
            },
            FaultSweepScenario("verification", .verify, ["verify"]) { context, _, attempt in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "order")
                return try await context.client.verify(request, attempt: attempt)
            },
            FaultSweepScenario("tokenisation", .tokenize, ["tokenize"]) { context, _, attempt in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "order")
                return try await context.client.tokenize(request, attempt: attempt)
            },
            FaultSweepScenario("debit of a card on file", .debit, ["debit", "request.saveInstrument"]) { context in
                try await context.approvedSale(reference: "before", context.puttingOnFile).id
            } _: { context, payment, attempt in
                guard let payment,
                    let saved = try await context.journal.records(of: payment).first?.approval?.saved
                else { throw CheckFailure("nothing was saved") }
                var request = CardOnFileRequest(try context.scripted().amount, of: saved.id, reference: "order")
                request.customer = "customer-1"
                return try await context.client.chargeCardOnFile(request, attempt: attempt)
            },
        ]
}

/// What a walk through every fault at every exchange found.
public struct FaultSweepReport: Sendable {
    /// How many cases were played.
    public internal(set) var cases = 0
    /// How many cases were passed over, since their turn did not come.
    public internal(set) var passedOver = 0
    /// How many scenarios there were.
    public internal(set) var scenarios = 0
    /// How many exchanges the scenarios make together when nothing goes wrong.
    public internal(set) var exchanges = 0
    /// How many journal writes the scenarios make together when nothing goes wrong; each fails in two ways.
    public internal(set) var writes = 0
    /// How many attempts stayed open.
    public internal(set) var open = 0
    /// How many cases the provider booked more than once, as declared.
    public internal(set) var expectedDoubleCharges = 0
    /// How many lies were believed, since nothing distinguishes them from the truth.
    public internal(set) var undetectableFalseReplies = 0
    /// Where attempts stayed open, and how often under single faults.
    public internal(set) var openPlaces: [ConformanceProfile.FaultLocation: Int] = [:]
    /// Under which faults the provider booked more than once.
    public internal(set) var doubleCharges: Set<String> = []
    /// What was wrong, each with its scenario, exchange and fault.
    public internal(set) var problems: [String] = []

    /// One line of counts.
    public var summary: String {
        let share = passedOver == 0 ? "" : " of \(cases + passedOver)"
        return
            "\(scenarios) scenarios, \(exchanges) exchanges, \(writes) writes, \(cases)\(share) fault cases, \(open) open, "
            + "\(expectedDoubleCharges) booked twice as declared, \(undetectableFalseReplies) lies that can't be seen, "
            + "\(problems.count) problems"
    }
}

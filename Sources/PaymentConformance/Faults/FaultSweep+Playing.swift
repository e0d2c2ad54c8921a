internal import PaymentAbstraction
internal import PaymentBase

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
            // Where the provider tells of both, both are in the journal, and nothing is let off.
            let known = try await context.record(attempt)?.approval?.amount.minorUnits
            if known != ledger.moved(by: attempt) { ledger = once }
        }
        if disturbance.faults.contains(where: { scenario.believable[$0.id] != nil }),
            let record = try await context.record(attempt), let named = record.approval?.amount
        {
            let believed = ledger.believing(named, of: record.intent.amount, for: attempt)
            if believed != ledger { (ledger, end.isBelieved) = (believed, true) }
        }
        if try await isToldAsOther(disturbance, attempt, context), let named = try await named(attempt, context) {
            let believed = ledger.believing(named, of: named, for: attempt)
            if believed != ledger { (ledger, end.isBelieved) = (believed, true) }
        }
        try await context.audit(ledger)
        return end
    }

    private func named(_ attempt: AttemptID, _ context: CheckContext) async throws -> Money? {
        try await context.record(attempt)?.approval?.amount
    }

    /// Whether the provider lied about an amount, nobody could ask it once more because of the other fault, and an event
    /// says that another amount was told than was asked for.
    private func isToldAsOther(
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

    /// What the caller was told must be true of the ledger at once.
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

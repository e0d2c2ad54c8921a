internal import PaymentAbstraction
internal import PaymentBase

/// Walks through every scenario, every exchange of it and every fault; nothing is drawn, everything is enumerated.
///
/// Each case: run, recover in a new process, compare ledger and journal, call again under the same attempt, compare
/// again.
public struct FaultWalk: Sendable {
    /// How many exchanges one scenario can make at most before something is wrong.
    public static let exchangesMax = 40
    /// How many problems are kept.
    public static let problemsMax = 200

    /// The provider's harness.
    public let harness: any Harness
    /// Whether faults come in pairs too: one on each exchange, and one of each class on what follows it.
    public var walksPairs = false
    /// Whether one fault stands for each class, as where every exchange takes real time.
    public var walksClassesOnly = false
    /// A driver broken on purpose; nil for the shipped one.
    public var mutant: Mutant?
    private let seed: UInt64?

    /// Prepares a walk.
    public init(_ harness: any Harness, seed: UInt64? = 1) { (self.harness, self.seed) = (harness, seed) }

    /// What is played in one case.
    enum Disturbance: Sendable {
        case fault(NeutralFault)
        case pair(NeutralFault, NeutralFault)
        case missing(MemberPath)

        var name: String {
            switch self {
            case .fault(let fault): fault.id
            case .pair(let first, let second): "\(first) then \(second)"
            case .missing(let path): "member.missing \(path)"
            }
        }

        /// The fault as a declaration names it.
        var id: String {
            switch self {
            case .fault(let fault): fault.id
            case .pair(let first, _): first.id
            case .missing: "member.missing"
            }
        }

        /// Every fault in it, by name.
        var ids: [String] { [id] + faults.map(\.id) }

        var faults: [NeutralFault] {
            switch self {
            case .fault(let fault): [fault]
            case .pair(let first, let second): [first, second]
            case .missing: []
            }
        }
    }

    /// Walks all scenarios and holds the result against what the harness declares.
    public func walk(_ scenarios: [FaultScenario] = FaultScenario.all) -> FaultReport {
        var report = FaultReport()
        for scenario in scenarios { walk(scenario, &report) }
        let operations = Set(scenarios.map(\.operation))
        let faults = walksClassesOnly ? Set(classes.map(\.id)) : nil
        for (place, _) in harness.declaration.staysOpen where operations.contains(place.operation) {
            guard faults?.contains(place.fault) ?? true else { continue }
            if !report.openPlaces.contains(place) { note("\(place) is declared to stay open and never did", &report) }
        }
        return report
    }

    private func note(_ problem: String, _ report: inout FaultReport) {
        if report.problems.count < Self.problemsMax { report.problems.append(problem) }
    }

    private func walk(_ scenario: FaultScenario, _ report: inout FaultReport) {
        let plain: [WireLog.Exchange]
        do {
            guard let exchanges = try undisturbed(scenario) else { return }
            plain = exchanges
        } catch {
            return note("\(scenario), undisturbed: \(Conformance.text(error))", &report)
        }
        report.scenarios += 1
        report.exchanges += plain.count
        for (index, exchange) in plain.prefix(Self.exchangesMax).enumerated() {
            for disturbance in disturbances(exchange) {
                report.cases += 1
                do { try play(scenario, index, disturbance, &report) } catch {
                    if disturbance.ids.contains(where: { scenario.believable[$0] != nil }) {
                        report.believed += 1
                        continue
                    }
                    note("\(scenario), exchange \(index + 1), \(disturbance.name): \(Conformance.text(error))", &report)
                }
            }
        }
    }

    /// One fault of each class.
    private var classes: [NeutralFault] {
        NeutralFault.Class.allCases.compactMap { kind in harness.declaration.faults.first { $0.kind == kind } }
    }

    private func disturbances(_ exchange: WireLog.Exchange) -> [Disturbance] {
        let classes = classes
        if walksClassesOnly { return classes.map { .fault($0) } }
        let single = harness.declaration.faults.map { Disturbance.fault($0) } + exchange.members.map { .missing($0) }
        guard walksPairs else { return single }
        return single + classes.flatMap { first in classes.map { .pair(first, $0) } }
    }

    /// The exchanges of a scenario when nothing goes wrong; nil when the provider has no such thing.
    private func undisturbed(_ scenario: FaultScenario) throws -> [WireLog.Exchange]? {
        let kit = try Kit(harness, seed: seed, mutant: mutant)
        if try scenario.needs.contains(where: { try !kit.has($0) }) { return nil }
        do {
            return try kit.stage.play {
                let payment = try await scenario.before(kit)
                let start = kit.log.count
                _ = try await scenario.call(kit, payment, kit.attempt())
                try await kit.audit()
                return Array(kit.log.exchanges.dropFirst(start))
            }
        } catch is NotApplicable { return nil }
    }

    private func play(
        _ scenario: FaultScenario, _ index: Int, _ disturbance: Disturbance, _ report: inout FaultReport
    ) throws {
        let kit = try Kit(harness, seed: seed, mutant: mutant)
        let end = try kit.stage.play { try await run(scenario, index, disturbance, kit) }
        if end.isOpen {
            // Of two faults either may be the one that leaves no trace.
            let places = disturbance.ids.map { Declaration.Place(scenario.operation, $0) }
            let place = places.first { harness.declaration.staysOpen[$0] != nil } ?? places[0]
            report.open += 1
            report.openPlaces.insert(place)
            if harness.declaration.staysOpen[place] == nil { throw CheckFailure("it stays open, and must be settled") }
        }
        if end.isBookedTwice { report.unprotected += 1 }
    }

    private struct End: Sendable {
        var isOpen = false
        var isBookedTwice = false
    }

    private func run(
        _ scenario: FaultScenario, _ index: Int, _ disturbance: Disturbance, _ kit: Kit
    ) async throws -> End {
        let payment = try await scenario.before(kit)
        let attempt = try kit.attempt()
        switch disturbance {
        case .fault(let fault): kit.fixture.arm(fault, after: index)
        case .pair(let first, let second):
            kit.fixture.arm(first, after: index)
            kit.fixture.arm(second, after: index)
        case .missing(let path): kit.rewrite(at: index) { path.changing($0) { _ in nil } }
        }
        let told: Result<PaymentResult, PaymentError>
        do { told = .success(try await scenario.call(kit, payment, attempt)) } catch let error as PaymentError {
            told = .failure(error)
        }
        if disturbance.faults.contains(where: { harness.declaration.unprotected[$0.id] != nil }) {
            return try await unprotected(kit, scenario, payment, attempt)
        }
        try judge(told, attempt, kit)
        kit.calm()
        let (fresh, open) = try await kit.recovered()
        if !open.isEmpty { return End(isOpen: true) }
        try await fresh.audit()
        _ = try? await scenario.call(fresh, payment, attempt)
        try await fresh.audit()
        return End()
    }

    /// The company books twice and nobody could prevent it: what the journal says must be there at least once.
    private func unprotected(
        _ kit: Kit, _ scenario: FaultScenario, _ payment: PaymentID?, _ attempt: AttemptID
    ) async throws -> End {
        let (fresh, open) = try await kit.recovered()
        let entries = fresh.fixture.ledger.entries(of: attempt).count
        let isRecorded = try await fresh.record(attempt)?.approval != nil
        _ = try? await scenario.call(fresh, payment, attempt)
        let again = fresh.fixture.ledger.entries(of: attempt).count
        if isRecorded, again != entries { throw CheckFailure("what is approved was sent again") }
        return End(isOpen: !open.isEmpty, isBookedTwice: entries > 1)
    }

    /// What the caller was told must be true of the ledger at once.
    private func judge(_ told: Result<PaymentResult, PaymentError>, _ attempt: AttemptID, _ kit: Kit) throws {
        let entries = kit.fixture.ledger.entries(of: attempt)
        switch told {
        case .success(.declined) where !entries.isEmpty:
            throw CheckFailure("told declined, and the ledger has \(Kit.text(entries))")
        case .failure(let error) where error.outcome == .nothingMoved && !entries.isEmpty:
            throw CheckFailure("told that nothing moved, and the ledger has \(Kit.text(entries))")
        case .success, .failure: break
        }
        try kit.expect(kit.fixture.ledger.isBalanced, "the company's accounts don't add up")
    }
}

extension Kit {
    /// Changes the JSON of one answer, after so many others.
    func rewrite(at index: Int, _ change: @escaping @Sendable (JSON) -> JSON) {
        let left = Locked(index)
        rewrite(
            Tap { (request, next) async throws(WireFailure) in
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

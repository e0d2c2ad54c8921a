internal import PaymentAbstraction
internal import PaymentBase
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
    /// Whether one fault stands for each class, as where every exchange takes real time.
    public var walksClassesOnly = false
    /// A driver broken on purpose; nil for the shipped one.
    public var mutant: Mutant?
    let seed: UInt64?

    /// Prepares a walk.
    public init(_ harness: any ConformanceHarness, seed: UInt64? = 1) { (self.harness, self.seed) = (harness, seed) }

    /// Walks all scenarios and holds the result against what the harness declares.
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
                report.cases += 1
                do { try play(scenario, index, disturbance, &report) } catch {
                    note(
                        "\(scenario), exchange \(index + 1), \(disturbance.name): \(ConformanceRunner.text(error))",
                        &report)
                }
            }
        }
        for index in 0..<(walksClassesOnly ? 0 : min(plain.writes, Self.writesMax)) {
            for isKept in [false, true] {
                report.cases += 1
                let disturbance = Disturbance.write(isKept: isKept)
                do { try play(scenario, index, disturbance, &report) } catch {
                    note(
                        "\(scenario), write \(index + 1), \(disturbance.name): \(ConformanceRunner.text(error))",
                        &report)
                }
            }
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

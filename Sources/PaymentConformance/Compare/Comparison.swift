public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTesting

/// Plays the same scenarios at several providers, each on a fresh provider, from one seed.
public struct Comparison: Sendable {
    /// One scenario with what it came to at each provider.
    public struct Row: Hashable, Sendable {
        /// The scenario's name.
        public let scenario: String
        /// What was played.
        public let summary: String
        /// In the order of the providers.
        public let observations: [Observation]

        /// Whether the application gets the same everywhere.
        public var isSameResult: Bool { Set(observations.map(\.result)).count == 1 }

        /// What is not the same everywhere.
        public var differing: [Observation.Aspect] {
            Observation.Aspect.allCases.filter { aspect in Set(observations.map { $0[aspect] }).count > 1 }
        }
    }

    private let harnesses: [any Harness]
    private let seed: UInt64
    /// Where money comes from at every provider that takes any from there.
    public let source: SourceKind?

    /// Compares providers, each behind its harness.
    ///
    /// - Parameter source: Where money comes from; nil for what all of them take, so that like is held against like.
    public init(_ harnesses: [any Harness], seed: UInt64 = 1, source: SourceKind? = nil) throws {
        (self.harnesses, self.seed) = (harnesses, seed)
        let taken = try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).driver.capabilities.sources }
        let order: [SourceKind] = [.reader, .card, .token, .saved, .wallet]
        self.source = source ?? order.first { kind in taken.allSatisfy { $0.contains(kind) } }
    }

    /// The providers, in order.
    public var providers: [String] { harnesses.map(\.name) }

    /// What each provider has, by name; the same names in the same order for all.
    public func capabilities() throws -> [CapabilityTable] {
        try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).view.features }
    }

    /// Plays a scenario at each provider.
    public func play(_ scenario: Scenario) -> Row {
        Row(
            scenario: scenario.name, summary: scenario.summary,
            observations: harnesses.map { observe(scenario, $0) })
    }

    private func observe(_ scenario: Scenario, _ harness: any Harness) -> Observation {
        do {
            let context = try CheckContext(harness, seed: seed, mutant: nil, from: source)
            if let missing = try scenario.needs.first(where: { try !context.has($0) }) {
                return .notPlayed("there is no \(missing)")
            }
            return try context.scheduler.play { try await Self.observe(scenario, context) }
        } catch let reason as NotApplicable {
            return .notPlayed(reason.description)
        } catch {
            return .notPlayed("\(error)")
        }
    }

    private static func observe(_ scenario: Scenario, _ context: CheckContext) async throws -> Observation {
        try await context.signIn()
        let before = context.log.count
        var (result, code) = ("", "")
        do {
            let got = try await scenario.play(context)
            (result, code) = words(got)
        } catch let error as PaymentError {
            result = "error \(error.code.rawValue), \(error.outcome.rawValue)"
            code = error.provider?.code ?? ""
        }
        let origin = try await context.journal.records(.origins, limit: 1).first
        let asked = origin?.intent.amount.minorUnits ?? 0
        let timeline =
            if let origin { try await context.client.timeline(of: origin.intent.paymentID) } else { [PaymentEvent]() }
        return Observation(
            result: result, code: code,
            books: context.fixture.ledger.entries.map { "\($0.direction) \(share($0.minorUnits, of: asked))" },
            events: timeline.map(\.kind.rawValue),
            wire: context.log.exchanges.dropFirst(before).map { "\($0)" }, isPlayed: true)
    }

    private static func words(_ result: PaymentResult) -> (String, String) {
        switch result {
        case .approved(let payment): (payment.isPartial ? "approved in part" : "approved", "")
        case .declined(let decline): ("declined: \(decline.reason)", decline.provider.code)
        case .cancelled(let cancellation):
            ("cancelled by \(cancellation.by.rawValue)", cancellation.provider?.code ?? "")
        case .pending(let pending): ("received, decided later", pending.provider?.code ?? "")
        }
    }

    private static func share(_ units: Int64, of asked: Int64) -> String {
        if units == asked { return "all" }
        return units == asked / 2 ? "half" : units > asked ? "more" : "a part"
    }
}

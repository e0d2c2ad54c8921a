internal import PaymentBase
public import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentTesting

/// Plays the same scenarios at several providers, each on a fresh provider, from one seed.
public struct ProviderComparison: Sendable {
    /// One scenario with what it came to at each provider.
    public struct Row: Hashable, Sendable {
        /// The scenario's name.
        public let scenario: String
        /// What was played.
        public let summary: String
        /// In the order of the providers.
        public let observations: [ScenarioResult]
        /// Why the scenario can't be played, as declared before it is, in the order of the providers; nil where it can.
        public let declared: [String?]

        /// Whether the application gets the same everywhere.
        public var isSameResult: Bool { Set(observations.map(\.result)).count == 1 }

        /// What is not the same everywhere.
        public var differing: [ScenarioResult.Aspect] {
            ScenarioResult.Aspect.allCases.filter { aspect in Set(observations.map { $0[aspect] }).count > 1 }
        }

        /// At how many providers it was not played.
        public var notCompared: Int { observations.count { !$0.isPlayed } }

        /// The places of the providers where it was played against the declaration, or not played without one.
        public var undeclared: [Int] {
            observations.indices.filter { observations[$0].isPlayed != (declared[$0] == nil) }
        }
    }

    private let harnesses: [any ConformanceHarness]
    private let seed: UInt64
    /// Where money comes from at every provider that takes any from there.
    public let source: PaymentSource.Kind?

    /// Compares providers, each behind its harness.
    ///
    /// - Parameter source: Where money comes from; nil for what all of them take, so that like is held against like.
    public init(_ harnesses: [any ConformanceHarness], seed: UInt64 = 1, source: PaymentSource.Kind? = nil) throws {
        (self.harnesses, self.seed) = (harnesses, seed)
        let taken = try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).driver.capabilities.sources }
        let order: [PaymentSource.Kind] = [.reader, .card, .token, .saved, .wallet]
        self.source = source ?? order.first { kind in taken.allSatisfy { $0.contains(kind) } }
    }

    /// The providers, in order.
    public var providers: [String] { harnesses.map(\.name) }

    /// What each provider has, by name; the same names in the same order for all.
    public func capabilities() throws -> [CapabilityTable] {
        try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).view.capabilityTable }
    }

    /// Plays a scenario at each provider, in an order that the seed draws: what one leaves behind in this process shall
    /// not always fall on the same other.
    public func play(_ scenario: Scenario) -> Row {
        var observed = [ScenarioResult?](repeating: nil, count: harnesses.count)
        var declared = [String?](repeating: nil, count: harnesses.count)
        for index in order(scenario) {
            declared[index] = reason(scenario, harnesses[index])
            observed[index] = declared[index].map { .notPlayed($0) } ?? observe(scenario, harnesses[index])
        }
        return Row(
            scenario: scenario.name, summary: scenario.summary, observations: observed.compactMap(\.self),
            declared: declared)
    }

    /// The order in which the providers have their turn.
    func order(_ scenario: Scenario) -> [Int] {
        let named = scenario.name.utf8.reduce(seed) { ($0 &* 31) &+ UInt64($1) }
        let random = SeededRandom(seed: named)
        var (left, order) = (Array(harnesses.indices), [Int]())
        while !left.isEmpty { order.append(left.remove(at: Int(random.next() % UInt64(left.count)))) }
        return order
    }

    /// Why a scenario can't be played at a provider, told from what its harness declares; nil when it can.
    private func reason(_ scenario: Scenario, _ harness: any ConformanceHarness) -> String? {
        if let lacking = (harness as? any SectionedHarness)?.lacks(scenario.name) { return lacking }
        do {
            let context = try CheckContext(harness, seed: seed, mutant: nil, from: source)
            if let missing = try scenario.needs.first(where: { try !context.has($0) }) {
                return "there is no \(missing)"
            }
            let faults = Set(harness.declaration.faults.map(\.id))
            if let fault = scenario.faults.first(where: { !faults.contains($0) }) {
                return "the provider can't play \(fault)"
            }
            let operation: PaymentOperation = scenario.needs.contains("authorize") ? .authorize : .sale
            guard scenario.needs.contains("sale") || operation == .authorize else { return nil }
            for script in scenario.scripts {
                if let why = harness.declaration.unsupportedOutcomes[script] { return "\(script): \(why)" }
                let source = operation == .sale ? context.source : context.holdSource
                if context.fixture.scripted(script, operation, source) == nil {
                    return "\(script) can't be brought about from \(source.rawValue)"
                }
            }
            return nil
        } catch {
            // Whoever can't be opened is asked anyway: that is a result.
            return nil
        }
    }

    /// What a scenario comes to; whatever a candidate throws is a result like any other.
    private func observe(_ scenario: Scenario, _ harness: any ConformanceHarness) -> ScenarioResult {
        do {
            let context = try CheckContext(harness.take(scenario.name), seed: seed, mutant: nil, from: source)
            return try context.scheduler.run { try await Self.observe(scenario, context) }
        } catch let reason as NotApplicable {
            return .notPlayed(reason.description)
        } catch let failure as CheckFailure {
            return ScenarioResult("broken off: \(failure)")
        } catch is TestScheduler.Deadlock {
            return ScenarioResult("broken off: nothing can go on any more")
        } catch {
            return ScenarioResult("broken off: an error of type \(type(of: error))")
        }
    }

    private static func observe(_ scenario: Scenario, _ context: CheckContext) async throws -> ScenarioResult {
        try await context.signIn()
        let (before, start) = (context.log.count, context.scheduler.now)
        var (result, code) = ("", "")
        do {
            (result, code) = words(try await scenario.play(context))
        } catch let error as PaymentError {
            result = "error \(error.code.rawValue), \(error.outcome.rawValue)"
            code = error.provider?.code ?? ""
        }
        var seen = ScenarioResult(result, code: code)
        seen.milliseconds = context.scheduler.now - start
        seen.wire = context.log.exchanges.dropFirst(before).map { "\($0)" }
        let origin = try await context.journal.records(.origins(scope: nil), limit: 1).first
        let asked = origin?.intent.amount.minorUnits ?? 0
        seen.books = context.fixture.ledger.entries.map { "\($0.direction) \(share($0.minorUnits, of: asked))" }
        guard let origin else { return seen }
        let payment = try await context.client.payment(origin.intent.paymentID)
        seen.events = try await context.client.timeline(of: payment.id).map(\.kind.rawValue)
        seen.amounts = amounts(payment.amounts, of: asked)
        seen.receipt = payment.attempts.flatMap { record in
            record.approval?.receipt.map { $0.names(record.intent.operation) } ?? []
        }
        seen.open = payment.openAttempts.map { "\($0.intent.operation.rawValue) \($0.state.rawValue)" }
        return seen
    }

    private static func words(_ result: PaymentResult) -> (String, String) {
        switch result {
        case .approved(let payment): (payment.isPartial ? "approved in part" : "approved", "")
        case .declined(let decline): ("declined: \(decline.reason)", decline.provider.code)
        case .cancelled(let cancellation):
            ("cancelled by \(cancellation.cause.rawValue)", cancellation.provider?.code ?? "")
        case .pending(let pending): ("received, decided later", pending.provider?.code ?? "")
        }
    }

    /// Sums that are not nothing, as shares of what was asked for.
    private static func amounts(_ amounts: PaymentAmounts, of asked: Int64) -> [String] {
        let named = [
            ("authorized", amounts.authorized), ("captured", amounts.captured), ("refunded", amounts.refunded),
            ("refund pending", amounts.refundPending), ("capture pending", amounts.capturePending),
            ("in doubt", amounts.inDoubt), ("released", amounts.released), ("refundable", amounts.refundable),
            ("capturable", amounts.capturable),
        ]
        return named.filter { $1.minorUnits != 0 }.map { "\($0) \(share($1.minorUnits, of: asked))" }
    }

    private static func share(_ units: Int64, of asked: Int64) -> String {
        if units == asked { return "all" }
        return units == asked / 2 ? "half" : units > asked ? "more" : "a part"
    }
}

extension Receipt {
    /// What of it can be printed, by name.
    fileprivate func names(_ operation: PaymentOperation) -> [String] {
        let parts: [(String, Bool)] = [
            ("authorizationCode", authorizationCode != nil), ("responseCode", responseCode != nil),
            ("responseText", responseText != nil), ("retrievalReference", retrievalReference != nil),
            ("verification", verification != nil), ("signature", signatureRequired), ("at", at != nil),
            ("merchant", merchant != nil), ("breakdown", breakdown != nil), ("addressCheck", addressCheck != nil),
        ]
        var names = parts.filter(\.1).map { "\(operation.rawValue) \($0.0)" }
        if !tags.isEmpty { names.append("\(operation.rawValue) \(tags.count) tags") }
        if !lines.isEmpty { names.append("\(operation.rawValue) \(lines.count) lines") }
        return names
    }
}

/// What a scenario came to at one provider; amounts stand as shares, since every provider is steered by its own.
public struct ScenarioResult: Hashable, Sendable {
    /// One side of what was seen.
    public enum Aspect: String, Hashable, Sendable, CaseIterable {
        /// What the application got.
        case result
        /// The provider's own code.
        case code
        /// How the payment's sums stand afterwards.
        case amounts
        /// What the provider booked.
        case ledger = "books"
        /// The payment's events.
        case events
        /// What went over the line.
        case messages = "wire"
        /// How long it took, by the simulated clock.
        case time
        /// What there is to print.
        case receipt
        /// What nobody knows yet.
        case open
    }

    /// What the application got, in neutral words; or why it was not played.
    public let result: String
    /// The provider's own code of a decline or an error; empty where there is none.
    public let code: String
    /// Whether it was played.
    public let isPlayed: Bool
    /// How the payment's sums stand afterwards.
    public internal(set) var amounts: [String] = []
    /// What the provider booked, in order.
    public internal(set) var books: [String] = []
    /// The payment's events, in order.
    public internal(set) var events: [String] = []
    /// What went over the line, in order, with neither bodies nor headers.
    public internal(set) var wire: [String] = []
    /// How long it took, in milliseconds of the simulated clock.
    public internal(set) var milliseconds: Int64 = 0
    /// What there is to print on a receipt, by name.
    public internal(set) var receipt: [String] = []
    /// Attempts of which nobody knows yet what became of them.
    public internal(set) var open: [String] = []

    init(_ result: String, code: String = "", isPlayed: Bool = true) {
        (self.result, self.code, self.isPlayed) = (result, code, isPlayed)
    }

    /// One side of it as lines.
    public subscript(aspect: Aspect) -> [String] {
        switch aspect {
        case .result: [result]
        case .code: code.isEmpty ? [] : [code]
        case .amounts: amounts
        case .ledger: books
        case .events: events
        case .messages: wire
        case .time: isPlayed ? ["\(milliseconds) ms"] : []
        case .receipt: receipt
        case .open: open
        }
    }

    static func notPlayed(_ why: String) -> ScenarioResult { ScenarioResult("not played: \(why)", isPlayed: false) }
}

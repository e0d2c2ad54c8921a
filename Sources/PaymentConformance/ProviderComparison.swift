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

        /// What was seen where the scenario was played; a provider where it can't be brought about has no result.
        public var played: [ScenarioResult] { observations.filter(\.isPlayed) }

        /// Whether there are results of two providers or more, so that something is compared.
        public var isCompared: Bool { played.count > 1 }

        /// Whether the application gets the same wherever the scenario is played, from each of its calls.
        public var isSameResult: Bool {
            Set(played.map(\.result)).count < 2 && Set(played.map { $0.calls.map(\.answer) }).count < 2
        }

        /// What is not the same wherever the scenario is played.
        public var differing: [ScenarioResult.Aspect] {
            ScenarioResult.Aspect.allCases.filter { aspect in Set(played.map { $0[aspect] }).count > 1 }
        }

        /// At how many providers it was not played.
        public var notCompared: Int { observations.count { !$0.isPlayed } }

        /// The places of the providers where it was played against the declaration, or not played without one.
        public var undeclared: [Int] {
            observations.indices.filter { observations[$0].isPlayed != (declared[$0] == nil) }
        }
    }

    let harnesses: [any ConformanceHarness]
    let seed: UInt64
    /// Where money comes from at every provider that takes any from there.
    public let source: PaymentSource.Kind?
    /// The currency in which each harness plays on its own, in the order of the harnesses.
    private let currencies: [Currency?]

    /// Compares providers, each behind its harness.
    ///
    /// - Parameter source: Where money comes from; nil for what all of them take, so that like is compared with like.
    public init(_ harnesses: [any ConformanceHarness], seed: UInt64 = 1, source: PaymentSource.Kind? = nil) throws {
        (self.harnesses, self.seed) = (harnesses, seed)
        let taken = try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).driver.capabilities.sources }
        let order: [PaymentSource.Kind] = [.reader, .card, .token, .saved, .wallet]
        let source = source ?? order.first { kind in taken.allSatisfy { $0.contains(kind) } }
        self.source = source
        currencies = try harnesses.map {
            let context = try CheckContext($0, seed: seed, mutant: nil, from: source)
            return context.fixture.scripted(.approved, .sale, context.source)?.amount.currency
        }
    }

    /// The providers, in order.
    public var providers: [String] { harnesses.map(\.name) }

    /// What each provider has, by name; the same names in the same order for all.
    public func capabilities() throws -> [ProviderClient.CapabilityTable] {
        try harnesses.map { try CheckContext($0, seed: seed, mutant: nil).view.capabilityTable }
    }

    /// Plays a scenario at each provider, in an order that the seed draws: what one leaves behind in this process shall
    /// not always fall on the same other.
    public func play(_ scenario: Scenario) -> Row {
        var observed = [ScenarioResult?](repeating: nil, count: harnesses.count)
        var declared = [String?](repeating: nil, count: harnesses.count)
        for index in order(scenario) {
            declared[index] = reason(scenario, harnesses[index])
            observed[index] =
                declared[index].map { .notPlayed($0) } ?? observe(scenario, harnesses[index], currencies[index])
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

    /// Why a scenario can't be played at a provider, distinguished from what its harness declares; nil when it can.
    private func reason(_ scenario: Scenario, _ harness: any ConformanceHarness) -> String? {
        if let lacking = (harness as? any SectionedHarness)?.lacks(scenario.name) { return lacking }
        do {
            let context = try CheckContext(harness, seed: seed, mutant: nil, from: source)
            if let missing = try scenario.needs.first(where: { try !context.has($0) }) {
                return "there is no \(missing)"
            }
            if let arrangement = scenario.arrangement, !arrangement.arrange(context.fixture) {
                return "\(arrangement.what) can't be brought about here"
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
                if let why = script.reasonAgainst(source) { return "\(script): \(why)" }
                if context.fixture.scripted(script, operation, source) == nil {
                    return "\(script) can't be brought about from \(source.rawValue)"
                }
            }
            return nil
        } catch {
            // A provider that can't be opened is asked anyway: that is a result.
            return nil
        }
    }

    /// What a scenario comes to; whatever a candidate throws is a result like any other.
    private func observe(
        _ scenario: Scenario, _ harness: any ConformanceHarness, _ currency: Currency?
    ) -> ScenarioResult {
        do {
            let context = try CheckContext(harness.take(scenario.name), seed: seed, mutant: nil, from: source)
            return try context.scheduler.run { try await Self.observe(scenario, context, currency) }
        } catch let reason as NotApplicable {
            return .notPlayed(reason.description)
        } catch let failure as CheckFailure {
            return ScenarioResult("broken off: \(failure)")
        } catch is TestScheduler.Deadlock {
            return ScenarioResult("broken off: no task can continue")
        } catch {
            return ScenarioResult("broken off: an error of type \(type(of: error))")
        }
    }

    private static func observe(
        _ scenario: Scenario, _ context: CheckContext, _ currency: Currency?
    ) async throws -> ScenarioResult {
        try await context.signIn()
        let (before, start, calls) = (context.log.count, context.scheduler.now, context.calls)
        try context.watched.beforeEachMoney { calls.countRequest() }
        var code = ""
        do {
            let result = try await scenario.play(context)
            code = Self.code(result)
            if calls.all.last?.isError != false { context.keep(scenario.name, .followUp, since: .init(), result) }
        } catch let error as PaymentError {
            code = error.provider?.code ?? ""
            if calls.all.last?.isError != true {
                try await context.keep(scenario.name, .followUp, since: .init(), error)
            }
        }
        var seen = ScenarioResult(calls.all.last?.answer ?? "", code: code)
        seen.calls = calls.all
        seen.milliseconds = context.scheduler.now - start
        seen.wire = context.log.exchanges.dropFirst(before).map { "\($0)" }
        let origin = try await context.journal.records(.origins(scope: nil), limit: 1).first
        let share = AmountShare(asked: origin?.intent.amount, usual: currency)
        seen.books = context.fixture.ledger.entries.map { entry in
            "\(entry.direction) \(share.words(entry.minorUnits, entry.currency))"
        }
        let difference = try await context.unrecorded(share)
        (seen.cost, seen.notYetKnown) = difference.isOpen ? ("", difference.words) : (difference.words, "")
        if !seen.cost.isEmpty {
            seen.costReason =
                scenario.faults.lazy.compactMap { context.declaration.expectedDoubleCharges[$0] }.first ?? ""
        }
        guard let origin else { return seen }
        let payment = try await context.client.payment(origin.intent.paymentID)
        seen.events = try await context.client.timeline(of: payment.id).map(\.kind.rawValue)
        seen.amounts = amounts(payment.amounts, share)
        seen.receipt = payment.attempts.flatMap { record in
            record.approval?.receipt.map { $0.names(record.intent.operation) } ?? []
        }
        seen.card = payment.attempts.lazy.compactMap { $0.approval?.card }.first?.shown ?? []
        seen.open = payment.openAttempts.map { "\($0.intent.operation.shopWord) \($0.state.shopWord)" }
        if scenario.answersOtherAmount || seen.events.contains("otherAmount") {
            seen.notes.append(otherAmount(seen.events))
        }
        seen.isAsAsked =
            seen.calls.allSatisfy(\.isAsAsked) && seen.open.isEmpty && seen.cost.isEmpty && seen.notes.isEmpty
        return seen
    }

    /// What the client does with an answer that names another amount.
    private static func otherAmount(_ events: [String]) -> String {
        let named = "the provider named another amount: the client"
        if events.contains("otherAmount") { return "\(named) alerts the till (otherAmount)" }
        return events.contains("lookedUp") ? "\(named) didn't believe it and asked again" : "\(named) didn't believe it"
    }

    private static func code(_ result: PaymentResult) -> String {
        switch result {
        case .approved: ""
        case .declined(let decline): decline.provider.code
        case .cancelled(let cancellation): cancellation.provider?.code ?? ""
        case .pending(let pending): pending.provider?.code ?? ""
        }
    }

    /// Sums that are not nothing, as shares of what was asked for.
    private static func amounts(_ amounts: PaymentAmounts, _ share: AmountShare) -> [String] {
        let named = [
            ("authorized", amounts.authorized), ("captured", amounts.captured), ("refunded", amounts.refunded),
            ("refund pending", amounts.refundPending), ("capture pending", amounts.capturePending),
            ("in doubt", amounts.inDoubt), ("released", amounts.released), ("refundable", amounts.refundable),
            ("capturable", amounts.capturable),
        ]
        return named.filter { $1.minorUnits != 0 }.map { "\($0) \(share.words($1.minorUnits, $1.currency.code))" }
    }
}

/// An amount as an exact share of what was asked for: the amount itself steers each simulated provider, so what was asked
/// for differs, and what is compared is what became of it.
struct AmountShare {
    let asked: Money?
    /// The currency in which the harness plays on its own; another one is named.
    let usual: Currency?

    func words(_ units: Int64, _ code: String) -> String {
        let whole = asked?.minorUnits ?? 0
        let share =
            units == whole
            ? "all" : units == whole / 2 ? "half" : units > whole ? more(units, whole) : less(units, whole)
        return code == usual?.code ? share : "\(share) in \(code)"
    }

    /// The whole and what is above it, which a tip or a mistake adds.
    private func more(_ units: Int64, _ whole: Int64) -> String {
        let (rest, overflows) = units.subtractingReportingOverflow(whole)
        guard let asked, !overflows else { return "\(units) minor units" }
        return "all and \(Money(minorUnits: rest, asked.currency).decimalText) more"
    }

    /// The fraction, reduced.
    private func less(_ units: Int64, _ whole: Int64) -> String {
        guard units > 0, whole > 0 else { return "\(units) minor units" }
        var (one, other) = (whole, units)
        while other != 0 { (one, other) = (other, one % other) }
        return "\(units / one)/\(whole / one)"
    }
}

extension CardSummary {
    /// What the application is shown of the card, as far as the provider says it.
    fileprivate var shown: [String] {
        [("brand", brand), ("entry", entry), ("funding", funding), ("last four digits", last4 == nil ? nil : "known")]
            .compactMap { name, word in word.map { "\(name) \($0)" } }
    }
}

extension SimulatedOutcome {
    /// Why the outcome can't come about with money from a source, whatever the provider.
    fileprivate func reasonAgainst(_ source: PaymentSource.Kind) -> String? {
        switch self {
        case .pin, .wrongPIN, .noPIN, .noCard, .unreadableCard, .slowCustomer:
            source == .reader ? nil : "there is no reader where money comes from \(source.rawValue)"
        case .wrongSecurityCode:
            source == .card ? nil : "no security code is typed where money comes from \(source.rawValue)"
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .pending, .decidedSoon, .decidedLate,
            .partial, .challenge, .clarification, .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce,
            .wrongEcho:
            nil
        }
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

internal import PaymentAbstraction
internal import PaymentBase
public import PaymentTesting
public import PaymentTransport

/// A cassette in the place of a provider: the suite and comparisons run on it without a network.
///
/// The driver is today's; what it is answered is what was recorded. Whatever it asks otherwise than then is told by
/// ``differences``.
public struct CassetteHarness: SectionedHarness {
    public let name: String
    /// What was recorded.
    public let cassette: Cassette
    private let inner: any ConformanceHarness
    private let take: String
    private let tapes: Locked<[ReplayTape]>

    /// Plays a cassette to the driver of a harness.
    public init(_ cassette: Cassette, _ harness: any ConformanceHarness, name: String? = nil) {
        self.init(cassette, harness, name ?? harness.name, "", Locked([]))
    }

    private init(
        _ cassette: Cassette, _ inner: any ConformanceHarness, _ name: String, _ take: String,
        _ tapes: Locked<[ReplayTape]>
    ) {
        (self.cassette, self.inner, self.name, self.take, self.tapes) = (cassette, inner, name, take, tapes)
    }

    public var declaration: ConformanceProfile { inner.declaration }

    /// What differed from the recording in everything that was played so far.
    public var differences: [ReplayDifference] { tapes.withLock { $0 }.flatMap(\.differences) }

    func taking(_ name: String) -> any ConformanceHarness { CassetteHarness(cassette, inner, self.name, name, tapes) }

    func lacks(_ name: String) -> String? {
        cassette.items.contains { $0.section == name } ? nil : "it is not on the cassette"
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        let fixture = try inner.open(scheduler)
        if take.isEmpty { return fixture }
        if let reason = lacks(take) { throw NotApplicable(reason) }
        let tape = ReplayTape(
            take, cassette.items.filter { $0.section == take }, declaration.secrets, scheduler)
        tapes.withLock { $0.append(tape) }
        return ReplayFixture(inner: fixture, tape: tape)
    }

    /// How a check or scenario ended when it was recorded.
    func outcome(_ take: String) -> JSON? {
        for item in cassette.items where item.section == take {
            if case .other("outcome", let json) = item.event { return json }
        }
        return nil
    }
}

extension CassetteHarness {
    /// One check or scenario that ends otherwise than when it was recorded.
    public struct Difference: Hashable, Sendable {
        /// The check or scenario.
        public let take: String
        /// What of it: a status, or an aspect of what a scenario comes to.
        public let aspect: String
        /// As recorded.
        public let recorded: String
        /// Now.
        public let now: String
    }

    /// Plays every check of the cassette, and says which end otherwise than then.
    ///
    /// - Parameter mutant: A driver broken on purpose; nil for the shipped one.
    public func replay(_ mutant: Mutant? = nil) -> (results: [CheckResult], changes: [Difference]) {
        var conformance = ConformanceRunner(self, seed: cassette.header.seed)
        conformance.mutant = mutant
        let checks = Check.all.filter { lacks($0.id) == nil }
        let results = checks.map { conformance.run($0) }
        return (results, results.flatMap { change($0.id, $0.outcome) })
    }

    /// Plays every scenario of the cassette, and says which come to something else than then.
    public func replayScenarios() throws -> (rows: [ProviderComparison.Row], changes: [Difference]) {
        let source = cassette.header.notes["source"]?.string.flatMap { PaymentSource.Kind(rawValue: $0) }
        let comparison = try ProviderComparison([self], seed: cassette.header.seed, source: source)
        let rows = Scenario.all.filter { lacks($0.name) == nil }.map { comparison.play($0) }
        return (rows, rows.flatMap { change($0.scenario, $0.observations.first?.outcome ?? .null) })
    }

    private func change(_ take: String, _ now: JSON) -> [Difference] {
        guard let recorded = outcome(take) else { return [] }
        let names = Set((recorded.object?.members ?? []).map(\.key)).union((now.object?.members ?? []).map(\.key))
        return names.sorted().compactMap { name in
            let (old, new) = (recorded[name] ?? .null, now[name] ?? .null)
            return old == new ? nil : Difference(take: take, aspect: name, recorded: old.text, now: new.text)
        }
    }
}

/// A fixture whose provider is a cassette; what stands on our side is the inner one's.
struct ReplayFixture: ConformanceFixture {
    let inner: any ConformanceFixture
    let tape: ReplayTape

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        try inner.driver(interceptor.before(tape.interceptor))
    }

    var reader: (any CardReader)? { inner.reader }
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        inner.scripted(script, operation, source)
    }
    var ledger: LedgerView { tape.ledger }
    /// What went wrong then is on the cassette.
    func arm(_ fault: InjectedFault, after skipped: Int) {}
    var visitor: @Sendable (_ page: PaymentLink) async -> Void { { _ in } }
    func signed(_ answer: JSON) -> JSON { inner.signed(answer) }
    func trigger(_ event: ProviderEvent) -> [ProviderWebhook]? { tape.news(event.word) }
    func deliveredWebhooks() -> [ProviderWebhook] { tape.news("posted") ?? [] }
    func pendingWebhooks() -> [ProviderWebhook] { tape.news("mail") ?? [] }
    var violations: [String] { [] }
    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withoutSignature(news) }
    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withForgedSignature(news) }
}

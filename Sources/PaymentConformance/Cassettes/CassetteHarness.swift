internal import PaymentBase
internal import PaymentDriverKit
public import PaymentTesting
public import PaymentTransport

/// A cassette in the place of a provider: the suite and comparisons run on it without a network.
///
/// The driver is today's; what it is answered is what was recorded. Whatever it asks differently from then is reported
/// by
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
    /// One check or scenario that ends differently from when it was recorded.
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

    /// Plays every check of the cassette, and says which end differently from then.
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

/// A fixture whose provider is a cassette; what is on our side is the inner one's.
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
    func close() { inner.close() }
    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withoutSignature(news) }
    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withForgedSignature(news) }
}

/// A harness that does something else for each check or scenario.
protocol SectionedHarness: ConformanceHarness {
    /// The same for one check or scenario.
    func taking(_ name: String) -> any ConformanceHarness
    /// Why a check or scenario can't be played here; nil when it can.
    func lacks(_ name: String) -> String?
}

extension ConformanceHarness {
    /// The harness for a check or scenario.
    func take(_ name: String) -> any ConformanceHarness { (self as? any SectionedHarness)?.taking(name) ?? self }
}

/// One difference between a recording and what is asked of it now.
public struct ReplayDifference: Hashable, Sendable, CustomStringConvertible {
    /// The check or scenario.
    public let take: String
    /// The exchange, as method and path; or what else differs.
    public let exchange: String
    /// The member of the request, as a path; empty for the exchange as a whole.
    public let member: String
    /// What the recording has.
    public let recorded: String
    /// What there is now.
    public let now: String

    public var description: String {
        "\(take): \(exchange)\(member.isEmpty ? "" : ", \(member)"): recorded \(recorded), now \(now)"
    }
}

/// What one check or scenario reads off a cassette.
final class ReplayTape: Sendable {
    private struct State {
        var used: Set<Int> = []
        /// The last item that was reached.
        var reached = -1
        var differences: [ReplayDifference] = []
        var readerEvents = 0
    }

    private let take: String
    private let items: [Cassette.Item]
    private let clock: any PaymentClock
    private let start: Int64
    /// Whether an answer takes as long as it took.
    private let waits: Bool
    /// Members of requests that are another in each, by their last step; an answer echoes them.
    private let fleeting: Set<String>
    private let sieve: CassetteRedactor
    private let state = Locked(State())

    init(
        _ take: String, _ items: [Cassette.Item], _ secrets: [String], _ clock: any PaymentClock, waits: Bool = true,
        fleeting: Set<String> = []
    ) {
        (self.take, self.items, self.clock, start) = (take, items, clock, clock.now)
        (self.waits, self.fleeting) = (waits, fleeting)
        sieve = CassetteRedactor(secrets)
    }

    /// What differed so far, with what was recorded and never asked for.
    var differences: [ReplayDifference] {
        let state = state.withLock { $0 }
        let left = items.indices.compactMap { index -> ReplayDifference? in
            guard case .exchange(let exchange) = items[index].event, !state.used.contains(index) else { return nil }
            return ReplayDifference(
                take: take, exchange: Self.words(exchange.request), member: "", recorded: "asked", now: "not asked")
        }
        return state.differences + left
    }

    /// What answers every request from the cassette; nothing goes further.
    var interceptor: Interceptor {
        Interceptor { [self] (request, _) async throws(TransportFailure) in
            let wanted = sieve.exchange(request, .failure(.notSent(.notRecorded)), milliseconds: 0).request
            guard let exchange = state.withLock({ find(wanted, &$0) }).map({ echoing(wanted, $0) }) else {
                throw .notSent(.notRecorded)
            }
            if waits, exchange.milliseconds > 0 {
                // A caller that stops waiting gets the recording's end all the same.
                try? await clock.sleep(until: clock.now.adding(exchange.milliseconds))
            }
            // Names of secrets are given out in the order in which they are seen.
            _ = sieve.exchange(request, exchange.end, milliseconds: 0)
            return try exchange.end.get()
        }
    }

    private func find(_ wanted: HTTPRequest, _ state: inout State) -> Cassette.Interaction? {
        let left = items.indices.filter { !state.used.contains($0) }.compactMap { index in
            if case .exchange(let exchange) = items[index].event { return (index, exchange) }
            return nil
        }
        let found =
            left.first { isSame($1.request, wanted) } ?? left.first {
                $1.request.path == wanted.path && $1.request.method == wanted.method
            }
            ?? left.first { Self.isAlike($1.request, wanted) }
        guard let found else {
            state.differences.append(
                ReplayDifference(
                    take: take, exchange: Self.words(wanted), member: "", recorded: "not asked", now: "asked"))
            return nil
        }
        state.used.insert(found.0)
        state.reached = max(state.reached, found.0)
        state.differences += differences(found.1.request, wanted)
        return found.1
    }

    private static func words(_ request: HTTPRequest) -> String { "\(request.method) \(request.path)" }

    private func isSame(_ one: HTTPRequest, _ other: HTTPRequest) -> Bool {
        guard one.method == other.method, one.target == other.target else { return false }
        if one.body == other.body { return true }
        guard !fleeting.isEmpty, let old = try? JSONReader().read(one.body),
            let new = try? JSONReader().read(other.body)
        else { return false }
        func lasting(_ json: JSON) -> [String: JSON] { MemberValue.all(in: json).filter { !isFleeting($0.key) } }
        let (before, after) = (lasting(old), lasting(new))
        return before.keys == after.keys
            && before.allSatisfy { $0.value == after[$0.key] || Self.areMoments($0.value, after[$0.key]) }
    }

    private func isFleeting(_ path: String) -> Bool {
        fleeting.contains(path.split(separator: ".").last.map(String.init) ?? "")
    }

    /// The recorded answer with what it echoes of a request as that request has it now.
    private func echoing(_ wanted: HTTPRequest, _ exchange: Cassette.Interaction) -> Cassette.Interaction {
        guard !fleeting.isEmpty, case .success(var response) = exchange.end,
            let old = try? JSONReader().read(exchange.request.body), let new = try? JSONReader().read(wanted.body)
        else { return exchange }
        let (before, after) = (MemberValue.all(in: old), MemberValue.all(in: new))
        var text = String(decoding: response.body, as: UTF8.self)
        for (path, value) in before where isFleeting(path) {
            guard let now = after[path], now != value else { continue }
            text = text.replacing(value.text, with: now.text)
        }
        response.body = Array(text.utf8)
        return Cassette.Interaction(exchange.request, .success(response), milliseconds: exchange.milliseconds)
    }

    /// Whether two requests go to the same place but for the names in their paths.
    private static func isAlike(_ one: HTTPRequest, _ other: HTTPRequest) -> Bool {
        let (steps, others) = (one.path.split(separator: "/"), other.path.split(separator: "/"))
        return one.method == other.method && steps.count == others.count && steps.first == others.first
            && steps.last == others.last
    }

    private func differences(_ recorded: HTTPRequest, _ now: HTTPRequest) -> [ReplayDifference] {
        func difference(_ member: String, _ old: String, _ new: String) -> ReplayDifference {
            ReplayDifference(take: take, exchange: Self.words(recorded), member: member, recorded: old, now: new)
        }
        var found = recorded.target == now.target ? [] : [difference("target", recorded.target, now.target)]
        guard recorded.body != now.body else { return found }
        guard let old = try? JSONReader().read(recorded.body), let new = try? JSONReader().read(now.body) else {
            let texts = [recorded.body, now.body].map { String(decoding: $0.prefix(200), as: UTF8.self) }
            return found + [difference("body", texts[0], texts[1])]
        }
        let (before, after) = (MemberValue.all(in: old), MemberValue.all(in: new))
        for path in Set(before.keys).union(after.keys).sorted() {
            let (one, other) = (before[path], after[path])
            if one == other || isFleeting(path) || Self.areMoments(one, other) { continue }
            found.append(difference(path, one?.text ?? "nothing", other?.text ?? "nothing"))
        }
        return found
    }

    /// Whether two values are only different times of the same.
    private static func areMoments(_ one: JSON?, _ other: JSON?) -> Bool {
        guard let one = one?.string, let other = other?.string else { return false }
        return Timestamp(one, offsetMinutes: 0) != nil && Timestamp(other, offsetMinutes: 0) != nil
    }

    /// The books as they were when this far of the recording was reached.
    var ledger: LedgerView {
        let (reached, used) = state.withLock { ($0.reached, $0.used) }
        let now = clock.now - start
        // What was booked after the next exchange, or after the next thing that happened there, has not happened yet.
        let next = items.indices.first { index in
            guard index > reached, !used.contains(index) else { return false }
            switch items[index].event {
            case .exchange, .other("webhooks", _): return true
            case .other: return false
            }
        }
        var (entries, isBalanced) = ([LedgerView.Entry](), true)
        for item in items.prefix(next ?? items.count) where item.at <= now {
            if case .other("book", let json) = item.event, let entry = LedgerView.Entry(json) { entries.append(entry) }
            if case .other("unbalanced", _) = item.event { isBalanced = false }
        }
        return LedgerView(entries, isBalanced: isBalanced)
    }

    /// What the provider had sent out on its own when this was asked.
    func news(_ asked: String) -> [ProviderWebhook]? {
        state.withLock { state in
            let found = items.indices.first { index in
                guard !state.used.contains(index), case .other("webhooks", let json) = items[index].event else {
                    return false
                }
                return json["asked"]?.string == asked
            }
            guard let found, case .other(_, let json) = items[found].event else { return nil }
            state.used.insert(found)
            state.reached = max(state.reached, found)
            return json["messages"]?.array?.map { message in
                let fields = message["headers"]?.array ?? []
                let headers = fields.compactMap { field -> (String, String)? in
                    guard let name = field[0]?.string, let value = field[1]?.string else { return nil }
                    return (name, sieve.restored(value))
                }
                return ProviderWebhook(
                    headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }),
                    body: Array(
                        sieve.restored(String(decoding: Cassette.bytes(message["body"]) ?? [], as: UTF8.self)).utf8))
            }
        }
    }
}

/// The leaves of a JSON by their paths.
enum MemberValue {
    static func all(in json: JSON) -> [String: JSON] {
        var values: [String: JSON] = [:]
        collect(json, "", &values)
        return values
    }

    private static func collect(_ json: JSON, _ path: String, _ values: inout [String: JSON]) {
        func step(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch json {
        case .array(let items): for (index, item) in items.enumerated() { collect(item, step("\(index)"), &values) }
        case .object(let object): for member in object.members { collect(member.value, step(member.key), &values) }
        case .null, .bool, .number, .string: values[path] = json
        }
    }
}

extension JSON {
    /// It on one line.
    var text: String { String(decoding: bytes(), as: UTF8.self) }
}

internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

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
                // Whoever stops waiting gets what the recording ends with all the same.
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

    /// What the provider had sent out by itself when this was asked.
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

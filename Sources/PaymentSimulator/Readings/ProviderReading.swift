internal import PaymentBase
internal import PaymentTransport

/// What a reading changes inside a simulated provider's books; made anew, everything is as usual.
protocol ReadingRules: Sendable {
    init()
}

/// The state of a simulated provider that looks at the rules of the reading that is played.
protocol PlayingState: Sendable {
    associatedtype Play: ReadingRules
    var play: Play { get set }
    /// A body that a reading has changed, signed anew where the provider signs.
    func sealed(_ body: JSON) -> JSON
}

extension PlayingState {
    func sealed(_ body: JSON) -> JSON { body }
}

/// One request as a reading sees it.
struct ReadingExchange: Sendable {
    let method: String
    let path: String
    let headers: HTTPHeaders
    let query: [FormField]
    let body: JSON?
    let now: Int64

    init(_ request: HTTPRequest, at now: Int64) {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (method, path, headers) = (request.method, parts.first.map(String.init) ?? "", request.headers)
        query = FormEncoding.decode(parts.count > 1 ? String(parts[1]) : "") ?? []
        body = try? JSONReader().read(request.body)
        self.now = now
    }

    /// Whether something is sent to a path with this end.
    func posts(_ end: String) -> Bool { method == "POST" && path.hasSuffix(end) }

    /// Whether something is read at a path that begins so.
    func gets(_ start: String) -> Bool { method == "GET" && path.hasPrefix(start) }

    /// The first value of a field of the query.
    func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// How a simulated provider behaves under one reading of its documents; what it leaves alone is as usual.
struct ProviderReading<State: PlayingState>: Sendable {
    typealias Instead = @Sendable (ReadingExchange, inout State) -> SimulatorResponse?
    typealias Answer = @Sendable (ReadingExchange, inout JSON, inout Int) -> Void

    /// What changes in the books.
    var rules = State.Play()
    /// What is answered before the provider looks at a request; nil where it answers by itself.
    var instead: Instead = { _, _ in nil }
    /// What an answer of the provider's becomes, with its status.
    var answer: Answer = { _, _, _ in }
    /// What a message of the provider's becomes; nil for one that is not sent.
    var message: @Sendable (JSON) -> JSON? = { $0 }

    init(_ build: (inout ProviderReading) -> Void = { _ in }) { build(&self) }

    /// Answers a request under the reading.
    func answer(_ request: HTTPRequest, _ state: inout State, now: Int64, _ routes: Router<State>) -> SimulatorResponse
    {
        state.play = rules
        let exchange = ReadingExchange(request, at: now)
        let usual = instead(exchange, &state) ?? routes.answer(request, &state, now: now)
        guard case .reply(var response) = usual, let said = try? JSONReader().read(response.body) else { return usual }
        var (changed, status) = (said, response.status)
        answer(exchange, &changed, &status)
        if changed == said, status == response.status { return usual }
        (response.body, response.status) = (state.sealed(changed).bytes(), status)
        return .reply(response)
    }
}

/// A reading that is played, with what is expected of an adapter under it.
typealias PlayedReading<State: PlayingState> = (word: BehaviorVariant.Expectation, reading: ProviderReading<State>)

/// A simulated provider whose readings change what comes in and goes out, and rules of its books.
protocol PlayingProvider: SimulatedProvider {
    associatedtype State: PlayingState
    var state: Locked<State> { get }
    /// The reading that is played; a reset keeps it.
    var reading: Locked<ProviderReading<State>> { get }
    /// The readings that are played when they are named, by their names without the provider's.
    static var played: [String: PlayedReading<State>] { get }
}

extension PlayingProvider {
    /// Answers a request under the reading that is played.
    func readAnswer(_ request: HTTPRequest, _ routes: Router<State>, now: Int64) -> SimulatorResponse {
        let reading = reading.withLock { $0 }
        return state.withLock { reading.answer(request, &$0, now: now, routes) }
    }

    /// What a message becomes under the reading that is played.
    func told(_ message: JSON) -> JSON? { reading.withLock { $0 }.message(message) }

    /// Reads a list of readings, one on each line: `place|name|what happens`, with `*` before the usual one's name.
    static func listed(_ provider: String, _ text: String) -> [BehaviorVariant] {
        let readings = text.split(separator: "\n").map { line in
            let parts = line.split(separator: "|", maxSplits: 2).map(String.init)
            let (isUsual, name) = (parts[1].hasPrefix("*"), String(parts[1].drop { $0 == "*" }))
            let usual = BehaviorVariant(place: "\(provider).\(parts[0])", name, parts[2], isUsual: isUsual, nil)
            let word = played[String(usual.id.dropFirst(provider.count + 1))]?.word
            return BehaviorVariant(place: usual.place, name, parts[2], isUsual: isUsual, isUsual ? nil : word)
        }
        let listed = Set(readings.map { String($0.id.dropFirst(provider.count + 1)) })
        precondition(listed.isSuperset(of: played.keys), "what is played stands in no list: \(provider)")
        return readings
    }

    /// Plays a reading of a list from now on.
    func begin(_ id: String, of list: [BehaviorVariant], _ provider: String) -> Bool {
        guard let known = list.first(where: { $0.id == id }) else { return false }
        let played = Self.played[String(id.dropFirst(provider.count + 1))]?.reading
        guard let next = known.isUsual ? ProviderReading() : played else { return false }
        reading.withLock { $0 = next }
        state.withLock { $0.play = next.rules }
        return true
    }
}

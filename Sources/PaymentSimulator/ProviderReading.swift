internal import PaymentBase
internal import PaymentTransport

/// What a reading changes inside a simulated provider's books; made again, everything is as usual.
protocol ReadingRules: Sendable {
    init()
}

/// The state of a simulated provider that looks at the rules of the reading that is played.
protocol PlayingState: Sendable {
    associatedtype Play: ReadingRules
    var play: Play { get set }
    /// A body that a reading has changed, signed again where the provider signs.
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
    /// What is answered before the provider looks at a request; nil where it answers on its own.
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

/// One way in which the documents of a provider can be read, where they allow more than one.
///
/// A place of the documents has several readings, of which a simulated provider plays one unless another is named. None
/// of them is known to be the provider's own; the adapter has to be right about the money under each.
public struct BehaviorVariant: Hashable, Sendable, Identifiable {
    /// What the adapter's author wants to see under it.
    public enum Expectation: Hashable, Sendable {
        /// Everything works, or is reported as it is.
        case works
        /// It stops with an error that names a setting, here or at the provider.
        case stops(String)
        /// The same; where even the refusal that says so is lost, an attempt may stay open.
        case stopsOrOpen(String)
        /// It can't be known: an attempt may stay open until a person decides.
        case unknown
    }

    /// The place with the reading, such as `adyen.tip.asked-on-terminal` or `halo.acknowledge/3`; stable.
    public let id: String
    /// The place in the documents, such as `adyen.tip`.
    public let place: String
    /// What the provider does under it.
    public let summary: String
    /// Whether it is the one that is played when none is named.
    public let isUsual: Bool
    /// What is expected of an adapter; nil for a reading that the simulated provider can't play.
    public private(set) var word: Expectation?

    /// Whether the simulated provider can play it.
    public var isPlayed: Bool { isUsual || word != nil }

    /// The same, of which an adapter's author expects something else over another link.
    public func expecting(_ word: Expectation) -> BehaviorVariant {
        var copy = self
        copy.word = word
        return copy
    }

    init(place: String, _ name: String, _ summary: String, isUsual: Bool, _ word: Expectation?) {
        (self.place, self.summary, self.isUsual, self.word) = (place, summary, isUsual, word)
        // Where the readings of a place are numbered, the number is behind a stroke.
        id = name.count == 1 && name.first?.isNumber == true ? "\(place)/\(name)" : "\(place).\(name)"
    }
}

/// A simulated provider that can play other readings of its provider's documents than the usual ones.
public protocol VariantProvider: SimulatedProvider {
    /// Every place of the documents that can be read in more than one way, with all its readings.
    static var readings: [BehaviorVariant] { get }
    /// Plays a reading from now on; false for one that it doesn't know or can't play. A reset keeps it.
    func play(_ reading: String) -> Bool
}

extension SimulatorRegistry {
    /// Readings that are listed and that no simulated provider can play.
    public static let unplayed = Set(readings.filter { !$0.isPlayed }.map(\.id))

    /// The readings of all providers' documents.
    public static let readings =
        AdyenSimulator.readings + ARISESimulator.readings + EcommpaySimulator.readings + HaloSimulator.readings
        + NISimulator.readings
}

extension VariantProvider {
    /// The readings that are played when they are named.
    public static var playable: [BehaviorVariant] { readings.filter { $0.word != nil && !$0.isUsual } }
}

extension JSON {
    /// The same with what is at a place changed; nil takes it away, and where nothing is it may be put.
    func changing(_ names: String..., to change: (JSON?) -> JSON?) -> JSON { changing(names[...], change) }

    private func changing(_ names: ArraySlice<String>, _ change: (JSON?) -> JSON?) -> JSON {
        guard var object, let name = names.first else { return self }
        if names.count == 1 {
            object[name] = change(object[name])
        } else if let inner = object[name] {
            object[name] = inner.changing(names.dropFirst(), change)
        }
        return .object(object)
    }

    /// The same without what is at a place.
    func without(_ names: String...) -> JSON { changing(names[...]) { _ in nil } }

    /// The same with a value put at a place, whose surroundings are there.
    func putting(_ value: JSON, at names: String...) -> JSON { changing(names[...]) { _ in value } }
}

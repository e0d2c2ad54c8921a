public import PaymentBase
public import PaymentTransport

/// A provider's paths, each with what it does there to the provider's state.
///
/// ```swift
/// static let routes = Router<State>(refusal: refusal) { routes in
///     routes.check { call, provider in provider.knows(call.bearer) ? nil : .reply(refusal(.accessRefused)) }
///     routes.post("/token", .form, isOpen: true) { call, provider in provider.signIn(call.form("secret")) }
///     routes.get("/payments/:id") { call, provider in provider.details(call["id"]) }
///     routes.post("/payments/:id/refund", .json) { call, provider in provider.refund(call["id"], call.json) }
/// }
///
/// func answer(_ request: HTTPRequest) async -> SimulatorResponse {
///     state.withLock { Self.routes.answer(request, &$0, now: clock.now) }
/// }
/// ```
///
/// A handler runs alone with the state: nothing of another request comes in between. Words come before names, so
/// `/payments/new` is found before `/payments/:id`, whatever their order.
public struct Router<Provider: Sendable>: Sendable {
    /// What is done at a path.
    public typealias Handler = @Sendable (SimulatorRequest, inout Provider) -> SimulatorResponse
    /// What every call but the open ones has to pass; nil lets it through.
    public typealias Check = @Sendable (SimulatorRequest, inout Provider) -> SimulatorResponse?

    private struct Route: Sendable {
        let method: String
        let pattern: RoutePattern
        let body: BodyKind
        let headers: [String]
        let isOpen: Bool
        let handler: Handler
    }

    private let refusal: @Sendable (SimulatorRefusal) -> HTTPResponse
    private var routes: [Route] = []
    private var check: Check?

    /// Makes a router; `refusal` says in the provider's own words what the router refuses.
    public init(
        refusal: @escaping @Sendable (SimulatorRefusal) -> HTTPResponse, _ build: (inout Router<Provider>) -> Void
    ) {
        self.refusal = refusal
        build(&self)
    }

    /// Every method with its pattern, in the order in which they were added.
    public var list: [(method: String, pattern: String)] { routes.map { ($0.method, $0.pattern.text) } }

    // MARK: Adding routes

    /// What every call has to pass before anything else, paths that don't exist included; open routes are spared.
    public mutating func check(_ check: @escaping Check) { self.check = check }

    /// Adds a path that is read.
    public mutating func get(
        _ pattern: String, headers: [String] = [], isOpen: Bool = false, _ handler: @escaping Handler
    ) { add("GET", pattern, .any, headers, isOpen, handler) }

    /// Adds a path that something is sent to.
    public mutating func post(
        _ pattern: String, _ body: BodyKind, headers: [String] = [], isOpen: Bool = false, _ handler: @escaping Handler
    ) { add("POST", pattern, body, headers, isOpen, handler) }

    /// Adds a path under which something is replaced.
    public mutating func put(
        _ pattern: String, _ body: BodyKind, headers: [String] = [], isOpen: Bool = false, _ handler: @escaping Handler
    ) { add("PUT", pattern, body, headers, isOpen, handler) }

    /// Adds a path under which something is changed in part.
    public mutating func patch(
        _ pattern: String, _ body: BodyKind, headers: [String] = [], isOpen: Bool = false, _ handler: @escaping Handler
    ) { add("PATCH", pattern, body, headers, isOpen, handler) }

    /// Adds a path that is removed.
    public mutating func delete(
        _ pattern: String, headers: [String] = [], isOpen: Bool = false, _ handler: @escaping Handler
    ) { add("DELETE", pattern, .any, headers, isOpen, handler) }

    private mutating func add(
        _ method: String, _ pattern: String, _ body: BodyKind, _ headers: [String], _ isOpen: Bool,
        _ handler: @escaping Handler
    ) {
        precondition(
            !routes.contains { $0.method == method && $0.pattern.text == pattern }, "\(method) \(pattern) comes twice")
        guard let read = RoutePattern(pattern) else { preconditionFailure("\(pattern) is no pattern") }
        routes.append(
            Route(method: method, pattern: read, body: body, headers: headers, isOpen: isOpen, handler: handler))
    }

    // MARK: Answering

    /// Finds the route and does what it says; refuses what doesn't fit.
    public func answer(_ request: HTTPRequest, _ provider: inout Provider, now: Int64) -> SimulatorResponse {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pieces = RoutePattern.pieces(of: parts.first ?? "")
        let fitting = pieces.map { pieces in routes.filter { $0.pattern.match(pieces) != nil } } ?? []
        let route = fitting.filter { $0.method == request.method }
            .reduce(nil) { best, next in best.map { next.pattern.isMoreExact(than: $0.pattern) ? next : $0 } ?? next }
        if route?.isOpen != true, let answer = check?(SimulatorRequest(request, now: now), &provider) { return answer }
        guard let pieces, let query = FormEncoding.decode(parts.count > 1 ? String(parts[1]) : "") else {
            return .reply(refusal(.malformed))
        }
        guard let route else { return .reply(notFound(fitting)) }
        if let missing = route.headers.first(where: { request.headers[$0] == nil }) {
            return .reply(refusal(.missingHeader(missing)))
        }
        guard route.body.accepts(request.headers["Content-Type"]) else { return .reply(refusal(.wrongMediaType)) }
        guard let (json, form) = Self.read(request.body, route.body) else { return .reply(refusal(.malformed)) }
        let call = SimulatorRequest(
            request, now: now, json: json, form: form, query: query, parameters: route.pattern.match(pieces) ?? [:])
        return route.handler(call, &provider)
    }

    private func notFound(_ fitting: [Route]) -> HTTPResponse {
        if fitting.isEmpty { return refusal(.unknownPath) }
        var response = refusal(.wrongMethod)
        response.headers["Allow"] = Set(fitting.map(\.method)).sorted().joined(separator: ", ")
        return response
    }

    private static func read(_ body: [UInt8], _ kind: BodyKind) -> (json: JSON?, form: [FormField])? {
        switch kind {
        case .any: return (nil, [])
        case .json: return (try? JSONReader().read(body)).map { ($0, []) }
        case .form:
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            return FormEncoding.decode(text).map { (nil, $0) }
        }
    }
}

/// A path with names in it: `/payments/:id/refund`.
struct RoutePattern: Hashable, Sendable {
    /// One piece between two slashes.
    enum Segment: Hashable, Sendable {
        case word(String)
        case parameter(String)
    }

    let text: String
    let segments: [Segment]

    /// Reads a pattern; nil unless it begins with a slash and each name comes once.
    init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        self.text = text
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
            piece.hasPrefix(":") ? .parameter(String(piece.dropFirst())) : .word(String(piece))
        }
        let names = segments.compactMap { segment in
            if case .parameter(let name) = segment { return name }
            return nil
        }
        guard Set(names).count == names.count else { return nil }
    }

    /// The pieces of a path, without escapes; nil when an escape is broken.
    static func pieces(of path: Substring) -> [String]? {
        guard path.first == "/" else { return nil }
        var pieces: [String] = []
        for piece in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = PercentEncoding.decode(String(piece)) else { return nil }
            pieces.append(text)
        }
        return pieces
    }

    /// The values of the names, if the path fits; a name is never empty.
    func match(_ pieces: [String]) -> [String: String]? {
        guard pieces.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, piece) in zip(segments, pieces) {
            switch segment {
            case .word(let word): if word != piece { return nil }
            case .parameter(let name):
                if piece.isEmpty { return nil }
                values[name] = piece
            }
        }
        return values
    }

    /// Words come before names, from the left: `/payments/new` before `/payments/:id`.
    func isMoreExact(than other: RoutePattern) -> Bool {
        for (one, two) in zip(segments, other.segments) {
            switch (one, two) {
            case (.word, .parameter): return true
            case (.parameter, .word): return false
            case (.word, .word), (.parameter, .parameter): continue
            }
        }
        return false
    }
}

/// What kind of body a route takes; anything else is answered with 415, an unreadable one with 400.
public enum BodyKind: Hashable, Sendable, CaseIterable {
    /// The body is not looked at.
    case any
    /// JSON, which has to be there.
    case json
    /// A form, as browsers send it.
    case form

    /// Whether a `Content-Type` fits.
    func accepts(_ contentType: String?) -> Bool {
        let given = contentType?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } ?? ""
        return switch self {
        case .any: true
        case .json: given == "application/json" || given.hasPrefix("application/") && given.hasSuffix("+json")
        case .form: given == "application/x-www-form-urlencoded"
        }
    }
}

/// One request as a provider's handler sees it, taken apart.
public struct SimulatorRequest: Sendable {
    /// The request as it came.
    public let request: HTTPRequest
    /// When it came, by the provider's clock.
    public let now: Int64
    /// The body, where it is JSON.
    public let json: JSON?
    /// The fields of a form, in their order; empty where the body is none.
    public let form: [FormField]
    /// The fields of the query, in their order.
    public let query: [FormField]
    private let parameters: [String: String]

    init(
        _ request: HTTPRequest, now: Int64, json: JSON? = nil, form: [FormField] = [], query: [FormField] = [],
        parameters: [String: String] = [:]
    ) {
        (self.request, self.now, self.json, self.form) = (request, now, json, form)
        (self.query, self.parameters) = (query, parameters)
    }

    /// What is in the path under a name of the pattern; empty where the pattern has no such name.
    public subscript(name: String) -> String { parameters[name] ?? "" }

    /// The first value of a field of the query.
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first value of a field of the form.
    public func form(_ name: String) -> String? { form.first { $0.name == name }?.value }

    /// The attempt that a harness says it belongs to: a label for the books where a provider's own wire names none.
    /// It must decide nothing; outside of a harness it is empty.
    public var attemptLabel: String { request.headers[Self.attemptHeader] ?? "" }
    /// The header that carries the label.
    public static let attemptHeader = "Sandbox-Attempt"

    /// The token after `Bearer` in the `Authorization` header.
    public var bearer: String? {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return nil }
        return String(header.dropFirst(7))
    }
}

extension SimulatorRequest {
    /// The furthest place in a list that is looked for.
    static let placesMax = 1_000_000_000

    /// The part of a list that a query asks for, from the place that a field names: twenty items unless it says another
    /// number up to a hundred.
    func part(from name: String) -> (start: Int, limit: Int) {
        func number(_ name: String, _ usual: Int, _ range: ClosedRange<Int>) -> Int {
            min(range.upperBound, max(range.lowerBound, query(name).flatMap { Int($0) } ?? usual))
        }
        return (number(name, 0, 0...Self.placesMax), number("limit", 20, 1...100))
    }
}

/// What a provider refuses before or beside its own rules; each provider says it with a body of its own.
public enum SimulatorRefusal: Hashable, Sendable {
    /// The request could not be read.
    case malformed
    /// There is nothing under this path.
    case unknownPath
    /// The path is known, but not under this method.
    case wrongMethod
    /// The body is of a kind that this path doesn't take.
    case wrongMediaType
    /// A header field is missing.
    case missingHeader(String)
    /// The access was refused before anything was done.
    case accessRefused
    /// Too many requests; nothing was done.
    case rateLimited
    /// Something broke; the status is 500, 502, 503 or 504, and the answer does not tell whether anything was done.
    case broken(status: Int)

    /// The status that goes with it.
    public var status: Int {
        switch self {
        case .malformed, .missingHeader: 400
        case .accessRefused: 401
        case .unknownPath: 404
        case .wrongMethod: 405
        case .wrongMediaType: 415
        case .rateLimited: 429
        case .broken(let status): status
        }
    }
}

internal import PaymentBase
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

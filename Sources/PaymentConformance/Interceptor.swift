public import PaymentBase
public import PaymentTransport

/// What is between a driver and its provider: it may look, change, hold back, repeat or drop.
///
/// ```swift
/// Interceptor { (request, next) async throws(TransportFailure) in
///     var response = try await next(request)
///     if request.path.hasSuffix("/payments") { response.status = 500 }
///     return response
/// }
/// ```
public struct Interceptor: Sendable {
    /// Carries a request on.
    public typealias Next = @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse
    /// Deals with one request.
    public typealias Pass = @Sendable (HTTPRequest, @escaping Next) async throws(TransportFailure) -> HTTPResponse

    private let pass: Pass

    /// Makes an interceptor of a function.
    public init(_ pass: @escaping Pass) { self.pass = pass }

    /// Lets everything through.
    public static let open = Interceptor { (request, next) async throws(TransportFailure) in try await next(request) }

    /// Sends a request through it.
    public func send(_ request: HTTPRequest, _ next: @escaping Next) async throws(TransportFailure) -> HTTPResponse {
        try await pass(request, next)
    }

    /// This one first, and another behind it, nearer to the provider.
    public func before(_ inner: Interceptor) -> Interceptor {
        Interceptor { (request, next) async throws(TransportFailure) in
            try await send(request) { (request) async throws(TransportFailure) in try await inner.send(request, next) }
        }
    }
}

/// One change of messages on the line, by the path of a member: what most broken drivers are made of.
///
/// ```swift
/// MessageRewrite.request("/payments", "amount.minorUnits") { .number(JSONNumber(($0.int64 ?? 0) / 100)) }
/// MessageRewrite.reply("/payments", "state") { $0.string == "declined" ? "approved" : $0 }
/// ```
public struct MessageRewrite: Sendable {
    private enum Side: Sendable { case request, reply }

    private let side: Side
    private let ending: String
    private let path: FieldPath
    private let change: @Sendable (JSON) -> JSON?

    private init(
        _ side: Side, _ ending: String, _ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?
    ) {
        (self.side, self.ending, self.path, self.change) = (side, ending, path, change)
    }

    /// Changes a member of the requests whose path ends so.
    public static func request(
        _ ending: String, _ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Interceptor { MessageRewrite(.request, ending, path, change).interceptor }

    /// Changes a member of the replies to requests whose path ends so.
    public static func reply(
        _ ending: String, _ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Interceptor { MessageRewrite(.reply, ending, path, change).interceptor }

    private var interceptor: Interceptor {
        Interceptor { (request, next) async throws(TransportFailure) in
            guard request.path.hasSuffix(ending) else { return try await next(request) }
            var request = request
            if side == .request { request.body = changed(request.body) }
            var reply = try await next(request)
            if side == .reply { reply.body = changed(reply.body) }
            return reply
        }
    }

    /// A body with the change made; what is no JSON stays as it is.
    private func changed(_ body: [UInt8]) -> [UInt8] {
        guard let json = try? JSONReader().read(body) else { return body }
        return path.changing(json, change).bytes()
    }
}

extension CheckContext {
    /// Changes the JSON of the next answer about money that the change makes a difference to; gives whether that was
    /// done.
    @discardableResult
    func rewriteOnce(_ change: @escaping @Sendable (JSON) -> JSON) -> @Sendable () -> Bool {
        let isDone = Locked(false)
        rewrite(
            Interceptor { (request, next) async throws(TransportFailure) in
                var reply = try await next(request)
                guard request.method != "GET", CurrentAttempt.id != nil, let json = try? JSONReader().read(reply.body)
                else { return reply }
                let changed = change(json)
                let isFirst = isDone.withLock { done in
                    if done || changed == json { return false }
                    done = true
                    return true
                }
                if isFirst { reply.body = changed.bytes() }
                return reply
            })
        return { isDone.withLock { $0 } }
    }
}

/// Names members of a JSON by their path: `amount.minorUnits`; `*` is any one step, `**` any number.
public struct FieldPath: Hashable, Sendable, ExpressibleByStringLiteral {
    private let steps: [String]

    /// Reads a path, its steps separated by dots; a step of an array is its index.
    public init(_ text: String) { steps = text.split(separator: ".").map(String.init) }
    public init(stringLiteral value: String) { self.init(value) }

    /// Puts `change` in the place of every value that the path names; nil takes the member away.
    public func changing(_ json: JSON, _ change: (JSON) -> JSON?) -> JSON {
        Self.changing(json, steps[...], change) ?? .null
    }

    private static func changing(_ json: JSON, _ steps: ArraySlice<String>, _ change: (JSON) -> JSON?) -> JSON? {
        guard let step = steps.first else { return change(json) }
        let rest = steps.dropFirst()
        var given = json
        if step == "**" {
            guard let here = changing(json, rest, change) else { return nil }
            given = here
        }
        let next = step == "**" ? steps : rest
        switch given {
        case .null, .bool, .number, .string: return given
        case .array(let items):
            return .array(
                items.enumerated().compactMap { index, item in
                    step == "*" || step == "**" || step == String(index) ? changing(item, next, change) : item
                })
        case .object(let object):
            var changed = JSONObject()
            for member in object.members {
                let fits = step == "*" || step == "**" || step == member.key
                changed[member.key] = fits ? changing(member.value, next, change) : member.value
            }
            return .object(changed)
        }
    }

    /// Every member that is there, as one path each, from the outside in.
    public static func all(in json: JSON) -> [FieldPath] { paths(json).map { FieldPath($0.joined(separator: ".")) } }

    private static func paths(_ json: JSON) -> [[String]] {
        switch json {
        case .null, .bool, .number, .string: []
        case .array(let items):
            items.enumerated().flatMap { index, item in [[String(index)]] + paths(item).map { [String(index)] + $0 } }
        case .object(let object):
            object.members.flatMap { member in [[member.key]] + paths(member.value).map { [member.key] + $0 } }
        }
    }
}

extension FieldPath: CustomStringConvertible {
    public var description: String { steps.joined(separator: ".") }
}

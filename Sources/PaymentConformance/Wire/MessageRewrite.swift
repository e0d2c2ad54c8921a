public import PaymentBase
internal import PaymentTransport

/// One change of messages on the line, by the path of a member: what most broken drivers are made of.
///
/// ```swift
/// Rewrite.request("/payments", "amount.minorUnits") { .number(JSONNumber(($0.int64 ?? 0) / 100)) }
/// Rewrite.reply("/payments", "state") { $0.string == "declined" ? "approved" : $0 }
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

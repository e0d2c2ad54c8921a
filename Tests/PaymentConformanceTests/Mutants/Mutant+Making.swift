import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    /// A mutant that changes messages.
    static func wire(
        _ id: String, _ sentence: String, caughtBy check: String, _ interceptor: @escaping @Sendable () -> Interceptor
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.interceptor = interceptor
        return mutant
    }

    /// A mutant that changes one member of requests.
    static func request(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { wire(id, sentence, caughtBy: check) { MessageRewrite.request(ending, path, change) } }

    /// A mutant that changes one member of replies.
    static func reply(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { wire(id, sentence, caughtBy: check) { MessageRewrite.reply(ending, path, change) } }

    /// A mutant that reads one word as another.
    static func word(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ from: String, as word: String
    ) -> Mutant {
        reply(id, sentence, caughtBy: check, ending, "state") { $0.string == from ? .string(word) : $0 }
    }

    /// A mutant that asks for another amount and says that it was the right one.
    static func amount(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String = "/payments",
        currency: String? = nil,
        _ change: @escaping @Sendable (Int64) -> Int64
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.hasSuffix(ending), let asked = read(request.body), let amount = asked["amount"],
                    let units = amount["minorUnits"]?.int64, currency == nil || amount["currency"]?.string == currency
                else { return try await next(request) }
                var request = request
                let path: FieldPath = "amount.minorUnits"
                request.body = path.changing(asked) { _ in .number(JSONNumber(change(units))) }.bytes()
                var reply = try await next(request)
                if let said = read(reply.body) {
                    let changed = FieldPath("amount").changing(said) { _ in amount }
                    reply.body = FieldPath("partial").changing(changed) { _ in nil }.bytes()
                }
                return reply
            }
        }
    }

    /// A mutant that sends requests to another place.
    static func target(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (String, String) -> String
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                request.target = change(request.method, request.target)
                return try await next(request)
            }
        }
    }

    /// A mutant that sends some requests twice.
    static func twice(_ id: String, _ sentence: String, caughtBy check: String, _ ending: String) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                if request.path.hasSuffix(ending), request.method == "POST" { _ = try await next(request) }
                return try await next(request)
            }
        }
    }

    /// A mutant that answers in the provider's place when something came back.
    static func answer(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String,
        _ change: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                let reply = try await next(request)
                return request.path.hasSuffix(ending) ? change(request, reply) : reply
            }
        }
    }

    /// A mutant that takes one failure for another.
    static func failure(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (TransportFailure) -> TransportFailure
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                do throws(TransportFailure) { return try await next(request) } catch { throw change(error) }
            }
        }
    }

    /// A mutant that replaces methods of the driver.
    static func driver(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout HookedDriver) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.wrapDriver = HookedDriver.over(change)
        return mutant
    }

    /// A mutant of what is around the client.
    static func around(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout ClientOptions) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.changeOptions = { given in
            var given = given
            change(&given)
            return given
        }
        return mutant
    }

    /// A mutant of what the provider sends out by itself.
    static func news(
        _ id: String, _ sentence: String, caughtBy check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.changeWebhook = { news in
            var news = news
            if let body = read(news.body) { news.body = path.changing(body, change).bytes() }
            return news
        }
        return mutant
    }

    static func read(_ body: [UInt8]) -> JSON? { try? JSONReader().read(body) }

    /// An answer that says that the payment asked for was declined.
    static func declined(_ request: HTTPRequest) -> HTTPResponse {
        said(["state": "declined", "code": "05", "id": "mp_0"], to: request)
    }

    /// An answer about the attempt that a request is about.
    static func said(_ members: JSONObject, to request: HTTPRequest) -> HTTPResponse {
        var members = members
        if let attempt = read(request.body)?["attempt"] { members["attempt"] = attempt }
        return HTTPResponse(200, body: JSON.object(members).bytes())
    }
}

import PaymentBase
import PaymentConformance
import PaymentTransport
import Testing

/// One change of the messages whose path contains a part.
struct LineChange: Sendable {
    let path: FieldPath
    let change: @Sendable (JSON) -> JSON?

    init(_ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?) {
        (self.path, self.change) = (path, change)
    }

    /// One word read as another.
    static func word(_ path: FieldPath, _ from: String, _ word: String) -> LineChange {
        LineChange(path) { $0.string == from ? .string(word) : $0 }
    }

    func changed(_ body: [UInt8]) -> [UInt8] {
        guard let json = try? JSONReader().read(body) else { return body }
        return path.changing(json, change).bytes()
    }
}

extension Mutant {
    /// A mutant of an adapter's own mapping: it reads the replies in another way.
    static func reads(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        connection(id, sentence, check, part) { request, next async throws(TransportFailure) in
            var reply = try await next(request)
            for change in changes { reply.body = change.changed(reply.body) }
            return reply
        }
    }

    /// A mutant of an adapter's own mapping: it writes its requests in another way.
    static func writes(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        connection(id, sentence, check, part) { request, next async throws(TransportFailure) in
            var request = request
            for change in changes { request.body = change.changed(request.body) }
            return try await next(request)
        }
    }

    /// A mutant that does something else with the requests whose path contains a part.
    static func connection(
        _ id: String, _ sentence: String, _ check: String, _ part: String,
        _ send: @escaping @Sendable (HTTPRequest, Interceptor.Next) async throws(TransportFailure) -> HTTPResponse
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.interceptor = {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.contains(part) else { return try await next(request) }
                return try await send(request, next)
            }
        }
        return mutant
    }

    /// Fails unless the shipped driver passes the check and the mutant does not.
    func isCaught(_ harness: any ConformanceHarness) throws {
        let check = try #require(Check.all.first { $0.id == caughtBy }, "there is no such check")
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(harness)
        conformance.mutant = self
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(self) survives: \(result.status) \(result.detail)")
    }
}

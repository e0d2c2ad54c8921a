package import PaymentBase
package import PaymentCore
package import PaymentHTTPServer
package import PaymentJournalKit
package import PaymentTransport

/// A shop: whose payments a key reaches, with the client that serves it.
package struct ServiceShop: Sendable {
    /// The name, as keys have it.
    package let name: String
    /// The scope of its client.
    package let scope: String
    /// The client.
    package let client: PaymentClient

    /// Names a shop.
    package init(_ name: String, scope: String, client: PaymentClient) {
        (self.name, self.scope, self.client) = (name, scope, client)
    }
}

/// What a service needs.
package struct ServiceOptions: Sendable {
    /// The shops, by name.
    package var shops: [String: ServiceShop]
    /// The keys.
    package var keys: [ServiceKey]
    /// What takes the messages of providers, if there are several shops: a client whose events no shop follows.
    package var intake: PaymentClient?
    /// Clients of scopes that no shop serves: what messages say of their attempts is followed as well.
    package var keyless: [PaymentClient] = []
    /// What computes the digests of keys.
    package var crypto: any Crypto
    /// What time it is.
    package var clock: any PaymentClock = SystemClock()
    /// Where the ids of requests come from.
    package var random: any RandomSource = SystemRandom()
    /// Where the questions of the shops' clients come from; nil if nothing is asked over HTTP.
    package var desk: QuestionDesk?
    /// What runs the service's tasks; nil for the global pool.
    package var executor: (any TaskExecutor)?
    /// The program's version.
    package var version = ""
    /// The readers of simulated providers, for tests of tills; nil if none is simulated.
    package var simulator: ServiceSimulator?
    /// What takes a line about each call, and says whether it is kept; nil if none is.
    package var audit: (@Sendable (JSON) -> Bool)?
    /// The receivers of webhooks.
    package var webhooks: [WebhookEndpoint] = []
    /// What only `journal check` shows to a person; nil where nothing keeps it.
    package var marks: (@Sendable () async throws -> [PersonMark])?
    /// Whether a proxy stands in front whose fields about the client are believed.
    package var trustsProxy = false
    /// How many requests may wait for something at a time. Each has a connection: there must be more connections.
    package var waitsMax = WaitRoom.waitsMax
    /// How many streams of events there may be. Each has a connection, too.
    package var streamsMax = 2_048

    /// Takes shops and keys.
    package init(shops: [ServiceShop], keys: [ServiceKey], crypto: any Crypto) {
        self.shops = Dictionary(shops.map { ($0.name, $0) }) { first, _ in first }
        (self.keys, self.crypto) = (keys, crypto)
    }
}

/// The payment API over HTTP: one table of operations over one client for each shop.
///
/// ```swift
/// let service = PaymentService(ServiceOptions(shops: [shop], keys: keys, crypto: OpenSSLCrypto()))
/// let server = try MicroHTTPServer(at: address, handler: service)
/// ```
///
/// The service carries every attempt: a request only waits for it, so that a client that disconnects leaves nothing half
/// done.
package final class PaymentService: HTTPRequestHandler {
    private let core: ServiceCore
    private let router: Router

    /// Makes a service; it opens nothing.
    package init(_ options: ServiceOptions) {
        core = ServiceCore(options)
        router = Router(OperationTable.all)
    }

    /// The OpenAPI document of all operations, as JSON.
    package static func openAPI(version: String) -> [UInt8] {
        OpenAPIDocument(OperationTable.all, version: version).json.bytes()
    }

    /// The operations, a line each: method, path, role and what it does.
    package static var operations: [(id: String, method: String, path: String, role: String?, summary: String)] {
        OperationTable.all.map { ($0.id, $0.method, $0.path, $0.role?.rawValue, $0.summary) }
    }

    /// What an operation takes, by name.
    package static func parameters(of id: String) -> [String] {
        OperationTable.all.first { $0.id == id }?.parameters.map(\.name) ?? []
    }

    /// The program's version.
    var version: String { core.options.version }

    // MARK: - The handler

    package func refusal(of head: RequestHead) -> ServerResponse? {
        let (line, route) = asked(head)
        do throws(Problem) {
            _ = try admit(head, line.key, route)
            return nil
        } catch {
            return closed(line, response(to: error, line), since: core.clock.uptime)
        }
    }

    package func refusal(_ status: Int) -> ServerResponse {
        let problem =
            status == 413
            ? Problem(.tooLarge, "A body has at most 64 KB.")
            : Problem(.invalidRequest, "The request is no sound HTTP/1.1 request.")
        return response(to: problem, line(RequestHead(method: "", target: "")))
    }

    package func response(to request: ServerRequest) async -> ServerResponse {
        guard let trace = request.head.value("traceparent").flatMap({ TraceContext($0) }) else {
            return await answer(to: request)
        }
        return await TraceContext.$current.withValue(trace) { await answer(to: request) }
    }

    private func answer(to request: ServerRequest) async -> ServerResponse {
        let begun = core.clock.uptime
        let route: Router.Route
        var line: AuditLine
        (line, route) = asked(request.head)
        do throws(Problem) {
            let admitted = try admit(request.head, line.key, route)
            let call = try self.call(admitted, request)
            line.attempt = call.attempt ?? call.input[.attempt]
            let response = try await run(admitted.operation, call, request.body)
            // What was waited for under a key that was removed since is not shown; about money, it is.
            if let key = admitted.key, admitted.operation.effect == .reads,
                !core.keys.isKnown(key, at: core.clock.now)
            {
                throw Self.unknownKey
            }
            return closed(line, finished(response, line), since: begun)
        } catch {
            if error.code == .journal, line.operation?.effect == .moves { core.isJournalFailing.withLock { $0 = true } }
            return closed(line, response(to: error, line), since: begun)
        }
    }

    /// Counts an answer and keeps its line.
    private func closed(_ line: AuditLine, _ response: ServerResponse, since begun: Int64) -> ServerResponse {
        let milliseconds = core.clock.uptime.subtractingSaturating(begun)
        core.metrics.count(line.operation?.id ?? "none", response.status, milliseconds: milliseconds)
        let isKept = core.options.audit?(line.json(response.status, milliseconds: milliseconds)) ?? true
        if !isKept { core.metrics.countLostAuditLine() }
        return response
    }

    /// Who asks for what.
    private func asked(_ head: RequestHead) -> (line: AuditLine, route: Router.Route) {
        var line = line(head)
        let route = router.route(head)
        line.key = core.keys.key(head.value("authorization"), at: core.clock.now)
        if case .found(let operation, _) = route { line.operation = operation }
        return (line, route)
    }

    private func line(_ head: RequestHead) -> AuditLine {
        AuditLine(
            head, at: core.clock.now, requestID: Hex.encode(core.options.random.bytes(8)),
            trustsProxy: core.options.trustsProxy)
    }

    // MARK: - Keys and health

    /// Takes other keys in place of those that it has. Waits of keys that are gone end.
    package func replaceKeys(_ fresh: [ServiceKey]) {
        core.room.end(of: core.keys.replace(fresh))
        core.metrics.countKeys(isGood: true)
    }

    /// Counts that the file of keys could not be read: the keys of before stay.
    package func keysRefused() { core.metrics.countKeys(isGood: false) }

    /// Takes other receivers of webhooks in place of those that it has, which it returns: the metrics are about the new ones.
    package func replaceWebhooks(_ fresh: [WebhookEndpoint]) -> [WebhookEndpoint] {
        core.webhooks.withLock { held in
            defer { held = fresh }
            return held
        }
    }

    /// What answers health and metrics, at a listener of its own.
    package var admin: AdminHandler { AdminHandler(core) }

    // MARK: - Stop

    /// Begins no further attempt and ends every wait. Attempts that run continue.
    package func beginStop() {
        core.carrier.beginStop()
        core.room.endAll()
    }

    /// Waits until no attempt runs, at most for so long; says whether that came.
    package func drain(within limit: Duration) async -> Bool {
        await core.carrier.idle(within: max(0, limit.wholeMilliseconds))
    }

    // MARK: - One request

    /// A request whose head is good: its key may call the operation.
    private struct Admitted {
        let operation: Operation
        let path: [String: String]
        let key: ServiceKey?
        let shop: ServiceShop
    }

    /// Checks key, route and role, in this order.
    private func admit(
        _ head: RequestHead, _ key: ServiceKey?, _ route: Router.Route
    ) throws(Problem) -> Admitted {
        let isOpen: Bool
        if case .found(let operation, _) = route { isOpen = operation.role == nil } else { isOpen = false }
        if key == nil, !isOpen, head.path.hasPrefix("/v1/") || head.path == "/v1" {
            throw Self.unknownKey
        }
        switch route {
        case .none: throw .notFound("resource at this path")
        case .methods(let allowed):
            var problem = Problem(.methodNotAllowed, "This resource has \(allowed.joined(separator: ", ")).")
            problem.headers = [HTTPField("Allow", allowed.joined(separator: ", "))]
            throw problem
        case .found(let operation, let path):
            if let role = operation.role, let key, key.role < role {
                throw Problem(.forbidden, "This needs a key of the role \(role.rawValue) (got \(key.role.rawValue)).")
            }
            if let operations = key?.operations, operation.role != nil, !operations.contains(operation.id) {
                throw Problem(.forbidden, "This key may not call \(operation.id).")
            }
            if operation.takesJSON { try Self.checkType(head) }
            let shop = key.flatMap { core.options.shops[$0.shop] } ?? core.options.shops.values.first
            guard let shop else { throw Problem(.forbidden, "The key's shop is not served here.") }
            if let key, key.shop != shop.name { throw Problem(.forbidden, "The key's shop is not served here.") }
            return Admitted(operation: operation, path: path, key: key, shop: shop)
        }
    }

    private static let unknownKey: Problem = {
        var problem = Problem(.unauthorized, "Send a known key as `Authorization: Bearer KEY`.")
        problem.headers = [HTTPField("WWW-Authenticate", "Bearer")]
        return problem
    }()

    private static func checkType(_ head: RequestHead) throws(Problem) {
        let wrong = Problem(.unsupportedMediaType, "The body is JSON: send `Content-Type: application/json`.")
        let length = head.value("content-length")
        let hasBody = length.map { $0 != "0" } ?? !head.values("transfer-encoding").isEmpty
        let values = head.values("content-type")
        if values.isEmpty, !hasBody { return }
        guard values.count == 1, head.values("content-encoding").isEmpty else { throw wrong }
        let parts = values[0].lowercased().split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        let isUTF8 = parts.count == 1 || parts.count == 2 && ["charset=utf-8", "charset=\"utf-8\""].contains(parts[1])
        guard parts[0] == "application/json", isUTF8 else { throw wrong }
    }

    private func call(_ admitted: Admitted, _ request: ServerRequest) throws(Problem) -> ServiceCall {
        let (operation, head) = (admitted.operation, request.head)
        guard let query = head.query.map({ FormEncoding.decode($0) }) ?? [] else {
            throw Problem(.invalidRequest, "The query is not percent-encoded UTF-8.")
        }
        let body = operation.takesJSON ? try BodyReader.members(request.body) : nil
        if operation.method == "GET", !request.body.isEmpty { throw Problem(.invalidRequest, "A GET has no body.") }
        let input = try Input(operation.parameters, path: admitted.path, query: query, body: body)
        var call = ServiceCall(
            service: core, shop: admitted.shop, key: admitted.key, input: input, head: head)
        let isMoney = operation.effect == .moves
        call.waitMilliseconds = Preferences.wait(head) ?? (operation.waits ? ServiceCore.defaultWaitMilliseconds : 0)
        guard isMoney else { return call }
        guard let text = head.value("idempotency-key") else {
            throw Problem(.keyMissing, "Send one Idempotency-Key: a UUID that names this operation.")
        }
        guard let attempt = AttemptID(key: text) else {
            throw Problem(.keyMissing, "The Idempotency-Key is a UUID, such as 0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a.")
        }
        call.attempt = attempt
        return call
    }

    private func run(
        _ operation: Operation, _ call: ServiceCall, _ body: [UInt8]
    ) async throws(Problem) -> ServerResponse {
        do {
            switch operation.work {
            case .answers(let run):
                let answer = try await run(call)
                return ServerResponse(answer.status, answer.fields, .bytes(answer.body.bytes()))
            case .carries(let prepare):
                guard let attempt = call.attempt else { throw Problem(.keyMissing, "Send an Idempotency-Key.") }
                return try await MoneyAnswer(call, attempt).response(to: try await prepare(call))
            case .receives(let receive): return try await receive(call, body)
            case .follows(let follow):
                let fields = [HTTPField("Content-Type", "text/event-stream"), HTTPField("X-Accel-Buffering", "no")]
                return ServerResponse(200, fields, .stream(try await follow(call)))
            }
        } catch let problem as Problem {
            throw problem
        } catch let error as PaymentError {
            throw Problem(error)
        } catch {
            throw Problem(.internal, "The service failed. Send the same request with the same key again.", retry: .safe)
        }
    }

    // MARK: - Answers

    /// Adds what every answer has.
    private func finished(_ response: ServerResponse, _ line: AuditLine) -> ServerResponse {
        var response = response
        if !response.fields.contains(where: { $0.name == "Content-Type" }) {
            response.fields.insert(HTTPField("Content-Type", "application/json"), at: 0)
        }
        response.fields += [
            HTTPField("Payments-Version", "1"), HTTPField("X-Request-Id", line.requestID),
            HTTPField("Cache-Control", "no-store"),
        ]
        if let trace = line.trace { response.fields.append(HTTPField("traceparent", trace)) }
        return response
    }

    private func response(to problem: Problem, _ line: AuditLine) -> ServerResponse {
        finished(
            ServerResponse(
                problem.code.status, [HTTPField("Content-Type", "application/problem+json")] + problem.headers,
                .bytes(problem.json.bytes())), line)
    }
}

/// The preferences of a request (RFC 7240).
enum Preferences {
    /// How long it wants to wait, in milliseconds and at most as long as a request may; nil if it does not say. A preference
    /// that can't be read is none.
    static func wait(_ head: RequestHead) -> Int64? {
        for value in head.values("prefer") {
            for part in value.split(separator: ",") {
                let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.split(separator: " ").joined(separator: " ") }
                guard words[0].lowercased() == "wait", words.count == 2, !words[1].isEmpty,
                    words[1].utf8.allSatisfy({ (48...57).contains($0) })
                else { continue }
                return min(Int64(words[1]) ?? .max, ServiceCore.waitSecondsMax) * 1_000
            }
        }
        return nil
    }
}

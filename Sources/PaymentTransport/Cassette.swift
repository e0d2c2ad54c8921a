public import PaymentBase

/// What passed between us and a provider, kept as lines of JSON, so that a test can play it again.
///
/// A line for the header, a line for each thing that happened, in order and with its time, and a last line that counts
/// them, by which a file that was cut off is found. The format is described in `docs/cassettes.md`.
public struct Cassette: Sendable, Hashable {
    /// Who was recorded, when and how.
    public struct Header: Sendable, Hashable {
        /// The provider.
        public var provider: String
        /// Its environment; `simulated` where no provider's own machine was spoken with.
        public var environment: String
        /// When the recording began, in milliseconds since 1970 by the clock of what was recorded.
        public var clock: Int64
        /// What drew every name and every order.
        public var seed: UInt64
        /// What else belongs to it: versions, the date, readings of documents, by name.
        public var notes: JSONObject = [:]

        /// Whether only the simulation spoke.
        public var isSynthetic: Bool { environment == "simulated" }

        /// Names what is recorded.
        public init(provider: String, environment: String = "simulated", clock: Int64 = 0, seed: UInt64 = 1) {
            (self.provider, self.environment, self.clock, self.seed) = (provider, environment, clock, seed)
        }
    }

    /// One request as it was recorded, and how it ended.
    public struct Interaction: Sendable, Hashable {
        /// The request, redacted.
        public let request: HTTPRequest
        /// The reply, redacted, or the failure.
        public let end: Result<HTTPResponse, TransportFailure>
        /// How long it took, in milliseconds.
        public let milliseconds: Int64

        /// Makes an exchange of what was redacted already.
        public init(
            _ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, milliseconds: Int64 = 0
        ) {
            (self.request, self.end, self.milliseconds) = (request, end, milliseconds)
        }
    }

    /// One thing that happened.
    public enum Event: Sendable, Hashable {
        /// A request with its end; it is where it ended.
        case exchange(Interaction)
        /// Something else, by what it is: a webhook, a card reader's event, a line of the provider's books.
        case other(String, JSON)
    }

    /// One thing that happened, with its time and the part of the recording that it belongs to.
    public struct Item: Sendable, Hashable {
        /// The part: the name of a check or a scenario; empty where the recording has none.
        public let section: String
        /// How long after the part began, in milliseconds.
        public let at: Int64
        /// What happened.
        public let event: Event

        /// Makes an item.
        public init(_ event: Event, section: String = "", at: Int64 = 0) {
            (self.section, self.at, self.event) = (section, at, event)
        }
    }

    /// The longest time that anything in it takes, in milliseconds: ten years. With it none of our clocks overflows.
    static let millisecondsMax: Int64 = 10 * 366 * 86_400_000

    /// The largest text that is read.
    public static let textBytesMax = 64 * 1_024 * 1_024

    /// The text is no cassette, or not a whole one.
    public struct ParseError: Error, Hashable {
        /// The first line that was not understood.
        public let line: Int
    }

    /// Who was recorded.
    public var header: Header
    /// Everything that happened, in order.
    public var items: [Item] = []

    /// Makes an empty cassette.
    public init(_ header: Header = Header(provider: "")) { self.header = header }

    /// The exchanges, in the order in which they ended.
    public var interactions: [Interaction] {
        items.compactMap { item in
            if case .exchange(let exchange) = item.event { return exchange }
            return nil
        }
    }

    /// The parts, in order.
    public var sections: [String] {
        var seen: Set<String> = []
        return items.map(\.section).filter { seen.insert($0).inserted }
    }
}

extension Cassette {
    private static let version: Int64 = 2

    /// The cassette as lines of JSON.
    public var text: [UInt8] {
        var lines = [headerLine]
        lines += items.map { item in
            var line = JSONObject()
            if !item.section.isEmpty { line["take"] = .string(item.section) }
            line["at"] = .number(JSONNumber(item.at))
            switch item.event {
            case .exchange(let exchange):
                line["exchange"] = Self.json(exchange.request)
                switch exchange.end {
                case .success(let response): line["reply"] = Self.json(response)
                case .failure(.notSent(let reason)): line["failure"] = ["notSent": .string(reason.rawValue)]
                case .failure(.maybeSent(let reason)): line["failure"] = ["maybeSent": .string(reason.rawValue)]
                }
                line["milliseconds"] = .number(JSONNumber(exchange.milliseconds))
            case .other(let what, let value): line[what] = value
            }
            return .object(line)
        }
        lines.append(["items": .number(JSONNumber(Int64(items.count)))])
        return lines.flatMap { $0.bytes() + [UInt8(ascii: "\n")] }
    }

    private var headerLine: JSON {
        [
            "cassette": .number(JSONNumber(Self.version)), "provider": .string(header.provider),
            "environment": .string(header.environment), "clock": .number(JSONNumber(header.clock)),
            "seed": .string(String(header.seed)), "notes": .object(header.notes),
        ]
    }

    private static func json(_ request: HTTPRequest) -> JSON {
        [
            "method": .string(request.method), "origin": .string("\(request.origin)"),
            "target": .string(request.target), "headers": json(request.headers), "body": kept(request.body),
        ]
    }

    private static func json(_ response: HTTPResponse) -> JSON {
        [
            "status": .number(JSONNumber(Int64(response.status))), "headers": json(response.headers),
            "body": kept(response.body),
        ]
    }

    private static func json(_ headers: HTTPHeaders) -> JSON {
        .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    /// A body so that people can read it and every byte comes back.
    public static func kept(_ body: [UInt8]) -> JSON {
        if body.isEmpty { return .null }
        if let json = try? JSONReader().read(body), json.bytes() == body { return ["json": json] }
        if let text = String(validating: body, as: UTF8.self) { return ["text": .string(text)] }
        return ["base64": .string(Base64.standard.encode(body))]
    }
}

extension Cassette {
    /// Reads what ``text`` wrote, strictly; a file that was cut off anywhere is refused.
    public init(text: [UInt8]) throws(ParseError) {
        guard text.count <= Self.textBytesMax, text.last == UInt8(ascii: "\n") else { throw ParseError(line: 1) }
        let lines = text.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var read: [JSON] = []
        for (index, line) in lines.enumerated() {
            guard let json = try? JSONReader().read(Array(line)), json.object != nil else {
                throw ParseError(line: index + 1)
            }
            read.append(json)
        }
        guard let first = read.first, let header = Self.header(first) else { throw ParseError(line: 1) }
        guard read.count > 1, read.last?["items"]?.int64 == Int64(read.count - 2) else {
            throw ParseError(line: read.count)
        }
        self.init(header)
        for (index, line) in read.dropFirst().dropLast().enumerated() {
            guard let item = Self.item(line) else { throw ParseError(line: index + 2) }
            items.append(item)
        }
    }

    private static func header(_ json: JSON) -> Header? {
        guard json["cassette"]?.int64 == version, let provider = json["provider"]?.string,
            let environment = json["environment"]?.string, let clock = json["clock"]?.int64,
            Timestamp(milliseconds: clock) != nil,
            let seed = json["seed"]?.string.flatMap({ UInt64($0) })
        else { return nil }
        var header = Header(provider: provider, environment: environment, clock: clock, seed: seed)
        header.notes = json["notes"]?.object ?? [:]
        return header
    }

    private static func item(_ json: JSON) -> Item? {
        guard let at = json["at"]?.int64, (0...millisecondsMax).contains(at) else { return nil }
        let take = json["take"]?.string ?? ""
        if let asked = json["exchange"] {
            guard let request = request(asked), let end = end(json), let time = json["milliseconds"]?.int64,
                (0...millisecondsMax).contains(time)
            else { return nil }
            return Item(.exchange(Interaction(request, end, milliseconds: time)), section: take, at: at)
        }
        let others = (json.object?.members ?? []).filter { $0.key != "at" && $0.key != "take" }
        guard let only = others.first, others.count == 1 else { return nil }
        return Item(.other(only.key, only.value), section: take, at: at)
    }

    private static func request(_ json: JSON) -> HTTPRequest? {
        guard let method = json["method"]?.string, let origin = json["origin"]?.string.flatMap({ Origin($0) }),
            let target = json["target"]?.string, let headers = headers(json["headers"]), let body = bytes(json["body"])
        else { return nil }
        return HTTPRequest(method, origin, target, headers: headers, body: body)
    }

    private static func end(_ json: JSON) -> Result<HTTPResponse, TransportFailure>? {
        if let reply = json["reply"] {
            guard let status = reply["status"]?.int64, let headers = headers(reply["headers"]),
                let body = bytes(reply["body"])
            else { return nil }
            return .success(HTTPResponse(Int(clamping: status), headers: headers, body: body))
        }
        if let reason = json["failure"]?["notSent"]?.string {
            return .failure(.notSent(TransportFailure.Reason(rawValue: reason)))
        }
        return json["failure"]?["maybeSent"]?.string.map {
            .failure(.maybeSent(TransportFailure.Reason(rawValue: $0)))
        }
    }

    private static func headers(_ json: JSON?) -> HTTPHeaders? {
        guard let fields = json?.array else { return nil }
        var headers = HTTPHeaders()
        for field in fields {
            guard let name = field[0]?.string, let value = field[1]?.string else { return nil }
            headers.add(name, value)
        }
        return headers
    }

    /// The bytes of a body that ``kept(_:)`` wrote; nil when it did not.
    public static func bytes(_ json: JSON?) -> [UInt8]? {
        guard let json, !json.isNull else { return [] }
        if let value = json["json"] { return value.bytes() }
        if let text = json["text"]?.string { return Array(text.utf8) }
        return json["base64"]?.string.flatMap { Base64.standard.decode($0) }
    }
}

/// What never gets into a cassette.
///
/// The names in ``alwaysRemoved`` go whatever a caller says. What secrets a target or a body may hold only the adapter
/// knows, so its closures take them out; matching happens after them, on both sides.
public struct CassetteRules: Sendable {
    /// The header fields that are never recorded, in lower case.
    public static let alwaysRemoved: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "www-authenticate",
    ]

    /// Further header fields that are not recorded, in any case.
    public var removedHeaders: Set<String>
    /// Takes secrets out of the path and the query.
    public var redactTarget: @Sendable (String) -> String
    /// Takes secrets out of the body of a request or a reply.
    public var redactBody: @Sendable ([UInt8]) -> [UInt8]

    /// Makes rules; the body's is required, since forgetting it would write card data to a file.
    public init(
        removedHeaders: Set<String> = [], redactTarget: @escaping @Sendable (String) -> String = { $0 },
        redactBody: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.removedHeaders, self.redactTarget, self.redactBody) = (removedHeaders, redactTarget, redactBody)
    }

    /// An exchange as it may be kept.
    public func exchange(
        _ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, milliseconds: Int64 = 0
    ) -> Cassette.Interaction {
        Cassette.Interaction(
            redacted(request), end.map { redacted($0) }, milliseconds: milliseconds)
    }

    /// A request as it may be kept.
    public func redacted(_ request: HTTPRequest) -> HTTPRequest {
        HTTPRequest(
            request.method, request.origin, redactTarget(request.target), headers: redacted(request.headers),
            body: redactBody(request.body))
    }

    /// A reply as it may be kept.
    public func redacted(_ response: HTTPResponse) -> HTTPResponse {
        HTTPResponse(response.status, headers: redacted(response.headers), body: redactBody(response.body))
    }

    private func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        let removed = Self.alwaysRemoved.union(removedHeaders.map { $0.lowercased() })
        var kept = HTTPHeaders()
        for field in headers.fields where !removed.contains(field.name.lowercased()) {
            kept.add(field.name, field.value)
        }
        return kept
    }
}

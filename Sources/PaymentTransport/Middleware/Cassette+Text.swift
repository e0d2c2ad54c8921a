public import PaymentBase

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

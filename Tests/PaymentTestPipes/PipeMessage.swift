internal import PaymentBase
public import PaymentTransport

/// What a child process and its parent say to each other.
public enum PipeMessage: Sendable {
    /// The child is at a step, at a moment of its clock, and waits for ``proceed``.
    case step(String, at: Int64)
    /// The child may go on.
    case proceed
    /// The child sends a request to a provider that lives in the parent.
    case request(HTTPRequest)
    /// The provider's reply.
    case reply(HTTPResponse)
    /// The provider cut the connection.
    case cut
    /// The child is done, and has this to say.
    case done(String)

    /// What came was not one of ours.
    public struct Unreadable: Error { public init() {} }

    func bytes() -> [UInt8] {
        let json: JSON =
            switch self {
            case .step(let name, let instant):
                ["kind": "step", "text": .string(name), "at": .number(JSONNumber(instant))]
            case .proceed: ["kind": "proceed"]
            case .request(let request):
                [
                    "kind": "request", "method": .string(request.method), "host": .string(request.origin.host),
                    "port": .number(JSONNumber(Int64(request.origin.port))), "target": .string(request.target),
                    "headers": Self.json(request.headers), "body": .string(Base64.standard.encode(request.body)),
                ]
            case .reply(let response):
                [
                    "kind": "reply", "status": .number(JSONNumber(Int64(response.status))),
                    "headers": Self.json(response.headers), "body": .string(Base64.standard.encode(response.body)),
                ]
            case .cut: ["kind": "cut"]
            case .done(let text): ["kind": "done", "text": .string(text)]
            }
        return json.bytes()
    }

    init(_ bytes: [UInt8]) throws {
        let json = try JSONReader().read(bytes)
        let text = json["text"]?.string ?? ""
        let body = json["body"]?.string.flatMap { Base64.standard.decode($0) } ?? []
        switch json["kind"]?.string {
        case "step": self = .step(text, at: json["at"]?.int64 ?? 0)
        case "proceed": self = .proceed
        case "request":
            let origin = Origin(.http, json["host"]?.string ?? "", Int(json["port"]?.int64 ?? 0))
            self = .request(
                HTTPRequest(
                    json["method"]?.string ?? "", origin, json["target"]?.string ?? "",
                    headers: Self.headers(json["headers"]), body: body))
        case "reply":
            self = .reply(
                HTTPResponse(Int(json["status"]?.int64 ?? 0), headers: Self.headers(json["headers"]), body: body))
        case "cut": self = .cut
        case "done": self = .done(text)
        default: throw Unreadable()
        }
    }

    private static func json(_ headers: HTTPHeaders) -> JSON {
        .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private static func headers(_ json: JSON?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in json?.array ?? [] { headers.add(field["name"]?.string ?? "", field["value"]?.string ?? "") }
        return headers
    }
}

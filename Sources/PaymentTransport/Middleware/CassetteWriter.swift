/// Writes exchanges as items of `name byteCount`, line break, bytes, line break.
struct CassetteWriter {
    static let title = "payment-cassette"
    static let version = "1"

    private(set) var text: [UInt8] = []

    init() { item(Self.title, Self.version) }

    mutating func write(_ exchange: Cassette.Exchange) {
        let request = exchange.request
        item("method", request.method)
        item("origin", request.origin.description)
        item("target", request.target)
        headers(request.headers)
        item("body", request.body)
        switch exchange.end {
        case .success(let response):
            item("status", String(response.status))
            headers(response.headers)
            item("body", response.body)
        case .failure(.notSent(let reason)): item("not-sent", reason.rawValue)
        case .failure(.maybeSent(let reason)): item("maybe-sent", reason.rawValue)
        }
    }

    private mutating func headers(_ headers: HTTPHeaders) {
        for field in headers.fields {
            item("header", field.name)
            item("value", field.value)
        }
    }

    private mutating func item(_ name: String, _ value: String) { item(name, Array(value.utf8)) }

    private mutating func item(_ name: String, _ bytes: [UInt8]) {
        text.append(contentsOf: "\(name) \(bytes.count)\n".utf8)
        text.append(contentsOf: bytes)
        text.append(UInt8(ascii: "\n"))
    }
}

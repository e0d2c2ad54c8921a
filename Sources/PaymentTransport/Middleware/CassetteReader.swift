/// Reads what ``CassetteWriter`` wrote, strictly.
struct CassetteReader {
    private let text: [UInt8]
    private var offset = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func read() throws(Cassette.Unreadable) -> [Cassette.Exchange] {
        guard text.count <= Cassette.textBytesMax else { throw unreadable }
        guard try string(CassetteWriter.title) == CassetteWriter.version else { throw unreadable }
        var exchanges: [Cassette.Exchange] = []
        while offset < text.count { exchanges.append(try exchange()) }
        return exchanges
    }

    private var unreadable: Cassette.Unreadable { Cassette.Unreadable(offset: offset) }

    private mutating func exchange() throws(Cassette.Unreadable) -> Cassette.Exchange {
        let method = try string("method")
        guard let origin = Origin(try string("origin")) else { throw unreadable }
        var request = HTTPRequest(method, origin, try string("target"))
        request.headers = try headers()
        request.body = try bytes("body")
        switch nextName() {
        case "status":
            guard let status = Int(try string("status")) else { throw unreadable }
            var response = HTTPResponse(status)
            response.headers = try headers()
            response.body = try bytes("body")
            return Cassette.Exchange(request: request, end: .success(response))
        case "not-sent":
            let reason = TransportFailure.Reason(rawValue: try string("not-sent"))
            return Cassette.Exchange(request: request, end: .failure(.notSent(reason)))
        case "maybe-sent":
            let reason = TransportFailure.Reason(rawValue: try string("maybe-sent"))
            return Cassette.Exchange(request: request, end: .failure(.maybeSent(reason)))
        case _: throw unreadable
        }
    }

    private mutating func headers() throws(Cassette.Unreadable) -> HTTPHeaders {
        var headers = HTTPHeaders()
        while nextName() == "header" {
            let name = try string("header")
            headers.add(name, try string("value"))
        }
        return headers
    }

    private func nextName() -> String? {
        guard let end = text[offset...].firstIndex(of: UInt8(ascii: " ")) else { return nil }
        return String(validating: text[offset..<end], as: UTF8.self)
    }

    private mutating func string(_ name: String) throws(Cassette.Unreadable) -> String {
        guard let text = String(validating: try bytes(name), as: UTF8.self) else { throw unreadable }
        return text
    }

    private mutating func bytes(_ name: String) throws(Cassette.Unreadable) -> [UInt8] {
        let lineBreak = UInt8(ascii: "\n")
        guard nextName() == name, let end = text[offset...].firstIndex(of: lineBreak) else { throw unreadable }
        let digits = text[(offset + name.utf8.count + 1)..<end]
        guard let count = Int(String(decoding: digits, as: UTF8.self)), count >= 0 else { throw unreadable }
        let start = end + 1
        guard count < text.count - start, text[start + count] == lineBreak else { throw unreadable }
        offset = start + count + 1
        return Array(text[start..<(start + count)])
    }
}

internal import PaymentTransport

/// A response as it goes over the wire.
struct ResponseBytes {
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]

    let head: [UInt8]
    let body: [UInt8]

    /// Writes a response; what frames the message is ours to say.
    init(_ response: HTTPResponse, closes: Bool, isHead: Bool = false) {
        var text = "HTTP/1.1 \(response.status) \(Self.phrase(response.status))\r\n"
        for field in response.headers.fields where !Self.framing.contains(field.name.lowercased()) {
            if (field.name + field.value).utf8.contains(where: { $0 == 13 || $0 == 10 }) { continue }
            text += "\(field.name): \(field.value)\r\n"
        }
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        if hasBody { text += "Content-Length: \(response.body.count)\r\n" }
        if closes { text += "Connection: close\r\n" }
        head = Array((text + "\r\n").utf8)
        body = hasBody && !isHead ? response.body : []
    }

    /// Everything.
    var all: [UInt8] { head + body }
    /// The head up to its middle.
    var tornHead: ArraySlice<UInt8> { head.prefix(head.count / 2) }
    /// The head and the first half of the body.
    var tornBody: [UInt8] { head + body.prefix(body.count / 2) }

    /// What stands behind a status.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case _: "Status"
        }
    }
}

internal import CCurl
internal import PaymentTransport

/// The header fields of one handle's requests, as the list of lines that libcurl takes.
///
/// The lines that all requests of a transport have are written once and linked in; a request's own are there as long as
/// it is under way. libcurl puts its text together letter by letter, and does so twice with what has an option of its
/// own; so the program's name and the encodings are lines like the others.
@safe final class CurlFields {
    /// A line for requests that have no field of that name.
    @safe private struct Lasting {
        let name: String
        let line: UnsafeMutablePointer<curl_slist>
    }

    private var lasting: [Lasting] = []
    private var first: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?

    /// Writes the lines that last; nil without memory.
    init?(userAgent: String) {
        var lines = [("User-Agent", userAgent), ("Accept-Encoding", Self.encodings)].filter { !$0.1.isEmpty }
        // A line without a value for each field that libcurl would add by itself.
        lines += [("Accept", ""), ("Content-Type", ""), ("Expect", "")]
        for (name, value) in lines {
            let text = value.isEmpty ? "\(name):" : "\(name): \(value)"
            guard let line = unsafe curl_slist_append(nil, text) else { return nil }
            unsafe lasting.append(Lasting(name: name, line: line))
        }
    }

    deinit {
        clear()
        for one in lasting {
            unsafe one.line.pointee.next = nil
            unsafe curl_slist_free_all(one.line)
        }
    }

    /// All lines of a request, which stay until they are cleared.
    func lines(_ request: HTTPRequest) throws(TransportFailure) -> UnsafeMutablePointer<curl_slist>? {
        for field in request.headers.fields { try add(field) }
        var shared: UnsafeMutablePointer<curl_slist>?
        for one in lasting.reversed() where request.headers[one.name] == nil {
            unsafe one.line.pointee.next = shared
            unsafe shared = one.line
        }
        guard let last = unsafe last else { return unsafe shared }
        unsafe last.pointee.next = shared
        return unsafe first
    }

    /// Forgets the request's own lines.
    func clear() {
        unsafe last?.pointee.next = nil
        unsafe curl_slist_free_all(first)
        unsafe (first, last) = (nil, nil)
    }

    private func add(_ field: HTTPHeaders.Field) throws(TransportFailure) {
        var text = field.name
        // libcurl's way to write a field without a value.
        text += field.value.isEmpty ? ";" : ": "
        text += field.value
        guard let line = unsafe curl_slist_append(nil, text) else { throw .notSent(.other) }
        if let last = unsafe last { unsafe last.pointee.next = line } else { unsafe first = line }
        unsafe last = line
    }

    /// What libcurl can unpack, in the order in which it says so itself.
    private static let encodings: String = {
        let has = pay_curl_features()
        let all = [
            (CURL_VERSION_LIBZ, "deflate, gzip"), (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"),
        ]
        return all.filter { has & $0.0 != 0 }.map(\.1).joined(separator: ", ")
    }()
}

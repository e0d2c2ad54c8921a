import CCurl
import Foundation
import PaymentLinux
import PaymentTransport

/// libcurl as C programs use it: one handle, one thread, one request after the other. The floor for a client.
@safe final class BlockingCurl {
    /// libcurl refused.
    struct Failure: Error { let code: UInt32 }

    let easy: UnsafeMutableRawPointer
    private let address: String
    private var body: [UInt8]
    private let numbered: (place: Range<Int>, next: () -> Int)?
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// Sets up one request.
    ///
    /// - Parameter numbered: Where each request has a number of its own in its body, and which is next.
    init(
        _ request: HTTPRequest, certificate: String? = nil, numbered: (place: Range<Int>, next: () -> Int)? = nil
    ) throws {
        guard let easy = unsafe curl_easy_init() else { throw Failure(code: 0) }
        unsafe self.easy = easy
        (address, body, self.numbered) = ("\(request.origin)\(request.target)", request.body, numbered)
        // The same fields as our transport's, written in the way that costs libcurl least.
        let name = CurlTransport.Configuration().userAgent
        var lines = request.headers.fields.map { "\($0.name): \($0.value)" }
        lines += ["User-Agent: \(name)", "Accept-Encoding: deflate, gzip, br, zstd"]
        if request.headers["Accept"] == nil { lines.append("Accept:") }
        for line in lines { unsafe fields = curl_slist_append(fields, line) }
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields))
        try unsafe address.withCString { try check(unsafe pay_curl_set_pointer(easy, CURLOPT_URL, $0)) }
        try check(unsafe pay_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body))
        try check(unsafe pay_curl_set_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(unsafe pay_curl_set_data(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count })
        guard let pem = certificate.map({ Array($0.utf8) }) else { return }
        try check(unsafe pay_curl_set_blob(easy, CURLOPT_CAINFO_BLOB, pem, pem.count))
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(fields)
    }

    private func check(_ code: CURLcode) throws {
        if code != CURLE_OK { throw Failure(code: code.rawValue) }
    }

    /// Sends so many requests.
    func send(_ count: Int) throws {
        for _ in 0..<count {
            try prepare()
            try check(unsafe curl_easy_perform(easy))
            try checkAnswer()
        }
    }

    /// Writes the number of the next request.
    func prepare() throws {
        guard let numbered else { return }
        var rest = numbered.next()
        for place in numbered.place.reversed() {
            body[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body))
    }

    /// Throws unless the last answer was a good one.
    func checkAnswer() throws {
        var status = 0
        try check(unsafe pay_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status))
        if status != 200 { throw Failure(code: UInt32(status)) }
    }
}

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
    private let body: [UInt8]
    private var fields: UnsafeMutablePointer<curl_slist>?

    init(_ origin: Origin, _ body: [UInt8], certificate: String) throws {
        guard let easy = unsafe curl_easy_init() else { throw Failure(code: 0) }
        unsafe self.easy = easy
        (address, self.body) = ("\(origin)/payments", body)
        // The same fields as our transport's, written in the way that costs libcurl least.
        let name = CurlTransport.Configuration().userAgent
        let lines = [
            "Content-Type: application/json", "User-Agent: \(name)", "Accept-Encoding: deflate, gzip, br, zstd",
            "Accept:",
        ]
        for line in lines { unsafe fields = curl_slist_append(fields, line) }
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields))
        try unsafe address.withCString { try check(unsafe pay_curl_set_pointer(easy, CURLOPT_URL, $0)) }
        try check(unsafe pay_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body))
        try check(unsafe pay_curl_set_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(unsafe pay_curl_set_data(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count })
        let pem = Array(certificate.utf8)
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
            try check(unsafe curl_easy_perform(easy))
            try checkAnswer()
        }
    }

    /// Throws unless the last answer was a good one.
    func checkAnswer() throws {
        var status = 0
        try check(unsafe pay_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status))
        if status != 200 { throw Failure(code: UInt32(status)) }
    }
}

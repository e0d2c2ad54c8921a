import CCurl

/// libcurl as C programs use it for many requests at a time: one multi handle, one thread, handles that are set up once.
@safe final class MultiCurl {
    private static let waitMilliseconds: Int32 = 1_000
    private let multi: UnsafeMutableRawPointer
    private let handles: [BlockingCurl]

    init(_ width: Int, _ make: () throws -> BlockingCurl) throws {
        guard let multi = unsafe curl_multi_init() else { throw BlockingCurl.Failure(code: 0) }
        unsafe self.multi = multi
        handles = try (0..<width).map { _ in try make() }
        // Connections outlive their handle's turn in the list.
        _ = unsafe pay_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, width * 2)
    }

    deinit { unsafe curl_multi_cleanup(multi) }

    private func check(_ code: CURLMcode) throws {
        if code != CURLM_OK { throw BlockingCurl.Failure(code: UInt32(bitPattern: code.rawValue)) }
    }

    /// Sends so many requests, as many at a time as there are handles.
    func send(_ count: Int) throws {
        var (begun, ended) = (0, 0)
        for handle in handles where begun < count {
            try handle.prepare()
            try check(unsafe curl_multi_add_handle(multi, handle.easy))
            begun += 1
        }
        while ended < count {
            var (running, left): (Int32, Int32) = (0, 0)
            try check(unsafe curl_multi_perform(multi, &running))
            while let message = unsafe curl_multi_info_read(multi, &left) {
                let easy = unsafe pay_curl_message_easy(message)
                guard unsafe pay_curl_message_result(message) == CURLE_OK, let easy = unsafe easy else {
                    throw BlockingCurl.Failure(code: 1)
                }
                var status = 0
                _ = unsafe pay_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
                if status != 200 { throw BlockingCurl.Failure(code: UInt32(status)) }
                ended += 1
                try check(unsafe curl_multi_remove_handle(multi, easy))
                if begun < count {
                    try handles.first { unsafe $0.easy == easy }?.prepare()
                    try check(unsafe curl_multi_add_handle(multi, easy))
                    begun += 1
                }
            }
            if ended < count { try check(unsafe curl_multi_poll(multi, nil, 0, Self.waitMilliseconds, nil)) }
        }
    }
}

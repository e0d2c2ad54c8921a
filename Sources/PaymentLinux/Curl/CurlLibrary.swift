internal import CCurl

/// libcurl as a whole: started once per process and never stopped.
enum CurlLibrary {
    /// Whether libcurl started, and has what we rely on.
    static let isReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        return pay_curl_version() >= versionMin
    }()

    /// 7.87, the first that leaves a name's look-up behind instead of waiting for its end.
    private static let versionMin: UInt32 = 0x07_57_00
}

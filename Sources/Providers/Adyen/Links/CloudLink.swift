internal import PaymentBase
internal import PaymentTransport

/// Through the cloud, waiting for the answer or not.
struct CloudLink: AdyenLink {
    let post: AdyenRequestSender
    let merchant: String
    /// Whether the answer comes back on the same connection.
    let isSync: Bool

    /// Where a terminal is found in the cloud.
    static func path(_ merchant: String, _ terminal: String, _ verb: String) -> String? {
        guard let merchant = PercentEncoding.pathSegment(merchant),
            let terminal = PercentEncoding.pathSegment(terminal)
        else { return nil }
        return "/v1/merchants/\(merchant)/devices/\(terminal)/\(verb)"
    }

    /// Where the terminals that are connected are listed.
    static func list(_ merchant: String) -> String? {
        PercentEncoding.pathSegment(merchant).map { "/v1/merchants/\($0)/connectedDevices" }
    }

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        // What only asks is always answered at once; a payment takes as long as its shopper.
        let waits = isSync || !Self.isSlow(header.category)
        guard let target = Self.path(merchant, header.poiID, waits ? "sync" : "async") else {
            throw TransportFailure.notSent(.invalidRequest)
        }
        let answer = try await post.send(target, message, key: key)
        if header.category == .abort { return nil }
        if !waits, String(decoding: answer, as: UTF8.self).lowercased() == "ok" { return nil }
        return try AdyenRequestSender.answer(AdyenRequestSender.read(answer), to: header)
    }

    private static func isSlow(_ category: NexoHeader.Category) -> Bool {
        category == .payment || category == .reversal
    }
}

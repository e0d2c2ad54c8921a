internal import PaymentTransport

/// Which requests a fault is played on, and how.
///
/// ```swift
/// plan.arm(FaultRule(.replyLost))                               // on the next request, wherever it goes
/// var rule = FaultRule(.status503Before, times: 3)
/// (rule.provider, rule.path, rule.skip) = ("memory", "/payments/:id/refund", 1)
/// plan.arm(rule)                                                // on the second, third and fourth refund
/// ```
public struct FaultRule: Hashable, Sendable {
    /// The most times that one rule can be played.
    public static let timesMax = 1_000_000
    /// The longest delay, in milliseconds: an hour.
    public static let delayMillisecondsMax: Int64 = 3_600_000

    /// What is played.
    public let fault: WireFault
    /// On how many requests.
    public let times: Int
    /// The provider that it is played on; nil for all.
    public var provider: String?
    /// The method of the request; nil for all.
    public var method: String?
    /// The path's pattern, as a route has it, or its end behind `*`; nil for all.
    public var path: String?
    /// What must stand somewhere in the body or the target: an attempt, a reference; nil for anything.
    public var text: String?
    /// How many fitting requests are let through before.
    public var skip = 0
    /// How long ``WireFault/replyLate`` holds the answer back, in milliseconds of the provider's clock.
    public var delayMilliseconds: Int64 = 60_000
    /// How long an answer takes in all that ``WireFault/replyDripped`` lets out a few bytes at a time, in
    /// milliseconds.
    public var dripMilliseconds: Int64 = 80
    /// What `Retry-After` says, in seconds.
    public var retryAfterSeconds = 2

    /// Makes a rule; the numbers are kept within their limits.
    public init(_ fault: WireFault, times: Int = 1) {
        (self.fault, self.times) = (fault, min(max(1, times), Self.timesMax))
    }

    /// Whether a request to a provider fits.
    func fits(_ request: HTTPRequest, to name: String) -> Bool {
        if let provider, provider != name { return false }
        if let method, method != request.method { return false }
        if let path {
            let given = request.target.prefix { $0 != "?" }
            if path.hasPrefix("*") { return given.hasSuffix(path.dropFirst()) && holds(request) }
            guard let pieces = RoutePattern.pieces(of: given), RoutePattern(path)?.match(pieces) != nil else {
                return false
            }
        }
        return holds(request)
    }

    private func holds(_ request: HTTPRequest) -> Bool {
        guard let text, !text.isEmpty else { return true }
        return request.target.contains(text) || String(decoding: request.body, as: UTF8.self).contains(text)
    }
}

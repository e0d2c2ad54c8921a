internal import PaymentBase
internal import PaymentHTTPServer
internal import PaymentModel

/// What is kept of a call: who asked for what, and what was answered. No reference, no amount and no text of a request.
struct AuditLine: Sendable {
    let at: Int64
    let requestID: String
    var operation: Operation?
    var key: ServiceKey?
    var attempt: AttemptID?
    var address: String?
    var trace: String?

    init(_ head: RequestHead, at: Int64, requestID: String, trustsProxy: Bool) {
        (self.at, self.requestID) = (at, requestID)
        // The last value is the one that the proxy wrote.
        let forwarded = head.values("x-forwarded-for").last?.split(separator: ",").last
        address = trustsProxy ? forwarded.map { Self.short($0.drop { $0 == " " }) } : nil
        trace = head.value("traceparent").flatMap { Self.isTrace($0) && TraceContext($0) != nil ? $0 : nil }
    }

    private static func short(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.prefix(64).filter { $0 > 32 && $0 < 127 }, as: UTF8.self)
    }

    /// Whether a text is a trace context of version 0: 32, 16 and 2 hexadecimal digits.
    static func isTrace(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00" else { return false }
        return parts.allSatisfy { part in part.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } }
    }

    /// The line, with what was answered.
    func json(_ status: Int, milliseconds: Int64) -> JSON {
        [
            "at": Moment.json(at), "key": .text(key?.name), "role": .text(key?.role.rawValue), "shop": .text(key?.shop),
            "address": .text(address), "operation": .text(operation?.id), "attempt": .text(attempt?.text),
            "status": .count(status), "milliseconds": .number(JSONNumber(max(0, milliseconds))),
            "request": .string(requestID), "trace": .text(trace),
        ]
    }
}

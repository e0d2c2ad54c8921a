import PaymentBase
public import PaymentTransport

/// Answers every request alike and remembers what came.
public final class FixedTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse
    private let seen = Locked([HTTPRequest]())

    public init(_ answer: @escaping @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse) {
        self.answer = answer
    }

    public var requests: [HTTPRequest] { seen.withLock { $0 } }

    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try answer(request)
    }

    /// A transport that must not be used.
    public static let none = FixedTransport { _ throws(TransportFailure) in throw .notSent(.connectionRefused) }
}

/// A transport whose n-th call fails, before or after it did what it was asked.
public final class FailingTransport: HTTPTransport {
    /// How the call fails.
    public enum Kind: String, Sendable, CaseIterable {
        /// Proven not to have left.
        case notSent
        /// Lost on the way there.
        case lostBefore
        /// Done, and the reply is lost.
        case lostAfter
    }

    private let inner: any HTTPTransport
    private let failing: Int
    private let kind: Kind
    private let count = Locked(0)

    public init(_ inner: any HTTPTransport, failing: Int, _ kind: Kind) {
        (self.inner, self.failing, self.kind) = (inner, failing, kind)
    }

    /// How many calls there were.
    public var calls: Int { count.withLock { $0 } }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number == failing else { return try await inner.send(request) }
        switch kind {
        case .notSent: throw .notSent(.connectionRefused)
        case .lostBefore: throw .maybeSent(.connectionReset)
        case .lostAfter:
            _ = try await inner.send(request)
            throw .maybeSent(.connectionReset)
        }
    }
}

/// A transport with a function around every call.
public struct HookTransport: HTTPTransport {
    /// Sends a request on.
    public typealias Next = @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse

    private let inner: any HTTPTransport
    private let hook: @Sendable (HTTPRequest, Next) async throws(TransportFailure) -> HTTPResponse

    public init(
        _ inner: any HTTPTransport,
        _ hook: @escaping @Sendable (HTTPRequest, Next) async throws(TransportFailure) -> HTTPResponse
    ) {
        (self.inner, self.hook) = (inner, hook)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await hook(request) { (request) async throws(TransportFailure) in try await inner.send(request) }
    }
}

/// Short messages whose text, with the path to each value, would be very long; they are unsigned.
public enum HostileMessage: String, CaseIterable, Sendable {
    /// One long name over many values.
    case longNameOverManyValues
    /// Names at the limit within each other, over many values.
    case longPathOverManyValues
    /// Objects within objects.
    case deepObjects
    /// Lists within lists, with a value at each level.
    case deepLists
    /// Very many short names.
    case manyNames
    /// Many long names.
    case manyLongNames
    /// One long value under a long name, again and again.
    case longValues

    /// A signature of the right form that fits nothing.
    public static let wellFormedSignature = String(repeating: "A", count: 86) + "=="

    /// A message of about so many bytes.
    ///
    /// - Parameter place: The member that the hostile part stands in; nil for the top of the message.
    public func body(_ count: Int, signature: String, in place: String? = nil) -> [UInt8] {
        let part = members(max(count, 64))
        let inner = place.map { "\"\($0)\":{\"project_id\":1234,\(part)}" } ?? part
        return Array("{\"signature\":\"\(signature)\",\(inner)}".utf8)
    }

    private func members(_ count: Int) -> String {
        func name(_ count: Int, _ number: Int = 0) -> String {
            let digits = String(number)
            return "\"" + String(repeating: "k", count: max(count - digits.utf8.count, 1)) + digits + "\""
        }
        func zeros(_ count: Int) -> String {
            "[" + Array(repeating: "0", count: max(count / 2, 1)).joined(separator: ",") + "]"
        }
        switch self {
        case .longNameOverManyValues: return name(count / 2) + ":" + zeros(count / 2)
        case .longPathOverManyValues:
            let names = (0..<4).map { name(250, $0) }
            return names.joined(separator: ":{") + ":" + zeros(count) + String(repeating: "}", count: 3)
        case .deepObjects:
            let levels = min(count / 8, 120)
            return "\"k\":" + String(repeating: "{\"k\":", count: levels) + zeros(count - 6 * levels)
                + String(repeating: "}", count: levels)
        case .deepLists:
            let levels = min(count / 4, 120)
            return "\"k\":" + String(repeating: "[0,", count: levels) + zeros(count - 4 * levels)
                + String(repeating: "]", count: levels)
        case .manyNames: return (0..<max(count / 11, 1)).map { name(7, $0) + ":0" }.joined(separator: ",")
        case .manyLongNames: return (0..<max(count / 1_010, 1)).map { name(1_000, $0) + ":0" }.joined(separator: ",")
        case .longValues:
            return (0..<max(count / 1_260, 1)).map { name(250, $0) + ":" + name(1_000) }.joined(separator: ",")
        }
    }
}

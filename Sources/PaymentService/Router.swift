internal import PaymentHTTPServer

/// Finds the operation of a path. A resource has one spelling: no escapes, no empty segments, no slash at the end.
struct Router: Sendable {
    /// What stands at a path.
    enum Route: Sendable {
        case found(Operation, path: [String: String])
        /// The resource has other methods.
        case methods([String])
        case none
    }

    private let operations: [(operation: Operation, segments: [Substring])]

    init(_ operations: [Operation]) { self.operations = operations.map { ($0, $0.segments) } }

    /// The operation of a request.
    func route(_ head: RequestHead) -> Route {
        guard head.path.utf8.first == UInt8(ascii: "/"), head.path.utf8.count <= Self.pathBytesMax else { return .none }
        let given = head.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let method = head.method == "HEAD" ? "GET" : head.method
        var others: [String] = []
        for (operation, segments) in operations where segments.count == given.count {
            guard let path = Self.match(given, segments) else { continue }
            if operation.method == method {
                // Without its events a stream is no answer, and an answer to HEAD has no body.
                if head.method == "HEAD", case .follows = operation.work { return .methods(["GET"]) }
                return .found(operation, path: path)
            }
            others.append(operation.method)
        }
        if others.contains("GET") { others.append("HEAD") }
        return others.isEmpty ? .none : .methods(others)
    }

    private static let pathBytesMax = 512

    private static func match(_ given: [Substring], _ segments: [Substring]) -> [String: String]? {
        var path: [String: String] = [:]
        for (text, segment) in zip(given, segments) {
            if segment.first == "{" {
                guard !text.isEmpty, text.utf8.allSatisfy(isPlain) else { return nil }
                path[String(segment.dropFirst().dropLast())] = String(text)
            } else if text != segment {
                return nil
            }
        }
        return path
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
            || "-._~".utf8.contains(byte)
    }
}

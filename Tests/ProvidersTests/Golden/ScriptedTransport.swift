import Foundation
import PaymentBase
import PaymentSimulator
import PaymentTransport
import Testing

/// Answers requests with sample replies of a provider's documents, and remembers what was asked.
final class ScriptedTransport: HTTPTransport {
    private let replies: [String: HTTPResponse]
    private let seen = Locked([HTTPRequest]())

    /// Takes replies by method and path.
    init(_ replies: [String: HTTPResponse]) { self.replies = replies }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        let key = "\(request.method) \(request.target.prefix { $0 != "?" })"
        return replies[key] ?? HTTPResponse(404)
    }
}

/// Files with sample replies, and with requests as they were recorded.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    /// A sample reply.
    static func reply(_ file: String, status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(
            status, headers: ["Content-Type": "application/json"],
            body: [UInt8](try Data(contentsOf: folder.appending(path: file))))
    }

    /// A request as text: method, target, header fields by name, body; and what was recorded of it.
    static func compare(_ request: HTTPRequest, _ file: String) throws -> (given: String, recorded: String) {
        let headers = request.headers.fields.map { "\($0.name): \($0.value)" }.sorted().joined(separator: "\n")
        let body = try request.body.isEmpty ? "" : text(JSONReader().read(request.body).bytes(layout: .pretty))
        let given = "\(request.method) \(request.target)\n\(headers)\n\n\(body)\n"
        let url = folder.appending(path: file)
        if isRecording { try Data(given.utf8).write(to: url) }
        return (given, try String(contentsOf: url, encoding: .utf8))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The lines of a table of codes, each split at its tabs; lines that begin with # are comments.
    static func table(_ file: String) throws -> [[String]] {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").map { String($0) } }
    }
}

/// A simulated provider whose every message has to be as its provider publishes it, or the test fails.
struct JudgedService: SimulatorService {
    let provider: any SimulatedProvider
    let judge = Self.judge()

    init(_ provider: any SimulatedProvider) { self.provider = provider }

    /// A judge under whom a test fails.
    static func judge() -> ContractValidator { ContractValidator { Issue.record("not as published: \($0)") } }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let answer = await provider.answer(request)
        judge.hear(provider, request, answer)
        return answer
    }
}

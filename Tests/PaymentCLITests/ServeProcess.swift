import Foundation
import Glibc
import PaymentBase
import PaymentLinux
import PaymentTestPrograms
import PaymentTransport
import Testing

/// A client of the program.
struct ServeCaller: Sendable {
    let origin: Origin
    let keys: [String: String]

    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, key: String, id: String? = nil, prefer: String? = nil
    ) async throws -> (status: Int, body: JSON) {
        let transport = CurlTransport()
        var request = HTTPRequest(method, origin, path)
        request.headers["Authorization"] = "Bearer \(keys[key] ?? key)"
        request.headers["Content-Type"] = "application/json"
        if let id { request.headers["Idempotency-Key"] = id }
        if let prefer { request.headers["Prefer"] = prefer }
        if let body { request.body = body.bytes() }
        let response = try await transport.send(request)
        await transport.close()
        return (response.status, try JSONReader().read(response.body))
    }
}

/// The program with its address and the keys that it drew.
final class ServeProcess {
    let program: TestProgram
    let origin: Origin
    let admin: Origin?
    let keys: [String: String]

    init(_ arguments: [String]) throws {
        program = try TestProgram(
            try SandboxProcess.program().path,
            ["serve", "--listen", "127.0.0.1:0", "--format", "json"] + arguments)
        let line = try JSONReader().read(program.readLine())
        #expect(try OutputSchemas.problems(["serve"], line) == [])
        origin = try #require(line["address"]?.string.flatMap { Origin($0) })
        admin = line["admin"]?.string.flatMap { Origin($0) }
        var keys: [String: String] = [:]
        for key in line["keys"]?.array ?? [] { keys[key["role"]?.string ?? ""] = key["key"]?.string }
        self.keys = keys
    }

    /// What calls the service from any task.
    var caller: ServeCaller { ServeCaller(origin: origin, keys: keys) }

    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, key: String, id: String? = nil, prefer: String? = nil
    ) async throws -> (status: Int, body: JSON) {
        try await caller.send(method, path, body, key: key, id: id, prefer: prefer)
    }

    func stop() -> (code: Int32, errors: String) {
        program.terminate()
        let run = program.finish()
        return (run.code, run.errors)
    }

    /// A folder that is removed at the end.
    static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await body(folder)
    }
}

import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTransport
import Testing

/// `Examples/serve/nginx.conf` in front of `payctl serve`, with other ports and paths.
@Suite(.enabled(if: Nginx.isThere, "nginx isn't installed: apt-get install nginx-light")) struct NginxTests {
    private static let sale = #"{"amount": {"value": "12.50", "currency": "EUR"}, "reference": "order-1"}"#

    /// Runs a body with the service and nginx in front of it.
    private static func play(
        _ change: (String) -> String = { $0 }, _ body: (ServeProcess, Nginx, String) async throws -> Void
    ) async throws {
        try await ServeProcess.inFolder { folder in
            let made = await CommandRun.of(["key", "new", "--shop", "berlin", "--role", "office", "--format", "json"])
            let keys: JSON = ["keys": [try #require(try made.json["entry"])]]
            let file = "\(folder)/keys.json"
            try Data(keys.bytes()).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let process = try ServeProcess([
                "--state", "\(folder)/state", "--keys", file, "--behind-proxy", "--audit", "\(folder)/audit",
            ])
            let nginx = try Nginx(folder, upstream: process.origin, change)
            try await body(process, nginx, try #require(try made.json["key"]?.string))
            #expect(process.stop().code == 0)
        }
    }

    @Test func sale_throughNginx_isExecutedOnce_alsoInChunks_andLogsHaveNoReferences() async throws {
        try await Self.play { _, nginx, key in
            let id = UUID().uuidString
            for chunks in [[], ["-H", "Transfer-Encoding: chunked"], ["--http1.1"]] {
                let reply = try nginx.send(
                    ["-H", "Idempotency-Key: \(id)", "-H", "X-Forwarded-For: 198.51.100.7", "-d", Self.sale] + chunks,
                    "/v1/sales", key: key)
                #expect(reply.status == 201, "\(reply.text)")
                #expect(reply.fields.contains("payments-version: 1"))
                #expect(reply.fields.contains("strict-transport-security: max-age=31536000"))
            }
            let list = try nginx.send([], "/v1/payments?reference=order-1", key: key)
            #expect(list.status == 200)
            #expect(try JSONReader().read(Array(list.text.utf8))["items"]?.array?.count == 1)
            // It writes a line behind the reply: all are there when it has ended.
            nginx.stop()
            let log = try String(contentsOfFile: "\(nginx.folder)/access.log", encoding: .utf8)
            #expect(log.contains("GET /v1/payments 200") && !log.contains("order-1"))
            // What a client says about its address is not believed.
            let audit = try String(contentsOfFile: "\(nginx.folder)/audit", encoding: .utf8)
            #expect(audit.contains("\"operation\":\"sale\"") && !audit.contains("198.51.100.7"))
        }
    }

    @Test func whatIsNoPartOfTheAPI_isNotReached() async throws {
        try await Self.play { _, nginx, key in
            for path in ["/metrics", "/health/live", "/health/ready", "/ready", "/", "/v1", "/../metrics", "//metrics"]
            {
                let reply = try nginx.send(["--path-as-is"], path, key: key)
                #expect([400, 404].contains(reply.status), "\(path): \(reply.status)")
                #expect(!reply.text.contains("payments_waits") && !reply.text.contains("isReady"))
            }
            #expect(try nginx.send([], "/openapi.json").status == 200)
            #expect(try nginx.send([], "/console/").text.contains("console.js"))
            #expect(try nginx.send([], "/problems/referenceInUse").status == 200)
            #expect(try nginx.send([], "/v1/self").status == 401)
        }
    }

    /// nginx's own answers say nothing about money, and not that they are the service's.
    @Test func answersOfNginx_areProblemsWithoutAnOutcome() async throws {
        try await Self.play { process, nginx, key in
            func isProxys(_ reply: Nginx.Reply, _ status: Int) throws {
                #expect(reply.status == status, "\(reply.text)")
                #expect(!reply.fields.contains { $0.hasPrefix("payments-version") })
                let body = try #require(try? JSONReader().read(Array(reply.text.utf8)), "\(status): \(reply.text)")
                #expect(body["outcome"] == .null && body["status"]?.int64 == Int64(status))
            }
            let long = String(repeating: "a", count: 70_000)
            let fields = ["-H", "Idempotency-Key: \(UUID().uuidString)"]
            try isProxys(try nginx.send(fields + ["-d", long], "/v1/sales", key: key), 413)
            try isProxys(try nginx.send(["--http1.1", "-H", "Host: a b"], "/v1/self", key: key), 400)
            try isProxys(try nginx.send(["--http1.1"], "/v1/self?" + long.prefix(9_000), key: key), 414)
            _ = process.stop()
            let id = ["-H", "Idempotency-Key: \(UUID().uuidString)", "-d", Self.sale]
            let absent = try nginx.send(id, "/v1/sales", key: key)
            try isProxys(absent, 502)
            #expect(absent.fields.contains { $0.hasPrefix("retry-after") })
        }
    }

    /// One instance stops and refuses what is new for minutes, beside one that could sell.
    @Test func sale_atAnInstanceThatStops_isSentToTheOther() async throws {
        let socket = FileManager.default.temporaryDirectory.appending(path: "stopping-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: socket) }
        let stopping = "server { listen unix:\(socket); location / { return 503; } }"
        let first = "server unix:\(socket) max_fails=0;"
        let beside: (String) -> String = { text in
            let alternating = text.replacing("hash $shop consistent;", with: first)
            return alternating.replacing("    upstream payments {", with: "    \(stopping)\n    upstream payments {")
        }
        try await Self.play(beside) { _, nginx, key in
            // Both get some of them first.
            for number in 1...4 {
                let sale = Self.sale.replacing("order-1", with: "order-\(number)")
                let id = UUID().uuidString.lowercased()
                let reply = try nginx.send(["-H", "Idempotency-Key: \(id)", "-d", sale], "/v1/sales", key: key)
                #expect(reply.status == 201, "\(reply.text)")
                // What is asked about it reaches the other one as well.
                #expect(try nginx.send([], "/v1/attempts/\(id)", key: key).status == 200)
                #expect(try nginx.send(["-X", "POST"], "/v1/attempts/\(id)/lookup", key: key).status == 200)
            }
        }
    }

    @Test func floodOfOneKey_is429WithoutAnOutcome() async throws {
        let slow: (String) -> String = { $0.replacing("zone=key burst=100 nodelay", with: "zone=key burst=1 nodelay") }
        try await Self.play(slow) { _, nginx, key in
            // 20 requests on one connection, far faster than the rate.
            let all = (0..<20).map { _ in "https://localhost/v1/self" }
            let statuses = try nginx.run(["-i"] + all, key: key).components(separatedBy: "HTTP/").dropFirst()
                .compactMap { $0.split(separator: " ").dropFirst().first }
            #expect(statuses.contains("429") && statuses.contains("200"), "\(statuses)")
        }
    }
}

/// nginx with the example's configuration, at a socket in a folder.
private final class Nginx {
    static let program = "/usr/sbin/nginx"
    static let isThere = FileManager.default.isExecutableFile(atPath: program)

    struct Reply {
        let status: Int
        let fields: [String]
        let text: String
    }

    let folder: String
    private let server: TestProgram
    private let isRunning = Locked(true)

    init(_ folder: String, upstream: Origin, _ change: (String) -> String) throws {
        self.folder = folder
        let example = OutputSchemas.root.appending(path: "Examples/serve/nginx.conf")
        var text = change(try String(contentsOf: example, encoding: .utf8))
        for (own, here) in [
            ("listen 443 ssl http2", "listen unix:\(folder)/nginx.socket ssl http2"),
            ("/etc/ssl/payments/fullchain.pem", "\(folder)/certificate.pem"),
            ("/etc/ssl/payments/key.pem", "\(folder)/key.pem"), ("/run/nginx.pid", "\(folder)/nginx.pid"),
            ("/var/log/nginx/payments.log", "\(folder)/access.log"),
            ("/var/log/nginx/payments-errors.log", "\(folder)/errors.log"),
            ("server 127.0.0.1:8080 ", "server 127.0.0.1:\(upstream.port) "),
            ("worker_processes auto", "worker_processes 1"), ("worker_rlimit_nofile 40000;", ""),
            ("worker_connections 16384", "worker_connections 256"),
        ] {
            #expect(text.contains(own), "\(own)")
            text = text.replacing(own, with: here)
        }
        // What nginx keeps in folders of the system stands here instead.
        let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        text = text.replacing("http {", with: "http {\n" + kept.joined(separator: "\n"))
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/nginx.conf"))
        let made = try TestProgram.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout",
                "\(folder)/key.pem", "-out", "\(folder)/certificate.pem",
            ])
        #expect(made.code == 0, "\(made.errors)")
        server = try TestProgram(
            Self.program,
            ["-e", "stderr", "-p", folder, "-c", "\(folder)/nginx.conf", "-g", "daemon off; error_log stderr notice;"],
            errors: .withOutput)
        // It says so when it listens.
        var line = server.readLine()
        while !line.isEmpty, !String(decoding: line, as: UTF8.self).contains("start worker process") {
            line = server.readLine()
        }
        #expect(!line.isEmpty, "nginx did not start")
    }

    deinit { stop() }

    /// Ends it and waits for that; a second time does nothing.
    func stop() {
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        guard wasRunning else { return }
        server.terminate()
        _ = server.finish()
    }

    /// What curl prints: heads and bodies.
    func run(_ arguments: [String], key: String? = nil) throws -> String {
        let authorization = key.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let run = try TestProgram.run(
            "/usr/bin/curl",
            [
                "-sk", "--max-time", "60", "--unix-socket", "\(folder)/nginx.socket", "-H",
                "Content-Type: application/json",
            ] + authorization + arguments)
        #expect(run.code == 0, "curl ended with \(run.code): \(run.errors)")
        return run.output
    }

    /// Sends one request.
    func send(_ arguments: [String], _ path: String, key: String? = nil) throws -> Reply {
        let output = try run(arguments + ["-i", "https://localhost\(path)"], key: key).replacing("\r\n", with: "\n")
        let parts = output.components(separatedBy: "\n\n")
        // Interim answers and a body that is empty make more parts or fewer.
        let head = parts.last { $0.hasPrefix("HTTP/") && !$0.contains(" 100") } ?? ""
        let lines = head.split(separator: "\n").map { $0.lowercased() }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Reply(status: status, fields: Array(lines.dropFirst()), text: parts.last ?? "")
    }
}

import Foundation
import Glibc
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentTestPrograms
import PaymentTestServers
import PaymentTransport
import Testing

@testable import PaymentSQLite

/// Twelve failures, each brought about for real on this machine: the library, `payctl` and the service name the same host and
/// the same cause.
@Suite struct FailureDiagnosisTests {
    private static func reply(_ status: Int, _ body: String = "{}") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A provider that gives a token and refuses everything else.
    private func refusing() throws -> TestServer {
        try TestServer { request in
            request.line.contains("oauth2") || request.line.contains("token")
                ? Self.reply(200, #"{"access_token":"t-1","token_type":"Bearer","expires_in":3600}"#)
                : Self.reply(400)
        }
    }

    /// Compares the three answers with what is expected, and prints them.
    private func expect(
        _ name: String, _ answers: [FailureAnswer], _ code: String, _ place: [String?],
        at location: SourceLocation = #_sourceLocation
    ) {
        for (door, answer) in zip(["library", "payctl", "serve"], answers) {
            print("failure \(name), \(door): \(answer)")
            #expect(answer.place == place, "\(name), \(door)", sourceLocation: location)
            #expect(answer.code == code, "\(name), \(door)", sourceLocation: location)
            #expect(answer.message.hasSuffix("."), "\(name), \(door)", sourceLocation: location)
        }
        #expect(answers.count == 3 && Set(answers.map(\.message)).count == 1, sourceLocation: location)
    }

    private func sale(
        _ name: String, _ origin: Origin, _ code: String, _ step: String, _ cause: String, reason: String? = nil,
        at location: SourceLocation = #_sourceLocation,
        _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws {
        var configuration = CurlTransport.Configuration()
        configure(&configuration)
        let answers = try await FailureDoors(origin, configuration).sale()
        expect(name, answers, code, [step, "\(origin)", cause, reason], at: location)
    }

    // MARK: - The network

    @Test func name_notResolved_isDNS() async throws {
        try await sale("DNS", Origin(.https, "does-not-exist.invalid"), "network", "dns", "nameNotResolved")
    }

    @Test func port_closed_isRefused() async throws {
        let origin = Origin(.http, "127.0.0.1", try TestSocket.closedPort())
        try await sale("refused", origin, "network", "connect", "connectionRefused")
    }

    @Test func certificate_ofAnotherName_isTLSWithItsReason() async throws {
        let identity = try TestIdentity(names: "DNS:other.example")
        let server = try TestServer(identity) { _ in Self.reply(200) }
        defer { server.stop() }
        let origin = Origin(.https, "127.0.0.1", server.port)
        try await sale(
            "TLS name", origin, "network", "tls", "tlsFailed", reason: "the certificate is for another host"
        ) { $0.roots = .pem(identity.certificatePEM) }
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func certificate_ofYesterday_isTLSWithItsReason() async throws {
        let identity = try TestIdentity(isExpired: true)
        let server = try TestServer(identity) { _ in Self.reply(200) }
        defer { server.stop() }
        let origin = Origin(.https, "127.0.0.1", server.port)
        try await sale(
            "TLS expired", origin, "network", "tls", "tlsFailed", reason: "certificate has expired"
        ) { $0.roots = .pem(identity.certificatePEM) }
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func connection_neverAccepted_isSlowToConnect() async throws {
        let (listener, port) = try TestSocket.listen(backlog: 0)
        let filling = try TestSocket.connect(port: port)
        defer {
            TestSocket.close(filling)
            TestSocket.close(listener)
        }
        let origin = Origin(.http, "127.0.0.1", port)
        try await sale("slow connect", origin, "network", "connect", "connectTimedOut") {
            $0.connectMilliseconds = 50
        }
    }

    @Test func handshake_neverAnswered_isSlowInTLS() async throws {
        let server = try TestServer { $0.readToEnd() }
        defer { server.stop() }
        let origin = Origin(.https, "127.0.0.1", server.port)
        try await sale("slow handshake", origin, "network", "tls", "connectTimedOut") { $0.connectMilliseconds = 50 }
    }

    @Test func reply_neverCame_isSlowToReply() async throws {
        let server = try TestServer { $0.readToEnd() }
        defer { server.stop() }
        let origin = Origin(.http, "127.0.0.1", server.port)
        try await sale("slow reply", origin, "network", "reply", "stalled") { $0.idleTimeoutMilliseconds = 50 }
    }

    // MARK: - The provider

    @Test(arguments: [
        (401, "authentication", "accessRefused"), (403, "permission", "forbidden"),
        (429, "rateLimited", "tooManyRequests"),
    ])
    func status_ofARefusal_isItsCause(_ status: Int, _ code: String, _ cause: String) async throws {
        let server = try TestServer { _ in Self.reply(status) }
        defer { server.stop() }
        let origin = Origin(.http, "127.0.0.1", server.port)
        try await sale("\(status)", origin, code, "reply", cause, reason: "HTTP \(status)")
    }

    @Test func payment_ofAnotherAccount_namesTheAccount() async throws {
        let server = try TestServer { _ in Self.reply(200) }
        defer { server.stop() }
        let origin = Origin(.http, "127.0.0.1", server.port)
        let journal = "{\"kind\": \"sqlite\", \"path\": \"j.sqlite\"}"
        let doors = try FailureDoors(origin, journal: journal)
        let payment = "0193a7e2-5b1c-7c55-9d0a-000000000099"
        let line = """
            {"attempt":"\(payment)","provider":"till","adapter":"arise","environment":"uat","merchant":"m-1",\
            "reference":"old-1","minorUnits":1000,"currency":"USD","takenAt":1700000000000,\
            "references":{"transactionId":"t-1"}}
            """
        let place = ["--config", doors.path, "--state", doors.state]
        let adopted = await CommandRun.of(["journal", "import"] + place, input: line)
        #expect(adopted.status == 0, "\(adopted.errors)")
        try doors.configure(origin, journal: journal, merchant: "m-2")
        let answers = try await doors.refund(payment)
        expect(
            "wrong account", answers, "configuration", ["request", answers[0].host, "wrongAccount", nil])
        #expect(answers[0].host?.contains("m-2") == true)
        #expect(server.requests.withLock { $0.isEmpty })
    }

    // MARK: - The journal

    @Test func journal_heldByAnotherProcess_isLocked() async throws {
        let server = try refusing()
        defer { server.stop() }
        let origin = Origin(.http, "127.0.0.1", server.port)
        let doors = try FailureDoors(origin, journal: "{\"kind\": \"sqlite\", \"path\": \"j.sqlite\"}")
        let file = "\(doors.folder)/j.sqlite"
        let made = await CommandRun.of(["journal", "init", "--config", doors.path, "--state", doors.state])
        #expect(made.status == 0, "\(made.errors)")
        let other = try SQLiteConnection(path: file, isReadOnly: false, busyMilliseconds: 5)
        try other.execute("BEGIN IMMEDIATE", doing: "holding")
        defer { other.close() }
        let answers = try await OpeningOptions.$busyLimit.withValue(5) { try await doors.sale() }
        expect("journal locked", answers, "journal", ["journal", answers[0].host, "journalLocked", nil])
        #expect(answers[0].host?.hasSuffix("j.sqlite") == true)
    }

    /// The program and its service write to a full file system; the library's journal may have no more pages.
    @Test func disk_full_isSaid() async throws {
        let server = try refusing()
        defer { server.stop() }
        let origin = Origin(.http, "127.0.0.1", server.port)
        let doors = try FailureDoors(origin, journal: "{\"kind\": \"sqlite\", \"path\": \"j.sqlite\"}")
        let program = try SandboxProcess.program().path
        let script = """
            set -e; cd "$1"; mkdir small; mount -t tmpfs -o size=64k tmpfs small
            cp providers.json small/; chmod 600 small/providers.json; cd small
            dd if=/dev/zero of=fill bs=1k 2>/dev/null || true
            "$2" sale 5 USD --source saved --saved s-1 --reference o-1 --config providers.json --state "$1/s" \
              --format json </dev/null || true
            "$2" serve --listen 127.0.0.1:0 --config providers.json --state "$1/s" --format json </dev/null || true
            """
        let options = getuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
        let run = try TestProgram.run(
            "/usr/bin/unshare", options + ["/bin/sh", "-c", script, "sh", doors.folder, program])
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2, "\(run)")
        let told = try lines.map { FailureAnswer(try JSONReader().read(Array($0.utf8))) }
        var limits = OpeningOptions()
        limits.pagesMax = 40
        let path = "\(doors.folder)/full.sqlite"
        let journal = try await SQLiteJournal.open(path: path, processes: SingleProcess("full"), limits)
        var library: FailureAnswer?
        for number in 0..<2_000 where library == nil {
            let answer = try await doors.librarySale(JournalStore(journal), reference: "full-\(number)")
            if answer.code == "journal" { library = answer }
        }
        await journal.close()
        let place = ["journal", "diskFull"]
        for (door, answer) in zip(["library", "payctl", "serve"], [try #require(library)] + told) {
            print("failure disk full, \(door): \(answer)")
            #expect([answer.step, answer.cause] == place && answer.code == "journal", "\(door): \(answer)")
            #expect(answer.host?.contains(door == "library" ? "full.sqlite" : "j.sqlite") == true, "\(door)")
        }
    }
}

import Foundation
import Glibc
import PaymentBase
import PaymentCLI
import PaymentLinux
import PaymentTestPrograms
import PaymentTestServers
import PaymentTransport
import Testing

/// `payctl serve --webhooks` as a process of its own, with a receiver on a port of this machine.
@Suite struct WebhookProcessTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// A receiver that keeps what it got.
    private final class Receiver: Sendable {
        private let server: TestServer
        private let bodies: Locked<[JSON]>
        private let waiting: Locked<[Promise<Bool>]>

        init() throws {
            let (bodies, waiting) = (Locked([JSON]()), Locked([Promise<Bool>]()))
            server = try TestServer(answering: { request in
                if let body = try? JSONReader().read(request.body) { bodies.withLock { $0.append(body) } }
                for promise in waiting.withLock({ $0 }) { promise.fulfill(true) }
                return "HTTP/1.1 204 No Content\r\n\r\n"
            })
            (self.bodies, self.waiting) = (bodies, waiting)
        }

        var port: Int { server.port }
        var all: [JSON] { bodies.withLock { $0 } }

        /// Returns when so many messages came.
        func waitFor(_ count: Int) async {
            while all.count < count {
                let promise = Promise<Bool>()
                waiting.withLock { $0.append(promise) }
                if all.count >= count { return }
                _ = await promise.value()
            }
        }

        func stop() { server.stop() }
    }

    private static func file(_ folder: String, _ endpoints: JSON...) throws -> String {
        let file = "\(folder)/webhooks.json"
        let list: JSON = ["endpoints": .array(endpoints)]
        try Data(list.bytes()).write(to: URL(filePath: file))
        try Data((secret + "\n").utf8).write(to: URL(filePath: "\(folder)/secret"))
        for path in [file, "\(folder)/secret"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        return file
    }

    private static func endpoint(_ folder: String, _ url: String) -> JSON {
        ["name": "till-backend", "shop": "local", "url": .string(url), "secrets": [.string("file:\(folder)/secret")]]
    }

    @Test func sale_isReported_alsoWhenTheServiceWasKilled_andStartedAgain() async throws {
        try await ServeProcess.inFolder { folder in
            let receiver = try Receiver()
            let hooks = try Self.file(folder, Self.endpoint(folder, "http://127.0.0.1:\(receiver.port)/hooks"))
            let first = try ServeProcess(["--state", folder, "--webhooks", hooks])
            let sale: JSON = ["amount": ["value": "12.50", "currency": "EUR"], "reference": "order-1"]
            let id = UUID().uuidString.lowercased()
            // The receiver is known to the journal from the first look on; what is sold later is reported.
            while await CommandRun.of(["webhooks", "list", "--endpoint", "local/till-backend", "--state", folder])
                .status != 0
            {}
            #expect(try await first.send("POST", "/v1/sales", sale, key: "till", id: id).status == 201)
            await receiver.waitFor(1)
            let told = receiver.all
            #expect(told.first?["type"] == "attempt.decided" && told.first?["attempt"]?.string == id)
            _ = kill(first.program.processIdentifier, SIGKILL)
            _ = first.program.finish()
            // Sold by another program while no service runs.
            let sold = await CommandRun.of(["sale", "9.00", "EUR", "--reference", "order-2", "--state", folder])
            #expect(sold.status == 0)
            let second = try ServeProcess(["--state", folder, "--webhooks", hooks])
            await receiver.waitFor(2)
            #expect(Set(receiver.all.compactMap { $0["attempt"]?.string }).count == 2)
            #expect(second.stop().code == 0)
            for arguments in [["webhooks", "list"], ["webhooks", "resend"]] {
                let run = await CommandRun.of(
                    arguments + ["--endpoint", "local/till-backend", "--state", folder, "--format", "json"])
                #expect(run.status == 0)
                #expect(try OutputSchemas.problems(arguments, run.json) == [])
                let unknown = await CommandRun.of(arguments + ["--endpoint", "local/another", "--state", folder])
                #expect(unknown.status == 2)
            }
            receiver.stop()
        }
    }

    /// SIGHUP reads the receivers again: a new one gets what is sold from then on, one that is gone gets nothing, and a file that can't
    /// be read leaves those of before.
    @Test func receivers_readAgainAtSIGHUP_getTheMessages() async throws {
        try await ServeProcess.inFolder { folder in
            let (first, second) = (try Receiver(), try Receiver())
            let hooks = try Self.file(folder, Self.endpoint(folder, "http://127.0.0.1:\(first.port)/hooks"))
            let service = try ServeProcess(["--state", folder, "--webhooks", hooks])
            func known(_ name: String) async {
                while await CommandRun.of(["webhooks", "list", "--endpoint", "local/\(name)", "--state", folder]).status
                    != 0
                {}
            }
            func sell(_ number: Int) async throws {
                let sale: JSON = [
                    "amount": ["value": "12.50", "currency": "EUR"], "reference": .string("order-\(number)"),
                ]
                let id = UUID().uuidString.lowercased()
                #expect(try await service.send("POST", "/v1/sales", sale, key: "till", id: id).status == 201)
            }
            await known("till-backend")
            try await sell(1)
            await first.waitFor(1)
            // What is no JSON changes nothing.
            try Data("{".utf8).write(to: URL(filePath: hooks))
            _ = kill(service.program.processIdentifier, SIGHUP)
            try await sell(2)
            await first.waitFor(2)
            var other = try #require(Self.endpoint(folder, "http://127.0.0.1:\(second.port)/hooks").object)
            other["name"] = "another"
            _ = try Self.file(folder, .object(other))
            _ = kill(service.program.processIdentifier, SIGHUP)
            await known("another")
            let list = ["webhooks", "list", "--endpoint", "local/till-backend", "--state", folder, "--format", "json"]
            // The one that is gone is noted as removed.
            while try await CommandRun.of(list).json["removedAt"]?.string == nil {}
            #expect(try await OutputSchemas.problems(["webhooks", "list"], CommandRun.of(list).json) == [])
            try await sell(3)
            await second.waitFor(1)
            #expect(first.all.count == 2 && second.all.count == 1)
            let end = service.stop()
            #expect(end.code == 0)
            #expect(end.errors.contains("receivers of before stay") && end.errors.contains("read again: 1"))
            first.stop()
            second.stop()
        }
    }

    @Test(arguments: [
        ("http://shop.example/hooks", "https://"), ("ftp://shop.example/", "https://"),
        ("https://u:p@shop.example/", "https://"),
    ])
    func address_thatIsNotAllowed_isRefusedBeforeAnythingIsServed(_ url: String, _ words: String) async throws {
        try await ServeProcess.inFolder { folder in
            let hooks = try Self.file(folder, Self.endpoint(folder, url))
            let run = await CommandRun.of(["serve", "--listen", "127.0.0.1:0", "--state", folder, "--webhooks", hooks])
            #expect(run.status == 2)
            let said = run.errors.joined()
            #expect(said.contains("endpoints[0].url") && said.contains(words), "\(said)")
        }
    }

    /// A receiver's name is that of its shop and its own together.
    @Test func receivers_ofOneName_areRefusedInOneShop_andNotInTwo() async throws {
        try await ServeProcess.inFolder { folder in
            let one = Self.endpoint(folder, "https://shop.example/")
            let elsewhere = one.adding("shop", "paris")
            for (other, words) in [(one, "two receivers of one name"), (elsewhere, "a receiver of the shop paris")] {
                let hooks = try Self.file(folder, one, other)
                let run = await CommandRun.of(
                    ["serve", "--listen", "127.0.0.1:0", "--state", folder, "--webhooks", hooks])
                #expect(run.status == 2 && run.errors.joined().contains(words), "\(run.errors)")
            }
        }
    }

    @Test func members_thatAreWrong_areRefusedWithTheirPlace() async throws {
        try await ServeProcess.inFolder { folder in
            let good = Self.endpoint(folder, "https://shop.example/")
            let wrong: [(String, JSON, String)] = [
                ("name", "No Name", ".name"), ("shop", "paris", "paris"), ("secrets", [], ".secrets"),
                ("secrets", ["whsec_here"], "env:NAME"), ("more", true, "not known: more"),
                ("mayBePrivate", "yes", ".mayBePrivate"),
            ]
            for (member, value, words) in wrong {
                var object = try #require(good.object)
                object[member] = value
                let hooks = try Self.file(folder, .object(object))
                let run = await CommandRun.of(
                    ["serve", "--listen", "127.0.0.1:0", "--state", folder, "--webhooks", hooks])
                #expect(run.status == 2, "\(member)")
                #expect(run.errors.joined().contains(words), "\(member): \(run.errors)")
            }
        }
    }
}

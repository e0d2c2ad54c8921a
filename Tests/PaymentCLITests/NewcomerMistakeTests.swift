import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTestServers
import Testing

/// What newcomers get wrong, typed in a folder as they would: each message names what was wrong, where, and what to do.
///
/// `Tests/Fixtures/NewcomerMistakes.txt` was written before the messages were looked at.
@Suite struct NewcomerMistakeTests {
    /// One line of the file, with what its message has to say.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var title = ""
        var typed: [String] = []
        var statuses: Set<Int32> = []
        var hasNoHome = false
        /// Texts that have to be there: one of each list, under the word that asks for them.
        var due: [(word: String, texts: [String])] = []
        /// The test that plays it, where this one can't.
        var other: String?
        var testDescription: String { title }
    }

    static let file = OutputSchemas.root.appending(path: "Tests/Fixtures/NewcomerMistakes.txt")

    static func all() throws -> [Mistake] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n").compactMap { block in
            var mistake = Mistake()
            for line in block.split(separator: "\n").map(String.init) {
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                let (first, rest) = (parts[0], parts.count > 1 ? parts[1] : "")
                switch first {
                case "#": mistake.title = rest
                case "$": mistake.typed = words(rest)
                case "without": mistake.hasNoHome = true
                case "played": mistake.other = String(rest.dropFirst("by ".count))
                case "status": mistake.statuses = Set(rest.components(separatedBy: " or ").compactMap { Int32($0) })
                case "what", "where", "do":
                    for part in rest.components(separatedBy: " | ") {
                        mistake.due.append((first, part.components(separatedBy: " or ")))
                    }
                default: break
                }
            }
            return mistake.typed.isEmpty && mistake.other == nil ? nil : mistake
        }
    }

    /// Words as a shell splits them, with quotation marks around what has spaces.
    static func words(_ line: String) -> [String] {
        line.components(separatedBy: "\"").enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [part]
        }
    }

    @Test func everyMistake_isReportedWithWhatWhereAndWhatToDo() throws {
        let mistakes = try Self.all()
        #expect(mistakes.count == 60)
        let desk = try MistakeDesk()
        for mistake in mistakes {
            if let other = mistake.other {
                let parts = other.split(separator: ".").map(String.init)
                let source = OutputSchemas.root.appending(path: "Tests/\(parts[0])/\(parts[0]).swift")
                let text = try String(contentsOf: source, encoding: .utf8)
                #expect(text.contains("func \(parts[1])("), "\(mistake.title): there is no \(other)")
                continue
            }
            #expect(Set(mistake.due.map(\.word)) == ["what", "where", "do"], "\(mistake.title)")
            let run = try desk.run(mistake.typed, hasNoHome: mistake.hasNoHome)
            let said = run.output + run.errors
            #expect(mistake.statuses.contains(run.code), "\(mistake.title): status \(run.code): \(said)")
            for (word, texts) in mistake.due {
                #expect(texts.contains { said.contains($0) }, "\(mistake.title): \(word) \(texts): \(said)")
            }
        }
    }
}

/// A folder with everything that the mistakes are about, and two orders that are paid.
final class MistakeDesk {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
    private let program: String

    init() throws {
        program = try SandboxProcess.program().path
        try FileManager.default.createDirectory(at: folder.appending(path: "folder"), withIntermediateDirectories: true)
        let usual = OutputSchemas.root.appending(path: "providers.json")
        try write("providers.json", String(contentsOf: usual, encoding: .utf8))
        try writeConfigurations()
        try writeJournals()
        try writeTables()
        for line in [
            "sale 20 EUR --reference order-1 --attempt m-1",
            "sale 20 EUR --reference order-2 --attempt m-2 --part \"1 of 2\"",
            "sale 20 EUR --reference order-2 --attempt m-3 --part \"2 of 2\"",
            "sale 5 EUR --unreferenced --config worldbefore.json",
        ] {
            let run = try run(NewcomerMistakeTests.words(line))
            #expect(run.code == 0, "\(line): \(run.errors)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func run(_ words: [String], hasNoHome: Bool = false) throws -> ProgramRun {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_STATE_HOME"] = hasNoHome ? nil : folder.appending(path: "state").path
        if hasNoHome { environment["HOME"] = nil }
        return try TestProgram.run(program, words, in: folder.path, environment: environment)
    }

    private func write(_ name: String, _ text: String) throws {
        let place = folder.appending(path: name)
        try Data(text.utf8).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
    }

    /// A configuration of one provider, a line for each thing that can be wrong.
    private func configuration(
        adapter: String = #""memory""#, environment: String = #""sandbox""#, merchant: String = "m-1",
        journal: String? = nil, active: String = "till", more: String = ""
    ) -> String {
        let place = journal.map { #"{"kind": "sqlite", "path": "\#($0)"}"# } ?? #"{"kind": "memory"}"#
        return """
            {
              "active": "\(active)", "journal": \(place),
              "providers": { "till": {
                "adapter": \(adapter), "environment": \(environment), "merchant": "\(merchant)"\(more)
              } }
            }

            """
    }

    private func writeConfigurations() throws {
        let (adyen, test) = (#""adyen""#, #""test""#)
        let key = #""credentials": {"apiKey": "#
        let terminal = ",\n    \"settings\": {\"terminal\": \"V400m-1\"}, "
        try write("ayden.json", configuration(adapter: #""ayden""#))
        try write("comma.json", configuration(more: ","))
        try write("comment.json", "{\n  // the till\n" + configuration().dropFirst(2))
        try write("empty.json", "")
        try write("twice.json", configuration(more: ",\n    \"adapter\": \"memory\""))
        try write("missing.json", configuration(adapter: adyen, environment: test))
        let secret = "AQEyhmfxK4nFaBBKw0m/n3Q5qf3VaY9UCJ14XWZE03G"
        try write(
            "key.json", configuration(adapter: adyen, environment: test, more: ",\n    \(key)\"\(secret)\"}"))
        try write(
            "unset.json",
            configuration(adapter: adyen, environment: test, more: terminal + key + #""env:NO_SUCH_VARIABLE"}"#))
        try write(
            "wrongkey.json",
            configuration(
                adapter: adyen, environment: #""simulated""#, merchant: "TestMerchant",
                more: ",\n    \(key)\"env:PATH\"}"))
        let gone = try TestSocket.closedPort()
        try write(
            "nowhere.json",
            configuration(
                adapter: adyen, environment: test,
                more: ",\n    \"endpoint\": \"https://127.0.0.1:\(gone)\"\(terminal)\(key)\"env:PATH\"}"))
        let whole = configuration().split(separator: "\n", omittingEmptySubsequences: false)
        try write("torn.json", whole.prefix(3).joined(separator: "\n") + "\n    \"adapter\": \"mem")
        try write("member.json", configuration().replacing("environment", with: "enviroment"))
        try write("type.json", configuration(environment: "7"))
        try write("active.json", configuration(active: "shop"))
        try write(
            "world.json",
            configuration(
                adapter: adyen, environment: test, journal: "world.sqlite", more: terminal + key + #""env:PATH"}"#))
        try write("worldbefore.json", configuration(journal: "world.sqlite"))
    }

    private func writeJournals() throws {
        try write("nofolder.json", configuration(journal: "nofolder/j.sqlite"))
        try write("noise.json", configuration(journal: "noise.sqlite"))
        try write("noise.sqlite", String(repeating: "noise ", count: 2_000))
        // Where the folder of the locks should be is a file: no user can make a lock.
        try write("locked.json", configuration(journal: "owned.sqlite"))
        try write("owned.sqlite.owners", "")
        try write("folder.json", configuration(journal: "place.sqlite"))
        let place = folder.appending(path: "place.sqlite")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try write("database.json", configuration(journal: "database.sqlite"))
        // The head of a database of another program: version 1, application 7.
        var head = Array("SQLite format 3\0".utf8) + [0x10, 0, 1, 1, 0, 64, 32, 32]
        head += [UInt8](repeating: 0, count: 4_096 - head.count)
        (head[27], head[31], head[47], head[59], head[71], head[95]) = (1, 1, 4, 1, 7, 1)
        (head[100], head[105], head[106]) = (13, 0x10, 0)
        let bytes = Data(head)
        try bytes.write(to: folder.appending(path: "database.sqlite"))
        let path = folder.appending(path: "database.sqlite").path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func writeTables() throws {
        func line(_ number: Int, merchant: String = "m-1", more: String = "") -> String {
            #"{"attempt": "old-\#(number)", "provider": "memory", "adapter": "memory", "environment": "sandbox", "#
                + #""merchant": "\#(merchant)", "reference": "old-\#(number)", "minorUnits": 100, "currency": "EUR", "#
                + #""takenAt": 1700000000000, "references": {"payment": "p-\#(number)"}\#(more)}"# + "\n"
        }
        try write("other-merchant.jsonl", line(1) + line(2, merchant: "m-2"))
        try write("unknown-member.jsonl", line(1, more: #", "amout": 5"#))
        try write("broken.jsonl", line(1) + "old-2\n")
        try write("empty.jsonl", "")
        try write("header.csv", "attempt,provider,amout\na,memory,5.00\n")
        try write(
            "stranger.csv",
            "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
                + "Received (PC),Authorised (PC),Captured (PC)\n"
                + "OtherMerchant,P1,order-1,2026-11-10 12:00:00,UTC,Authorised,EUR,,12.50,\n")
        try write("message.json", #"{"notificationItems": []}"#)
    }
}

import Foundation
import PaymentBase
import PaymentCLI
import PaymentSimulator
import PaymentTransport
import Testing

/// From nothing to a configuration that works.
@Suite struct SetupTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)").path

    private func inFolder(_ work: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await work()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test func whatTheEnvironmentPresetsIsMentionedWithWhatElseThereIs() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            let run = await CommandRun.of(["init", "--config", path, "--provider", "ecommpay=simulated"])
            #expect(run.status == 0, "\(run.errors)")
            let provider = try JSONReader().read(Array(text(path).utf8))["providers"]?["ecommpay"]
            let comment = try #require(provider?["settings"]?["//link"]?.string)
            #expect(
                comment.contains(#""page""#) && comment.hasSuffix(#""simulated" when left out here."#), "\(comment)")
            #expect(provider?["settings"]?["link"] == nil, "the preset stands in one place")
        }
    }

    /// At the Gate, which a real file has unless it says otherwise, an authenticated payment needs both.
    @Test func ecommpaysTwoAddresses_areAskedFor() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            for environment in ["test", "production"] {
                let run = await CommandRun.of([
                    "init", "--config", path, "--force", "--provider", "ecommpay=\(environment)", "--format", "json",
                ])
                let missing = try run.json["missing"]?.array?.compactMap(\.string) ?? []
                for setting in ["returnAddress", "notificationAddress"] {
                    #expect(missing.contains { $0.contains("providers.ecommpay.settings.\(setting)") }, "\(missing)")
                }
            }
        }
    }

    @Test func severalRealEnvironmentsStandInOneFile() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            let first = await CommandRun.of([
                "init", "--config", path, "--provider", "arise=uat", "--provider", "adyen=test", "--format", "json",
            ])
            #expect(first.status == 0, "\(first.errors)")
            let missing = try first.json["missing"]?.array?.compactMap(\.string) ?? []
            for member in [
                "providers.arise.merchant", "providers.arise.settings.clientId", "providers.adyen.settings.terminal",
            ] {
                #expect(missing.contains { $0.contains(member) }, "\(member): \(missing)")
            }
            let written = try text(path)
            #expect(written.contains("\"path\": \"state:journal.sqlite\""))
            #expect(
                written.contains(#"\"cloudSync\", \"cloudAsync\", \"local\" or \"mobile\""#), "a choice says its words")
            // Nothing is read that isn't filled in.
            let unfilled = await CommandRun.of(["doctor", "--config", path])
            #expect(unfilled.status == 2 && unfilled.text.contains("REPLACE-ME"))
            let more = await CommandRun.of(["init", "--config", path, "--add", "--provider", "adyen=live"])
            #expect(more.status == 0, "\(more.errors)")
            let added = try text(path)
            #expect(added.hasPrefix(String(written.prefix(600))), "what stood there stays")
            let providers = try JSONReader().read(Array(added.utf8))["providers"]?.object?.members.map(\.key) ?? []
            #expect(providers.filter { !$0.hasPrefix("//") } == ["arise", "adyen", "adyen-live"])
            #expect(added.contains("https://REPLACE-ME-checkout-live.adyenpayments.com/checkout/v72"))
            let twice = await CommandRun.of(["init", "--config", path, "--add", "--provider", "adyen=live"])
            #expect(twice.status == 2 && twice.errors.first?.contains("has a provider adyen-live already") == true)
            let mixed = await CommandRun.of(["init", "--config", path, "--add", "--provider", "memory"])
            #expect(mixed.status == 2 && mixed.errors.first?.contains("share the journal") == true)
            #expect(try text(path) == added)
            let nowhere = await CommandRun.of(["init", "--config", "\(path).none", "--add", "--provider", "halo"])
            #expect(nowhere.status == 2)
        }
    }

    @Test func aProviderIsAddedToAFileOfAnyShape() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            for shape in [
                #"{"active":"a","providers":{"a":{"adapter":"memory","environment":"sandbox","merchant":"m-1"}},"journal":{"kind":"memory"}}"#,
                "{\n\"journal\": {\"kind\": \"memory\"},\n \"providers\": {\n\n  \"a\": {\"adapter\": \"memory\", \"environment\": "
                    + "\"sandbox\", \"merchant\": \"m-1\"}\n\n },\n \"active\": \"a\"}",
            ] {
                try write(shape, path)
                let run = await CommandRun.of(["init", "--config", path, "--add", "--provider", "halo"])
                #expect(run.status == 0 && run.out.count == 2, "\(run.out) \(run.errors)")
                let plan = await CommandRun.of(["providers", "--config", path, "--state", "\(folder)/s"])
                #expect(plan.status == 0 && plan.text.contains("halo"), "\(plan.errors)")
            }
        }
    }

    @Test func oneAddressIsEnoughForASandboxOnPorts() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            let process = try SandboxProcess(["--write-config", path])
            let doctor = await CommandRun.of(["doctor", "--config", path, "--state", "\(folder)/s"])
            #expect(doctor.status == 0, "\(doctor.out)")
            #expect(doctor.out.count { $0.contains("its credentials are taken") } >= 4, "\(doctor.out)")
            #expect(doctor.out.contains { $0.hasPrefix("untried") && $0.contains("a payment") })
            #expect(!doctor.out.contains { $0.contains("all refused") }, "what they sign with is known to everyone")
            let place = ["--config", path, "--state", "\(folder)/s", "--format", "json"]
            for (name, amount, currency) in [
                ("memory", "5", "EUR"), ("arise", "5", "USD"), ("adyen", "5", "EUR"), ("ecommpay", "5", "EUR"),
                ("halo", "5", "ZAR"), ("ni", "5", "AED"),
            ] {
                let sale = await CommandRun.of(
                    ["sale", "--unreferenced", amount, currency, "--provider", name] + place)
                #expect(sale.status == 0, "\(name): \(sale.out) \(sale.errors)")
            }
            // Captures go another way than sales do at Adyen, and that is found too.
            let held = await CommandRun.of(["authorize", "--unreferenced", "9", "EUR", "--provider", "adyen"] + place)
            let capture = await CommandRun.of(["capture", try #require(try held.json["payment"]?.string)] + place)
            #expect(capture.status == 6, "\(capture.out) \(capture.errors)")
            process.terminate()
            _ = process.end()
            let gone = await CommandRun.of(["sale", "--unreferenced", "5", "EUR", "--provider", "memory"] + place)
            #expect(gone.status == 4)
            let error = try gone.json["error"]
            #expect(error?["step"]?.string == "connect" && error?["host"]?.string == "\(process.memory)")
            #expect(error?["outcome"]?.string == "notExecuted" && error?["next"]?.string?.contains("doctor") == true)
        }
    }

    @Test func portsAreFixedOnRequest() async throws {
        // Two ports that were free a moment ago, one behind the other.
        let first = try #require(try await FreePorts.pair())
        let process = try SandboxProcess(["--provider", "memory", "--ports", "\(first)"])
        #expect(process.control.port == first && process.memory.port == first + 1)
        process.terminate()
        _ = process.end()
        for words in [["--ports", "0"], ["--ports", "65535"], ["--write-config", "x", "--tls"]] {
            #expect(try SandboxProcess.refusal(words).code == 2, "\(words)")
        }
    }

    @Test func theDoctorSaysWhoRefusesOurCredentials() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            let process = try SandboxProcess(["--provider", "memory,arise", "--write-config", path])
            let wrong = try text(path).replacingOccurrences(
                of: "\"adapter\": \"arise\"",
                with: "\"adapter\": \"arise\", \"credentials\": {\"clientSecret\": \"env:HOME\"}")
            try write(wrong, path)
            let doctor = await CommandRun.of(["doctor", "--config", path, "--state", "\(folder)/s"])
            #expect(doctor.status == 1, "\(doctor.out)")
            #expect(doctor.out.contains { $0.contains("arise: its credentials are refused") }, "\(doctor.out)")
            #expect(doctor.out.contains { $0.contains("memory: its credentials are taken") })
            process.terminate()
            _ = process.end()
        }
    }
}

/// Ports that the system gave a moment ago.
private enum FreePorts {
    /// Two in a row; nil where none were found.
    static func pair() async throws -> Int? {
        for _ in 0..<32 {
            let server = try SimulatorServer()
            let first = try await server.listen(Silent()).port
            let next = try? await server.listen(Silent(), port: first + 1)
            await server.stop()
            if next != nil { return first }
        }
        return nil
    }

    private struct Silent: SimulatorService {
        func answer(_ request: HTTPRequest) async -> SimulatorResponse { .empty() }
    }
}

/// The package that `payctl new-provider` writes is the one under Examples; `RECORD_SNAPSHOTS=1` records that again.
///
/// That it compiles and reaches its level `Scripts/ci examples` shows.
@Suite struct NewProviderTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "provider-\(UUID().uuidString)")

    /// Every file under a folder, by its path within.
    private static func files(_ folder: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if path.hasPrefix(".build") || path.hasPrefix("Package.resolved") { continue }
            let file = folder.appending(path: path)
            if let text = try? String(contentsOf: file, encoding: .utf8) { files[path] = text }
        }
        return files
    }

    @Test func theExampleIsWhatIsWritten() async throws {
        let example = Self.root.appending(path: "Examples/AcmeProvider")
        let made = folder.appending(path: "acme")
        let run = await CommandRun.of(["new-provider", "acme", made.path, "--payments", Self.root.path])
        #expect(run.status == 0, "\(run.errors)")
        let manifest = made.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        #expect(text.contains("path: \"\(Self.root.path)\""))
        try Data(text.replacingOccurrences(of: "\"\(Self.root.path)\"", with: "\"../..\"").utf8).write(to: manifest)
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try? FileManager.default.removeItem(at: example)
            try FileManager.default.copyItem(at: made, to: example)
        }
        let (written, there) = try (Self.files(made), Self.files(example))
        #expect(Set(written.keys) == Set(there.keys))
        for (path, text) in written { #expect(there[path] == text, "\(path)") }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func severalWordsAreNamedAsSwiftNamesThem() async throws {
        let made = folder.appending(path: "north-pay-2")
        let run = await CommandRun.of(
            ["new-provider", "north-pay-2", made.path + "/", "--format", "json", "--payments", Self.root.path])
        #expect(run.status == 0, "\(run.errors)")
        let files = try Self.files(made)
        let written = try run.json["written"]?.array?.compactMap(\.string) ?? []
        #expect(Set(written) == Set(files.keys.map { "\(made.path)/\($0)" }))
        #expect(files["Sources/NorthPay2Provider/NorthPay2Driver.swift"]?.contains("ErrorTable.northPay2") == true)
        #expect(files["Sources/NorthPay2Provider/NorthPay2Entry.swift"]?.contains("name: \"North Pay 2\"") == true)
        #expect(files["Sources/north-pay-2-payctl/Main.swift"]?.hasPrefix("import NorthPay2Harnesses\n") == true)
        for (path, text) in files {
            #expect(!text.lowercased().contains("acme"), "\(path)")
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aRelativePathIsWrittenAsSeenFromThePackage() async throws {
        let (here, root) = (FileManager.default.currentDirectoryPath, Self.root.path)
        let way = Self.way(from: here, to: root)
        let run = await CommandRun.of(["new-provider", "acme", folder.path, "--payments", way])
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("path: \"\(Self.way(from: folder.path, to: root))\""))
        try FileManager.default.removeItem(at: folder)
    }

    /// The path stands in a program that is run when the package is built.
    @Test(arguments: [#"pay\(print("x"))"#, #"pay"; print("x"); ""#, "pay\nments", #"pay\"#])
    func pathOfThePackage_withMarksOfSwift_isWrittenAsText(_ name: String) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: name)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Self.root)
        let made = folder.appending(path: "acme")
        let run = await CommandRun.of(["new-provider", "acme", made.path, "--payments", link.path])
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try String(contentsOf: made.appending(path: "Package.swift"), encoding: .utf8)
        let written = try #require(manifest.split(separator: "\n").first { $0.contains("path: ") })
        // What stands between the quotation marks, as Swift reads it.
        let text = try #require(written.split(separator: "path: \"", maxSplits: 1).last?.dropLast(4))
        #expect(
            written.hasSuffix("\")],") && !text.replacing("\\\\", with: "").replacing("\\\"", with: "").contains("\""))
        let read = text.replacing("\\\\", with: "\u{1}").replacing("\\\"", with: "\"").replacing("\\u{A}", with: "\n")
        #expect(!read.contains("\\") && read.replacing("\u{1}", with: "\\") == link.path, "\(written)")
    }

    private static func way(from: String, to: String) -> String {
        let (from, to) = (from.split(separator: "/"), to.split(separator: "/"))
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared).map(String.init)
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }

    @Test(arguments: [
        ("Acme", "is no name"), ("2go", "is no name"), ("a--b", "is no name"), ("a-", "is no name"),
        ("é", "is no name"),
        ("a/b", "is no name"), (String(repeating: "a", count: 25), "is no name"), ("halo", "an adapter halo already"),
        ("class", "a word of Swift"), ("string", "a word of Swift"), ("int", "a word of Swift"),
        ("error", "a word of Swift"), ("sendable", "a word of Swift"), ("type", "a word of Swift"),
        ("sale", "of the payments package"), ("payments", "of the payments package"),
    ])
    func aNameThatWouldNotCompileIsRefused(_ name: String, _ words: String) async {
        let run = await CommandRun.of(["new-provider", name, folder.path, "--payments", Self.root.path])
        #expect(run.status == 2 && run.out.isEmpty)
        #expect(run.errors.first?.contains(words) == true, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// The payments package is the one in which the program lies; an archive's lies in none.
    @Test func thePackageIsFoundFromTheProgram() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (made, program) = (folder.appending(path: "acme"), try SandboxProcess.program())
        let found = try SandboxProcess.plain(["new-provider", "acme", made.path])
        #expect(found.code == 0, "\(found.words)")
        let manifest = try String(contentsOf: made.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("\"\(Self.root.path)\""), "\(manifest)")
        let elsewhere = folder.appending(path: "payctl")
        try FileManager.default.copyItem(at: program, to: elsewhere)
        let other = folder.appending(path: "other").path
        let lost = try SandboxProcess.plain(["new-provider", "acme", other], program: elsewhere)
        #expect(lost.code == 2 && lost.words.contains("name it by --payments"), "\(lost.words)")
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func nothingIsWrittenOverAndNothingGuessed() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let there = await CommandRun.of(["new-provider", "acme", folder.path, "--payments", Self.root.path])
        #expect(there.status == 2 && there.errors.first?.contains("is there already") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let inner = folder.appending(path: "acme").path
        let elsewhere = await CommandRun.of(["new-provider", "acme", inner, "--payments", folder.path])
        #expect(elsewhere.status == 2)
        #expect(elsewhere.errors.first?.contains("is no folder of the payments package") == true)
        let nothing = await CommandRun.of(["new-provider", "acme"])
        #expect(nothing.status == 2 && nothing.errors.first?.contains("FOLDER is missing") == true)
        try FileManager.default.removeItem(at: folder)
    }
}

extension SetupTests {
    /// A file of a phone can be looked at where no SDK is: taps are tried on the phone, everything else here.
    @Test(arguments: ["arise=production", "ni=production", "halo=sandbox"])
    func realEnvironmentOfTaps_startsWithTheSDK_andIsExamined(_ choice: String) async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            let made = await CommandRun.of(["init", "--config", path, "--provider", choice, "--merchant", "m-1"])
            #expect(made.status == 0, "\(made.errors)")
            let adapter = choice.split(separator: "=")[0]
            let settings = try JSONReader().read(Array(text(path).utf8))["providers"]?[String(adapter)]?["settings"]
            #expect(settings?["link"]?.string == "kit")
        }
    }

    @Test func productionOfARISE_withAnOwnReader_isCautionedAgainst() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            try write(
                """
                { "active": "arise", "journal": { "kind": "memory" }, "providers": { "arise": {
                  "adapter": "arise", "environment": "production", "endpoint": "http://127.0.0.1:9", "merchant": "m-1",
                  "settings": { "link": "reader", "oauth": "http://127.0.0.1:9", "clientId": "c" },
                  "credentials": { "clientSecret": "env:HOME" } } } }
                """.replacingOccurrences(of: "http://127.0.0.1:9", with: "https://127.0.0.1:9"), path)
            let doctor = await CommandRun.of(["doctor", "--config", path])
            #expect(doctor.text.contains("It takes no taps"), "\(doctor.text) \(doctor.errors)")
            let providers = await CommandRun.of(["providers", "--config", path, "--format", "json"])
            let arise = try providers.json["providers"]?[0]
            #expect(arise?["link"]?.string == "reader")
            #expect(arise?["capabilities"]?["source.reader"]?.bool == false)
            #expect(arise?["capabilities"]?["source.card"]?.bool == true)
        }
    }

    @Test func fileOfAPhone_isReadWhereNoSDKIs() async throws {
        try await inFolder {
            let path = "\(folder)/providers.json"
            try write(
                """
                { "active": "arise", "journal": { "kind": "memory" }, "providers": {
                  "arise": { "adapter": "arise", "environment": "production", "merchant": "m-1",
                    "settings": { "link": "kit", "clientId": "c" }, "credentials": { "clientSecret": "env:HOME" } },
                  "halo": { "adapter": "halo", "environment": "sandbox", "merchant": "m-1",
                    "settings": { "link": "kit" }, "credentials": { "token": "env:HOME" } } } }
                """, path)
            let plan = await CommandRun.of(["switch", "plan", "arise", "halo", "--config", path])
            #expect(plan.status == 0, "\(plan.errors)")
            let providers = await CommandRun.of(["providers", "--config", path, "--format", "json"])
            #expect(try providers.json["providers"]?.array?.compactMap { $0["link"]?.string } == ["kit", "kit"])
        }
    }
}

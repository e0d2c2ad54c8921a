import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// The package that `payctl new-provider` writes is the one under Examples; `RECORD_SNAPSHOTS=1` writes that anew.
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

import CXML
import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import Testing

@testable import PaymentCLI

@Suite struct ConformanceReportTests {
    private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/JUnit/junit.xsd").standardized

    private struct Output: Sendable {
        let status: Int32
        let lines: [String]
    }

    private static func payctl(_ arguments: [String]) async -> Output {
        let lines = Locked([String]())
        let console = Console { connection in
            lines.withLock { $0.append(connection) }
        } error: { _ in
        }
        let status = await Payctl.main(["conformance"] + arguments, console: console)
        return Output(status: status, lines: lines.withLock { $0 })
    }

    private static func isValid(_ document: [UInt8]) -> Bool? {
        guard let parser = unsafe xmlSchemaNewParserCtxt(schema.path()) else { return nil }
        defer { unsafe xmlSchemaFreeParserCtxt(parser) }
        guard let rules = unsafe xmlSchemaParse(parser) else { return nil }
        defer { unsafe xmlSchemaFree(rules) }
        let read = unsafe document.withUnsafeBytes { bytes in
            unsafe xmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil, nil, 0)
        }
        guard let tree = unsafe read else { return nil }
        defer { unsafe xmlFreeDoc(tree) }
        guard let check = unsafe xmlSchemaNewValidCtxt(rules) else { return nil }
        defer { unsafe xmlSchemaFreeValidCtxt(check) }
        return unsafe xmlSchemaValidateDoc(check, tree) == 0
    }

    @Test func everyFormatIsWrittenAndTheXMLFitsItsSchema() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["json", "xml", "md", "txt"].map { folder.appending(path: "report.\($0)").path() }
        let output = await Self.payctl(["memory"] + files.flatMap { ["--report", $0] })
        #expect(output.status == 0)
        #expect(output.lines.last?.hasSuffix("Nothing failed.") == true)
        let bytes = try files.map { Array(try Data(contentsOf: URL(filePath: $0))) }
        let json = try JSONReader().read(bytes[0])
        let provider = try #require(json["providers"]?[0])
        #expect(provider["id"]?.string == "memory")
        #expect(provider["level"]?.string == "full" && provider["isSimulated"]?.bool == true)
        #expect(provider["declared"]?.array?.contains("sale") == true && provider["of"]?.int64 == 31)
        #expect(provider["checks"]?.array?.count == Check.all.count)
        #expect(json["waivers"]?.int64 == 0)
        #expect((json["faultCases"]?.int64 ?? 0) > 1_500)
        #expect(Self.isValid(bytes[1]) == true)
        #expect(Self.isValid(Array("<testsuites><testcase/></testsuites>".utf8)) == false)
        #expect(String(decoding: bytes[2], as: UTF8.self).contains("| `sale.approved` | ✓ |"))
        #expect(bytes[3].count > 100)
    }

    @Test func noNameMeansEveryHarness() throws {
        let run = try ConformanceRun(GivenArguments([], takes: AcceptedArguments()), .builtin)
        #expect(run.names == HarnessRegistry.builtin(over: .inProcess).harnesses.map(\.name))
        #expect(run.names.count == 15)
    }

    @Test func wrongUsageIsTwo() async {
        for wrong in [
            ["nobody"], ["--level", "highest"], ["--report", "report.pdf"], ["memory", "memory"],
            ["--front", "pigeons"], ["--seed", "x"],
        ] {
            #expect(await Self.payctl(wrong).status == 2, "\(wrong)")
        }
        #expect(await Self.payctl(["memory", "halo", "--level", "core"]).status == 0)
    }
}

/// The table of checks and mutants in `Tests/Fixtures/Conformance/checks.txt` is what the code says; `RECORD_SNAPSHOTS=1` writes it.
@Suite struct ConformanceDocumentTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/Conformance/checks.txt").standardized

    private static var text: String {
        let mutants = Mutant.all + AdyenMutants.terminal + EcommpayMutants.sending + EcommpayMutants.proofs
        var lines = [
            "Written by a test. \(Check.all.count) checks, \(mutants.count) drivers broken on purpose; each is caught "
                + "by the check beside it. Members: check, level, behaviour, mutants."
        ]
        for family in Check.Family.allCases {
            let checks = Check.all.filter { $0.family == family }
            if checks.isEmpty { continue }
            lines += ["", family.rawValue]
            for check in checks {
                let names = mutants.filter { $0.caughtBy == check.id }.map(\.id).joined(separator: ", ")
                lines.append([check.id, check.level.rawValue, check.summary, names].joined(separator: "\t"))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func theTableIsWhatTheCodeSays() throws {
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                at: Self.path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(Self.text.utf8).write(to: Self.path)
        }
        #expect(try String(contentsOf: Self.path, encoding: .utf8) == Self.text)
    }
}

import Foundation
import PaymentBase
import Testing

@testable import PaymentCLI

/// The audit file is one that no other user reads, changes or replaces.
@Suite struct AuditFileTests {
    /// A folder of its own with a path in it, which is removed afterwards.
    private static func use(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body("\(folder)/audit")
    }

    private static func refusal(_ path: String) -> String {
        do throws(UsageError) {
            _ = try AuditFile(path)
            return ""
        } catch { return error.message }
    }

    @Test func auditFile_ofThisUserAlone_takesLines() throws {
        try Self.use { path in
            let file = try AuditFile(path)
            #expect(file.add(["a": 1]))
            try file.reopen()
            #expect(file.add(["b": 2]))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"a\":1}\n{\"b\":2}\n")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    private static func append(_ text: String, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        _ = try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
    }

    /// A disk that was full took the beginning of a line alone: while the service ran, and as the last of one that ended.
    @Test func line_afterHalfALine_beginsALineOfItsOwn() throws {
        try Self.use { path in
            let file = try AuditFile(path)
            #expect(file.add(["a": 1]))
            try Self.append("{\"b\"", to: path)
            #expect(file.add(["c": 1]) && file.add(["d": 1]))
            try Self.append("{", to: path)
            #expect(try AuditFile(path).add(["e": 1]))
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(lines == ["{\"a\":1}", "{\"b\"", "{\"c\":1}", "{\"d\":1}", "{", "{\"e\":1}"])
        }
    }

    @Test(arguments: [0o666, 0o604, 0o620, 0o644])
    func auditFile_thatOthersReadOrChange_isRefused(_ mode: Int) throws {
        try Self.use { path in
            #expect(
                FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode]))
            #expect(unsafe chmod(path, mode_t(mode)) == 0)
            #expect(Self.refusal(path).contains("mode \(String(mode, radix: 8))"))
        }
    }

    @Test func auditFile_thatIsAPipe_isRefusedAtOnce() throws {
        try Self.use { path in
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(Self.refusal(path).contains("no ordinary file"))
        }
    }

    @Test func auditFile_inAFolderThatIsOpenToOthers_isRefused() throws {
        try Self.use { path in
            #expect(unsafe chmod(FilePath.folder(of: path), 0o777) == 0)
            #expect(Self.refusal(path).contains("open to them"))
        }
    }
}

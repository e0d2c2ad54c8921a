import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal

@testable import PaymentSQLite

/// A folder that is gone with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "payments-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file in it.
    func file(_ name: String = "journal.sqlite") -> String { path + "/" + name }

    /// Opens its journal, as the one process that ``JournalTestWriter`` writes for unless others are named.
    func open(
        _ name: String = "journal.sqlite", _ options: OpeningOptions = OpeningOptions(),
        processes: any ProcessRegistry = SingleProcess(JournalTestWriter.owner)
    ) async throws(PaymentError) -> SQLiteJournal {
        try await SQLiteJournal.open(path: file(name), processes: processes, options)
    }

    /// Runs statements on the file, past the store.
    func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(path: file(), isReadOnly: false, busyMilliseconds: 100)
        defer { connection.close() }
        try connection.execute(sql, doing: "harm")
    }
}

extension SQLiteJournal {
    /// Runs statements on the file, as its own thread would.
    func execute(_ sql: String) async throws { try await keeping { try $0.connection.execute(sql, doing: "harm") } }

    /// One number that a statement gives.
    func number(_ sql: String) async throws -> Int64 { try await reading { try $0.number(sql, doing: "counting") } }

    /// Everything that is wrong with it.
    func problems(at milliseconds: Int64 = 0) async throws -> [JournalReport.Problem] {
        try await check(at: JournalTestWriter.at(milliseconds)).problems
    }
}

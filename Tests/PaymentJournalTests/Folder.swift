import Foundation

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
}

import Foundation

/// The lists that were taken out of the vendors' documents, and the sources that are held against them.
enum KitFixture {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The rows of a list, without its comment.
    static func rows(_ file: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appending(path: "Tests/Fixtures/Kits/\(file).tsv"), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { row in
            row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The rows of a table of the vendors' published SDKs, without its head.
    static func published(_ table: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appending(path: "Tests/Contracts/sdk/\(table).tsv"), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { row in
            row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The texts of a kit's folder.
    static func sources(_ folder: String) throws -> [String] {
        let place = root.appending(path: "Sources/PaymentMobileSDKs/\(folder)")
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".swift") }
        return try files.sorted().map { try String(contentsOf: place.appending(path: $0), encoding: .utf8) }
    }
}

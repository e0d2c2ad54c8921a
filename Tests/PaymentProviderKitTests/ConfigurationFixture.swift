import Foundation

/// A broken configuration of `Tests/Fixtures/Configuration` with the message that it must lead to.
struct ConfigurationFixture: CustomStringConvertible {
    /// The file's name without its ending.
    let name: String

    var description: String { name }

    /// What is written where a secret must not be shown.
    static let planted = "PLANTED"

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = repository.appending(path: "Tests/Fixtures/Configuration")
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    static let broken: [ConfigurationFixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") && $0 != "valid.json" }.sorted()
            .map { ConfigurationFixture(name: String($0.dropLast(5))) }
    }()

    func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: name + ".json")))
    }

    /// The expected message; written anew when snapshots are recorded.
    func expected(_ message: String) throws -> String {
        let file = Self.folder.appending(path: name + ".txt")
        if Self.isRecording { try Data((message + "\n").utf8).write(to: file) }
        return try String(contentsOf: file, encoding: .utf8)
    }
}

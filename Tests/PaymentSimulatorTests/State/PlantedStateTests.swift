import Foundation
import PaymentBase
import PaymentSimulator
import Testing

/// State files that somebody else has prepared.
@Suite struct PlantedStateTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test func aPlantedLinkIsNotWrittenThrough() async throws {
        try await inFolder { folder in
            let (path, victim) = ("\(folder)/state.json", "\(folder)/victim")
            try Data("mine".utf8).write(to: URL(filePath: victim))
            try FileManager.default.createSymbolicLink(atPath: path + ".new", withDestinationPath: victim)
            let sandbox = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            sandbox.save()
            #expect(try String(contentsOf: URL(filePath: victim), encoding: .utf8) == "mine")
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aStateThatOthersMayWriteIsRefused() async throws {
        try await inFolder { folder in
            let path = "\(folder)/state.json"
            try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }.save()
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
            #expect(throws: SimulatorError.self) {
                try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            }
        }
    }

    @Test func aNumberAtItsEndIsRefusedAndNeverCounted() async throws {
        try await inFolder { folder in
            let path = "\(folder)/state.json"
            for entry in SimulatorRegistry.entries {
                try? FileManager.default.removeItem(atPath: path)
                try SimulatedProviders(stateFile: path) { [entry.open($0)] }.save()
                let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
                for limit in [Int64.max, Int64.max - 1, -1, .min] {
                    let broken = text.replacing(#/"(nextNumber|tokenCount|readerTokenCount)":\d+/#) {
                        "\"\($0.output.1)\":\(limit)"
                    }
                    if broken == text { continue }
                    try Data(broken.utf8).write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                    #expect(throws: SimulatorError.self, "\(entry.name) \(limit)") {
                        try SimulatedProviders(stateFile: path) { [entry.open($0)] }
                    }
                }
            }
        }
    }
}

import Foundation
import Testing

/// What is written in several places about the adapters says the same everywhere.
@Suite struct AgreementTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folders of adapters, the registry's lines, the root configuration and the simulated providers.
    @Test func everyAdapterHasItsEntryItsProviderAndItsPlaceInTheConfiguration() throws {
        let folders = try Self.folders("Sources/Providers")
        let entries = try Self.text("Sources/AllProviders/ProviderRegistry+Builtin.swift")
        let configuration = try Self.text("providers.json")
        #expect(!folders.isEmpty)
        for folder in folders {
            let adapter = Self.adapter(folder)
            #expect(entries.contains(".\(adapter)"), "\(folder) is not in the registry")
            #expect(configuration.contains("\"adapter\": \"\(adapter)\""), "\(folder) is not in providers.json")
            #expect(
                try Self.folders("Sources/PaymentSimulator").contains(folder), "\(folder) has no simulated provider")
        }
    }

    private static func adapter(_ folder: String) -> String {
        folder == "NetworkInternational" ? "ni" : folder.lowercased()
    }

    private static func folders(_ path: String) throws -> Set<String> {
        let url = root.appendingPathComponent(path)
        return Set(
            try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: [.isDirectoryKey])
                .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true }
                .map(\.lastPathComponent))
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}

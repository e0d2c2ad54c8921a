import Foundation
import Testing

/// What docs/architecture.md says is so: the files that it names are there.
@Suite struct ArchitectureTests {
    private static let path = "docs/architecture.md"

    @Test func theFilesThatItNamesAreThere() {
        let names = Set(Repository.files.filter(\.isSource).map { String($0.name) })
        let lines = Repository.files.first { $0.path == Self.path }?.lines ?? []
        var count = 0
        for (offset, line) in lines.enumerated() {
            for piece in line.split(separator: "`") where piece.hasSuffix(".swift") && piece != "Package.swift" {
                count += 1
                let isThere = names.contains(String(piece))
                #expect(isThere, "\(Self.path):\(offset + 1): there is no \(piece) in Sources")
            }
        }
        #expect(count > 30)
    }
}

/// Every test that a document names for a rule or a promise is there.
@Suite struct AttemptRulesTests {
    @Test(arguments: [
        ("docs/attempts.md", 90), ("docs/threat-model.md", 40), ("docs/providers/adyen.md", 15),
        ("docs/providers/ecommpay.md", 20),
    ])
    func theTestsThatItNamesAreThere(_ path: String, _ least: Int) {
        let text = Repository.files.first { $0.path == path }?.text ?? ""
        let rows = text.split(separator: "\n").filter { $0.first == "|" }
        let named = Set(rows.flatMap { row in row.split(separator: "`").map(String.init).filter(Self.isName) })
        #expect(named.count > least)
        var there: Set<String> = []
        for file in Repository.files where file.path.hasPrefix("Tests/") && file.path.hasSuffix(".swift") {
            for line in file.text.split(separator: "\n") {
                guard let start = line.firstRange(of: "func ")?.upperBound else { continue }
                there.insert(String(line[start...].prefix(while: Self.isOfName)))
            }
        }
        #expect(named.subtracting(there).isEmpty, "no such tests: \(named.subtracting(there).sorted())")
    }

    private static func isName(_ text: String) -> Bool {
        text.allSatisfy(isOfName) && text.contains(where: \.isUppercase) && text.count > 5
            && text.first?.isLowercase == true
    }

    private static func isOfName(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber || letter == "_" }
}

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

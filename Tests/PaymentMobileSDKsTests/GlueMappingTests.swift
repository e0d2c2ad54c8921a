import Foundation
import Testing

/// The glue translates case by case between the vendors' words and ours, and both have one word for one thing. A refund that is
/// translated to a purchase has the right type: no compiler finds that, and it charges.
@Suite struct GlueMappingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples/Phone/Glue")

    /// A case that becomes another word, a choice that gives another word than the one it asked for, and a flag that is filled
    /// from another one.
    private static func swaps(in text: String) -> (places: Int, found: [String]) {
        var (places, found) = (0, [String]())
        for line in text.split(separator: "\n") {
            let pairs =
                line.matches(of: /case \.(\w+)(?:\([^)]*\))?: (?:self = |return )?\.(\w+)/).map { ($0.1, $0.2) }
                + line.matches(of: /== \.(\w+) \? \.(\w+) :/).map { ($0.1, $0.2) }
                + line.matches(of: /\b(\w+Enabled): \w+\.(\w+)/).map { ($0.1, $0.2) }
            places += pairs.count
            found += pairs.filter { $0.0 != $0.1 }.map { _ in line.trimmingCharacters(in: .whitespaces) }
        }
        return (places, found)
    }

    @Test func glue_everyTranslatedWord_isTheSameWord() throws {
        let files = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        var places = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let (count, found) = Self.swaps(in: try String(contentsOf: file, encoding: .utf8))
            places += count
            #expect(found.isEmpty, "\(file.lastPathComponent)")
        }
        #expect(places > 100, "the forms in which the glue translates have changed: \(places) were read")
    }

    @Test(arguments: [
        "case .refund: self = .purchase", "case .refund: .purchase", "type == .refund ? .purchase : .refund",
        ".init(refundEnabled: said.voidEnabled)",
    ])
    func swappedWord_isFound(_ line: String) {
        #expect(Self.swaps(in: line).found.count == 1)
    }
}

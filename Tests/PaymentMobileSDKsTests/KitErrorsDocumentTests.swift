import Foundation
import Testing

@testable import PaymentMobileSDKs

/// `Tests/Fixtures/Kits/errors.tsv` is what the tables of outcomes say; `RECORD_SNAPSHOTS=1` writes it.
@Suite struct KitErrorsDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let path = root.appending(path: "Tests/Fixtures/Kits/errors.tsv")
    private static let titles = [
        "arise": "ARISE Mobile SDK 1.0.0", "adyen": "Adyen POS Mobile SDK", "ni": "Network International's SDK",
        "ecommpay": "ecommpay SDK Core", "halo": "Halo.Swift 4.0", "reader": "Apple: PaymentCardReaderError",
        "read": "Apple: PaymentCardReaderSession.ReadError",
    ]

    private static var text: String {
        let heads = ["vendor", "error", "calls", "in a payment", "after a submission", "elsewhere", "cause", "why"]
        var lines = [
            "# Every error of the vendors' kits and of Apple's reader, one row each; an error that is not here is unknown in a payment.",
            heads.joined(separator: "\t"),
        ]
        for book in RuleBook.all + RuleBook.apple {
            for rule in book.table.rows {
                let after = rule.outcome.weakened(by: .submitted, holds: rule.holdsAfterSubmission)
                let cells = [
                    titles[book.list] ?? "", rule.code, rule.calls.joined(separator: " "), rule.outcome.rawValue,
                    after.rawValue, rule.outcomeElsewhere.rawValue, rule.cause.rawValue, rule.why,
                ]
                lines.append(cells.joined(separator: "\t"))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func theErrorsAreWhatTheTablesSay() throws {
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try Data(Self.text.utf8).write(to: Self.path)
        }
        #expect(try String(contentsOf: Self.path, encoding: .utf8) == Self.text)
    }

    /// The lists that the adapters' tests were made of name nothing that the kits' tables don't have. Halo's wire has words and
    /// numbers of its other products beside those of this SDK, which its table leaves unknown.
    @Test(arguments: [
        ("arise", "ARISE/codes.ttp"), ("arise", "ARISE/codes.ttperror"), ("arise", "ARISE/codes.api"),
        ("arise", "ARISE/codes.authentication"), ("ni", "NetworkInternational/codes.sdk"),
        ("ecommpay", "Ecommpay/codes.sdk"), ("adyen", "Adyen/codes.attestation"), ("adyen", "Adyen/codes.kit"),
    ])
    func noListOfTheFixturesNamesAnErrorWithoutARow(_ kit: String, _ file: String) throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "Tests/Fixtures/\(file).tsv"), encoding: .utf8)
        let heads: Set<String> = ["name", "code"]
        let listed = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.prefix { $0 != "\t" }) }.filter { !heads.contains($0) }
        let book = try #require(RuleBook.all.first { $0.list == kit })
        let ruled = Set(book.table.rows.map { $0.code.split(separator: ".").last.map(String.init) ?? $0.code })
        #expect(listed.count >= 5)
        #expect(Set(listed).subtracting(ruled).isEmpty, "\(Set(listed).subtracting(ruled).sorted())")
    }

    @Test func halosOtherWordsAreUnknownToItsKit() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "Tests/Fixtures/Halo/codes.words.tsv"), encoding: .utf8)
        let words = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "\t" }) }
        let ruled = Set(HaloPhoneSDK.table.rows.map(\.code))
        let others = words.filter { !ruled.contains($0) }
        #expect(!others.isEmpty)
        for word in others {
            #expect(
                HaloPhoneSDK.outcome(of: HaloPhoneSDK.HaloErrorCode(rawValue: word), seen: .nothingSeen) == .unknown)
        }
    }
}

/// The lists that were taken out of the vendors' documents, and the sources that are compared with them.
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

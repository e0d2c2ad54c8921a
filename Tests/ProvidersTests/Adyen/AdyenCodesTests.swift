import PaymentAbstraction
import PaymentBase
import Testing

@testable import AdyenProvider

/// The codes of the documents, written down beside the adapter, against the adapter's tables: nothing is missing and
/// nothing is there that no document has.
@Suite struct AdyenCodesTests {
    private func rows(_ name: String) throws -> [[String]] {
        String(decoding: try AdyenTill.fixture("codes.\(name).tsv"), as: UTF8.self)
            .split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
    }

    @Test(arguments: ["condition", "http", "checkout", "kit", "attestation"])
    func theErrorTableIsThatOfTheDocuments(_ family: String) throws {
        var due: Set<[String]> = []
        for row in try rows(family) where row[1] != "declined" && row[1] != "cancelled" {
            due.insert(Array(row.prefix(3)))
        }
        let ours = Set(
            ErrorTable.adyen.rows.filter { $0.family == family }.map { row in
                [row.code, row.category.rawValue, row.delivery == .maybeSent ? "unknown" : "nothingMoved"]
            })
        #expect(ours.symmetricDifference(due) == [])
        print("\(family): \(due.count) codes")
    }

    @Test func refusalsAndEndsAreThoseOfTheDocuments() throws {
        let rows = try rows("condition")
        #expect(Set(rows.filter { $0[1] == "declined" }.map { $0[0] }) == Set(AdyenDeclineCodes.declines.keys))
        #expect(Set(rows.filter { $0[1] == "cancelled" }.map { $0[0] }) == Set(AdyenDeclineCodes.cancellations.keys))
        #expect(rows.count == 17)
    }

    @Test func refusalReasonsAreThoseOfTheDocuments() throws {
        let ours = Set(
            AdyenDeclineCodes.codes.map { [$0.key, $0.value.rawValue] }
                + AdyenDeclineCodes.words.map { [$0.key, $0.value.rawValue] })
        #expect(ours.symmetricDifference(try rows("refusal")) == [])
    }

    @Test func whatCanBePutRightWithoutANetworkIsThatOfTheDocuments() throws {
        let due = Set(try rows("attestation").filter { $0[3] == "yes" }.map { $0[0] })
        #expect(AdyenPhoneFailureTable.resolvedOffline == due)
    }

    @Test func everyCodeIsThereOnce() {
        let codes = ErrorTable.adyen.rows.map(\.code)
        #expect(Set(codes).count == codes.count)
        print("\(codes.count) error codes")
    }
}

/// The adapter's own list.
private enum AdyenPhoneFailureTable {
    static var resolvedOffline: Set<String> { ErrorTable.resolvedOffline }
}

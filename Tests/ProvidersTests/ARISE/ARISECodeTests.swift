import PaymentAbstraction
import Testing

@testable import ARISEProvider
@testable import PaymentProviderKit

/// The documents' lists of codes against the adapter's tables: nothing is missing, nothing was made up.
@Suite struct ARISECodeTests {
    private let table = ProviderDefinition.arise.errors

    private func codes(_ family: String) -> Set<String> {
        Set(table.rows.filter { $0.family == family }.map(\.code))
    }

    @Test func everyTapCodeIsThereWithItsWords() throws {
        let rows = try ARISEBench.table("ttp")
        #expect(codes("TTP").symmetricDifference(rows.map { $0[0] }) == [])
        for row in rows {
            let advice = try #require(ARISEResolution(row[0]))
            #expect(advice.isRecoverable == (row[1] == "recoverable"), "\(row[0])")
            #expect(advice.text == row[3], "\(row[0])")
            let message = try #require(table[row[0]]).message
            #expect(row[2].hasPrefix(message), "\(row[0])")
        }
        print("ARISE tap codes: \(rows.count)")
    }

    @Test func everyOtherErrorOfTheDocumentIsThere() throws {
        var count = 0
        for row in try ARISEBench.table("api") {
            #expect(table[row[1] == "N/A" ? row[0] : row[1]] != nil, "\(row[0])")
            count += 1
        }
        for list in ["ttperror", "authentication", "http", "envelope"] {
            for row in try ARISEBench.table(list) {
                #expect(table[row[0]] != nil, "\(list) \(row[0])")
                count += 1
            }
        }
        print("ARISE other errors: \(count), rows in all \(table.rows.count)")
    }

    @Test func noCodeIsThereTwice() {
        #expect(Set(table.rows.map(\.code)).count == table.rows.count)
    }

    @Test func whatATransactionCanEndWithLeavesItsOutcomeOpen() {
        for row in table.rows where row.family == "TTP" {
            let isOpen = ["ATT", "DATA", "CRYPTO", "EC_"].contains { row.code.hasPrefix($0) }
            #expect((row.outcome == .unknown) == isOpen, "\(row.code)")
        }
        for code in [
            "307", "308", "401", "403", "404", "429", "500", "502", "503", "504", "408", "402", "unknown",
            "invalidResponse", "I0000",
        ] {
            #expect(table[code]?.outcome == .unknown, "\(code)")
        }
        for code in ["400", "409", "V0000", "F0000", "N0000", "IsDuplicate"] {
            #expect(table[code]?.outcome == .notExecuted, "\(code)")
        }
    }

    @Test func everyStateOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("status")
        let words = Set(ARISEStatus.byNumber.values).union(ARISEStatus.withoutNumber).map(\.rawValue)
        #expect(Set(words).symmetricDifference(rows.map { $0[1] }) == [])
        for row in rows {
            #expect(ARISEStatus(word: row[1], number: nil)?.rawValue == row[1])
            guard let number = Int64(row[0]) else { continue }
            #expect(ARISEStatus.byNumber[number]?.rawValue == row[1])
            #expect(ARISEStatus(word: nil, number: number)?.rawValue == row[1])
            #expect(ARISEStatus(word: "Teleported", number: number) == nil)
        }
        #expect(ARISEStatus(word: "Captured", number: 77) == nil && ARISEStatus(word: nil, number: nil) == nil)
        #expect(ARISEStatus(word: "Teleported", number: nil)?.rawValue == "Teleported")
        for word in ["partially authorized", "PARTIALLYAUTHORIZED", " Partially Authorized"] {
            #expect(ARISEStatus(word: word, number: nil) == .partiallyAuthorized)
        }
        #expect(ARISEStatus(word: "partially_authorized", number: nil)?.rawValue == "partially_authorized")
        print("ARISE states: \(rows.count), operations: \(ARISEOperation.names.count), permissions: 37")
    }

    @Test func everyOperationOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("operation")
        #expect(rows.count == ARISEOperation.names.count)
        for row in rows { #expect(ARISEOperation.names[Int64(row[0]) ?? 0] == row[1]) }
    }

    @Test func everyChannelOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("channel")
        #expect(rows.count == ARISEDriver.channels.count)
        for row in rows {
            #expect(ARISEDriver.channels[Int(row[0]) ?? 0]?.lowercased() == row[1].lowercased())
        }
    }
}

import NetworkInternationalProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

@Suite struct NICodeTests {
    @Test func everyNumberOfTheDocumentsIsInTheTable() throws {
        let listed = try Golden.table("NetworkInternational/codes.sdk.tsv").map { $0[0] }
        let statuses = try Golden.table("NetworkInternational/codes.http.tsv").map { "http.\($0[0])" }
        let rows = ProviderDefinition.ni.errors.rows.map(\.code)
        #expect(Set(rows).symmetricDifference(listed + statuses).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("ni: \(listed.count) numbers of the kit, \(statuses.count) statuses")
        #expect(listed.count == 32)
        #expect(statuses.count == 13)
    }

    @Test func theTableSaysWhatTheDocumentsSay() throws {
        for row in try Golden.table("NetworkInternational/codes.sdk.tsv") {
            let found = try #require(ProviderDefinition.ni.errors[row[0]])
            #expect(found.category.rawValue == row[1], "\(row[0])")
        }
    }

    @Test func everyResultCodeBecomesItsReason() throws {
        let table = try Golden.table("NetworkInternational/codes.result.tsv")
        print("ni: \(table.count) result codes")
        for row in table {
            let till = NITill()
            till.backend.setCards(["4111111111111111": row[0]])
            let result = try till.play { try await $0.sale(.aed(5_000), from: .reader, reference: "o") }
            guard case .declined(let decline) = result else {
                Issue.record("\(row[0]): \(result)")
                continue
            }
            #expect(decline.reason.rawValue == row[1] && decline.provider.code == row[0])
        }
        #expect(table.count == 17)
    }

    @Test func aFailureOfTheServerProvesNothingWhateverItNames() async throws {
        let driver = NIDriver(NITill().configuration, NITill().tools)
        let body: JSON = ["errors": [["errorCode": "112"]]]
        for (status, delivery) in [(422, Delivery.refused), (503, .maybeSent), (302, .maybeSent)] {
            let named = HTTPErrorResponse(HTTPResponse(status), body)
            let bare = HTTPErrorResponse(HTTPResponse(status), nil)
            #expect(driver.classify(bare).delivery == delivery)
            if status >= 400 { #expect(driver.classify(named).delivery == delivery) }
        }
    }
}

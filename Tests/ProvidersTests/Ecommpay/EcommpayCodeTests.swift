import PaymentAbstraction
import PaymentBase
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpayCodeTests {
    private let table = ProviderDefinition.ecommpay.errors

    @Test func everyPublishedCodeIsInTheTableOnce() throws {
        let codes = try Golden.table("Ecommpay/codes.result.tsv")
        let kit = try Golden.table("Ecommpay/codes.sdk.tsv")
        let statuses = try Golden.table("Ecommpay/codes.http.tsv").map { "http.\($0[0])" }
        let rows = table.rows.map(\.code)
        let listed = codes.map { $0[0] } + kit.map { $0[0] } + statuses
        #expect(Set(rows).symmetricDifference(listed).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("ecommpay: \(codes.count) result codes, \(kit.count) names of the kit, \(statuses.count) statuses")
        #expect(codes.count == 378 && kit.count == 20 && statuses.count == 11)
    }

    @Test func theTableSaysWhatTheDocumentsSay() throws {
        for row in try Golden.table("Ecommpay/codes.result.tsv") + Golden.table("Ecommpay/codes.sdk.tsv") {
            let found = try #require(table[row[0]])
            #expect(found.category.rawValue == row[1], "\(row[0])")
            #expect(found.outcome.rawValue == row[2], "\(row[0])")
        }
    }

    @Test func whatIsThereAlreadyAndWhatIsNotFoundProveNothing() {
        for code in ["3041", "3230", "3061", "3062", "PAYMENT_ALREADY_EXIST", "PAYMENT_NOT_FOUND"] {
            let fault = table.failure(code: code)
            #expect(fault.delivery == .maybeSent && !fault.isRetryable)
        }
    }

    @Test func theDocumentsAdviceIsKeptAsItsWordsAndIsNotOurs() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        #expect(EcommpayAdvice.byCode.count == 17)
        for (code, advice) in EcommpayAdvice.byCode {
            let fault = driver.classify(ProviderCodeError(code))
            #expect(fault.provider?.message == advice && fault.detail != advice, "\(code)")
        }
        // The document says to take a new identifier; while nobody knows, that would charge twice.
        let there = driver.classify(ProviderCodeError("PAYMENT_ALREADY_EXIST"))
        #expect(there.delivery == .maybeSent && !there.isRetryable)
    }

    /// The document says *retry later* of a session that is refused, and with a new one that is right: nothing moved.
    @Test func refusedSession_namedByTheKit_movedNothing() {
        let fault = table.failure(code: "SERVER_UNAUTHORIZED")
        #expect(fault.delivery == .refused && fault.retry == .safe && !fault.isRetryable)
    }

    /// A gateway gives this status as well, whatever the platform behind it has done.
    @Test func status401_withoutACode_provesNothing() {
        let fault = table.failure(code: "http.401")
        #expect(fault.delivery == .maybeSent && fault.retry != .safe && !fault.isRetryable)
    }

    /// What was asked for is answered once more, and the payment waits: no sentence may advise to pay again.
    @Test func everyNameOfTheKitHasASentence() throws {
        for row in try Golden.table("Ecommpay/codes.sdk.tsv") {
            #expect(try #require(table[row[0]]).summary.count > 8, "\(row[0])")
        }
    }

    @Test func aCodeThatIsInNoTableIsUnknown() throws {
        let fault = table.failure(code: "4711")
        #expect(fault.code == .unreadableReply && fault.delivery == .maybeSent)
        #expect(EcommpayDeclineCodes.reason("4711") == .unmapped)
    }

    @Test func everyShapeOfARefusalIsRead() throws {
        func said(_ text: String) throws -> EcommpayRefusal {
            EcommpayRefusal(try JSONReader().read(Array(text.utf8)))
        }
        #expect(try said(#"{"status":"error","code":"2004","message":"Required"}"#).code == "2004")
        let item = try said(#"{"errors":[{"code":3061,"message":"Transaction not found","field":"x"}]}"#)
        #expect(item.code == "3061" && item.message == "Transaction not found")
        let session = try said(
            #"{"status":"validation","code":"501","errors":{"sid":"Make payment before check status"}}"#)
        #expect(session.code == "501" && session.message == "Make payment before check status")
        #expect(EcommpayRefusal(nil).code.isEmpty)
    }
}

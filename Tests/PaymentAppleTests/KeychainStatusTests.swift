import Foundation
import PaymentAbstraction
import PaymentMobileSDKs
import Testing

@testable import PaymentApple

@Suite struct KeychainStatusTests {
    private func listed() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let place = root.appending(path: "Fixtures/Apple/security-results.tsv")
        let text = try String(contentsOf: place, encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            $0.split(separator: "\t").map(String.init)
        }
    }

    @Test func everyListedResultHasARowAndNoOther() throws {
        let rows = KeychainStatus.rows
        #expect(rows.map { "\($0.status) \($0.rule.code)" } == (try listed().map { "\($0[0]) \($0[1])" }))
        #expect(rows.count == 46 && Set(rows.map(\.status)).count == 46)
    }

    @Test func noResultOfTheKeychainSpeaksOfMoney() {
        for row in KeychainStatus.rows {
            for call in KeychainStatus.Call.allCases {
                let error = KeychainStatus.error(row.status, in: call)
                #expect(error.outcome == .notExecuted)
                #expect(error.provider?.code == row.rule.code)
                #expect(error.code.rawValue == row.rule.cause.rawValue)
                #expect(row.rule.advice != nil && !row.rule.why.isEmpty)
            }
        }
    }

    @Test func aNumberOfNoListIsToldByItself() {
        let error = KeychainStatus.error(-1, in: .add)
        #expect(error.outcome == .notExecuted && error.code == .providerUnavailable)
        #expect(error.provider?.code == "OSStatus -1")
    }

    @Test func aLockedPhoneIsNoReasonToGiveUp() {
        for status: Int32 in [-25308, -25315, -25316, -25320] {
            #expect(KeychainStatus.error(status, in: .copyMatching).code == .providerUnavailable)
        }
        #expect(KeychainStatus.error(-34018, in: .copyMatching).retry == .never)
    }
}

import Testing

@testable import PaymentMobileSDKs

@Suite struct ProximityReaderErrorsTests {
    @Test func allSixtySevenOfApplesErrorsHaveARow() throws {
        let rows = try KitFixture.rows("proximityreader-errors")
        let reader = rows.filter { $0[2] == "PaymentCardReaderError" }
        let read = rows.filter { $0[2] == "ReadError" }
        #expect(reader.count == 33 && read.count == 34 && rows.count == 67)
        for (listed, table) in [(reader, ProximityReaderErrors.reader), (read, ProximityReaderErrors.read)] {
            #expect(
                table.rows.map { [$0.code] + $0.citations.map(\.description) } == listed.map { Array($0.prefix(2)) })
        }
    }

    @Test func aReadMovesNoMoneyUnlessSomethingWasSentBefore() {
        let odd = ProximityReaderErrors.read.rows.filter { $0.outcome != .nothingMoved }.map(\.code)
        #expect(odd == ["paymentCardDeclined", "storeAndForwardDeclineFailed", "storeAndForwardResultNotFound"])
        #expect(ProximityReaderErrors.reader.rows.allSatisfy { $0.outcome == .nothingMoved })
        for name in ["pinCancelled", "pinEntryFailed", "pinEntryTimeout", "pinNotAllowed", "pinTokenInvalid"] {
            #expect(ProximityReaderErrors.outcome(ofRead: name, seen: .nothingSeen) == .nothingMoved)
            #expect(ProximityReaderErrors.outcome(ofRead: name, seen: .submitted) == .unknown)
        }
        #expect(ProximityReaderErrors.outcome(ofRead: "paymentCardDeclined", seen: .nothingSeen) == .declined)
    }

    @Test func aNameOfOneListIsNotLookedUpInTheOther() {
        #expect(ProximityReaderErrors.outcome(ofReader: "readCancelled", seen: .nothingSeen) == .unknown)
        #expect(ProximityReaderErrors.outcome(ofRead: "merchantBlocked", seen: .nothingSeen) == .unknown)
        #expect(ProximityReaderErrors.outcome(ofReader: "passcodeDisabled", seen: .nothingSeen) == .nothingMoved)
        #expect(ProximityReaderErrors.outcome(ofRead: "passcodeDisabled", seen: .nothingSeen) == .nothingMoved)
    }
}

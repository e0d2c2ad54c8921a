import Testing

@testable import PaymentMobileSDKs

@Suite struct SDKDecimalTests {
    @Test(
        arguments: [
            ("49.99", "49.99"), ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("007.10", "7.1"), ("10.00", "10"),
            ("100", "100"),
            ("1e2", "100"), ("1.5E+3", "1500"), ("1e-05", "0.00001"), ("0.5", "0.5"), ("-3.40", "-3.4"),
            ("120e-2", "1.2"),
            ("9007199254740993", "9007199254740993"), ("0.1", "0.1"), ("0e38", "0"),
        ])
    func anAmountIsReadExactly(_ text: String, _ plain: String) throws {
        let value = try #require(SDKDecimal(text))
        #expect(value.text == plain && "\(value)" == plain)
        #expect(SDKDecimal(plain) == value)
    }

    @Test(
        arguments: [
            "", "-", ".5", "5.", "1,000", "1 0", "+1", "1e", "1e1.5", "e5", "0x10", "nan", "inf", "1..2", "--1", "1e39",
            "1e99999999999999999999", "١", "12345678901234567890123456789012345678901", "1.2.3", "1-2",
        ])
    func anythingElseIsNoAmount(_ text: String) { #expect(SDKDecimal(text) == nil) }

    @Test func asManyDigitsAsTheLimitAndNoMore() {
        let digits = String(repeating: "9", count: SDKDecimal.digitsMax)
        #expect(SDKDecimal(digits)?.text == digits)
        #expect(SDKDecimal(digits + "9") == nil)
        #expect(SDKDecimal("0." + digits) == nil)
        #expect(SDKDecimal("9e37")?.text.utf8.count == SDKDecimal.digitsMax)
    }

    @Test func minorUnitsComeBackOrNotAtAll() throws {
        #expect(SDKDecimal(minorUnits: 4_999, places: 2)?.text == "49.99")
        #expect(SDKDecimal(minorUnits: -5, places: 3)?.text == "-0.005")
        #expect(SDKDecimal(minorUnits: 1_500, places: 0)?.text == "1500")
        #expect(SDKDecimal(minorUnits: 1, places: SDKDecimal.placesMax + 1) == nil)
        #expect(SDKDecimal(minorUnits: 1, places: -1) == nil)
        let value = try #require(SDKDecimal("12.345"))
        #expect(value.minorUnits(places: 3) == 12_345)
        #expect(value.minorUnits(places: 2) == nil)
        #expect(value.minorUnits(places: 4) == 123_450)
        #expect(value.minorUnits(places: SDKDecimal.placesMax + 1) == nil)
        #expect(SDKDecimal("0.00")?.minorUnits(places: 2) == 0)
        #expect(SDKDecimal("92233720368547758.08")?.minorUnits(places: 2) == nil)
        for units: Int64 in [.min, .max, -1, 0, 1, 99, 100] {
            for places in [0, 2, 3, 18] {
                #expect(try #require(SDKDecimal(minorUnits: units, places: places)).minorUnits(places: places) == units)
            }
        }
    }
}

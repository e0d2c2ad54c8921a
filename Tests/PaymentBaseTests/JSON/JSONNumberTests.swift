import Testing

@testable import PaymentBase

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("100", 100), ("100.0", 100), ("1e2", 100), ("1E+2", 100), ("1000e-1", 100),
        ("0.01e4", 100),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("9223372036854775807.000", Int64.max),
        ("922337203685477580700e-2", Int64.max), ("0e99999999999999999999", 0), ("0.000e5", 0), ("-12e0", -12),
    ])
    func wholeNumbers(text: String, value: Int64) throws {
        #expect(try JSONNumber(text).int64 == value)
    }

    @Test(arguments: [
        "0.5", "1e-1", "100.01", "9223372036854775808", "-9223372036854775809", "1e19", "1e99999999999999999999",
        "1e-99999999999999999999", "123456789012345678901234567890", "10.10e0",
    ])
    func numbersThatAreNotWholeOrDoNotFit(text: String) throws {
        #expect(try JSONNumber(text).int64 == nil)
    }

    @Test(arguments: [
        ("10.99", 2, 1099), ("10.990", 2, 1099), ("10.9", 2, 1090), ("10", 2, 1000), ("1.099e1", 2, 1099),
        ("0.1", 1, 1),
        ("-3.0", 2, -300), ("0.30", 2, 30), ("1E+2", 0, 100), ("100.0", 0, 100), ("0.000000000000000001", 18, 1),
        ("92233720368547758.07", 2, Int64.max), ("-92233720368547758.08", 2, Int64.min), ("1.234", 3, 1234),
    ])
    func amounts(text: String, places: Int, units: Int64) throws {
        #expect(try JSONNumber(text).scaled(places: places) == units)
        var reader = try JSONPullReader(Array(text.utf8))
        let read = try reader.scaled(places: places)
        #expect(read == units)
    }

    @Test(arguments: [("10.999", 2), ("0.001", 2), ("92233720368547758.08", 2), ("1e18", 2), ("0.1", 0), ("1e-3", 2)])
    func amountsThatWouldHaveToBeRounded(text: String, places: Int) throws {
        #expect(try JSONNumber(text).scaled(places: places) == nil)
        #expect(throws: JSONError.self) {
            var reader = try JSONPullReader(Array(text.utf8))
            _ = try reader.scaled(places: places)
        }
    }

    @Test(arguments: [
        ("10.10", "10.10"), ("1E+2", "100"), ("1.50e1", "15.0"), ("1e-2", "0.01"), ("-0", "-0"), ("0.05e1", "0.5"),
        ("0.5e3", "500"), ("12.34e-3", "0.01234"), ("123e-1", "12.3"), ("-1.5E+3", "-1500"), ("1e3", "1000"),
    ])
    func plainText(text: String, plain: String) throws {
        #expect(try JSONNumber(text).decimalText == plain)
    }

    @Test func plainTextHasALimit() throws {
        #expect(try JSONNumber("1e399").decimalText?.utf8.count == 400)
        #expect(try JSONNumber("1e400").decimalText == nil)
        #expect(try JSONNumber("1e-400").decimalText == nil)
        #expect(try JSONNumber("1e999999999999").decimalText == nil)
    }

    @Test(arguments: ["", " 1", "1 ", "01", "+1", ".5", "1.", "NaN", "1e", "0x1", "1,0", "--1", "１", "1\u{0}"])
    func textsThatAreNoNumbers(text: String) {
        #expect(throws: JSONError.self) { try JSONNumber(text) }
    }

    @Test(arguments: [
        (1099, 2, "10.99"), (5, 2, "0.05"), (0, 2, "0.00"), (-5, 3, "-0.005"), (100, 0, "100"), (-1, 0, "-1"),
        (Int64.max, 2, "92233720368547758.07"), (Int64.min, 18, "-9.223372036854775808"),
        (Int64.min, 0, "-9223372036854775808"),
    ])
    func unitsAreWrittenExactly(units: Int64, places: Int, text: String) {
        let number = JSONNumber(units: units, places: places)
        #expect(number.text == text)
        #expect(number.scaled(places: places) == units)
    }

    @Test func equalityIsByText() throws {
        #expect(try JSONNumber("10.10") != JSONNumber("10.1"))
        #expect(try JSONNumber("1e2") != 100)
        #expect(try JSONNumber("100") == 100)
    }

    /// Few digits are read without a copy, in a way of their own.
    @Test func fewDigitsAndManyGiveTheSame() throws {
        let whole = ["0", "7", "10", "123", "99999999999999", "123456789012345678", "1234567890123456789"]
        let ends = ["", ".0", ".5", ".05", ".50", ".000", ".123456789", ".10e1", "e2", "E-1"]
        for text in whole.flatMap({ one in ends.flatMap { [one + $0, "-" + one + $0] } }) {
            let bytes = Array(text.utf8)
            let (number, parts) = (try JSONNumber(text), JSONDecimal(bytes, from: 0, to: bytes.count))
            for places in 0...JSONNumber.placesMax {
                #expect(number.scaled(places: places) == parts.scaled(places: places), "\(text) \(places)")
            }
            #expect(number.decimalText == parts.plainText(digitsMax: JSONNumber.plainDigitsMax), "\(text)")
        }
    }
}

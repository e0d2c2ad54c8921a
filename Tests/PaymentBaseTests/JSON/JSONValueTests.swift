import Testing

@testable import PaymentBase

@Suite struct JSONValueTests {
    @Test func literalsAndAccessors() {
        let body: JSON = ["a": 1, "b": [true, nil, "text"], "c": ["d": "e"]]
        #expect(body["a"]?.int64 == 1)
        #expect(body["b"]?[0]?.bool == true)
        #expect(body["b"]?[1]?.isNull == true)
        #expect(body["b"]?[2]?.string == "text")
        #expect(body["b"]?[3] == nil)
        #expect(body["b"]?[-1] == nil)
        #expect(body.object?["c"]?["d"]?.string == "e")
        #expect(body["a"]?.string == nil)
        #expect(body["c"]?.array == nil)
        #expect(body.number == nil)
        #expect(body["b"]?.object == nil)
        #expect(String(decoding: body.bytes(), as: UTF8.self) == #"{"a":1,"b":[true,null,"text"],"c":{"d":"e"}}"#)
    }

    @Test(arguments: [1, 5, 11, 12, 13, 40])
    func objectsKeepTheirOrderAndFindEveryKey(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["k\(number * 7 % 41)"] = .number(JSONNumber(Int64(number))) }
        #expect(object.members.map(\.key) == (0..<count).map { "k\($0 * 7 % 41)" })
        for number in 0..<count { #expect(object["k\(number * 7 % 41)"]?.int64 == Int64(number)) }
        #expect(object["absent"] == nil)
        object["k0"] = "changed"
        #expect(object.members[0].value == "changed")
        object["k0"] = nil
        #expect(object.count == count - 1)
        #expect(object["k0"] == nil)
        for number in 1..<max(count, 1) where number < count {
            #expect(object["k\(number * 7 % 41)"]?.int64 == Int64(number))
        }
        object["k0"] = 1
        #expect(object.members.last?.key == "k0")
    }

    @Test func textsAreComparedByteByByte() {
        let composed = "\u{e9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(JSON.string(composed) != JSON.string(decomposed))
        for filler in [0, 20] {
            var object = JSONObject()
            for number in 0..<filler { object["\(number)"] = nil as JSON? ?? .null }
            object[composed] = 1
            object[decomposed] = 2
            #expect(object.count == filler + 2)
            #expect(object[composed] == 1)
        }
    }

    @Test func orderCountsForEquality() {
        let one: JSON = ["a": 1, "b": 2]
        #expect(one != ["b": 2, "a": 1])
        #expect(one == ["a": 1, "b": 2])
        #expect(Set([one, ["a": 1, "b": 2], ["b": 2, "a": 1]]).count == 2)
        #expect(JSON.null != false)
        #expect(JSON.number(1) != "1")
    }

    @Test func unknownMembersSurviveInTheirPlace() throws {
        let text = #"{"z":1,"unknown":{"b":[1.0,2.50]},"a":"x"}"#
        #expect(try JSONReader().read(Array(text.utf8)).bytes() == Array(text.utf8))
    }

    @Test func nothingOfTheContentIsPrinted() throws {
        let value: JSON = ["pan": "4111111111111111", "cvv": 123]
        let number = try JSONNumber("4111111111111111")
        let field = FormField("pan", "4111111111111111")
        for thing in [value, value.object as Any, value.object?.members as Any, number, field] as [Any] {
            var dumped = ""
            dump(thing, to: &dumped)
            for text in [dumped, "\(thing)", String(reflecting: thing)] {
                #expect(!text.contains("4111") && !text.contains("pan") && !text.contains("123"))
            }
        }
    }

    @Test func theLastOfTwoMembersWinsInThePlaceOfTheFirst() throws {
        var options = JSONReadOptions()
        options.duplicateKeys = .keepLast
        let reader = JSONReader(options: options)
        let small = try reader.read(Array(#"{"a":1,"b":2,"\u0061":3}"#.utf8))
        #expect(small.bytes() == Array(#"{"a":3,"b":2}"#.utf8))
        let large = "{" + (0..<40).map { "\"\($0 % 20)\":\($0)" }.joined(separator: ",") + "}"
        let value = try reader.read(Array(large.utf8))
        #expect(value.object?.members.compactMap(\.value.int64) == Array(20..<40))
    }

    /// Few members are compared one by one, many are found by an index; where the one ends and the other begins, too.
    @Test(arguments: [1, 2, 63, 64, 65, 66, 130])
    func howManyMembersThereAreChangesNothing(_ count: Int) throws {
        let names = (0..<count).map { "k\($0)" }
        func text(_ names: [String]) -> [UInt8] {
            Array(("{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}").utf8)
        }
        var value = try #require(try JSONReader().read(text(names)).object)
        for (place, name) in names.enumerated() {
            #expect(value[name]?.int64 == Int64(place))
            // A text of the same length, and one whose letters are composed otherwise, are others.
            #expect(value["K" + name.dropFirst()] == nil && value[name + "\u{301}"] == nil)
            #expect(throws: JSONError.self) { try JSONReader().read(text(names + [name])) }
            #expect(throws: JSONError.self) { try JSONReader().read(text(names + ["\\u006b" + name.dropFirst()])) }
        }
        value["k0"] = nil
        #expect(value.count == count - 1 && value["k0"] == nil)
        #expect(names.dropFirst().allSatisfy { value[$0] != nil })
    }

    @Test func textsAreTheSameByTheirBytesAlone() {
        // Both are the same text to Swift, and have as many bytes.
        let marks = ("e\u{323}\u{301}", "e\u{301}\u{323}")
        #expect(marks.0 == marks.1 && marks.0.utf8.count == marks.1.utf8.count)
        #expect(JSON.string(marks.0) != .string(marks.1))
        #expect(JSON.string("\u{e9}") != .string("e\u{301}"))
        for count in 0..<40 {
            let text = String(repeating: "x", count: count)
            #expect(JSON.string(text) == .string(String(decoding: Array(text.utf8), as: UTF8.self)))
            for place in 0..<count {
                var other = Array(text.utf8)
                other[place] = UInt8(ascii: "y")
                #expect(JSON.string(text) != .string(String(decoding: other, as: UTF8.self)), "\(count), \(place)")
            }
        }
    }
}

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

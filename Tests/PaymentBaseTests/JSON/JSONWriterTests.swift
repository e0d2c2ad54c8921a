import Testing

@testable import PaymentBase

@Suite struct JSONWriterTests {
    private func text(_ layout: JSONWriter.Layout = .compact, _ body: (inout JSONWriter) throws -> Void) rethrows
        -> String
    {
        var writer = JSONWriter(layout: layout)
        try body(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test func membersComeInTheOrderOfTheCalls() throws {
        let written = try text { writer in
            try writer.object { writer in
                writer.member("z", string: "x")
                writer.member("absent", string: nil)
                writer.member("amount", units: 1099, places: 2)
                writer.member("flag", bool: false)
                writer.member("n", integer: -7)
                writer.member("exact", number: try JSONNumber("1E+2"))
                writer.member("value", value: [1, [:], []])
                writer.key("nothing")
                writer.null()
                writer.beginArray("list")
                for number in 1...3 { writer.integer(Int64(number)) }
                writer.endArray()
                writer.beginObject("a")
                writer.endObject()
                writer.key("t")
                try writer.number(text: "0.10")
            }
        }
        #expect(
            written == #"{"z":"x","amount":10.99,"flag":false,"n":-7,"exact":1E+2,"value":[1,{},[]],"nothing":null,"#
                + #""list":[1,2,3],"a":{},"t":0.10}"#)
    }

    @Test func stringsAreEscapedOnlyWhereTheyMustBe() throws {
        #expect(
            text { $0.string("\"\\/\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}é€😀\u{2028}") }
                == #""\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7f}é€😀\u{2028}\"")
        for length in 0..<30 {
            for place in 0...length {
                for piece in ["\"", "\\", "\n", "é", "\u{0}"] {
                    let value =
                        String(repeating: "x", count: place) + piece + String(repeating: "y", count: length - place)
                    let bytes = Array(text { $0.string(value) }.utf8)
                    #expect(try JSONReader().read(bytes).string == value)
                }
            }
        }
    }

    @Test func keysAreEscapedToo() {
        #expect(text { $0.object { $0.member("a\"\n", integer: 1) } } == #"{"a\"\n":1}"#)
    }

    @Test func theLayoutForPeople() {
        let value: JSON = ["a": [1, [:], []], "b": ["c": nil]]
        #expect(
            String(decoding: value.bytes(layout: .pretty), as: UTF8.self) == """
                {
                  "a": [
                    1,
                    {},
                    []
                  ],
                  "b": {
                    "c": null
                  }
                }
                """)
    }

    @Test func aTextThatIsNoNumberIsThrownAndNotWritten() throws {
        let written = text { writer in
            writer.beginArray()
            for text in ["01", "NaN", "", "1,2", "1]"] {
                #expect(throws: JSONError.self) { try writer.number(text: text) }
            }
            writer.integer(1)
            writer.endArray()
        }
        #expect(written == "[1]")
    }

    @Test func aKeyWithoutAValueStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("a")
            writer.endObject()
        }
    }

    @Test func aValueWithoutAKeyStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.integer(1)
        }
    }

    @Test func anUnfinishedTextStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            _ = writer.finish()
        }
    }

    @Test func twoValuesStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.null()
            writer.null()
        }
    }

    @Test func crossedLevelsStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            writer.endObject()
        }
    }

    @Test func levelsBeyondTheLimitStopTheProgram() async {
        var writer = JSONWriter()
        for _ in 0..<JSONWriter.depthMax { writer.beginArray() }
        for _ in 0..<JSONWriter.depthMax { writer.endArray() }
        #expect(writer.finish().count == 2 * JSONWriter.depthMax)
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            for _ in 0...JSONWriter.depthMax { writer.beginArray() }
        }
    }
}

@Suite struct PackedJSONTests {
    private let words = PackedWords(["at", "fact"] + (0..<200).map { "word\($0)" })

    private func text(_ json: JSON) -> String { String(decoding: json.bytes(), as: UTF8.self) }

    @Test(
        arguments: [
            "null", "true", "false", "0", "31", "32", "-1", "-0", "127", "128", "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "1.50", "1e3", #""""#, #""at""#,
            #""word199""#, #""é""#, "\"\u{212A}\"", "[]", "{}", #"["abcd","abcd","abc","abc"]"#,
            #"["018f0000-0000-7000-8000-0123456789ab","018f0000-0000-7000-8000-0123456789AB"]"#,
            #"["018f0000-0000-7000-8000-0123456789ab","018f0000-0000-7000-8000-0123456789ab"]"#,
            #"["018f0000_0000-7000-8000-0123456789ab"]"#,
            #"{"fact":"told","at":[1700000000000,5,"boot"],"":{"at":null}}"#,
        ])
    func whatIsWrittenComesBack(_ source: String) throws {
        let json = try JSONReader().read(Array(source.utf8))
        let bytes = PackedJSON.bytes(json, words)
        #expect(text(try PackedJSON.value(bytes, words)) == text(json))
        #expect(PackedJSON.bytes(try PackedJSON.value(bytes, words), words) == bytes)
        #expect(PackedJSON.isPacked(bytes) && !PackedJSON.isPacked(json.bytes()))
    }

    /// Two texts that a reader takes for the same letters are two.
    @Test func textsAreTheirBytes() throws {
        let words = PackedWords(["caf\u{E9}s"])
        let json: JSON = ["cafe\u{301}s", "caf\u{E9}s", "na\u{EF}ve", "nai\u{308}ve"]
        #expect(text(try PackedJSON.value(PackedJSON.bytes(json, words), words)) == text(json))
    }

    @Test(arguments: [0, 1, 15, 16, 31, 32, 63, 64, 65, 127, 128, 300]) func manyOfAKindComeBack(_ count: Int) throws {
        var object = JSONObject()
        for number in 0..<count { object["key number \(number)"] = .string(String(repeating: "x", count: number)) }
        let json: JSON = [.object(object), .array((0..<count).map { .number(JSONNumber(Int64($0))) }), .object(object)]
        let again = try PackedJSON.value(PackedJSON.bytes(json, words), words)
        #expect(again == json)
    }

    /// Every bit of what was written is guarded.
    @Test func eachFlippedBitAndEachCutIsNoticed() throws {
        let bytes = PackedJSON.bytes(["fact": "told", "amount": 12_500, "at": [1_700_000_000_000]], words)
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                #expect(throws: PackedJSON.Unreadable.self) { try PackedJSON.value(damaged, words) }
            }
            #expect(throws: PackedJSON.Unreadable.self) { try PackedJSON.value(Array(bytes[..<place]), words) }
        }
    }

    /// Nothing that comes with a right sum ends the process or asks for more memory than it has bytes.
    @Test(
        arguments: [
            [], [0x06], [0x06, 0xFF], [0x04], [0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x09, 0xFF, 0xFF, 0xFF, 0x7F], [0x0A, 0x02, 0x80, 0x00, 0x80, 0x00], [0x61, 0x20, 0x20], [0x0B], [0x0D],
            [0x70], [0x07, 0x05], [0x08, 0x00], [0x42, 0xC3, 0x28], [0x0C, 0xFF], [0x03, 0x01, 0x78], [0x00, 0x00],
        ] as [[UInt8]])
    func whatIsNotOfThisFormIsRefused(_ content: [UInt8]) {
        #expect(throws: PackedJSON.Unreadable.self) { try PackedJSON.value(PackedJSON.sealed(content), words) }
    }

    @Test func whatIsNestedTooDeeplyIsRefused() {
        let content = [UInt8](repeating: 0x11, count: 100_000) + [0x00]
        #expect(throws: PackedJSON.Unreadable.self) { try PackedJSON.value(PackedJSON.sealed(content), words) }
    }
}

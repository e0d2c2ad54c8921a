import PaymentBase
import Testing

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

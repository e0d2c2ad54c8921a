import PaymentBase
import Testing

@Suite struct JSONPullReaderTests {
    @Test func membersAreFoundByTheirKeys() throws {
        var reader = try JSONPullReader(Array(#" {"a":"x","\u0062":2,"c":{"a":"inner"},"d":[1,2],"e":null} "#.utf8))
        var seen: [String] = []
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("a") {
                seen.append(try reader.string())
            } else if reader.isKey("b") {
                seen.append("b\(try reader.int64())")
                seen.append(reader.isKey("b") ? "still b" : "lost b")
            } else if reader.isKey("d") {
                let array = try reader.enterArray()
                while try reader.nextElement(of: array) { seen.append("d\(try reader.int64())") }
                seen.append(reader.isKey("d") ? "still d" : "lost d")
            } else if reader.isKey("e") {
                seen.append(try reader.skipNull() ? "null" : "no null")
            } else {
                seen.append("other " + reader.key)
            }
        }
        try reader.end()
        #expect(seen == ["x", "b2", "still b", "other c", "d1", "d2", "still d", "null"])
    }

    @Test func keysOfEveryLengthAreTold() throws {
        var reader = try JSONPullReader(Array(#"{"":0,"12345678":1,"123456789":2,"12345678x":3}"#.utf8))
        let object = try reader.enterObject()
        var hits: [Int] = []
        while try reader.nextMember(of: object) {
            if reader.isKey("") { hits.append(0) }
            if reader.isKey("12345678") { hits.append(1) }
            if reader.isKey("123456789") { hits.append(2) }
            if reader.isKey("12345678x") { hits.append(3) }
        }
        #expect(hits == [0, 1, 2, 3])
    }

    @Test func aLevelThatIsLeftEarlyIsReadPast() throws {
        var reader = try JSONPullReader(Array(#"{"a":[1,[2,{"x":[3]}],4],"b":{"c":1,"d":[{}]},"e":5}"#.utf8))
        var keys: [String] = []
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            keys.append(reader.key)
            if reader.isKey("a") {
                let array = try reader.enterArray()
                _ = try reader.nextElement(of: array)
                _ = try reader.nextElement(of: array)
                let inner = try reader.enterArray()
                _ = try reader.nextElement(of: inner)
            } else if reader.isKey("b") {
                _ = try reader.enterObject()
            }
        }
        try reader.end()
        #expect(keys == ["a", "b", "e"])
    }

    @Test func skippedValuesAreCheckedToo() {
        for text in [#"{"a":[1,]}"#, #"{"a":"\ud800"}"#, #"{"a":{"b":1,"b":2}}"#, #"{"a":01}"#, "{\"a\":\"\u{1}\"}"] {
            #expect(throws: JSONError.self, "\(text)") {
                var reader = try JSONPullReader(Array(text.utf8))
                let object = try reader.enterObject()
                while try reader.nextMember(of: object) {}
            }
        }
    }

    private func kind(_ text: String, _ body: (inout JSONPullReader) throws(JSONError) -> Void) -> JSONError.Kind? {
        do {
            var reader = try JSONPullReader(Array(text.utf8))
            try body(&reader)
            return nil
        } catch { return error.kind }
    }

    @Test func anotherTypeThanAskedForIsAnError() {
        #expect(kind("1") { reader throws(JSONError) in _ = try reader.string() } == .unexpectedType)
        #expect(kind("\"1\"") { reader throws(JSONError) in _ = try reader.int64() } == .unexpectedType)
        #expect(kind("null") { reader throws(JSONError) in _ = try reader.bool() } == .unexpectedType)
        #expect(kind("[]") { reader throws(JSONError) in _ = try reader.enterObject() } == .unexpectedType)
        #expect(kind("{}") { reader throws(JSONError) in _ = try reader.enterArray() } == .unexpectedType)
        #expect(kind("1.5") { reader throws(JSONError) in _ = try reader.int64() } == .inexactNumber)
        #expect(kind("") { reader throws(JSONError) in _ = try reader.string() } == .unexpectedEnd)
        #expect(kind("x") { reader throws(JSONError) in _ = try reader.string() } == .unexpectedByte)
    }

    @Test func askingOutOfTurnIsAnError() {
        #expect(kind("1") { reader throws(JSONError) in try reader.end() } == .unexpectedCall)
        #expect(
            kind("1") { reader throws(JSONError) in
                _ = try reader.int64()
                _ = try reader.int64()
            } == .unexpectedCall)
        #expect(
            kind("[1]") { reader throws(JSONError) in
                _ = try reader.enterArray()
                _ = try reader.int64()
            } == .unexpectedCall)
        #expect(
            kind("[]") { reader throws(JSONError) in
                let array = try reader.enterArray()
                _ = try reader.nextElement(of: array)
                _ = try reader.nextElement(of: array)
            } == .unexpectedCall)
        #expect(
            kind("{}") { reader throws(JSONError) in
                let object = try reader.enterObject()
                _ = try reader.nextElement(of: object)
            } == .unexpectedCall)
        #expect(
            kind("[[],[]]") { reader throws(JSONError) in
                let array = try reader.enterArray()
                _ = try reader.nextElement(of: array)
                let first = try reader.enterArray()
                _ = try reader.nextElement(of: array)
                _ = try reader.enterArray()
                _ = try reader.nextElement(of: first)
            } == .unexpectedCall)
    }

    @Test func theKeyIsForgottenOutsideObjects() throws {
        var reader = try JSONPullReader(Array(#"[{"\u0061":1},2]"#.utf8))
        let array = try reader.enterArray()
        _ = try reader.nextElement(of: array)
        try reader.skip()
        _ = try reader.nextElement(of: array)
        let isKey = reader.isKey("a")
        let key = reader.key
        #expect(!isKey)
        #expect(key.isEmpty)
    }

    @Test func aMissingMemberIsReportedWhereTheReaderStands() throws {
        var reader = try JSONPullReader(Array("{}".utf8))
        let object = try reader.enterObject()
        _ = try reader.nextMember(of: object)
        let error = reader.missingMember()
        #expect((error.kind, error.column) == (.missingMember, 3))
        #expect(reader.unexpectedValue().kind == .unexpectedType)
    }
}

import PaymentBase
import Testing

@Suite struct JSONReaderTests {
    private func failure(_ text: String, _ options: JSONReadOptions = .standard) -> JSONError? {
        do {
            _ = try JSONReader(options: options).read(Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test func thePlaceOfAnErrorIsExact() throws {
        let error = try #require(failure("{\n  \"a\": 1,\n  \"é\": tru\n}"))
        #expect(error.kind == .unexpectedByte)
        #expect((error.line, error.column, error.offset) == (3, 12, 23))
        let start = try #require(failure("}"))
        #expect((start.line, start.column, start.offset) == (1, 1, 0))
        let end = try #require(failure("[1,\r\n"))
        #expect((end.kind, end.line, end.column, end.offset) == (.unexpectedEnd, 2, 1, 5))
        let twice = try #require(failure(#"{"a":1,"a":2}"#))
        #expect((twice.kind, twice.column) == (.duplicateKey, 8))
        let bytes = try #require(failure("[\"\\ud800\"]"))
        #expect((bytes.kind, bytes.column) == (.loneSurrogate, 3))
    }

    @Test func anErrorShowsNothingOfTheText() throws {
        let error = try #require(failure(#"{"secret":"4111","secret":1}"#))
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped] {
            #expect(!text.contains("4111") && !text.contains("\"secret\""))
        }
        #expect("\(error)" == "JSONError(duplicateKey, line 1, column 18, byte 17)")
    }

    @Test func sizeAndDepthHaveLimits() {
        var options = JSONReadOptions()
        options.bytesMax = 10
        options.depthMax = 2
        #expect(failure("\"12345678\"", options) == nil)
        #expect(failure("\"123456789\"", options)?.kind == .tooLarge)
        #expect(failure("[[]]", options) == nil)
        #expect(failure("[[[]]]", options)?.kind == .tooDeep)
        options.depthMax = 0
        #expect(failure("1", options) == nil)
        #expect(failure("[]", options)?.kind == .tooDeep)
        options = .standard
        options.depthMax = 1_000_000
        let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(failure(deep(JSONReadOptions.depthCeiling), options) == nil)
        #expect(failure(deep(JSONReadOptions.depthCeiling + 1), options)?.kind == .tooDeep)
    }

    @Test func theStandardSizeIsEightMebibytes() {
        let fits = [UInt8](repeating: 0x20, count: 8 * 1_024 * 1_024 - 1) + [0x30]
        #expect(throws: Never.self) { try JSONReader().read(fits) }
        #expect(throws: JSONError.self) { try JSONReader().read([0x20] + fits) }
    }

    @Test func everyByteIsRefusedOrUnderstoodOutsideStrings() {
        let allowed = Set("0123456789 \n\r\t".utf8)
        for byte in UInt8.min...UInt8.max {
            let isAccepted = (try? JSONReader().read([byte, 0x31])) != nil
            let isNumber = byte == UInt8(ascii: "-") || (allowed.contains(byte) && byte != UInt8(ascii: "0"))
            #expect(isAccepted == isNumber, "byte \(byte)")
        }
    }

    @Test func everyByteSequenceOfTwoAndThreeIsJudgedAsTheStandardLibraryDoes() {
        for lead in UInt8(0x80)...0xFF {
            for second in stride(from: 0, through: 0xFF, by: 3) {
                for tail in [[], [UInt8(0x80)], [0xBF], [0x80, 0x80], [0xBF, 0x41]] as [[UInt8]] {
                    let bytes = [lead, UInt8(second)] + tail
                    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { continue }
                    let ours = (try? JSONReader().read([0x22] + bytes + [0x22]))?.string
                    #expect(ours == String(validating: bytes, as: UTF8.self), "\(bytes)")
                }
            }
        }
    }

    /// It is a character of the text like any other there, as RFC 8259 has it; Foundation loses it in two of the places.
    @Test(arguments: ["\u{FEFF}x", "\\\"\u{FEFF}x", "x\u{FEFF}", "\\n\u{FEFF}\u{FEFF}", "\u{FEFF}"])
    func aByteOrderMarkInATextIsKept(_ written: String) throws {
        let marks = written.unicodeScalars.count { $0 == "\u{FEFF}" }
        let text = try #require(try JSONReader().read(Array("\"\(written)\"".utf8)).string)
        #expect(text.unicodeScalars.count { $0 == "\u{FEFF}" } == marks)
    }

    @Test func quotesAndControlsAreFoundAtEveryPlaceOfAWord() throws {
        for length in 0..<40 {
            let plain = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            #expect(try JSONReader().read([0x22] + plain + [0x22]).string?.utf8.count == length)
            for place in 0..<length {
                for byte: UInt8 in [0x00, 0x1F, 0x80, 0xFF] {
                    var broken = plain
                    broken[place] = byte
                    #expect(throws: JSONError.self) { try JSONReader().read([0x22] + broken + [0x22, 0x20, 0x20]) }
                }
                for byte: UInt8 in [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F] {
                    var fine = plain
                    fine[place] = byte
                    #expect(try JSONReader().read([0x22] + fine + [0x22]).string.map { Array($0.utf8) } == fine)
                }
            }
        }
    }

    @Test(arguments: [0, 1, 2, 7, 8, 9, 14, 15, 16, 17, 31, 32, 33])
    func textsOfEveryLengthComeOutAsTheyAre(_ count: Int) throws {
        let plain = String(repeating: "x", count: count)
        for text in [plain, plain + "é", "€" + plain, plain + "👍🏽" + plain, String(plain.dropLast()) + "\u{301}"] {
            let read = try JSONReader().read(Array(#"{"\#(text)":"\#(text)","\#(text)+":["\#(text)"]}"#.utf8))
            let member = try #require(read.object?.members.first)
            for found in [member.key, member.value.string, read[text + "+"]?[0]?.string] {
                #expect(found.map { Array($0.utf8) } == Array(text.utf8))
                #expect(found?.unicodeScalars.count == text.unicodeScalars.count)
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 63, 64, 65])
    func membersOfEveryNumberAreFound(_ count: Int) throws {
        let names = (0..<count).map { "name\($0)" }
        let inner = "{" + names.map { "\"\($0)\":{\"\($0)\":[]}" }.joined(separator: ",") + "}"
        let read = try JSONReader().read(Array("[\(inner),[],{},\(inner)]".utf8))
        #expect(read.array?.count == 4 && read[1] == [] && read[2] == .object([:]) && read[0] == read[3])
        #expect(read[3]?.object?.members.map(\.key) == names)
        for name in names { #expect(read[3]?[name] == .object(JSONObject(dictionaryLiteral: (name, [])))) }
        #expect(read[0]?["other"] == nil)
        #expect(String(decoding: read.bytes(), as: UTF8.self) == "[\(inner),[],{},\(inner)]")
    }
}

import PaymentBase
import Testing

@Suite struct JSONCaseTests {
    @Test func theTablesAreComplete() {
        let counts = (JSONCase.accepted.count, JSONCase.rejected.count, JSONCase.free.count)
        print("JSON cases: \(counts.0) to accept, \(counts.1) to reject, \(counts.2) free to choose")
        #expect(counts.0 >= 100)
        #expect(counts.1 >= 150)
        #expect(counts.2 >= 30)
        #expect(counts.0 + counts.1 + counts.2 >= 300)
    }

    @Test func whatMustBeAcceptedIs() {
        for item in JSONCase.accepted {
            #expect(throws: Never.self, "\(item)") { try JSONReader().read(item.bytes) }
            #expect(throws: Never.self, "\(item)") { try JSONReader().check(item.bytes) }
        }
    }

    @Test func whatMustBeRejectedIsForItsReason() {
        for item in JSONCase.rejected {
            #expect(kind(of: item.bytes) == item.verdict, "\(item)")
            #expect(throws: JSONError.self, "\(item)") { try JSONReader().check(item.bytes) }
        }
    }

    @Test func whatIsFreeIsChosenAsWritten() {
        for item in JSONCase.free { #expect(kind(of: item.bytes) == item.verdict, "\(item)") }
    }

    @Test func acceptedTextsSurviveWritingUnchangedOnceTheyAreCanonical() throws {
        for item in JSONCase.accepted {
            let value = try JSONReader().read(item.bytes)
            let canonical = value.bytes()
            #expect(try JSONReader().read(canonical) == value, "\(item)")
            #expect(try JSONReader().read(canonical).bytes() == canonical, "\(item)")
        }
    }

    @Test func everyCutOfAnAcceptedTextIsRejectedOrACompleteText() throws {
        for item in JSONCase.accepted where item.bytes.count < 100 && item.bytes.first == Array("{".utf8).first {
            let end = item.bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for count in 0..<end {
                #expect(throws: JSONError.self, "\(item) cut to \(count)") {
                    try JSONReader().read(Array(item.bytes.prefix(count)))
                }
            }
        }
    }

    private func kind(of bytes: [UInt8]) -> String {
        do {
            _ = try JSONReader().read(bytes)
            return "accept"
        } catch {
            return "\(error.kind)"
        }
    }
}

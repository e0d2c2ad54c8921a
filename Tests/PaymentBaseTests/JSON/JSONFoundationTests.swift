import Foundation
import PaymentBase
import Testing

/// Random documents, compared with what Foundation reads in them.
@Suite struct JSONFoundationTests {
    @Test func randomDocumentsAreReadAsFoundationReadsThem() throws {
        for seed in 0..<400 {
            var maker = DocumentMaker(random: SeededRandom(seed: UInt64(seed)))
            let value = maker.value(levels: 5)
            for layout in JSONWriter.Layout.allCases {
                let bytes = value.bytes(layout: layout)
                let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                #expect(difference(value, theirs) == nil, "seed \(seed)")
                #expect(try JSONReader().read(bytes) == value, "seed \(seed)")
            }
        }
    }

    @Test func whatFoundationWritesIsRead() throws {
        for seed in 0..<200 {
            var maker = DocumentMaker(random: SeededRandom(seed: UInt64(seed)))
            let theirs = try JSONSerialization.jsonObject(
                with: Data(maker.value(levels: 4).bytes()), options: .fragmentsAllowed)
            let bytes = Array(try JSONSerialization.data(withJSONObject: theirs, options: .fragmentsAllowed))
            #expect(difference(try JSONReader().read(bytes), theirs) == nil, "seed \(seed)")
        }
    }

    /// What the two sides see differently, or nil.
    private func difference(_ ours: JSON, _ theirs: Any) -> String? {
        switch ours {
        case .null: return theirs is NSNull ? nil : "null"
        case .bool(let value): return (theirs as? NSNumber)?.boolValue == value ? nil : "bool"
        case .number(let value):
            guard let number = theirs as? NSNumber, let exact = Double(value.text) else { return "no number" }
            if let whole = value.int64, number.int64Value == whole { return nil }
            // Foundation's fractions are off by a last bit now and then; ours keep their text.
            return abs(number.doubleValue - exact) <= abs(exact) * 1e-12 ? nil : "\(value.text) is \(number)"
        case .string(let value):
            return (theirs as? String).map { Array($0.utf8) } == Array(value.utf8)
                ? nil : "string \(value) is \(theirs)"
        case .array(let values):
            guard let others = theirs as? [Any], others.count == values.count else { return "array" }
            return zip(values, others).compactMap { difference($0, $1) }.first
        case .object(let object):
            guard let others = theirs as? [String: Any], others.count == object.count else { return "object" }
            return object.members.compactMap { member in
                others[member.key].map { difference(member.value, $0) } ?? "no member \(member.key)"
            }.first
        }
    }
}

/// Makes random documents of every type.
private struct DocumentMaker {
    let random: SeededRandom
    private static let pieces = [
        "a", "Z", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{7f}", "é", "€", "😀", "\u{2028}",
        "plain text of some length",
    ]

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func text() -> String { (0..<below(6)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined() }

    mutating func value(levels: Int) -> JSON {
        switch below(levels > 0 ? 8 : 5) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .number(JSONNumber(Int64(bitPattern: random.next()) >> Int64(below(60))))
        case 3: return .number(JSONNumber(units: Int64(below(1_000_000)) - 500_000, places: below(6)))
        case 4: return .string(text())
        case 5: return .array((0..<below(6)).map { _ in value(levels: levels - 1) })
        default:
            var object = JSONObject()
            for number in 0..<below(20) { object["\(number)" + text()] = value(levels: levels - 1) }
            return .object(object)
        }
    }
}

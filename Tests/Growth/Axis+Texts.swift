#if DEBUG
import PaymentBase
import PaymentModel
import PaymentProviderKit

@testable import PaymentCore

extension Axis {
    /// Texts: JSON in three readers, forms, encodings, dates, amounts, and what is looked for in a provider's words.
    static var texts: [Axis] { json + encodings + words + secrets }

    /// Words of a provider in which a request's secrets are looked for, in every writing that there is.
    private static var secrets: [Axis] {
        let scrub = SecretScrubber(
            ["4111111111111111", "737", "tok-SECRET/123456", "passphraseOfATerminal"].map { Secret($0) })
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("percent", { times("%41", $0 / 3) }), ("nested", { times("%252541", $0 / 7) }),
            ("escapes", { times("\\u00e4", $0 / 6) }), ("backslashes", { times("\\", $0) }),
            ("markup", { times("&#228;", $0 / 6) }), ("ampersands", { times("&", $0) }),
            ("groups", { times("4-", $0 / 2) }), ("beginnings", { times("4111-111 ", $0 / 9) }),
            ("secrets", { times("4111111111111111,", $0 / 17) }), ("codes", { times("737,", $0 / 4) }),
            ("grouped", { times("4111-1111-1111-1111,", $0 / 20) }), ("letters", { times("\u{e4}", $0 / 2) }),
        ]
        return shapes.map { name, make in
            Axis("secrets", name, memory: 16, make) { _ = scrub(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// A tree has a value of 24 bytes for each element, whose text may have two: more than four times its input.
    private static let treeMemory = 48

    private static var json: [Axis] {
        JSONShape.allCases.flatMap { shape in
            [
                // Where each key stands is kept until its object ends, so that none comes twice.
                Axis("json-pull", shape.rawValue, memory: 8, { shape.text($0) }) { pull($0) },
                Axis("json-check", shape.rawValue, memory: 8, { shape.text($0) }) { try? JSONReader().check($0) },
                Axis("json-tree", shape.rawValue, memory: treeMemory, { shape.text($0) }) {
                    _ = try? JSONReader().read($0)
                },
            ]
        }
    }

    /// Reads every value and keeps none.
    private static func pull(_ bytes: [UInt8]) {
        guard var reader = try? JSONPullReader(bytes) else { return }
        _ = try? visit(&reader, 40)
        _ = try? reader.end()
    }

    private static func visit(_ reader: inout JSONPullReader, _ levels: Int) throws {
        if levels == 0 { return try reader.skip() }
        switch try reader.nextType() {
        case .null: _ = try reader.skipNull()
        case .bool: _ = try reader.bool()
        case .number: _ = try reader.number()
        case .string: _ = try reader.string()
        case .array:
            let array = try reader.enterArray()
            while try reader.nextElement(of: array) { try visit(&reader, levels - 1) }
        case .object:
            let object = try reader.enterObject()
            while try reader.nextMember(of: object) {
                _ = reader.isKey("amount")
                try visit(&reader, levels - 1)
            }
        }
    }

    private static func times(_ part: String, _ count: Int) -> String {
        String(repeating: part, count: max(count, 1))
    }

    private static var encodings: [Axis] {
        let forms: [(String, @Sendable (Int) -> String)] = [
            ("length", { "a=" + times("x", $0) }), ("fields", { times("a=b&", $0 / 4) }),
            ("keyLength", { times("k", $0) + "=1" }), ("escapes", { "a=" + times("%41", $0 / 3) }),
            ("marks", { times("&", $0) }), ("equals", { "a" + times("=", $0) }), ("plus", { "a=" + times("+", $0) }),
        ]
        let base64: [(String, @Sendable (Int) -> String)] = [
            ("length", { times("QUJD", $0 / 4) }), ("padding", { times("=", $0) }), ("other", { times("*", $0) }),
        ]
        // Each field of four bytes becomes two texts.
        return forms.map { name, make in
            Axis("form", name, memory: 48, make) { _ = FormEncoding.decode(String(decoding: $0, as: UTF8.self)) }
        }
            + base64.map { name, make in
                Axis("base64", name, make) { bytes in
                    _ = Base64.standard.decode(String(decoding: bytes, as: UTF8.self))
                    _ = Base64.urlSafe.decode(String(decoding: bytes, as: UTF8.self))
                }
            }
            + [
                Axis("hex", "length", { times("ab", $0 / 2) }) {
                    _ = Hex.decode(String(decoding: $0, as: UTF8.self))
                },
                Axis("address", "length", { "https://a/" + times("b", $0) }) {
                    _ = WebURL(String(decoding: $0, as: UTF8.self))
                },
                Axis("date", "length", { "2026-01-01T00:00:00." + times("1", $0) + "Z" }) {
                    _ = Timestamp(String(decoding: $0, as: UTF8.self))
                },
                Axis("amount", "digits", { times("1", $0) + ".00" }) {
                    _ = try? Money(String(decoding: $0, as: UTF8.self), .eur)
                },
            ]
    }

    private static var words: [Axis] {
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("digits", { times("4", $0) }), ("groups", { times("4111 ", $0 / 5) }),
            ("numbers", { times("4111111111111111 a", $0 / 18) }), ("stars", { times("*", $0) }),
            ("hyphens", { times("1-", $0 / 2) }), ("letters", { times("a", $0) }),
            // Marks over one letter are one character, however many there are.
            ("marks", { "a" + times("\u{301}", $0 / 2) }),
            ("mixedMarks", { "a" + times("\u{301}\u{323}", $0 / 4) }),
        ]
        return shapes.flatMap { name, make in
            [
                Axis("masking", name, memory: 6, { make($0 / 8) }) {
                    _ = Masking.cardNumbers(in: String(decoding: $0, as: UTF8.self))
                },
                Axis("provider-words", name, memory: 12, { make($0 / 8) }) {
                    _ = ProviderMessage(code: "a", message: String(decoding: $0, as: UTF8.self))
                },
                Axis("reference", name, memory: 16, make) {
                    _ = ReferenceText.normalized(String(decoding: $0, as: UTF8.self))
                },
                Axis("attempt-id", name, make) { _ = try? AttemptID(String(decoding: $0, as: UTF8.self)) },
            ]
        }
    }
}
#endif

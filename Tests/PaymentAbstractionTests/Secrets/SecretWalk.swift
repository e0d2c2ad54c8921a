import Foundation
import PaymentAbstraction
import PaymentBase

/// Walks a value in every way in which it could be printed, and names what it should not have shown.
struct SecretWalk {
    /// Something that came out.
    struct Leak: Hashable, CustomStringConvertible {
        let needle: String
        let form: String
        let way: String
        let type: String
        var description: String { "\(needle) as \(form) in \(way) of \(type)" }
    }

    private static let depthMax = 24
    private let needles: [(name: String, form: Planted.Form, text: String)]
    private(set) var leaks: Set<Leak> = []
    /// How many values were looked at.
    private(set) var count = 0
    private var seen: Set<ObjectIdentifier> = []

    init(_ needles: [Planted.Needle] = Planted.everything) {
        self.needles = needles.flatMap { needle in needle.forms.map { (needle.name, $0.form, $0.text) } }
    }

    mutating func walk(_ value: Any) {
        seen = []
        look(at: "\(value)", "description", value)
        look(at: String(reflecting: value), "debugDescription", value)
        var text = ""
        dump(value, to: &text)
        look(at: text, "dump", value)
        children(of: value, depth: 0)
    }

    private mutating func children(of value: Any, depth: Int) {
        count += 1
        if let text = value as? String { look(at: text, "a text", value) }
        if let error = value as? PaymentError { look(at: error.message, "the explanation", value) }
        if let bytes = value as? [UInt8] { return look(at: String(decoding: bytes, as: UTF8.self), "bytes", value) }
        if depth > 0, depth < 4 {
            look(at: "\(value)", "a part's description", value)
            look(at: String(reflecting: value), "a part's debugDescription", value)
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
        guard depth < Self.depthMax else { return }
        for child in mirror.children { children(of: child.value, depth: depth + 1) }
    }

    private mutating func look(at text: String, _ way: String, _ value: Any) {
        for needle in needles where Self.holds(text, needle.text) {
            let type = "\(Mirror(reflecting: value).subjectType)"
            leaks.insert(Leak(needle: needle.name, form: needle.form.rawValue, way: way, type: type))
        }
    }

    /// Whether a text is in another: its bytes, or, where it has letters that can be written in several ways, its letters.
    /// Letter by letter takes long, and most needles are ASCII.
    private static func isThere(_ needle: String, in text: String) -> Bool {
        if Data(text.utf8).range(of: Data(needle.utf8)) != nil { return true }
        return !needle.utf8.allSatisfy { $0 < 0x80 } && text.contains(needle)
    }

    /// Whether a text holds another; a short one only counts as a word of its own, since digits meet by chance, and not
    /// between two hyphens, where ids have four digits of a time or of chance.
    private static func holds(_ text: String, _ needle: String) -> Bool {
        guard isThere(needle, in: text) else { return false }
        if needle.utf8.count >= 8 { return true }
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        return text.ranges(of: needle).contains { range in
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            return !isWord(before) && !isWord(after) && !(before == "-" && after == "-")
        }
    }
}

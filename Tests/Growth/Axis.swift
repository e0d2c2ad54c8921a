#if DEBUG
import PaymentBase

/// What one reader is given: how many bytes, and the work itself.
struct Work {
    let bytes: Int
    let run: () -> Void

    /// Work on bytes.
    init(_ input: [UInt8], _ read: @escaping ([UInt8]) -> Void) {
        bytes = input.count
        run = { read(input) }
    }
}

/// One direction in which the input of one reader grows.
struct Axis: Sendable {
    let reader: String
    let name: String
    /// How many times as many bytes as the input has it may have in use beside the input, where four are too few.
    var memory = Growth.memoryTimesMax
    /// Makes work of about so many bytes.
    let work: @Sendable (Int) -> Work

    var title: String { "\(reader) \(name)" }

    init(_ reader: String, _ name: String, memory: Int = Growth.memoryTimesMax, work: @escaping @Sendable (Int) -> Work)
    {
        (self.reader, self.name, self.memory, self.work) = (reader, name, memory, work)
    }

    /// A reader of texts.
    init(
        _ reader: String, _ name: String, memory: Int = Growth.memoryTimesMax,
        _ make: @escaping @Sendable (Int) -> String,
        _ read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.init(reader, name, memory: memory) { Work(Array(make($0).utf8), read) }
    }
}

extension Axis {
    /// All readers of bytes from outside, in all directions.
    static var all: [Axis] { planted + texts + wires + files + providers }

    /// A reader whose work grows with the square of its input: a table that does not find it checks nothing.
    static let planted = [
        Axis("planted", "square", { String(repeating: "a", count: max($0 / 16, 1)) }) { bytes in
            var same = 0
            for one in bytes { for other in bytes where one == other { same &+= 1 } }
            Kept.number.withLock { $0 = same }
        }
    ]
}

/// Where results go that nothing else needs, so that no work is left out.
enum Kept {
    static let number = Locked(0)
}

/// Texts in JSON of about so many bytes, one for each direction.
enum JSONShape: String, CaseIterable {
    case length, escapes, depth, deepValues, members, items, numbers, keyLength, longKeys, escapedKeys, sameValue
    case spaces, lines, digits, wideMembers, nameOverValues

    func text(_ count: Int) -> String {
        func times(_ part: String, _ count: Int) -> String { String(repeating: part, count: max(count, 1)) }
        func list(_ count: Int, _ part: (Int) -> String) -> String {
            (0..<max(count, 1)).map(part).joined(separator: ",")
        }
        switch self {
        case .length: return "{\"a\":\"" + times("x", count) + "\"}"
        case .escapes: return "{\"a\":\"" + times("\\u0041", count / 6) + "\"}"
        case .depth: return "{\"a\":" + times("[", count) + times("]", count) + "}"
        case .deepValues:
            let (open, close) = (times("[", 60), times("]", 60))
            return "{\"a\":[" + list(count / 122) { _ in open + "0" + close } + "]}"
        case .members: return "{" + list(count / 12) { "\"k\($0)\":0" } + "}"
        case .items: return "{\"a\":[" + list(count / 2) { _ in "0" } + "]}"
        case .numbers: return "{\"a\":[" + list(count / 12) { "\(1_000_000_000 + $0)" } + "]}"
        case .keyLength: return "{\"" + times("k", count) + "\":0}"
        case .longKeys:
            let start = times("k", count / 64)
            return "{" + list(64) { "\"\(start)\($0)\":0" } + "}"
        case .escapedKeys: return "{" + list(count / 16) { "\"\\u006b\($0)\":0" } + "}"
        case .sameValue: return "{\"a\":[" + list(count / 13) { _ in "\"repeated!\"" } + "]}"
        case .spaces: return times(" ", count) + "{}"
        case .lines: return times("\n", count) + "x"
        case .wideMembers: return "{" + list(count / 56) { "\"a-member-\($0)\":\"a value of some length \($0)\"" } + "}"
        case .digits: return "{\"a\":" + times("1", count) + "}"
        // Fewer values than a message may have.
        case .nameOverValues:
            return "{\"" + times("k", count / 2) + "\":[" + list(min(count / 4, 1_500)) { _ in "0" } + "]}"
        }
    }
}
#endif

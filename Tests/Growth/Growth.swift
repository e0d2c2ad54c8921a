#if DEBUG
import CCountedMemory
import Glibc

/// Measures how the cost of each reader of bytes from outside grows with its input.
///
/// `growth table short|long [READER]` prints reader, direction, exponent and memory, and fails where one of them is too
/// great; `growth memory PROVIDER BYTES` prints how much memory a provider's webhook takes that no key has signed.
/// `growth work short|long [READER]` is what runs under valgrind.
@main struct Growth {
    /// The greatest exponent of the instructions over the last five doublings.
    static let exponentMax = 1.1
    /// How often the input is doubled, and over how many of the last doublings the exponent is taken.
    static let doublings = (all: 10, judged: 5)
    /// How many times as many bytes as its input a reader has in use.
    static let memoryTimesMax = 4
    /// How many bytes of memory every reader may have in use, however short its input.
    static let memoryBytesMax = 512 * 1_024
    /// How long the input is for which memory is measured, in bytes.
    static let memoryInputBytes = 128 * 1_024

    static func main() async {
        await WebhookSubject.prepare()
        let words = CommandLine.arguments.dropFirst().map { $0 }
        switch words.first {
        case "work": GrowthForm(words.dropFirst()).work()
        case "table": exit(GrowthTable(form: GrowthForm(words.dropFirst())).print() ? 0 : 1)
        case "memory":
            let provider = words.dropFirst().first ?? ""
            let bytes = words.dropFirst(2).first.flatMap { Int($0) } ?? 98_304
            guard let most = WebhookSubject.memory(of: provider, bytes: bytes) else {
                print("growth: there is no provider \(provider)")
                exit(2)
            }
            for (shape, bytes) in most { print("\(provider)\t\(shape)\t\(bytes)") }
        default:
            print("growth: table short|long [READER], memory PROVIDER BYTES, or work short|long [READER]")
            exit(2)
        }
    }

    /// How many bytes the heap has in use at most beside what it has before.
    static func memory(_ work: Work) -> Int {
        let before = pay_test_memory_begin()
        work.run()
        return pay_test_memory_most() - before
    }
}

/// Which directions are measured, and how large their inputs are.
struct GrowthForm {
    /// `short` or `long`.
    let name: String
    /// One reader, or one direction of it, alone.
    let reader: String?

    /// The directions of the short form: of each reader those in which something once grew, or could.
    private static let short: Set<String> = [
        "json-pull members", "json-pull items", "json-pull keyLength", "json-tree members", "json-tree sameValue",
        "json-tree deepValues", "json-tree escapes", "form fields", "form escapes", "base64 length",
        "reference mixedMarks", "masking numbers", "secrets nested", "secrets grouped", "statement payments",
        "statement onePayment", "statement refunds",
        "statement quotes", "reconciliation strangers", "request fields", "request-bytewise value",
        "request-bytewise chunks",
        "response-head sameField", "websocket-bytewise fragments", "cassette items", "cassette members",
        "cassette-secrets tokens", "configuration providers", "import-table columns",
        "webhook-adyen notices", "webhook-adyen members-forged", "webhook-ecommpay members-forged",
        "webhook-ecommpay items", "webhook-arise length", "webhook-arise signatures", "webhook-halo members",
        "webhook-ni members", "webhook-memory members",
    ]

    init(_ words: ArraySlice<String>) { (name, reader) = (words.first ?? "long", words.dropFirst().first) }

    private var isShort: Bool { name == "short" }

    /// How many bytes an input has before the first doubling.
    private var bytes: Int { isShort ? 16 : 64 }

    /// How often the input is doubled, for each count: the short form leaves out those that are not judged.
    var doublings: ClosedRange<Int> {
        (isShort ? Growth.doublings.all - Growth.doublings.judged : 0)...Growth.doublings.all
    }

    /// The directions that are measured.
    var axes: [Axis] {
        if let reader { return Axis.all.filter { $0.reader == reader || $0.title == reader } }
        return isShort ? Axis.all.filter { $0.reader == "planted" || Self.short.contains($0.title) } : Axis.all
    }

    /// Whether every direction that the short form names is there.
    static var isWhole: Bool { short.isSubset(of: Axis.all.map(\.title)) }

    /// Each direction at each size, once, for valgrind.
    func work() {
        for axis in axes {
            // What is made once in a process is no part of the first size.
            axis.work(bytes << doublings.lowerBound).run()
            for doubling in doublings { countedWork(axis.work(bytes << doubling)) }
        }
    }
}

/// What valgrind counts the instructions of, one time after the other.
@_silgen_name("payments_counted_work") @inline(never) func countedWork(_ work: Work) { work.run() }
#else
@main struct Growth {
    static func main() { print("growth: this program reads internals, which a release build does not show") }
}
#endif

internal import PaymentAbstraction
internal import PaymentBase

/// Everything that is wrong with one file, told at once.
struct ConfigurationProblems {
    /// How many problems are listed.
    static let listedMax = 20

    let file: String
    let bytes: [UInt8]
    private var found: [(offset: Int, number: Int, words: String)] = []

    init(file: String, _ bytes: [UInt8]) { (self.file, self.bytes) = (file, bytes) }

    var isEmpty: Bool { found.isEmpty }

    /// Notes what is wrong at a place, and what to do.
    mutating func add(_ offset: Int, _ path: String, _ words: String) {
        let subject = path.isEmpty ? "" : "\(path): "
        found.append((offset, found.count, "\(subject)\(words)"))
    }

    /// Notes a value that is not what it should be.
    mutating func add(_ node: ConfigurationNode, _ path: String, expected: String, _ advice: String = "") {
        let key = path.split { $0 == "." || $0 == "[" }.last.map(String.init) ?? ""
        add(node, path, found: Shown.isDelicate(key) ? node.foundKind : node.found, expected: expected, advice)
    }

    /// Notes a value that is not what it should be, in words of one's own for what was found.
    mutating func add(
        _ node: ConfigurationNode, _ path: String, found: String, expected: String, _ advice: String = ""
    ) {
        add(node.offset, path, "found \(found), expected \(expected).\(advice.isEmpty ? "" : " \(advice)")")
    }

    /// Where a byte stands, as editors open it.
    func place(_ offset: Int) -> String {
        var (line, start) = (1, 0)
        for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            (line, start) = (line + 1, index + 1)
        }
        return "\(file):\(line):\(offset - start + 1)"
    }

    /// The error with all problems in the order of the file.
    var error: PaymentError {
        let listed = found.sorted { ($0.offset, $0.number) < ($1.offset, $1.number) }.prefix(Self.listedMax)
        return Self.error(file, listed.map { "\(place($0.offset)): \($0.words)" }, count: found.count)
    }

    /// The error with lines that name their places; only the first ones are shown.
    static func error(_ file: String, _ lines: [String], count: Int) -> PaymentError {
        let words = count == 1 ? "1 problem" : "\(count) problems"
        var all = ["\(file) has \(words); nothing was opened."] + lines.prefix(listedMax)
        if count > listedMax {
            all.append("\(file): \(count - listedMax) more problems are not listed; mend these first.")
        }
        return PaymentError.notExecuted(.configuration, all.joined(separator: "\n"))
    }
}

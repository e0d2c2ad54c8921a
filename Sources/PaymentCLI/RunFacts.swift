internal import PaymentBase
internal import PaymentSystem

/// What a page says about the run that made it, so that a copy that is found later can be placed.
enum RunFacts {
    /// The software, its state, the day and the machine.
    static var all: [(name: String, text: String)] {
        [
            ("payments", PaymentsVersion.text),
            ("commit", commit ?? "not known: the program ran outside of a checkout"),
            ("date", Timestamp(milliseconds: SystemClock().now)?.text() ?? "not known"), ("machine", machine),
        ]
    }

    /// The commit of the checkout in which the program runs; nil where there is none.
    static var commit: String? {
        guard var folder = CommandFile.currentFolder() else { return nil }
        while !CommandFile.isThere("\(folder)/.git/HEAD") {
            guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
            folder = String(folder[..<slash])
        }
        guard let head = text("\(folder)/.git/HEAD") else { return nil }
        guard head.hasPrefix("ref: ") else { return named(head) }
        let branch = head.dropFirst(5)
        if let commit = text("\(folder)/.git/\(branch)") { return named(commit) }
        let packed = text("\(folder)/.git/packed-refs")?.split(separator: "\n") ?? []
        return packed.first { $0.hasSuffix(" \(branch)") }.flatMap { named(String($0.prefix(40))) }
    }

    private static func named(_ commit: String) -> String? {
        commit.count == 40 && commit.allSatisfy(\.isHexDigit) ? commit : nil
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? CommandFile.read(path) else { return nil }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// The system and the processor, without the machine's own name.
    private static var machine: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "not known" }
        func word(_ bytes: some Any) -> String {
            unsafe withUnsafeBytes(of: bytes) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return "\(word(names.sysname)) \(word(names.release)), \(word(names.machine))"
    }
}

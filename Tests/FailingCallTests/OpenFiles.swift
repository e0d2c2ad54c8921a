/// What a program has open, by names.
struct OpenFiles: CustomStringConvertible {
    private var counts: [String: Int] = [:]

    init(_ names: [String]) {
        for name in names { counts[name, default: 0] += 1 }
    }

    var count: Int { counts.values.reduce(0, +) }
    var isEmpty: Bool { counts.isEmpty }
    var description: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }

    /// The files that are open more often than there, without what only threads and connections have.
    func subtracting(_ other: OpenFiles) -> OpenFiles {
        var more = OpenFiles([])
        for (name, count) in counts where !name.hasSuffix(":") {
            let extra = count - (other.counts[name] ?? 0)
            if extra > 0 { more.counts[name] = extra }
        }
        return more
    }
}

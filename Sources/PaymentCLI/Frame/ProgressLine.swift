internal import PaymentBase
internal import PaymentSystem

/// How far something is, on one line of a terminal; silent where nobody looks.
final class ProgressLine: Sendable {
    private static let width = 24

    private let isShown: Bool
    private let what: String
    private let total: Int
    private let done = Locked(0)

    init(_ console: Console, _ what: String, of total: Int) {
        (isShown, self.what, self.total) = (console.showsProgress, what, max(1, total))
    }

    /// The next piece begins.
    func step(_ name: String) {
        done.withLock { $0 += 1 }
        tell(name)
    }

    /// Says more of the piece that is under way.
    func tell(_ name: String) {
        guard isShown else { return }
        let count = max(0, done.withLock { $0 } - 1)
        let filled = min(Self.width, count * Self.width / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        Self.write("\r\(what) \(bar) \(count)/\(total) \(name)\u{1B}[K")
    }

    /// The line goes away.
    func end() { if isShown { Self.write("\r\u{1B}[K") } }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // A terminal that takes nothing loses nothing that matters.
        _ = unsafe bytes.withUnsafeBytes { unsafe writeSome($0) }
    }
}

/// The system's own function, which the class's would hide.
private func writeSome(_ buffer: UnsafeRawBufferPointer) -> Int { unsafe write(2, buffer.baseAddress, buffer.count) }

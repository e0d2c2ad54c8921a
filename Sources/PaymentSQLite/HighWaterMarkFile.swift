internal import PaymentSystem

/// What is known of the journal outside of it, in a small file beside it that ends in `.last`: how far it had come.
///
/// A journal that is behind its mark, or has none although there is something in it, was restored from a copy: numbers
/// that were drawn since would be drawn again, and attempts that were made since would be made again. A copy of the
/// whole folder takes the mark along, so that it is not noticed; keep copies of the journal alone.
///
/// It is written after each commit, in place and without waiting for the disk: a mark that has stayed behind says
/// nothing, and only one that is ahead does.
struct HighWaterMarkFile: Hashable {
    /// How many commits were made.
    var commit: Int64
    /// The next number that was not drawn.
    var number: Int64
    /// How often the journal was restored and accepted.
    var generation: Int64

    /// Where the mark of a journal is.
    static func path(_ journal: String) -> String { journal + ".last" }

    /// How many bytes it always has, so that writing it never changes the file's size.
    private static let bytesCount = 96

    /// Whether a journal that has come so far is older than this.
    func isAhead(of other: HighWaterMarkFile) -> Bool {
        commit > other.commit || number > other.number || generation > other.generation
    }

    /// The greater of both in everything.
    func joined(_ other: HighWaterMarkFile) -> HighWaterMarkFile {
        HighWaterMarkFile(
            commit: max(commit, other.commit), number: max(number, other.number),
            generation: max(generation, other.generation))
    }

    private var sum: Int64 { RowSum.of([.integer(commit), .integer(number), .integer(generation)]) }

    /// The mark of a journal; nil when there is none that can be read.
    static func read(_ journal: String) -> HighWaterMarkFile? {
        let descriptor = opened(path(journal), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { closed(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesCount)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, bytesCount, 0) }
        guard got == bytesCount else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
        guard words.count == 4 else { return nil }
        let mark = HighWaterMarkFile(commit: words[0], number: words[1], generation: words[2])
        return mark.sum == words[3] ? mark : nil
    }

    /// Writes it over the one that is there.
    func write(_ descriptor: Int32) {
        var bytes = Array("\(commit) \(number) \(generation) \(sum) ".utf8)
        bytes += [UInt8](repeating: 0x20, count: max(0, Self.bytesCount - 1 - bytes.count)) + [0x0A]
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Opens the file of a mark, and makes it if there is none; -1 when that can't be.
    static func open(_ journal: String) -> Int32 { opened(path(journal), O_CREAT | O_RDWR) }

    /// Makes what was written durable, and closes the file.
    static func close(_ descriptor: Int32) {
        fsync(descriptor)
        closed(descriptor)
    }

    /// Removes the mark of a journal.
    static func remove(_ journal: String) { _ = unsafe unlink(path(journal)) }
}

private func opened(_ path: String, _ flags: Int32) -> Int32 {
    // Without O_NONBLOCK, opening a pipe would wait for a process that writes into it.
    unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
}

private func closed(_ descriptor: Int32) { close(descriptor) }

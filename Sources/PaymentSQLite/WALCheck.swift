internal import PaymentSystem

/// Looks whether SQLite's write-ahead log is broken in the middle.
///
/// SQLite takes a log up to its first broken frame and silently forgets the rest, which is right for the last commit of
/// a machine that lost power. A commit behind which another one follows had been durable, though: its loss is damage. A
/// log that was cut off at a commit, or whose last commit is broken, can't be distinguished from a power cut.
struct WALCheck {
    private let bytes: [UInt8]
    private let pageBytes: Int
    private let isBigEndian: Bool

    private static let headBytes = 32
    private static let frameHeadBytes = 24
    /// A log larger than this is not read; SQLite keeps it near 4 MB unless a reader is in the way.
    private static let bytesMax = 64 * 1_024 * 1_024

    /// Whether durable commits are lost; asked while no other process can write.
    static func isBroken(_ path: String) -> Bool {
        guard let bytes = read(path), bytes.count > headBytes + frameHeadBytes else { return false }
        guard let check = WALCheck(bytes) else { return true }
        return check.isBroken
    }

    /// Nil when the log's head is damaged.
    private init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        let magic = Self.word(bytes, 0)
        isBigEndian = magic == 0x377F_0683
        pageBytes = Int(Self.word(bytes, 8))
        guard magic == 0x377F_0682 || isBigEndian, (512...65_536).contains(pageBytes),
            sum(0..<24, (0, 0)) == (Self.word(bytes, 24), Self.word(bytes, 28))
        else { return nil }
    }

    private var isBroken: Bool {
        let frameBytes = Self.frameHeadBytes + pageBytes
        var before = (Self.word(bytes, 24), Self.word(bytes, 28))
        var place = Self.headBytes
        while place + frameBytes <= bytes.count {
            let head = sum(place..<place + 8, before)
            let found = sum(place + Self.frameHeadBytes..<place + frameBytes, head)
            let stored = (Self.word(bytes, place + 16), Self.word(bytes, place + 20))
            if !isOfThisLog(place) || found != stored { return hasCommitsBehind(place, frameBytes) }
            before = stored
            place += frameBytes
        }
        return false
    }

    /// Whether a commit is at or behind a place, and something of this log behind that commit.
    private func hasCommitsBehind(_ start: Int, _ frameBytes: Int) -> Bool {
        var place = start
        var hasCommit = false
        while place + frameBytes <= bytes.count {
            if isOfThisLog(place) {
                if hasCommit { return true }
                hasCommit = Self.word(bytes, place + 4) != 0
            }
            place += frameBytes
        }
        return false
    }

    /// Frames that are left over from an earlier round of the log have other salts.
    private func isOfThisLog(_ place: Int) -> Bool {
        Self.word(bytes, place + 8) == Self.word(bytes, 16) && Self.word(bytes, place + 12) == Self.word(bytes, 20)
    }

    private func sum(_ range: Range<Int>, _ start: (UInt32, UInt32)) -> (UInt32, UInt32) {
        var (one, two) = start
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let (first, second) = (Self.word(bytes, place), Self.word(bytes, place + 4))
            one = one &+ (isBigEndian ? first : first.byteSwapped) &+ two
            two = two &+ (isBigEndian ? second : second.byteSwapped) &+ one
        }
        return (one, two)
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
            | UInt32(bytes[place + 3])
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0, size <= bytesMax else { return nil }
        var (bytes, filled) = ([UInt8](repeating: 0, count: size), 0)
        while filled < size {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, size - filled, off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }
}

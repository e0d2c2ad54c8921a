internal import Glibc

/// Two ends of pipes, spoken over in messages with their length in front.
public struct Channel: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// A pipe could not be written.
    public struct Broken: Error {}

    /// What a child has: its standard input and output.
    public static let ofChild = Channel(reading: STDIN_FILENO, writing: STDOUT_FILENO)

    init(reading: Int32, writing: Int32) { (self.reading, self.writing) = (reading, writing) }

    /// Writes one message.
    public func send(_ message: PipeMessage) throws {
        let body = message.bytes()
        let count = UInt32(body.count)
        var rest = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + body
        while !rest.isEmpty {
            let written = unsafe write(writing, rest, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Broken() }
            rest.removeFirst(written)
        }
    }

    /// Reads one message; nil when the other side is gone.
    public func receive() throws -> PipeMessage? {
        guard let head = take(4) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard let body = take(count) else { return nil }
        return try PipeMessage(body)
    }

    private func take(_ count: Int) -> [UInt8]? {
        var taken: [UInt8] = []
        while taken.count < count {
            var part = [UInt8](repeating: 0, count: count - taken.count)
            let got = unsafe read(reading, &part, part.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            taken += part.prefix(got)
        }
        return taken
    }

    func close() {
        _ = Glibc.close(reading)
        _ = Glibc.close(writing)
    }
}

/// The server's side of HTTP/2 (RFC 9113), as little of it as a test needs: whole requests in, canned frames out.
public final class HTTP2Peer {
    private let connection: TestConnection

    /// Reads the client's preface and answers with empty settings.
    public init(_ connection: TestConnection) throws {
        self.connection = connection
        _ = try connection.read(24)
        try frame(type: 4, flags: 0, stream: 0, [])
    }

    /// Waits for the end of the next request and gives its stream's number.
    public func readRequest() throws -> UInt32 {
        while true {
            let head = try connection.read(9)
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let (type, flags) = (head[3], head[4])
            let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            _ = try connection.read(length)
            if type == 4, flags & 1 == 0 { try frame(type: 4, flags: 1, stream: 0, []) }
            if type == 0 || type == 1, flags & 1 != 0 { return stream }
        }
    }

    /// Answers with status 200 and no body: one byte of header compression's static table.
    public func answer(_ stream: UInt32) throws { try frame(type: 1, flags: 5, stream: stream, [0x88]) }

    /// Ends a stream; code 7 promises that nothing was executed.
    public func resetStream(_ stream: UInt32, code: UInt8) throws {
        try frame(type: 3, flags: 0, stream: stream, [0, 0, 0, code])
    }

    /// Says that streams after `last` were not looked at and that the connection ends.
    public func goAway(last: UInt32) throws {
        try frame(type: 7, flags: 0, stream: 0, bytes(last) + [0, 0, 0, 0])
    }

    private func frame(type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) throws {
        let length = UInt32(payload.count)
        try connection.write(bytes(length).dropFirst() + [type, flags] + bytes(stream) + payload)
    }

    private func bytes(_ word: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
}

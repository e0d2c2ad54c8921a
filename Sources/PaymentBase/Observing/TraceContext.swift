/// A span's place in its trace, as the W3C recommendation "Trace Context" has it.
///
/// ```swift
/// let context = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
/// ```
public struct TraceContext: Hashable, Sendable {
    /// The trace that the running task belongs to, if the application has one: what the client does is a part of it.
    ///
    /// ```swift
    /// try await TraceContext.$current.withValue(mine) { try await client.sale(…) }
    /// ```
    @TaskLocal public static var current: TraceContext?

    /// The trace: 16 bytes, not all of them zero.
    public let trace: [UInt8]
    /// The span: 8 bytes, not all of them zero.
    public let span: [UInt8]

    /// Reads the field `traceparent`; nil if it is anything else.
    public init?(_ traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[1].utf8.count == 32, parts[2].utf8.count == 16,
            parts[3].utf8.count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            parts.prefix(4).allSatisfy(Self.isHex), let trace = Hex.decode(String(parts[1])),
            let span = Hex.decode(String(parts[2]))
        else { return nil }
        guard trace.contains(where: { $0 != 0 }), span.contains(where: { $0 != 0 }) else { return nil }
        (self.trace, self.span) = (trace, span)
    }

    init(trace: [UInt8], span: [UInt8]) { (self.trace, self.span) = (trace, span) }

    /// Only small letters are allowed.
    private static func isHex(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
    }

    /// The field `traceparent`. It says that the trace is recorded.
    public var traceparent: String { "00-\(Hex.encode(trace))-\(Hex.encode(span))-01" }

    /// A span of the same trace.
    func child(_ random: any RandomSource) -> TraceContext { TraceContext(trace: trace, span: Self.drawSpan(random)) }

    /// The first span of an attempt's trace: every process that works on the attempt finds the same trace.
    static func root(of attempt: String?, _ random: any RandomSource) -> TraceContext {
        guard let attempt else { return TraceContext(trace: drawTrace(random), span: drawSpan(random)) }
        return TraceContext(trace: digest(attempt), span: drawSpan(random))
    }

    private static func drawSpan(_ random: any RandomSource) -> [UInt8] { bytes(random.next() | 1) }

    private static func drawTrace(_ random: any RandomSource) -> [UInt8] {
        bytes(random.next()) + bytes(random.next() | 1)
    }

    /// Two 64-bit digests (FNV-1a, then the last step of SplitMix64, so that each bit of the text can change each bit).
    private static func digest(_ text: String) -> [UInt8] {
        func half(_ start: UInt64) -> UInt64 {
            var sum = start
            for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
            sum = (sum ^ (sum >> 30)) &* 0xbf58_476d_1ce4_e5b9
            sum = (sum ^ (sum >> 27)) &* 0x94d0_49bb_1331_11eb
            return sum ^ (sum >> 31)
        }
        return bytes(half(0xcbf2_9ce4_8422_2325)) + bytes(half(0x6c62_272e_07bb_0142) | 1)
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
}

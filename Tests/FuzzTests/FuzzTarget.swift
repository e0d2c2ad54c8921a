/// One reader of bytes from outside, and what must hold for any bytes whatever.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) { (self.name, self.run) = (name, run) }

    /// All of them.
    static let all: [FuzzTarget] = texts + wires + providers + journals
}

/// The choices that an input makes, byte by byte; zeros when it is at its end.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func all() -> [UInt8] { bytes(rest.count) }

    /// The rest, cut into pieces of the lengths that the input says.
    mutating func pieces() -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while !isEmpty { pieces.append(bytes(1 + below(64))) }
        return pieces
    }
}

extension String {
    /// Bytes as text, broken ones repaired.
    init(fuzzed bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }
}

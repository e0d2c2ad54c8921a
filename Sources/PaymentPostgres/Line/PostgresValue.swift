internal import CPostgres

/// A value that goes with a statement, in the form that the server itself uses.
enum PostgresValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case flag(Bool)
    case null
    case integers([Int64])
    case optionalIntegers([Int64?])
    case texts([String])
    case byteStrings([[UInt8]])
    case flags([Bool])

    /// The server's numbers for kinds of elements.
    private enum Kind { static let (flag, bytes, integer, text): (Int32, Int32, Int32, Int32) = (16, 17, 20, 25) }

    /// Appends the value's bytes; gives how many, or nil for no value.
    func append(to buffer: inout [UInt8]) -> Int? {
        let start = buffer.count
        switch self {
        case .null: return nil
        case .integer(let number): Self.append(number, to: &buffer)
        case .text(let text): Self.append(text, to: &buffer)
        case .bytes(let bytes): buffer += bytes
        case .flag(let flag): buffer.append(flag ? 1 : 0)
        case .integers(let numbers):
            Self.array(numbers, Kind.integer, &buffer) { Self.append($0, to: &$1) }
        case .optionalIntegers(let numbers): Self.array(numbers, &buffer)
        case .texts(let texts): Self.array(texts, Kind.text, &buffer) { Self.append($0, to: &$1) }
        case .byteStrings(let strings): Self.array(strings, Kind.bytes, &buffer) { $1 += $0 }
        case .flags(let flags): Self.array(flags, Kind.flag, &buffer) { $1.append($0 ? 1 : 0) }
        }
        return buffer.count - start
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to buffer: inout [UInt8]) {
        var shift = Number.bitWidth - 8
        while shift >= 0 {
            buffer.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
            shift -= 8
        }
    }

    /// What is for a character that the server's texts can't hold.
    private static let escape: UInt8 = 0x10

    /// Texts are looked for and never shown: what they can't hold is replaced so that different texts stay different.
    private static func append(_ text: String, to buffer: inout [UInt8]) {
        let utf8 = text.utf8
        guard utf8.contains(where: { $0 == 0 || $0 == escape }) else { return buffer += utf8 }
        for byte in utf8 {
            if byte == 0 || byte == escape {
                buffer += [escape, byte == 0 ? 0x30 : 0x31]
            } else {
                buffer.append(byte)
            }
        }
    }

    /// The bytes of a text before anything in it was replaced.
    static func original(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(escape) else { return bytes }
        var (original, isEscaped): ([UInt8], Bool) = ([], false)
        for byte in bytes {
            if isEscaped {
                original.append(byte == 0x30 ? 0 : escape)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                original.append(byte)
            }
        }
        return original
    }

    private static func head(_ count: Int, _ kind: Int32, hasNull: Bool, _ buffer: inout [UInt8]) {
        append(Int32(count == 0 ? 0 : 1), to: &buffer)
        append(Int32(hasNull ? 1 : 0), to: &buffer)
        append(kind, to: &buffer)
        guard count > 0 else { return }
        append(Int32(count), to: &buffer)
        append(Int32(1), to: &buffer)
    }

    private static func array<Element>(
        _ elements: [Element], _ kind: Int32, _ buffer: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
    ) {
        head(elements.count, kind, hasNull: false, &buffer)
        for element in elements {
            let place = buffer.count
            append(Int32(0), to: &buffer)
            write(element, &buffer)
            let size = Int32(buffer.count - place - 4)
            for offset in 0..<4 { buffer[place + offset] = UInt8(truncatingIfNeeded: size >> Int32(24 - 8 * offset)) }
        }
    }

    private static func array(_ numbers: [Int64?], _ buffer: inout [UInt8]) {
        head(numbers.count, Kind.integer, hasNull: numbers.contains(nil), &buffer)
        for number in numbers {
            append(Int32(number == nil ? -1 : 8), to: &buffer)
            if let number { append(number, to: &buffer) }
        }
    }
}

/// What a statement gave; freed with its last reference.
@safe final class PostgresRows {
    private let result: OpaquePointer?
    /// How many rows there are.
    let count: Int

    init(_ result: OpaquePointer?) {
        unsafe self.result = result
        count = Int(unsafe PQntuples(result))
    }

    deinit { unsafe PQclear(result) }

    /// What the server says it has done, as "COMMIT".
    var tag: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// What kind of result it is.
    var kind: ExecStatusType { unsafe PQresultStatus(result) }

    /// Has its own words read by code that knows the connection.
    func failure(_ read: (OpaquePointer?) -> PostgresFailure) -> PostgresFailure { unsafe read(result) }

    func isNull(_ row: Int, _ column: Int) -> Bool { unsafe PQgetisnull(result, Int32(row), Int32(column)) == 1 }

    private func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let count = unsafe PQgetlength(result, Int32(row), Int32(column))
        return unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, Int32(row), Int32(column)), count: Int(count))
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { unsafe Array(value(row, column)) }

    func text(_ row: Int, _ column: Int) -> String { unsafe String(decoding: value(row, column), as: UTF8.self) }

    /// A whole number of any width.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let value = unsafe value(row, column)
        guard let first = unsafe value.first else { return 0 }
        return unsafe value.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    func flag(_ row: Int, _ column: Int) -> Bool { unsafe value(row, column).first == 1 }

    /// The first column of all rows.
    var integers: [Int64] { (0..<count).map { integer($0, 0) } }
}

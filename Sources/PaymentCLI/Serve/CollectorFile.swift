internal import PaymentBase

/// Where a collector of `--otlp` is, and the file with the header fields that it wants.
enum CollectorFile {
    /// The largest file that is read, in bytes.
    private static let bytesMax = 16 * 1_024
    /// How many header fields a file has at most.
    private static let fieldsMax = 16
    /// Fields that the exporter sets itself, or that say how a message is read.
    private static let taken: Set<String> = [
        "content-type", "content-length", "host", "transfer-encoding", "traceparent",
    ]

    /// The address up to the path, and the path without a slash at its end.
    static func parts(of address: String) -> (origin: String, path: String) {
        guard let scheme = address.firstRange(of: "://"),
            let slash = address[scheme.upperBound...].firstIndex(of: "/")
        else { return (address, "") }
        var path = address[slash...]
        while path.last == "/" { path = path.dropLast() }
        return (String(address[..<slash]), String(path))
    }

    /// Whether a text is a path of letters, digits and `-._~/` alone, or empty.
    static func isPath(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~/".utf8.contains(byte)
            }
        }
    }

    /// Reads lines such as `Authorization: Bearer …`; empty lines and those that begin with `#` say nothing. An error names the
    /// line and never what is in it.
    static func headers(_ path: String) throws(UsageError) -> [(name: String, value: Secret)] {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try RegularFile.read(path, bytesMax: bytesMax, forbidding: RegularFile.otherUsers)
        } catch {
            throw UsageError(message: "the header lines \(path) can't be read: \(error.problem)")
        }
        var fields: [(name: String, value: Secret)] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let place = "\(path), line \(index + 1)"
            guard let colon = line.firstIndex(of: ":"), isName(line[..<colon]) else {
                throw UsageError(message: "\(place) is no header line, such as Authorization: Bearer KEY")
            }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw UsageError(message: "\(place) needs a value of printable ASCII")
            }
            let isTwice = fields.contains { $0.name.lowercased() == name.lowercased() }
            guard !taken.contains(name.lowercased()), !isTwice, fields.count < fieldsMax else {
                throw UsageError(
                    message: "\(place): this field is set already, or is one too many (at most \(fieldsMax))")
            }
            fields.append((name, Secret(String(value))))
        }
        return fields
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isPath(String(UnicodeScalar($0))) && $0 != UInt8(ascii: "/") }
    }
}

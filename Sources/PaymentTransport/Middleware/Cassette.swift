/// Exchanges kept as text, so that a test can play them again.
///
/// The text is a list of items, each `name byteCount`, a line break, the bytes, a line break. It can be read and
/// compared by people, and no content can be mistaken for structure.
public struct Cassette: Sendable, Hashable {
    /// One request as it was recorded, and how it ended.
    public struct Exchange: Sendable, Hashable {
        /// The request, redacted.
        public let request: HTTPRequest
        /// The reply, redacted, or the failure.
        public let end: Result<HTTPResponse, TransportFailure>
    }

    /// The largest text that is read.
    public static let textBytesMax = 64 * 1_024 * 1_024

    /// The text is no cassette.
    public struct Unreadable: Error, Hashable {
        /// How many bytes of it were understood.
        public let offset: Int
    }

    /// The exchanges, in the order in which they ended.
    public internal(set) var exchanges: [Exchange] = []

    /// Makes an empty cassette.
    public init() {}

    /// Reads what ``text`` wrote.
    public init(text: [UInt8]) throws(Unreadable) {
        var reader = CassetteReader(text)
        exchanges = try reader.read()
    }

    /// The cassette as text.
    public var text: [UInt8] {
        var writer = CassetteWriter()
        for exchange in exchanges { writer.write(exchange) }
        return writer.text
    }
}

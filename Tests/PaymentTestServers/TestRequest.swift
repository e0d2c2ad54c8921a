/// One request as the server read it.
public struct TestRequest: Sendable, Hashable {
    /// The first line.
    public let line: String
    /// The header lines.
    public let headers: [String]
    /// The body.
    public let body: [UInt8]

    /// The value of a header, or nil.
    public func header(_ name: String) -> String? {
        let prefix = name.lowercased() + ":"
        guard let line = headers.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
        return String(line.dropFirst(prefix.count).drop { $0 == " " })
    }
}

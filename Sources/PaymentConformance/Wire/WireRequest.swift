/// A request on its way from a driver to its provider, whatever carries it.
public struct WireRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// The path and the query.
    public var target: String
    /// The header fields, in order.
    public var headers: [(name: String, value: String)]
    /// The body; empty where there is none.
    public var body: [UInt8]

    /// Makes a request.
    public init(_ method: String, _ target: String, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    /// The path without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
}

extension WireRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and path only; the rest holds what must not be printed.
    public var description: String { "\(method) \(path)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

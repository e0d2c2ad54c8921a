/// A reply on its way from the provider to a driver.
public struct WireReply: Sendable {
    /// The status, as HTTP has it.
    public var status: Int
    /// The header fields, in order.
    public var headers: [(name: String, value: String)]
    /// The body; empty where there is none.
    public var body: [UInt8]

    /// Makes a reply.
    public init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

extension WireReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and size only.
    public var description: String { "\(status), \(body.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

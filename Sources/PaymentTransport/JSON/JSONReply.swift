public import PaymentBase

/// An answer whose status is a success; the body is nil where there was none.
public struct JSONReply: Sendable {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body; nil where there is none.
    public let body: JSON?

    /// A member of the body.
    public subscript(name: String) -> JSON? { body?[name] }
}

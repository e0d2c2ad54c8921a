public import PaymentBase

/// An answer whose status is a success; the body is nil where there was none.
public struct JSONReply: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: JSON?

    /// A member of the body.
    public subscript(name: String) -> JSON? { body?[name] }
}

public import PaymentBase

/// One whole message, fragments joined.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text; what came was valid UTF-8.
    case text(String)
    /// Bytes.
    case binary([UInt8])
}

extension WebSocketMessage: RedactedDescription {
    /// Kind and size; never the content.
    public var description: String {
        switch self {
        case .text(let text): "WebSocketMessage(text, \(text.utf8.count) bytes)"
        case .binary(let bytes): "WebSocketMessage(binary, \(bytes.count) bytes)"
        }
    }
}

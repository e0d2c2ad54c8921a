internal import PaymentLinux
internal import PaymentTransport

/// What adapters get of the platform when an application injects nothing: the one place to change for another.
enum DefaultTransport {
    /// Makes what carries requests.
    static func make() -> any HTTPTransport { CurlTransport() }
    /// Makes what opens WebSockets.
    static func makeWebSockets() -> any WebSocketTransport { CurlWebSocketTransport() }
    /// The cryptography.
    static func makeCrypto() -> any Crypto { OpenSSLCrypto() }
}

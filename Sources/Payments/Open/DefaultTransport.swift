internal import PaymentLinux
internal import PaymentTransport

/// What carries requests when an application injects no transport: the one place to change for another.
enum DefaultTransport {
    /// Makes the transport.
    static func make() -> any HTTPTransport { CurlTransport() }
}

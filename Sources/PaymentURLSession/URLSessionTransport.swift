internal import PaymentTransport

/// Placeholder
public struct URLSessionTransport {}

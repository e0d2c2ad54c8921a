public import PaymentAbstraction
internal import PaymentBase
public import PaymentTransport

/// Adyen with a terminal that is reached through the cloud or on the same network.
public struct AdyenDriver: AdyenTerminalDriver {
    public let core: AdyenCore

    /// Makes a driver that speaks through a transport.
    ///
    /// - Throws: `configuration`, nothing moved, when the way to the terminal needs something that is not there.
    public init(
        _ configuration: AdyenConfiguration, _ transport: any HTTPTransport, _ crypto: any Crypto
    ) throws(PaymentError) {
        core = try AdyenCore(configuration, transport, crypto)
    }
}

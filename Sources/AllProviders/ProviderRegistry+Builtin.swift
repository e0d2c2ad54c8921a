internal import ARISEProvider
internal import AdyenProvider
internal import EcommpayProvider
internal import HaloProvider
internal import MemoryProvider
internal import NetworkInternationalProvider
public import PaymentProviderKit
public import Payments

extension ProviderRegistry {
    /// The adapters of this package.
    public static let builtin = ProviderRegistry([
        .adyen, .arise, .ecommpay, .halo, .memory, .ni,
    ])
}

extension PaymentClient {
    /// Opens a client over the providers of a configuration file, which can name every adapter of this package.
    ///
    /// - Parameters:
    ///   - path: The file, usually `providers.json`.
    ///   - change: Gives what only an application has: a card reader, handlers of questions, a transport.
    /// - Throws: As the form that takes a registry.
    public static func open(
        configuration path: String, _ change: (inout OpenOptions) -> Void = { _ in }
    ) async throws(PaymentError) -> PaymentClient {
        try await open(configuration: path, registry: .builtin, change)
    }
}

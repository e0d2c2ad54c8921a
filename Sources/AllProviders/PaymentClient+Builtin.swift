public import PaymentAbstraction
internal import PaymentProviderKit
public import Payments

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

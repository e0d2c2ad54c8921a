public import PaymentAbstraction
internal import PaymentLinux
public import PaymentProviderKit

extension PaymentClient {
    /// Opens a client over the providers of a configuration file.
    ///
    /// - Parameters:
    ///   - path: The file, usually `providers.json`.
    ///   - registry: The adapters that the file can name: those that the application links.
    ///   - change: Gives what only an application has: a card reader, handlers of questions, a transport.
    /// - Throws: `configuration`, nothing moved, with everything that is wrong in its detail; `unsupported` for a
    ///   journal that this version doesn't have.
    public static func open(
        configuration path: String, registry: ProviderRegistry,
        _ change: (inout OpenOptions) -> Void = { _ in }
    ) async throws(PaymentError) -> PaymentClient {
        let configuration = try PaymentConfiguration.load(path, registry: registry)
        return try await open(configuration: configuration, folder: FilePath.folder(of: path), change)
    }

    /// Opens a client over a configuration that has been read.
    ///
    /// - Parameter folder: Where paths in it begin that are not absolute; empty for the working directory.
    /// - Throws: As the form that takes a path.
    public static func open(
        configuration: PaymentConfiguration, folder: String = "", _ change: (inout OpenOptions) -> Void = { _ in }
    ) async throws(PaymentError) -> PaymentClient {
        var options = OpenOptions(configuration, folder: folder)
        change(&options)
        if let journal = options.journal {
            options.dependencies.journal = journal
        } else {
            options.dependencies.journal = try await Journals.open(
                configuration.journal, folder: folder, others: options.journals, secrets: options.secrets)
        }
        let drivers = try await configuration.drivers(options.tools, secrets: options.secrets)
        return try PaymentClient(drivers: drivers, routing: configuration.routing, options.dependencies)
    }
}

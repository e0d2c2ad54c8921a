/// The adapters that a configuration can name.
///
/// ```swift
/// let payments = try await PaymentClient.open(configuration: "providers.json", registry: .builtin + [acme])
/// ```
public struct ProviderRegistry: Sendable {
    /// All entries, in the order in which they were added.
    public let entries: [ProviderDefinition]

    /// Makes a registry; whatever reads a configuration with it first checks that no adapter is there twice.
    public init(_ entries: [ProviderDefinition]) { self.entries = entries }

    /// The entry of an adapter.
    public func entry(_ adapter: String) -> ProviderDefinition? { entries.first { $0.adapter == adapter } }

    /// The names of all adapters, in order.
    public var adapters: [String] { entries.map(\.adapter).sorted() }

    /// The same with further adapters.
    public static func + (registry: ProviderRegistry, more: [ProviderDefinition]) -> ProviderRegistry {
        ProviderRegistry(registry.entries + more)
    }
}

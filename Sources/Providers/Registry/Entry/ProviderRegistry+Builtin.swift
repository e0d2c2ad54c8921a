extension ProviderRegistry {
    /// The adapters of this package.
    public static let builtin = ProviderRegistry([
        .arise, .halo, .memory, .ni,
    ])
}

extension ProviderRegistry {
    /// The adapters of this package.
    public static let builtin = ProviderRegistry([
        .adyen, .arise, .ecommpay, .halo, .memory, .ni,
    ])
}

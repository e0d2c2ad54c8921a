extension ProviderSettingKey where Value == Bool {
    /// Whether nobody else works on the account; for adapters of providers that show only what looks like a payment, or
    /// how the whole of it stands.
    public static var exclusiveAccount: Self {
        Self(
            "soleUser", .boolean, default: false,
            """
            Whether nobody else works on the account, neither another system nor a person at a dashboard; only then is \
            what looks like a lost payment taken for it.
            """)
    }
}

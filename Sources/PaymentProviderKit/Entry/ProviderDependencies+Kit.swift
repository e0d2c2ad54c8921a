public import PaymentAbstraction

extension ProviderDependencies {
    /// The vendor's kit that the application handed over for one configured provider.
    ///
    /// ```swift
    /// let kit = try tools.kit(of: settings, "HaloPhoneSDK.SDK") { $0 as? any HaloPhoneSDK.SDK }
    /// ```
    ///
    /// - Parameters:
    ///   - settings: The provider's settings.
    ///   - name: How the kit's protocol is called, for who handed over none.
    ///   - cast: Takes what was handed over as the kit's protocol; nil where it is none.
    /// - Throws: `configuration`, nothing moved, when there is none.
    public func mobileSDK<Kit>(
        for settings: ProviderSettings, _ name: String, _ cast: (any Sendable) -> Kit?
    ) throws(PaymentError) -> Kit {
        if let kit = delegates[settings.id.rawValue].flatMap(cast) { return kit }
        throw PaymentError.notExecuted(
            .configuration,
            "\(settings.id) has link kit and got no kit: hand a value of \(name) over when opening, in "
                + "`delegates[\"\(settings.id)\"]`, or set link to reader")
    }
}

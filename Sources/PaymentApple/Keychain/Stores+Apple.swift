#if canImport(Security)
extension KeychainTokenStore {
    /// Keeps access in the Keychain of this device.
    ///
    /// - Parameters:
    ///   - service: The application's name for what it keeps; two applications of one group need two.
    ///   - accessGroup: The group of applications that share it, which the entitlement names; nil for this one alone.
    public init(service: String = "payments", accessGroup: String? = nil) {
        self.init(SystemKeychain(), service: service, accessGroup: accessGroup)
    }
}

extension KeychainInstallationStore {
    /// Keeps the names in the Keychain of this device.
    ///
    /// - Parameters:
    ///   - service: The application's name for what it keeps; two applications of one group need two.
    ///   - accessGroup: The group of applications that share it, which the entitlement names; nil for this one alone.
    public init(service: String = "payments", accessGroup: String? = nil) {
        self.init(SystemKeychain(), service: service, accessGroup: accessGroup)
    }
}
#endif

/// What an adapter whose provider keeps a list of devices implements. Applications use ``ProviderClient/Devices``.
public protocol DeviceDriver: PaymentDriver {
    /// All devices of the merchant.
    func devices(_ context: LookupContext) async throws -> [DeviceSummary]
    /// One device; nil when the provider doesn't know it.
    func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary?
    /// Takes a terminal's number off the device that had it.
    func unbind(terminal: String, _ context: LookupContext) async throws
}

extension DeviceDriver {
    /// The same by the list of all.
    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await devices(context).first { $0.id == id }
    }

    public func unbind(terminal: String, _ context: LookupContext) async throws {
        throw PaymentError.notExecuted(.unsupported, "\(identity.id) can't unbind terminals")
    }
}

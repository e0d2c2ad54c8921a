public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// Adyen with a terminal that is reached through the cloud.
public struct AdyenDriver: AdyenTerminalDriver, DetailsDriver {
    public let core: AdyenCore

    init(_ core: AdyenCore) { self.core = core }
}

extension AdyenDriver: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        let reply = try await get(CloudLink.list(core.configuration.merchant), context)
        return (reply?["uniqueDeviceIds"]?.items ?? []).compactMap(\.text).map { DeviceSummary($0) }
    }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        guard let reply = try await get(CloudLink.path(core.configuration.merchant, id, "status"), context),
            let word = reply["status"]?.text
        else { return nil }
        var device = DeviceSummary(id)
        (device.terminalID, device.state, device.isEnabled) = (id, word, word == "ONLINE")
        return device
    }

    /// An answer of the cloud; nil where it says that there is no such thing.
    private func get(_ path: String?, _ context: LookupContext) async throws -> JSONReply? {
        guard let path else { return nil }
        let cloud = JSONClient(
            core.transport, core.configuration.endpoint,
            headers: AdyenRequestSender.headers(core.configuration.apiKey))
        do { return try await context.exchange { _ in try await cloud.send("GET", path) } } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

public import PaymentAbstraction
internal import PaymentBase
public import PaymentTransport

/// Adyen with a terminal that is reached through the cloud or on the same network.
public struct AdyenDriver: AdyenTerminalDriver {
    public let core: AdyenCore

    /// Makes a driver that speaks through a transport.
    ///
    /// - Throws: `configuration`, nothing moved, when the way to the terminal needs something that is not there.
    public init(
        _ configuration: AdyenConfiguration, _ transport: any HTTPTransport, _ crypto: any Crypto
    ) throws(PaymentError) {
        core = try AdyenCore(configuration, transport, crypto)
    }
}

extension AdyenDriver: DetailsDriver {
    public func details(_ references: References, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let header = references[AdyenMapping.Name.message].flatMap({ AdyenMapping.header($0) }) else {
            return nil
        }
        switch try await fate(of: header, context) {
        case .answered(let reply): return Self.details(reply, header)
        case .running: return PaymentDetails("InProgress", references: references)
        case .neverSeen, .unclear: return nil
        }
    }

    private static func details(_ reply: PaymentReply, _ header: NexoHeader) -> PaymentDetails {
        var references = AdyenMapping.references(reply)
        references[AdyenMapping.Name.message] = AdyenMapping.note(header)
        let condition = reply.response.condition
        var details = PaymentDetails(condition.isEmpty ? reply.response.result : condition, references: references)
        details.kind = header.category.rawValue
        details.card = AdyenMapping.card(reply)
        if let code = reply.currency, let currency = Currency.known(code), let decimal = reply.authorizedAmount {
            details.amount = try? Money(wireDecimal: decimal.text, currency)
        }
        details.receipt = AdyenReceipts.receipt(reply, details.amount)
        details.at = details.receipt?.at
        details.device = DeviceSummary(header.poiID)
        details.more = ["saleTransactionID": reply.saleTransactionID ?? ""]
        return details
    }
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
            headers: [AdyenPost.keyHeader: core.configuration.apiKey.expose()])
        do { return try await context.exchange { _ in try await cloud.send("GET", path) } } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

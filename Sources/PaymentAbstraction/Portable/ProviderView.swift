/// What one provider has beyond payments; an optional that is nil is something it hasn't.
public struct ProviderView: Sendable {
    let provider: OpenProvider
    let services: Services

    /// Its name.
    public var id: ProviderID { provider.id }
    /// Which account of which company it is.
    public var identity: ProviderIdentity { provider.identity }
    /// What it takes.
    public var capabilities: Capabilities { provider.driver.capabilities }
    /// What it has, by name; the same names for every provider.
    public var features: CapabilityTable { CapabilityTable(provider) }

    public var reader: Reader? { Reader(provider, services) }
    public var session: Session? { Session(provider, services) }
    public var pricing: Pricing? { Pricing(provider, services) }
    public var transactions: Transactions? { Transactions(provider, services) }
    public var settings: Settings? { Settings(provider, services) }
    public var devices: Devices? { Devices(provider, services) }
    public var savedInstruments: SavedInstruments? { SavedInstruments(provider, services) }
    public var offline: Offline? { Offline(provider, services) }
}

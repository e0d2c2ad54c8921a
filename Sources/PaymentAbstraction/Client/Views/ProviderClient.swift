/// What one provider has beyond payments; an optional that is nil is something it hasn't.
public struct ProviderClient: Sendable {
    let provider: ProviderRuntime
    let services: Services

    /// Its name.
    public var id: ProviderID { provider.id }
    /// Which account of which provider it is.
    public var identity: ProviderIdentity { provider.identity }
    /// What it takes.
    public var capabilities: Capabilities { provider.driver.capabilities }
    /// What it has, by name; the same names for every provider.
    public var capabilityTable: CapabilityTable { CapabilityTable(provider) }

    /// Its reader; nil when it has none.
    public var reader: Reader? { Reader(provider, services) }
    /// Its session; nil when it needs none.
    public var session: Session? { Session(provider, services) }
    /// Its prices; nil when it computes none.
    public var pricing: Pricing? { provider.pricing.map { Pricing(driver: $0, context: queries) } }
    /// Its transactions; nil when it shows none.
    public var transactions: Transactions? { Transactions(provider, services) }
    /// Its record of the merchant; nil when it shows none.
    public var settings: Settings? { provider.settings.map { Settings(driver: $0, context: queries) } }
    /// Its list of devices; nil when it shows none.
    public var devices: Devices? { provider.devices.map { Devices(driver: $0, context: queries) } }
    /// The instruments that it keeps; nil when it keeps none.
    public var savedInstruments: SavedInstruments? {
        provider.saved.map { SavedInstruments(driver: $0, context: queries) }
    }

    /// The adapter itself, where it is of this kind: what an adapter extends this view with begins here.
    public func driver<Driver: PaymentDriver>(as kind: Driver.Type) -> Driver? { provider.driver as? Driver }
    /// The door for such an extension; it can't move money.
    public var queries: LookupContext { LookupContext(provider: provider, services: services) }
}

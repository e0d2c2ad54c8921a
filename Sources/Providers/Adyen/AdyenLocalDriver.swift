public import PaymentAbstraction

/// Adyen with a terminal on the same network; only the cloud can list terminals, and its key never goes there.
public struct AdyenLocalDriver: AdyenTerminalDriver, DetailsDriver {
    public let core: AdyenCore

    init(_ core: AdyenCore) { self.core = core }
}

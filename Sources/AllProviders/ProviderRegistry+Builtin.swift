internal import ARISEProvider
internal import AdyenProvider
internal import EcommpayProvider
internal import HaloProvider
internal import MemoryProvider
internal import NetworkInternationalProvider
public import PaymentProviderKit

extension ProviderRegistry {
    /// The adapters of this package.
    public static let builtin = ProviderRegistry([
        .adyen, .arise, .ecommpay, .halo, .memory, .ni,
    ])
}

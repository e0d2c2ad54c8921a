internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport
internal import Payments

/// One question to one provider that moves nothing, to see whether it takes our credentials.
struct AccessProbe: Sendable {
    /// What came of it.
    enum Answer: Sendable {
        /// It answered, also where it has no such thing.
        case taken(String)
        /// It said that we may not.
        case refused(PaymentError)
        /// Neither came of it.
        case failed(PaymentError)
        /// Nothing can be asked without a payment.
        case nothingToAsk
    }

    private let id: ProviderID
    private let configuration: PaymentConfiguration
    private let folder: String
    private let transport: any HTTPTransport

    init(_ id: ProviderID, _ configuration: PaymentConfiguration, _ folder: String, _ transport: any HTTPTransport) {
        (self.id, self.configuration, self.folder, self.transport) = (id, configuration, folder, transport)
    }

    func ask() async -> Answer {
        do throws(PaymentError) {
            // A journal in memory: what is looked at here is no business of the real one.
            let client = try await PaymentClient.open(configuration: configuration, folder: folder) {
                ($0.journal, $0.transport) = (.memory, transport)
            }
            return try await ask(try client.provider(id))
        } catch {
            switch error.code {
            case .authentication, .permission: return .refused(error)
            // Whoever looks for something and finds nothing was let in.
            case .notFound: return .taken("a payment that isn't there")
            default: return .failed(error)
            }
        }
    }

    private func ask(_ view: ProviderClient) async throws(PaymentError) -> Answer {
        if let settings = view.settings {
            _ = try await settings.read()
            return .taken("the merchant's settings")
        }
        if let devices = view.devices {
            _ = try await devices.list()
            return .taken("the list of devices")
        }
        guard let transactions = view.transactions else { return .nothingToAsk }
        if view.capabilityTable["list"] {
            _ = try await transactions.list(ListQuery(limit: 1))
            return .taken("the list of transactions")
        }
        _ = try await transactions.details(["payment": "payctl-doctor"])
        return .taken("a payment that isn't there")
    }
}

extension ConfiguredProvider {
    /// Every address at which something of the provider's is, each once.
    var addresses: [Origin] {
        var addresses = [endpoint]
        for key in settings.keys.sorted() {
            let origin: Origin? =
                switch settings[key] {
                case .origin(let origin): origin
                case .address(let address): address.origin
                case .text, .integer, .boolean, .currencies, .milliseconds, nil: nil
                }
            if let origin, !addresses.contains(origin) { addresses.append(origin) }
        }
        return addresses
    }
}

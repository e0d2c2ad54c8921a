internal import PaymentCore
package import PaymentJournalKit
package import PaymentProviderKit

/// Real and simulated payments never share a journal. A report over both would be true of neither, and a reference that was
/// paid at a simulation would be taken at the real provider.
package enum SimulatedPayments {
    /// How many of the newest payments are looked at; one of an adapter that is known decides.
    private static let lookedAtMax = 20

    /// Whether a provider is one of the worlds in which nothing real happens.
    package static func isSimulated(_ provider: ConfiguredProvider) -> Bool {
        provider.entry.environment(provider.environment)?.allowsPlainHTTP == true
    }

    /// What is wrong with a configuration; nil if all of its providers are simulated, or none.
    package static func problem(_ configuration: PaymentConfiguration) -> String? {
        let simulated = configuration.providers.filter { isSimulated($0) }
        let real = configuration.providers.filter { !isSimulated($0) }
        guard let one = simulated.first, let other = real.first, configuration.journal.kind != .memory else {
            return nil
        }
        return "\(configuration.file): \(one.id) is simulated (\(one.environment)), and \(other.id) is real "
            + "(\(other.environment)); real and simulated payments never share a journal. Keep the simulated providers in a "
            + "file of their own, with a journal of their own"
    }

    /// What is wrong with a journal beside a configuration; nil if its payments are of the same world.
    package static func problem(
        _ journal: any Journal, _ configuration: PaymentConfiguration
    ) async throws(JournalFailure) -> String? {
        let page = try await journal.attempts(.origins(scope: nil), after: nil, limit: lookedAtMax)
        guard let active = configuration.providers.first else { return nil }
        let here = isSimulated(active)
        for attempt in page.attempts {
            guard let there = isSimulated(attempt.account, configuration) else { continue }
            if there == here { return nil }
            let (kept, configured) = there ? ("simulated", "real") : ("real", "simulated")
            return "the journal has \(kept) payments (\(attempt.intent.paymentID) at \(attempt.account)), and "
                + "\(active.id) of \(configuration.file) is \(configured); real and simulated payments never share a "
                + "journal. Name another journal in the configuration"
        }
        return nil
    }

    /// Whether an account of the journal is simulated; nil if the application doesn't link its adapter, and the account's own
    /// words don't say it. The configuration itself may not name the adapter.
    private static func isSimulated(_ account: ProviderIdentity, _ configuration: PaymentConfiguration) -> Bool? {
        if let environment = configuration.registry.entry(account.adapter)?.environment(account.environment) {
            return environment.allowsPlainHTTP
        }
        return account.environment == simulated || account.adapter == memory ? true : nil
    }

    /// What simulated environments are called, unless an adapter has another word.
    private static let simulated = "simulated"
    /// The adapter that has no real provider.
    private static let memory = "memory"

    /// Refuses to open a client, or to adopt payments, where that would mix both.
    package static func check(_ journal: any Journal, _ configuration: PaymentConfiguration) async throws(PaymentError)
    {
        if let words = problem(configuration) { throw .notExecuted(.configuration, words) }
        let found: String?
        // A journal that can't be read is refused by who reads it next, with better words.
        do { found = try await problem(journal, configuration) } catch { return }
        if let found { throw .notExecuted(.configuration, found) }
    }
}

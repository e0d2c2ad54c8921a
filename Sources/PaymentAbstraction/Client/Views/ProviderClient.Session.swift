public import PaymentBase

extension ProviderClient {
    /// A provider's session: the client keeps and renews it by itself; this is for those who want to see it.
    public struct Session: Sendable {
        private let provider: ProviderRuntime
        private let keeper: TokenCache
        private let services: Services

        init?(_ provider: ProviderRuntime, _ services: Services) {
            guard let keeper = provider.access else { return nil }
            (self.provider, self.keeper, self.services) = (provider, keeper, services)
        }

        /// How a session stands.
        public enum Status: Hashable, Sendable {
            /// There is no access.
            case signedOut
            /// Until a moment, in milliseconds since 1970.
            case signedIn(until: Int64)
            /// There is one that has lapsed.
            case expired
        }

        /// How the session stands now.
        public var status: Status {
            guard let expires = keeper.expires else { return .signedOut }
            return expires > services.clock.now ? .signedIn(until: expires) : .expired
        }

        /// Gets an access now, so that wrong credentials show before the first payment.
        public func open() async throws(PaymentError) {
            do { _ = try await keeper.current(services) } catch { throw provider.driver.wrapped(error) }
        }

        /// Gets a new access, whether or not the old one still works.
        public func renew() async throws(PaymentError) {
            do { try await keeper.renew(services) } catch { throw provider.driver.wrapped(error) }
        }

        /// The token, for calls to the provider that go past us; nil when there is none that works.
        public func token() async -> Secret? { keeper.held(at: services.clock.now)?.value }

        /// Forgets the access; the installation's names stay.
        public func signOut() async throws(PaymentError) {
            do { try await keeper.signOut(services) } catch { throw provider.driver.wrapped(error) }
        }

        /// The installation's names: made once, and kept after signing out.
        public func installation() async throws(PaymentError) -> Installation { try await services.installed() }
    }
}

internal import PaymentBase
internal import PaymentDriverKit

/// Keeps one provider's access; at most one renewal is under way, and all callers share it.
final class TokenCache: Sendable {
    private struct State {
        var flow: TokenStateMachine
        var access: AccessToken?
        /// The last one that was got, whether or not it works still.
        var last: AccessToken?
        var renewal: Renewal?
        var isLoaded = false
    }

    private typealias Renewal = Promise<Result<AccessToken, any Error>>

    /// How long one renewal may take before others may begin another, in milliseconds.
    static let renewalMilliseconds: Int64 = 60_000

    private let driver: any SessionDriver
    private let state: Locked<State>

    init(_ driver: any SessionDriver) {
        self.driver = driver
        state = Locked(State(flow: TokenStateMachine(margin: driver.renewalMarginMilliseconds)))
    }

    /// An access that works now and for a while, with the generation to name when it is refused.
    func current(
        _ services: Services, lasting milliseconds: Int64 = 0
    ) async throws -> (access: AccessToken, generation: Int) {
        try await loadOnce(services)
        let renewal: Renewal? = state.withLock { state in
            switch state.flow.handle(.wanted(at: services.clock.now + milliseconds)) {
            case .use, .forget, .nothing: return nil
            case .join: return state.renewal
            case .renew:
                let renewal = Renewal()
                state.renewal = renewal
                renew(after: state.last, renewal, services)
                return renewal
            }
        }
        if let renewal {
            let result = await renewal.value()
            let isFirst = end(renewal, result)
            if isFirst, case .success(let access) = result {
                try? await services.tokens.save(access, for: driver.identity)
                // The application signed out while it was being saved: a token that was signed out is not kept.
                if expires == nil { try? await services.tokens.save(nil, for: driver.identity) }
                services.events.emit(
                    .accessRenewed, at: services.clock.now, payment: nil, attempt: nil, provider: driver.identity.id)
            }
            let access = try result.get()
            return (access, state.withLock { $0.flow.generation })
        }
        let held = state.withLock { ($0.access ?? .none, $0.flow.generation) }
        return (held.0, held.1)
    }

    /// Gets an access: from the store where another process has put a newer one, else from the provider; one that
    /// never comes holds no caller up for longer than its limit.
    private func renew(after last: AccessToken?, _ renewal: Renewal, _ services: Services) {
        let work = Task<Void, Never>(executorPreference: services.executor) { [driver] in
            let kept = await Self.kept(for: driver, services)
            let margin = services.clock.now + driver.renewalMarginMilliseconds
            if let kept, let last, kept.value != last.value, kept.expiresAt > margin {
                renewal.fulfill(.success(kept))
                return
            }
            do {
                var access = try await driver.accessToken(replacing: last, SessionContext(services))
                access.addresses = driver.accessAddresses
                renewal.fulfill(.success(access))
            } catch { renewal.fulfill(.failure(error)) }
        }
        let end = services.clock.now + Self.renewalMilliseconds
        Task(executorPreference: services.executor) {
            let timer = Task(executorPreference: services.executor) {
                try await services.clock.sleep(until: end)
                work.cancel()
                var failure = PaymentError.notExecuted(
                    .timedOut, "no access came within \(Self.renewalMilliseconds / 1_000) seconds")
                failure.diagnosis = FailureDiagnosis(.reply, host: nil, .timedOut)
                renewal.fulfill(.failure(failure))
            }
            _ = await renewal.value()
            timer.cancel()
        }
    }

    /// Writes down what a renewal brought; only the first waiting call does.
    private func end(_ renewal: Renewal, _ result: Result<AccessToken, any Error>) -> Bool {
        state.withLock { state in
            guard state.renewal === renewal else { return false }
            state.renewal = nil
            switch result {
            case .success(let access):
                if state.flow.handle(.renewed(expires: access.expiresAt)) == .use {
                    (state.access, state.last) = (access, access)
                }
            case .failure: _ = state.flow.handle(.renewalFailed)
            }
            return true
        }
    }

    /// What is kept for the same addresses: what another address gave is not sent to this one.
    private static func kept(for driver: any SessionDriver, _ services: Services) async -> AccessToken? {
        let kept = try? await services.tokens.load(driver.identity)
        return kept?.addresses == driver.accessAddresses ? kept : nil
    }

    private func loadOnce(_ services: Services) async throws {
        if state.withLock({ $0.isLoaded }) { return }
        let kept = await Self.kept(for: driver, services)
        state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            if let kept, state.access == nil, state.flow.handle(.renewed(expires: kept.expiresAt)) == .use {
                (state.access, state.last) = (kept, kept)
            }
        }
    }

    /// The provider refused an access; a newer one stays.
    func refused(_ generation: Int) {
        state.withLock { _ = $0.flow.handle(.refused(generation: generation)) }
    }

    /// Gets a new one now, whether or not the old one still works.
    func renew(_ services: Services) async throws {
        refused(state.withLock { $0.flow.generation })
        _ = try await current(services)
    }

    /// When the access lapses; nil without one.
    var expires: Int64? { state.withLock { $0.flow.expires } }

    /// The access, if it still works.
    func held(at now: Int64) -> AccessToken? {
        state.withLock { state in state.access.flatMap { (state.flow.expires ?? 0) > now ? $0 : nil } }
    }

    /// What must not be shown of the accesses that requests went out with.
    var secrets: [Secret] {
        state.withLock { state in [state.access, state.last].compactMap { $0 }.flatMap(\.secrets) }
    }

    /// Gives the access back and forgets it.
    func signOut(_ services: Services) async throws {
        let last = state.withLock { state in
            _ = state.flow.handle(.signedOut)
            state.renewal = nil
            defer { (state.access, state.last) = (nil, nil) }
            return state.access
        }
        try await services.tokens.save(nil, for: driver.identity)
        if let last { try await driver.signOut(last, SessionContext(services)) }
    }
}

/// When a token is used, renewed or waited for; pure.
package struct TokenStateMachine: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// A caller wants to call the provider at a moment.
        case wanted(at: Int64)
        /// The token of the renewal under way came, or one that was kept, and stops working at a moment.
        case renewed(expires: Int64)
        /// No token came.
        case renewalFailed
        /// The provider refused the token of a generation.
        case refused(generation: Int)
        /// The application signed out.
        case signedOut
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Use the token that there is.
        case use
        /// Get a token; all others wait for it.
        case renew
        /// Wait for the renewal that is under way.
        case join
        /// Forget the token.
        case forget
        /// Nothing is to be done.
        case nothing
    }

    private enum Phase: Hashable { case empty, held(expires: Int64), renewing, signedOut }

    private let margin: Int64
    private var phase = Phase.empty
    /// Counts the tokens, so that a late refusal of an old one doesn't throw a new one away.
    package private(set) var generation = 0

    /// Begins without a token; one counts as lapsed a margin before it does.
    package init(margin: Int64) { self.margin = margin }

    /// Whether a renewal is under way.
    package var isRenewing: Bool { phase == .renewing }

    /// When the token stops working, if there is one.
    package var expires: Int64? {
        if case .held(let expires) = phase { return expires }
        return nil
    }

    /// Hears an event and says what to do.
    package mutating func handle(_ event: Event) -> Action {
        switch (phase, event) {
        case (.renewing, .wanted): return .join
        case (.held(let expires), .wanted(let now))
        where isFresh(expires, at: now):
            return .use
        case (.empty, .wanted), (.held, .wanted), (.signedOut, .wanted):
            phase = .renewing
            return .renew
        case (.renewing, .renewed(let expires)):
            generation += 1
            phase = .held(expires: expires)
            return .use
        case (.empty, .renewed(let expires)):
            generation += 1
            phase = .held(expires: expires)
            return .use
        case (.held, .renewed): return .nothing
        case (.renewing, .renewalFailed):
            phase = .empty
            return .nothing
        case (.empty, .renewalFailed), (.held, .renewalFailed), (.signedOut, .renewalFailed): return .nothing
        case (.held, .refused(let refused)):
            guard refused == generation else { return .nothing }
            phase = .empty
            return .forget
        case (.empty, .refused), (.renewing, .refused), (.signedOut, .refused): return .nothing
        case (.signedOut, .renewed): return .forget
        case (.held, .signedOut), (.empty, .signedOut), (.signedOut, .signedOut), (.renewing, .signedOut):
            // What a renewal or a store still brings must not be kept: the phase says so when it arrives.
            phase = .signedOut
            generation += 1
            return .forget
        }
    }

    /// Whether a token lasts a margin longer than now; one that lapses at the beginning of time has lapsed.
    private func isFresh(_ expires: Int64, at now: Int64) -> Bool {
        let (end, overflow) = expires.subtractingReportingOverflow(margin)
        return !overflow && end > now
    }
}

/// Makes the installation's names once, also when several ask at the same time.
actor InstallationCache {
    private let store: any InstallationStore
    private let random: any RandomSource
    private let clock: any PaymentClock
    private var made: Task<Installation, any Error>?

    init(_ store: any InstallationStore, _ random: any RandomSource, _ clock: any PaymentClock) {
        (self.store, self.random, self.clock) = (store, random, clock)
    }

    func installation(_ executor: (any TaskExecutor)?) async throws -> Installation {
        if let made { return try await made.value }
        let task = Task(executorPreference: executor) { [store, random, clock] in
            if let kept = try await store.load() { return kept }
            let fresh = Installation(
                id: TimeOrderedID.make(now: clock.now, random: random),
                device: TimeOrderedID.make(now: clock.now, random: random))
            try await store.save(fresh)
            return fresh
        }
        made = task
        do { return try await task.value } catch {
            made = nil
            throw error
        }
    }
}

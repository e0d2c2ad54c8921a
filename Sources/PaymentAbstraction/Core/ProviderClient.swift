public import PaymentBase
public import PaymentDriverKit

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
    public var capabilityTable: ProviderClient.CapabilityTable { ProviderClient.CapabilityTable(provider) }

    /// Its reader; nil when it has none.
    public var reader: Reader? { Reader(provider, services) }
    /// Its session; nil when it needs none.
    public var session: Session? { Session(provider, services) }
    /// Its prices; nil when it computes none.
    public var pricing: Pricing? { provider.pricing.map { Pricing(driver: $0, provider: provider, context: queries) } }
    /// Its transactions; nil when it shows none.
    public var transactions: Transactions? { Transactions(provider, services) }
    /// Its record of the merchant; nil when it shows none.
    public var settings: Settings? {
        provider.settings.map { Settings(driver: $0, provider: provider, context: queries) }
    }
    /// Its list of devices; nil when it shows none.
    public var devices: Devices? { provider.devices.map { Devices(driver: $0, provider: provider, context: queries) } }
    /// The instruments that it keeps; nil when it keeps none.
    public var savedInstruments: SavedInstruments? {
        provider.saved.map { driver in
            SavedInstruments(driver: driver, provider: provider, context: queries) { customer in
                services.name(of: customer, at: provider)
            }
        }
    }

    /// The adapter itself, where it is of this kind: what an adapter extends this view with begins here.
    public func driver<Driver: PaymentDriver>(as kind: Driver.Type) -> Driver? { provider.driver as? Driver }
    /// The door for such an extension; it can't move money.
    public var queries: LookupContext { LookupContext(ProviderCalls(provider: provider, services: services)) }
}

extension ProviderClient {
    /// What a provider has on record about its transactions.
    public struct Transactions: Sendable {
        private let provider: ProviderRuntime
        private let context: LookupContext

        init?(_ provider: ProviderRuntime, _ services: Services) {
            if provider.details == nil, provider.list == nil { return nil }
            self.provider = provider
            context = LookupContext(ProviderCalls(provider: provider, services: services))
        }

        /// What the provider says about a payment; nil when it knows nothing of it.
        public func details(of payment: PaymentSnapshot) async throws(PaymentError) -> PaymentDetails? {
            try await details(payment.references)
        }

        /// What the provider says about what these references name; nil when it knows nothing of it.
        public func details(_ references: PaymentReferences) async throws(PaymentError) -> PaymentDetails? {
            guard let driver = provider.details else { throw missing("details") }
            do { return try await driver.details(references, context).map { provider.scrub($0) } } catch {
                throw provider.driver.wrapped(error)
            }
        }

        /// One page of transactions.
        public func list(_ query: ListQuery = ListQuery()) async throws(PaymentError) -> PaymentDetailsPage {
            guard let driver = provider.list else { throw missing("list") }
            guard (1...ListQuery.limitMax).contains(query.limit) else {
                throw PaymentError(
                    .invalidRequest, outcome: .notExecuted,
                    detail: "a page has 1 to \(ListQuery.limitMax) items, not \(query.limit)")
            }
            let foreign = Set(query.filters.map(\.kind)).subtracting(driver.capabilities.listFilters)
            guard foreign.isEmpty else {
                let names = foreign.map(\.rawValue).sorted().joined(separator: ", ")
                throw PaymentError(
                    .unsupported, outcome: .notExecuted, detail: "\(provider.id) can't filter its list by \(names)")
            }
            do {
                // The access that the request went out with is known behind it.
                let page = try await driver.list(query, context)
                return provider.scrub(page)
            } catch { throw provider.driver.wrapped(error) }
        }

        /// Everything that a query finds, a page at a time.
        public func every(_ query: ListQuery = ListQuery(limit: ListQuery.limitMax)) -> PagedSequence<PaymentDetails> {
            PagedSequence(first: page(query, after: nil))
        }

        /// What was read of a list from one place on.
        private struct ReadPages {
            /// What every item that has a name is known by. It is shared, since a copy for each page would be the square of them.
            let known = Locked(Set<Int>())
            /// Whether it is read from its beginning.
            let isWhole: Bool
            /// How many transactions it has at least, as its first page says.
            let total: Int
            /// How many pages at its end have nothing.
            var emptyCount = 0
            var nameless = 0

            init(_ query: ListQuery, _ first: PaymentDetailsPage) {
                (isWhole, total) = (query.cursor == nil, first.total ?? 0)
            }

            /// Adds a page; says whether anything on it is new.
            mutating func add(_ page: PaymentDetailsPage) -> Bool {
                emptyCount = page.items.isEmpty ? emptyCount + 1 : 0
                var isNew = false
                for item in page.items {
                    if item.references.isEmpty { nameless += 1 }
                    isNew = item.references.isEmpty || known.withLock { $0.insert(item.hashValue).inserted } || isNew
                }
                return isNew
            }

            /// Whether it has less than it says.
            var lacks: Bool { isWhole && known.withLock { $0.count } + nameless < total }
        }

        /// How many pages without a transaction may follow each other.
        private static let emptyPagesMax = 1_000

        /// A page, and those behind it. A page on which nothing is new stands in place of another one, which was not read; a list that
        /// has less than it says was not read to its end.
        private func page(_ query: ListQuery, after before: ReadPages?) -> PagedSequence<PaymentDetails>.Fetch {
            { () async throws(PaymentError) in
                let found = try await list(query)
                var read = before ?? ReadPages(query, found)
                if !read.add(found), !found.items.isEmpty {
                    throw unreadable("brings a page again, or payments came in while it was read. Ask once more.")
                }
                guard let cursor = found.next else {
                    if read.lacks { throw unreadable("has fewer transactions than it says. Ask once more.") }
                    return .init(elements: found.items, next: nil)
                }
                if cursor == query.cursor || read.emptyCount > Self.emptyPagesMax {
                    throw unreadable("has no end: its pages repeat, or nothing is on them.")
                }
                var further = query
                further.cursor = cursor
                return .init(elements: found.items, next: page(further, after: read))
            }
        }

        private func unreadable(_ why: String) -> PaymentError {
            PaymentError(.unreadableReply, outcome: .notExecuted, detail: "The list of \(provider.id) \(why)")
        }

        private func missing(_ what: String) -> PaymentError {
            PaymentError(.unsupported, outcome: .notExecuted, detail: "\(provider.id) has no \(what)")
        }
    }
}

extension ProviderClient {
    /// A provider's prices.
    public struct Pricing: Sendable {
        let driver: any PricingDriver
        let provider: ProviderRuntime
        let context: LookupContext

        /// What an amount costs per tender.
        public func quote(_ amount: Money) async throws(PaymentError) -> Quote { try await quote(QuoteRequest(amount)) }

        /// What an amount costs per tender, with tip, discount and surcharge.
        public func quote(_ request: QuoteRequest) async throws(PaymentError) -> Quote {
            let percents = [
                ("tip", request.tipPercent), ("discount", request.discountPercent),
                ("surcharge", request.surchargePercent),
            ]
            for (what, text) in percents {
                // A discount of more than everything would make a price of less than nothing.
                guard let text, let rate = try? Rate(percent: text), rate.isAboveOne else { continue }
                throw PaymentError.notExecuted(.invalidRequest, "a \(what) is at most 100 percent, not \(text)")
            }
            do {
                var quote = try await driver.quote(request, context)
                let scrub = provider.scrub
                quote.notes = quote.notes.map { scrub.short($0, SecretScrubber.lineMax) }
                return quote
            } catch { throw driver.wrapped(error) }
        }
    }
}

extension ProviderClient {
    /// The instruments that a provider keeps for customers.
    public struct SavedInstruments: Sendable {
        let driver: any SavedInstrumentDriver
        let provider: ProviderRuntime
        let context: LookupContext
        /// A customer's name as the provider gets it.
        let name: @Sendable (String) -> String

        /// What is kept for a customer.
        public func list(of customer: String) async throws(PaymentError) -> [SavedInstrument] {
            let name = name(customer)
            do {
                let instruments = try await driver.instruments(of: name, context)
                let scrub = provider.scrub
                return instruments.compactMap { instrument in
                    var own = scrub(instrument)
                    // What is kept here is charged here alone.
                    own?.id = SavedInstrument.ID(instrument.id.rawValue, at: provider.identity)
                    if own?.customer == name { own?.customer = customer }
                    return own
                }
            } catch { throw driver.wrapped(error) }
        }

        /// Forgets one.
        ///
        /// - Throws: `unsupported`, nothing moved, for one of another provider or account.
        public func remove(_ instrument: SavedInstrument.ID, of customer: String) async throws(PaymentError) {
            guard instrument.isKept(at: provider.identity) else {
                throw PaymentError.notExecuted(
                    .unsupported, "\(provider.id) does not keep this instrument. Remove it at the provider that does.")
            }
            do { try await driver.remove(instrument, of: name(customer), context) } catch {
                throw driver.wrapped(error)
            }
        }
    }
}

extension ProviderClient {
    /// What a provider has on record about the merchant.
    public struct Settings: Sendable {
        let driver: any SettingsDriver
        let provider: ProviderRuntime
        let context: LookupContext

        /// The settings.
        public func read() async throws(PaymentError) -> MerchantSettings {
            do {
                let settings = try await driver.settings(context)
                return provider.scrub(settings)
            } catch { throw driver.wrapped(error) }
        }

        /// What the access allows, by the names of the provider.
        public func permissions() async throws(PaymentError) -> Set<String> {
            do {
                let names = try await driver.permissions(context)
                let scrub = provider.scrub
                return names.filter { !scrub.isSecret($0) }
            } catch { throw driver.wrapped(error) }
        }
    }
}

extension ProviderClient {
    /// A provider's list of the merchant's devices.
    public struct Devices: Sendable {
        let driver: any DeviceDriver
        let provider: ProviderRuntime
        let context: LookupContext

        /// All devices.
        public func list() async throws(PaymentError) -> [DeviceSummary] {
            do {
                let devices = try await driver.devices(context)
                let scrub = provider.scrub
                return devices.compactMap { scrub($0) }
            } catch { throw driver.wrapped(error) }
        }

        /// One device; nil when the provider does not know it.
        public func device(_ id: String) async throws(PaymentError) -> DeviceSummary? {
            do { return try await driver.device(id, context).flatMap { provider.scrub($0) } } catch {
                throw driver.wrapped(error)
            }
        }

        /// Takes the number of a terminal off the device that had it.
        public func unbind(terminal: String) async throws(PaymentError) {
            do { try await driver.unbind(terminal: terminal, context) } catch { throw driver.wrapped(error) }
        }
    }
}

extension ProviderClient {
    /// A provider's reader: whether the device will do, getting it ready, cancelling, and the application's own coming
    /// and going.
    public struct Reader: Sendable {
        private let readerQueue: ReaderQueue
        private let calls: ProviderCalls

        init?(_ provider: ProviderRuntime, _ services: Services) {
            guard let readerQueue = provider.readerQueue else { return nil }
            self.readerQueue = readerQueue
            calls = ProviderCalls(provider: provider, services: services)
        }

        /// Whether a card could be read at once.
        public var isReady: Bool { readerQueue.isReady }

        /// What the device has and what the provider needs.
        public func compatibility() async throws(PaymentError) -> ReaderCompatibility {
            do { return try await readerQueue.driver.compatibility(ReaderContext(calls)) } catch {
                throw readerQueue.driver.wrapped(error)
            }
        }

        /// How far the device is on its way to taking cards.
        public func activation() async throws(PaymentError) -> ActivationStatus {
            do { return try await readerQueue.driver.activation(ReaderContext(calls)) } catch {
                throw readerQueue.driver.wrapped(error)
            }
        }

        /// Registers the device, has the terms accepted and links it.
        public func activate() async throws(PaymentError) {
            do { try await readerQueue.driver.activate(ReaderContext(calls)) } catch {
                throw readerQueue.driver.wrapped(error)
            }
        }

        /// Gets the reader ready; may be called again at any time, and callers share one preparation.
        ///
        /// - Parameters:
        ///   - timeout: How long the call waits; the preparation continues, and the next call joins it. Without a limit it waits
        ///     as long as a reader's own update takes.
        ///   - progress: Hears how far the reader's own update is, 1 to 100.
        public func prepare(
            timeout: Duration? = nil, _ progress: (@Sendable (Int) -> Void)? = nil
        ) async throws(PaymentError) {
            try await readerQueue.listening({ event in
                if case .updateProgress(let percent) = event { progress?(percent) }
            }) { [readerQueue, calls] () async throws(PaymentError) in
                guard let timeout else { return try await readerQueue.prepare(calls) }
                let limit = try Deadline(timeout, otherwise: timeout).milliseconds
                let end = calls.services.clock.uptime.addingSaturating(limit)
                try await calls.services.bounded(until: end, nil) { () async throws(PaymentError) in
                    try await readerQueue.prepare(calls)
                }
            }
        }

        /// Ends the wait for a card, if it is not too late; says what became of it.
        @discardableResult
        public func cancel() async throws(PaymentError) -> CancelResult { try await readerQueue.cancel(calls) }

        /// Shows the screen that teaches how to take a card.
        ///
        /// - Throws: `unsupported`, nothing moved, when the reader has none.
        public func showEducation() async throws(PaymentError) {
            let reader = calls.services.reader as? any MerchantEducationReader
            guard readerQueue.education != nil || reader != nil else {
                throw PaymentError(
                    .unsupported, outcome: .notExecuted,
                    detail: "this reader has no screen that teaches; not available")
            }
            do {
                if let driver = readerQueue.education {
                    try await driver.showEducation(ReaderContext(calls))
                } else {
                    try await reader?.showEducation()
                }
            } catch { throw readerQueue.driver.wrapped(error) }
            readerQueue.tell(.educationShown, calls.services)
        }

        /// The application came to the front.
        public func appDidBecomeActive() async { await readerQueue.lifecycle(.becameActive, calls) }

        /// The application left the front; a read that is under way ends.
        public func appDidEnterBackground() async { await readerQueue.lifecycle(.enteredBackground, calls) }
    }
}

extension ProviderClient {
    /// A provider's session: the client keeps and renews it; this shows it to an application.
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
        public func installation() async throws(PaymentError) -> Installation { try await services.installation() }
    }
}

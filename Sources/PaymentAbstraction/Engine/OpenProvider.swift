internal import PaymentBase

/// A driver with its protocols, found once when the client opens.
struct OpenProvider: Sendable {
    /// How often one exchange is tried.
    static let triesMax = 3
    /// How long to wait before the first repeat, in milliseconds; doubled for each further one.
    static let repeatWaitMilliseconds: Int64 = 250

    let driver: any PaymentDriver
    let identity: ProviderIdentity
    let capabilities: Capabilities
    let needles = NeedleKeeper()
    let access: AccessKeeper?
    let readerQueue: ReaderQueue?
    let sale: (any SaleDriver)?
    let authorization: (any AuthorizationDriver)?
    let adjustment: (any AdjustmentDriver)?
    let void: (any VoidDriver)?
    let refund: (any RefundDriver)?
    let unlinkedRefund: (any UnlinkedRefundDriver)?
    let tipAdjustment: (any TipAdjustmentDriver)?
    let verification: (any VerificationDriver)?
    let tokenization: (any TokenizationDriver)?
    let cardOnFile: (any CardOnFileDriver)?
    let details: (any DetailsDriver)?
    let list: (any ListDriver)?
    let pricing: (any PricingDriver)?
    let settings: (any SettingsDriver)?
    let devices: (any DeviceDriver)?
    let saved: (any SavedInstrumentDriver)?
    let offline: (any OfflineDriver)?
    let webhooks: (any WebhookDriver)?

    var id: ProviderID { identity.id }

    init(_ driver: any PaymentDriver, readers: ReaderFeed) {
        self.driver = driver
        (identity, capabilities) = (driver.identity, driver.capabilities)
        access = (driver as? any SessionDriver).map { AccessKeeper($0) }
        readerQueue = (driver as? any ReaderDriver).map { ReaderQueue($0, readers) }
        sale = driver as? any SaleDriver
        authorization = driver as? any AuthorizationDriver
        adjustment = driver as? any AdjustmentDriver
        void = driver as? any VoidDriver
        refund = driver as? any RefundDriver
        unlinkedRefund = driver as? any UnlinkedRefundDriver
        tipAdjustment = driver as? any TipAdjustmentDriver
        verification = driver as? any VerificationDriver
        tokenization = driver as? any TokenizationDriver
        cardOnFile = driver as? any CardOnFileDriver
        details = driver as? any DetailsDriver
        list = driver as? any ListDriver
        pricing = driver as? any PricingDriver
        settings = driver as? any SettingsDriver
        devices = driver as? any DeviceDriver
        saved = driver as? any SavedInstrumentDriver
        offline = driver as? any OfflineDriver
        webhooks = driver as? any WebhookDriver
    }

    /// What the provider calls an operation, of that what names it alone.
    func names(in verdict: Verdict) -> [String] {
        let naming = driver.namingReferences
        let named = verdict.references.filter { name, value in
            !value.isEmpty && value.utf8.count <= JournalRules.nameBytesMax && naming?.contains(name) ?? true
        }
        return named.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The one loop of the whole core that repeats: only what was provably not executed, what the provider has shown never
    /// to have arrived, what our key lets the provider do once however often it comes, and an access once.
    ///
    /// - Parameter party: On whose behalf it is made.
    func exchange<Reply>(
        _ effect: Effect, for party: some ExchangeParty, _ services: Services, _ send: (Try) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        var number = 1
        var (hasRenewed, mayBeDone) = (false, false)
        let key = effect == .keyed ? party.freshKey() : nil
        while true {
            let current: (access: ProviderAccess, generation: Int)
            do { current = try await access?.current(services) ?? (.none, 0) } catch {
                throw PaymentError(wrapping: error, party.outcome, nil, driver, scrub: party.hiding(.none))
            }
            let scrub = party.hiding(current.access)
            // What limits the bytes runs from before the opening is written.
            let opened = effect.isAboutMoney ? OpenedSend(services.clock) : nil
            try await party.willSend(effect, key: key)
            let failure: any Error
            do {
                let reply = try await OpenedSend.$current.withValue(opened) {
                    try await send(Try(number: number, access: current.access))
                }
                party.answered(effect)
                return reply
            } catch { failure = error }
            var fault = driver.classify(failure)
            let isRefusedAccess = fault.code == .authentication && !hasRenewed && access != nil
            // The next request gets another access than the one that was refused.
            if isRefusedAccess { access?.refused(current.generation) }
            // A gateway refuses without knowing what the provider behind it has done: ask before another request leaves.
            let wait = fault.waitMilliseconds ?? Self.repeatWaitMilliseconds << Int64(number - 1)
            let asks = effect == .money && fault.mayRepeat && fault.delivery == .maybeSent && !Task.isCancelled
            if asks, await party.leavesNoTrace(after: wait) { fault = fault.refused }
            let outcome = party.failed(effect, fault)
            let isRepeatable = effect == .read || effect == .keyed || fault.delivery != .maybeSent
            let renews = isRefusedAccess && isRepeatable
            // Once it may have been done, only an answer to the same key says whether it was; a refusal of this one try
            // does not.
            mayBeDone = mayBeDone || fault.delivery == .maybeSent
            let isHarmless = effect == .keyed && mayBeDone && !(failure is CancellationError)
            let mayRepeat = fault.mayRepeat && fault.code != .authentication && isRepeatable
            let repeats = (isHarmless || mayRepeat) && number < Self.triesMax
            guard renews || repeats, effect != .shown, !Task.isCancelled else {
                throw PaymentError(wrapping: failure, outcome, nil, driver, scrub: scrub)
            }
            if renews {
                hasRenewed = true
            } else if !asks {
                try? await services.clock.sleep(until: services.clock.now + wait)
            }
            number += 1
            party.repeats(number)
        }
    }
}

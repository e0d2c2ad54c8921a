internal import PaymentBase
package import PaymentDriverKit
internal import PaymentJournalKit

/// A driver with its protocols, found once when the client opens.
final class ProviderRuntime: Sendable {
    let driver: any PaymentDriver
    let identity: ProviderIdentity
    let capabilities: Capabilities
    let needles = SecretPatternCache()
    let access: TokenCache?
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
    let webhooks: (any WebhookDriver)?

    var id: ProviderID { identity.id }

    init(_ driver: any PaymentDriver, readers: ReaderEventStream) {
        self.driver = driver
        (identity, capabilities) = (driver.identity, driver.capabilities)
        access = (driver as? any SessionDriver).map { TokenCache($0) }
        // A driver that takes no card by a reader here has none to prepare.
        readerQueue =
            capabilities.sources.contains(.reader)
            ? (driver as? any ReaderDriver).map { ReaderQueue($0, readers) } : nil
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
        webhooks = driver as? any WebhookDriver
    }

    /// The provider's names for an operation in a verdict: of its references, those that name it alone.
    func names(in verdict: Verdict) -> [String] {
        let unique = capabilities.uniqueNames
        let named = verdict.references.filter { name, value in !value.isEmpty && unique?.contains(name) ?? true }
        return named.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes what must not come back out of an answer.
    var scrub: SecretScrubber { SecretScrubber(driver.secrets + (access?.secrets ?? [])) }

    /// Runs one request that only asks. It is repeated whatever became of it, as far as the driver's table says so, and once with
    /// a renewed access.
    ///
    /// - Parameter run: The run on whose behalf it is made, if any.
    func query<Reply>(
        for run: AttemptRun?, _ scrub: SecretScrubber, _ services: Services,
        _ send: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        var (number, hasRenewed) = (1, false)
        while true {
            let known = { (access: AccessToken) in
                run?.hiding(access) ?? scrub.hiding(self.driver.secrets + access.secrets)
            }
            let current: (access: AccessToken, generation: Int)
            do { current = try await access?.current(services) ?? (.none, 0) } catch {
                throw PaymentError(wrapping: error, run?.outcome ?? .notExecuted, nil, driver, scrub: known(.none))
            }
            let hidden = known(current.access)
            let failure: any Error
            do { return try await send(Transmission(number: number, access: current.access)) } catch { failure = error }
            let fault = driver.classify(failure)
            let isRefusedAccess = fault.code == .authentication && !hasRenewed && access != nil
            if isRefusedAccess { access?.refused(current.generation) }
            let mayRepeat = fault.isRetryable && fault.code != .authentication && number < AttemptRun.triesMax
            guard isRefusedAccess || mayRepeat, !Task.isCancelled else {
                throw PaymentError(wrapping: failure, run?.outcome ?? .notExecuted, nil, driver, scrub: hidden)
            }
            if isRefusedAccess {
                hasRenewed = true
            } else {
                let wait = fault.retryAfterMilliseconds ?? AttemptRun.repeatWaitMilliseconds << Int64(number - 1)
                try? await services.clock.sleep(until: services.clock.now + wait)
            }
            number += 1
            run?.emit(.repeated, ["try": String(number)])
        }
    }
}

/// A driver without the client around it, for measuring an adapter alone: its contexts do what a client's do, and their
/// doors lead to whatever was given.
package struct DriverBenchmark: Sendable {
    private let provider: ProviderRuntime
    private let services: Services

    /// Opens a driver as a client does.
    package init(_ driver: any PaymentDriver, _ dependencies: ClientOptions) {
        provider = ProviderRuntime(driver, readers: ReaderEventStream(dependencies.reader))
        services = Services(dependencies)
    }

    /// One sale as the driver does it, in a context of its own.
    package func sale(_ request: SaleRequest, _ intent: Attempt.Intent) async throws -> Verdict? {
        let run = AttemptRun(Begin(intent, provider.identity), provider, services, secrets: [])
        _ = run.join()
        defer { run.leaveTerminal() }
        return try await provider.sale?.sale(request, PaymentContext(run))
    }
}

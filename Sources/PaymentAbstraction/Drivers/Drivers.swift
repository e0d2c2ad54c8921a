public import PaymentBase
public import PaymentModel

/// What every adapter implements. Applications use `PaymentClient`.
///
/// Beside it, an adapter conforms to one small protocol for each thing that its provider has; the client finds them
/// once, when it opens. The smallest useful adapter:
///
/// ```swift
/// struct Acme: SaleDriver {
///     let identity = ProviderIdentity("acme", adapter: "acme", environment: "sandbox", merchant: "m-1")
///     let capabilities: Capabilities  // Capabilities(sources: [.card], sendLimit: transport.sendLimitMilliseconds)
///     func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict { … }
///     func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult { … }
///     func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 2_000) }
///     func classify(_ error: any Error) -> RequestFailure { RequestFailure(error) }
/// }
/// ```
public protocol PaymentDriver: Sendable {
    /// Which account of which provider it speaks with.
    var identity: ProviderIdentity { get }
    /// What the provider takes, and what it promises about requests and names.
    var capabilities: Capabilities { get }
    /// Credentials that it was given, so that they can be taken out of whatever a provider echoes.
    var secrets: [Secret] { get }
    /// How often and how long to look an operation up, and when absence proves something; nil if the provider can't be asked,
    /// so that its messages decide.
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan?
    /// Says what the provider shows of an attempt; the client decides what that proves.
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult
    /// What the provider shows that could be the attempt although no lookup can match it, such as an order of its amount at another
    /// time: the provider's names, the likeliest first.
    ///
    /// It is asked once, when a person says that nothing was executed; the person has to name each. What can't be read is left out,
    /// so that what was found before it is shown.
    func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String]
    /// Sorts an error of this adapter: its category, and what is proven about the request.
    func classify(_ error: any Error) -> RequestFailure
}

extension PaymentDriver {
    public var secrets: [Secret] { [] }
    public func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] { [] }
    public func classify(_ error: any Error) -> RequestFailure { RequestFailure(error) }
}

/// What an adapter that can charge implements. Applications use `PaymentClient`.
public protocol SaleDriver: PaymentDriver {
    /// Charges at once.
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can hold and charge later implements. Applications use `PaymentClient`.
public protocol AuthorizationDriver: PaymentDriver {
    /// Holds an amount.
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict
    /// Charges what is held, or a part of it.
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can change a held amount implements. Applications use `PaymentClient`.
public protocol AdjustmentDriver: PaymentDriver {
    /// Holds another amount than before.
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can undo before settlement implements. Applications use `PaymentClient`.
public protocol VoidDriver: PaymentDriver {
    /// Undoes a payment as a whole.
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can refund to the original implements. Applications use `PaymentClient`.
public protocol RefundDriver: PaymentDriver {
    /// Refunds what was charged, or a part of it.
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can give money without an original implements. Applications use `PaymentClient`.
public protocol UnlinkedRefundDriver: PaymentDriver {
    /// Gives money to a source.
    func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can change a tip afterwards implements. Applications use `PaymentClient`.
public protocol TipAdjustmentDriver: PaymentDriver {
    /// Makes the request's amount the tip.
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can check a card without charging it implements. Applications use `PaymentClient`.
public protocol VerificationDriver: PaymentDriver {
    /// Checks a source.
    func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can charge a card on file implements. Applications use `PaymentClient`.
public protocol CardOnFileDriver: PaymentDriver {
    /// Charges an instrument on file, without the customer.
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter that can turn a card into a token without charging it implements. Applications use
/// `PaymentClient`.
public protocol TokenizationDriver: PaymentDriver {
    /// Makes a token; the approval carries it as the saved instrument.
    func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict
}

/// What an adapter whose provider keeps instruments for customers implements. Applications use
/// `ProviderClient.SavedInstruments`.
public protocol SavedInstrumentDriver: PaymentDriver {
    /// A customer's instruments.
    func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument]
    /// Forgets one.
    func remove(_ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext) async throws
}

/// What an adapter whose provider computes prices implements. Applications use `ProviderClient.Pricing`.
public protocol PricingDriver: PaymentDriver {
    /// The price per tender, as the provider computes it.
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote
}

/// What an adapter that can say more about a transaction implements. Applications use `ProviderClient.Transactions`.
public protocol DetailsDriver: PaymentDriver {
    /// What the provider says about what these references name; nil when it knows nothing of it.
    func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails?
}

/// What an adapter that can list transactions implements. Applications use `ProviderClient.Transactions`.
public protocol ListDriver: PaymentDriver {
    /// One page of transactions. A page that can't be read throws, and `next` is nil only where nothing follows: what a list does not
    /// show is proof that it never arrived.
    func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage
}

/// What an adapter whose provider keeps settings implements. Applications use `ProviderClient.Settings`.
public protocol SettingsDriver: PaymentDriver {
    /// What is on record about the merchant.
    func settings(_ context: LookupContext) async throws -> MerchantSettings
    /// What the access allows, by the provider's names.
    func permissions(_ context: LookupContext) async throws -> Set<String>
}

/// What an adapter whose provider keeps a list of devices implements. Applications use `ProviderClient.Devices`.
public protocol DeviceDriver: PaymentDriver {
    /// All devices of the merchant.
    func devices(_ context: LookupContext) async throws -> [DeviceSummary]
    /// One device; nil when the provider doesn't know it.
    func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary?
    /// Takes a terminal's number off the device that had it.
    func unbind(terminal: String, _ context: LookupContext) async throws
}

extension DeviceDriver {
    /// The same by the list of all.
    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await devices(context).first { $0.id == id }
    }

    public func unbind(terminal: String, _ context: LookupContext) async throws {
        throw PaymentError.notExecuted(.unsupported, "\(identity.id) can't unbind terminals")
    }
}

/// What an adapter of a provider with a card reader implements. Applications use `ProviderClient.Reader`.
///
/// The hardware is behind the context; an adapter only knows what its provider wants of it. Everything but `prepare`
/// has a default for a reader that needs nothing.
public protocol ReaderDriver: PaymentDriver {
    /// What the device has and what this provider needs.
    func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility
    /// How far the device is on its way.
    func activation(_ context: ReaderContext) async throws -> ActivationStatus
    /// Registers the device, has the terms accepted, links it.
    func activate(_ context: ReaderContext) async throws
    /// Gets a reader token and prepares the reader with it.
    func prepare(_ context: ReaderContext) async throws
    /// Ends a wait for a card.
    func cancelReading(_ context: ReaderContext) async throws -> CancelResult
    /// Learns that the application came to the front or left it.
    func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async
}

extension ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        try await context.compatibility()
    }
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        ActivationStatus(.active)
    }
    public func activate(_ context: ReaderContext) async throws {}
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult { try await context.cancelRead() }
    public func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async {}
}

/// What an adapter implements whose provider has a screen of its own that teaches how to take a card, such as a vendor's
/// SDK. Applications use `ProviderClient.Reader.showEducation`; where no driver has one, the client's reader shows its.
public protocol EducationDriver: ReaderDriver {
    /// Shows the screen and returns when it was closed.
    func showEducation(_ context: ReaderContext) async throws
}

/// What an adapter with an expiring access implements; the client keeps, renews and shares it.
public protocol SessionDriver: PaymentDriver {
    /// How long before it lapses an access is renewed, in milliseconds.
    var renewalMarginMilliseconds: Int64 { get }
    /// The addresses that give the access or get it. An access that is kept is used for the same ones alone: a configuration that
    /// points elsewhere sends it nowhere. None only where the adapter can't be pointed elsewhere.
    var accessAddresses: [String] { get }
    /// Gets a fresh access; `last` is the one before, whose refresh token may help.
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken
    /// Gives an access back.
    func signOut(_ access: AccessToken, _ context: SessionContext) async throws
}

extension SessionDriver {
    public var renewalMarginMilliseconds: Int64 { 60_000 }
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {}
}

/// What an adapter whose provider pushes news implements. Applications use `PaymentClient`.
public protocol WebhookDriver: PaymentDriver {
    /// Verifies and reads one message; throws when it can't be trusted. Nothing is believed by default. The drivers of other shops
    /// read a message as well if one of its notices has an id.
    func notices(in message: WebhookMessage) throws -> [ProviderNotice]
    /// How the provider wants to know that a webhook arrived.
    var acknowledgement: WebhookAcknowledgement { get }
}

extension WebhookDriver {
    public var acknowledgement: WebhookAcknowledgement { WebhookAcknowledgement() }
}

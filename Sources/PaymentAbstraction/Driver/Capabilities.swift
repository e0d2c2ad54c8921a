/// What a provider takes, as far as it can't be read from its driver's conformances.
public struct Capabilities: Hashable, Sendable {
    /// Sources of a sale.
    public var sources: Set<SourceKind>
    /// Sources of an authorisation.
    public var authorizationSources: Set<SourceKind> = []
    /// Sources that can be verified or tokenised.
    public var verificationSources: Set<SourceKind> = []
    /// Sources that a refund without an original can go to.
    public var unlinkedRefundSources: Set<SourceKind> = []
    /// What a request may carry.
    public var features: Set<RequestFeature> = []
    /// Currencies that are taken; nil for all.
    public var currencies: Set<Currency>?
    /// What happens to the rest of an authorisation after a capture.
    public var captures = CaptureRule.several
    /// Whether less than all can be captured.
    public var partialCapture = true
    /// Whether less than all can be given back.
    public var partialRefund = true
    /// Whether cards are read by a terminal of the provider's, so that no reader has to be given.
    public var hasOwnTerminal = false
    /// Conditions that a list can have.
    public var listFilters: Set<ListFilter.Kind> = []

    /// Makes capabilities of the sources of a sale.
    public init(sources: Set<SourceKind>) { self.sources = sources }
}

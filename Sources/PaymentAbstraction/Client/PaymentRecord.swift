/// A payment as the journal has it: what an application reads.
public struct PaymentRecord: Hashable, Sendable {
    /// The attempts of the payment: what it came from, then everything that followed, oldest first.
    public let attempts: [AttemptRecord]
    /// How much is where.
    public let amounts: PaymentAmounts
    private let snapshot: PaymentSnapshot

    /// Reads a payment off its attempts; nil when what it came from is not among them.
    init?(_ family: [AttemptRecord], captures: CaptureRule) {
        guard let snapshot = PaymentSnapshot(family, captures: captures) else { return nil }
        (attempts, amounts, self.snapshot) = (family, snapshot.amounts, snapshot)
    }

    /// Our name for it.
    public var id: PaymentID { snapshot.id }
    /// The operation that it came from.
    public var operation: PaymentOperation { snapshot.origin }
    /// Where that stands.
    public var state: AttemptRecord.State { attempts.first { $0.intent.isOrigin }?.state ?? .inDoubt }
    /// What was asked for.
    public var requested: Money { attempts.first { $0.intent.isOrigin }?.intent.amount ?? amounts.authorized }
    /// The application's reference.
    public var reference: String { snapshot.reference }
    /// Who took it.
    public var provider: ProviderIdentity { snapshot.provider }
    /// The provider's names: those of the origin, and over them those that later operations brought.
    public var references: PaymentReferences { snapshot.references }
    /// The card, as far as it may be shown.
    public var card: CardSummary? { snapshot.card }
    /// What kind of source it came from.
    public var source: SourceKind? { snapshot.source }
    /// When it was begun, in milliseconds since 1970.
    public var begunAt: Int64 { snapshot.begunAt }
    /// What is not decided: under way, in doubt, or accepted and not final.
    public var undecided: [AttemptRecord] { attempts.filter(\.isUndecided) }
    /// What moved although something else had been believed.
    public var contradicted: [AttemptRecord] { attempts.filter(\.facts.isContradicted) }
}

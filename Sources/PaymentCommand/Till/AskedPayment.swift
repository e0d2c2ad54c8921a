internal import PaymentAbstraction

/// A payment that somebody wants to begin, as far as others in the journal may stand in its way.
struct AskedPayment: Sendable {
    let operation: PaymentOperation
    let amount: Money
    let source: SourceKind
    let last4: String?
    let reference: String
    let provider: ProviderID
    /// Attempts of which the caller says that he knows what they moved.
    let after: Set<AttemptID>
    /// Whether neither a reference nor an attempt was typed: then nothing tells it from the one before.
    let isUnnamed: Bool

    init(
        _ operation: PaymentOperation, _ amount: Money, from source: PaymentSource, _ reference: String,
        provider: ProviderID, after: Set<AttemptID>, isUnnamed: Bool
    ) {
        (self.operation, self.amount, self.source, last4) = (operation, amount, source.kind, source.last4)
        (self.reference, self.provider, self.after, self.isUnnamed) = (reference, provider, after, isUnnamed)
    }

    /// Whether an earlier attempt can't be told from this one by what was typed.
    func isLike(_ earlier: AttemptRecord) -> Bool {
        let intent = earlier.intent
        return intent.isOrigin && intent.operation == operation && intent.amount == amount && intent.source == source
            && earlier.provider.id == provider && !intent.isDryRun
    }

    /// Whether this very line under the earlier attempt's id would be answered with what is recorded.
    func repeats(_ earlier: AttemptRecord) -> Bool {
        let intent = earlier.intent
        let isNamedSo = isUnnamed ? intent.reference == intent.attempt.text : intent.reference == reference
        return isLike(earlier) && intent.last4 == last4 && isNamedSo
    }
}

/// What became of a wish to cancel.
public enum CancelResult: String, Hashable, Sendable, CaseIterable {
    /// It was ended.
    case cancelled
    /// A card is being read or the payment is on its way; it will end by itself.
    case tooLate
    /// There was nothing to end.
    case nothingToCancel
}

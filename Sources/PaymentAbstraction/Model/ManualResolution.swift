/// What a person says of an attempt.
public enum ManualResolution: Hashable, Sendable {
    /// It was executed under this provider's name; without an amount, over what was asked for. A part needs its amount.
    case executed(name: String, Money?)
    /// It was not executed, and none of these movements is it.
    case notExecuted(besides: [String] = [])
    /// An own statement was wrong.
    case withdrawn
    /// It is the payment that was imported.
    case isTheSame(as: AttemptID)
    /// Takes note of something that blocks.
    case acknowledge(Attempt.Acknowledgement)
}

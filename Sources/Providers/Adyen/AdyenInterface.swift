/// What a phone reads cards with.
public enum AdyenInterface: String, Hashable, Sendable, CaseIterable {
    /// A reader beside the phone.
    case cardReader
    /// The phone itself.
    case tapToPay
}

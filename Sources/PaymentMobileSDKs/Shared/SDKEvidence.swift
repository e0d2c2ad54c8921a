/// What a kit's events have shown of a payment by the time that its call ends.
///
/// Silence proves nothing: ``nothingSeen`` leaves an error to its own words and adds no certainty.
public enum SDKEvidence: Int, Sendable, Hashable, CaseIterable {
    /// No event said that the payment had left the phone.
    case nothingSeen
    /// An event said that the payment was on its way or exists at the vendor.
    case submitted
    /// An event said that the payment was approved.
    case approved

    /// Takes the stronger of two sights of a payment; an approval is never unseen.
    public mutating func raise(to other: SDKEvidence) {
        if other.rawValue > rawValue { self = other }
    }
}

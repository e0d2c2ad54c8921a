/// How far a device is on its way to taking cards for a merchant.
public struct ActivationStatus: Hashable, Sendable {
    /// The steps.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Nobody has asked for it.
        case inactive
        /// It was asked for and is not decided.
        case requested
        /// It was granted and is not in use yet.
        case approved
        /// Cards can be taken.
        case active
        /// It was refused.
        case denied
    }

    /// How far the device is.
    public let step: Step
    /// Whether the device is linked and the terms were accepted; nil where the provider has no such thing.
    public let isLinked: Bool?
    /// The state, in the provider's word.
    public let raw: String

    /// Makes a status.
    public init(_ step: Step, isLinked: Bool? = nil, raw: String = "") {
        (self.step, self.isLinked, self.raw) = (step, isLinked, raw)
    }
}

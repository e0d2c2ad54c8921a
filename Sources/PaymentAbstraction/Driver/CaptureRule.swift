/// What happens to the rest of an authorisation when a part of it was captured.
public enum CaptureRule: String, Hashable, Sendable, CaseIterable {
    /// More captures may follow.
    case multiple = "several"
    /// One capture releases the rest.
    case single = "oneReleasesTheRest"
}

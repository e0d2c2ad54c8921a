/// What happens to the rest of an authorisation when a part of it was captured.
public enum CaptureRule: String, Hashable, Sendable, CaseIterable {
    /// More captures may follow.
    case multiple = "several"
    /// One capture releases the rest.
    case single = "oneReleasesTheRest"
}

/// What a void does to an authorization of which something was captured.
public enum VoidRule: String, Hashable, Sendable, CaseIterable {
    /// It takes back what was captured as well.
    case all
    /// It leaves what was captured and releases the rest.
    case uncaptured
}

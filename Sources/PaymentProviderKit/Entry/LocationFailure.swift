/// Why the device's location is not known.
public enum LocationFailure: Error, Hashable, Sendable, CaseIterable {
    /// The application's source of locations is not set up.
    case notReady
    /// The person at the device does not allow it.
    case denied
    /// The device could not find out where it is.
    case unavailable
    /// The place is known and its country is not.
    case countryUnknown
}

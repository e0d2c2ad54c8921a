public import PaymentBase

/// Where the device is, for providers that want to know; masked wherever it is printed.
public struct DeviceLocation: Hashable, Sendable {
    /// Degrees north, as exact decimal text.
    public let latitude: PersonalData
    /// Degrees east, as exact decimal text.
    public let longitude: PersonalData
    /// How exact it is, in metres.
    public var accuracyMetres = 0
    /// The country, as two letters; nil when it could not be found out.
    public var country: String?

    /// Makes a location.
    public init(latitude: String, longitude: String, country: String? = nil) {
        (self.latitude, self.longitude, self.country) = (PersonalData(latitude), PersonalData(longitude), country)
    }
}

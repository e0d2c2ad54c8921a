/// One of the company's own numbers for what goes wrong on the device, or with an answer.
struct NIFailure: Error, Hashable {
    let code: String
    var message = ""

    init(_ code: String) { self.code = code }

    /// The number for a location that is not known.
    init(_ failure: LocationFailure) {
        switch failure {
        case .notReady: self.init("801")
        case .denied: self.init("802")
        case .unavailable: self.init("803")
        case .countryUnknown: self.init("810")
        }
    }
}

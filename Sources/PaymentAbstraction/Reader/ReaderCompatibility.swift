/// Whether a device can take cards, check by check.
public struct ReaderCompatibility: Hashable, Sendable {
    /// One thing that was checked.
    public struct Check: Hashable, Sendable {
        /// What was checked; an open set.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            /// The model of the device.
            public static let model = Kind(rawValue: "model")
            /// The version of its system.
            public static let systemVersion = Kind(rawValue: "systemVersion")
            /// Whether its location is known.
            public static let location = Kind(rawValue: "location")
            /// Whether the application may read cards.
            public static let entitlement = Kind(rawValue: "entitlement")
            /// Whether the device has a passcode.
            public static let passcode = Kind(rawValue: "passcode")
            /// Whether somebody is signed in on the device.
            public static let account = Kind(rawValue: "account")
            /// Whether the system is a released one.
            public static let betaSystem = Kind(rawValue: "betaSystem")
            /// Whether the country is served.
            public static let country = Kind(rawValue: "country")
            /// Whether the device is as its maker shipped it.
            public static let integrity = Kind(rawValue: "integrity")
            /// Whether the provider can be reached.
            public static let connection = Kind(rawValue: "connection")
        }

        /// What was looked at.
        public let kind: Kind
        /// Whether it will do.
        public let passed: Bool
        /// What the device has.
        public let found: String
        /// What is needed.
        public let required: String

        /// Makes a check.
        public init(_ kind: Kind, passed: Bool, found: String, required: String) {
            (self.kind, self.passed, self.found, self.required) = (kind, passed, found, required)
        }
    }

    /// Everything that was looked at.
    public let checks: [Check]

    /// Makes a result of its checks.
    public init(_ checks: [Check]) { self.checks = checks }

    /// Whether everything passed.
    public var isCompatible: Bool { checks.allSatisfy(\.passed) }

    /// What failed, in words.
    public var reasons: [String] {
        checks.filter { !$0.passed }.map { "\($0.kind.rawValue): found \($0.found), required \($0.required)" }
    }
}

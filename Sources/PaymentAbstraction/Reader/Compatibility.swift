/// Whether a device can take cards, check by check.
public struct Compatibility: Hashable, Sendable {
    /// One thing that was checked.
    public struct Check: Hashable, Sendable {
        /// What was checked; an open set.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static let model = Kind(rawValue: "model")
            public static let systemVersion = Kind(rawValue: "systemVersion")
            public static let location = Kind(rawValue: "location")
            public static let entitlement = Kind(rawValue: "entitlement")
            public static let passcode = Kind(rawValue: "passcode")
            public static let account = Kind(rawValue: "account")
            public static let betaSystem = Kind(rawValue: "betaSystem")
            public static let country = Kind(rawValue: "country")
            public static let integrity = Kind(rawValue: "integrity")
            public static let connection = Kind(rawValue: "connection")
        }

        public let kind: Kind
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

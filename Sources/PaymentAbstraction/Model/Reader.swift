/// What a reader reports.
public enum ReaderEvent: Hashable, Sendable {
    /// A card is in the field.
    case cardDetected
    /// The PIN was typed.
    case pinEntryCompleted
    /// The PIN is asked for.
    case pinEntryRequested
    /// The read was cancelled.
    case readCancelled
    /// The card was read.
    case readCompleted
    /// The card was not read.
    case readNotCompleted
    /// The card has to be shown once more.
    case readRetry
    /// The reader waits for a card.
    case readyForTap
    /// The card can be taken away.
    case removeCard
    /// How far the reader's own update is, 1 to 100.
    case updateProgress(Int)
    /// The reader's screen is gone.
    case userInterfaceDismissed
    /// The reader has to be prepared again.
    case notReady

    /// Its name.
    public var name: String {
        switch self {
        case .cardDetected: "cardDetected"
        case .pinEntryCompleted: "pinEntryCompleted"
        case .pinEntryRequested: "pinEntryRequested"
        case .readCancelled: "readCancelled"
        case .readCompleted: "readCompleted"
        case .readNotCompleted: "readNotCompleted"
        case .readRetry: "readRetry"
        case .readyForTap: "readyForTap"
        case .removeCard: "removeCard"
        case .updateProgress: "updateProgress"
        case .userInterfaceDismissed: "userInterfaceDismissed"
        case .notReady: "notReady"
        }
    }
}

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
            /// Whether a person is signed in on the device.
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

/// How far a device is on its way to taking cards for a merchant.
public struct ActivationStatus: Hashable, Sendable {
    /// The steps.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// It was not asked for.
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

/// What became of a wish to cancel.
public enum CancelResult: String, Hashable, Sendable, CaseIterable {
    /// It was ended.
    case cancelled
    /// A card is being read or the payment is on its way; it will end on its own.
    case tooLate
    /// There was nothing to end.
    case nothingToCancel
}

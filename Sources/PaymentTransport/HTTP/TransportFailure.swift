public import PaymentBase

/// Why no reply came, and whether the request may have arrived.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No byte of the request left us: the name was not found, the port closed, TLS failed, or we cancelled in time.
    case notSent(Reason)
    /// The request, or a part of it, left us.
    case maybeSent(Reason)

    /// What went wrong; an open set, because platforms differ.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        /// What the platform said beyond that, for people; nil where it said nothing. Two reasons are the same without it.
        public private(set) var detail: String?
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The same with what the platform said, for people.
        public func withDetail(_ detail: String?) -> Reason {
            var reason = self
            reason.detail = detail
            return reason
        }

        /// The host's name is not known.
        public static let nameNotResolved = Reason(rawValue: "nameNotResolved")
        /// Nobody listens there.
        public static let connectionRefused = Reason(rawValue: "connectionRefused")
        /// No connection came about in time.
        public static let connectTimedOut = Reason(rawValue: "connectTimedOut")
        /// The TLS handshake failed or the certificate was not trusted.
        public static let tlsFailed = Reason(rawValue: "tlsFailed")
        /// The time within which its bytes had to leave was over before the first one could.
        public static let tooLate = Reason(rawValue: "tooLate")
        /// Our own side ended it.
        public static let cancelled = Reason(rawValue: "cancelled")
        /// The connection was reset.
        public static let connectionReset = Reason(rawValue: "connectionReset")
        /// The reply ended early.
        public static let truncated = Reason(rawValue: "truncated")
        /// Nothing came for too long.
        public static let stalled = Reason(rawValue: "stalled")
        /// The reply was larger than allowed.
        public static let tooLarge = Reason(rawValue: "tooLarge")
        /// The reply was a redirect, which is never followed.
        public static let redirected = Reason(rawValue: "redirected")
        /// The reply was not HTTP.
        public static let malformed = Reason(rawValue: "malformed")
        /// The request can't be sent as it is.
        public static let invalidRequest = Reason(rawValue: "invalidRequest")
        /// Too many requests are under way or waiting on our side.
        public static let overloaded = Reason(rawValue: "overloaded")
        /// Anything else.
        public static let other = Reason(rawValue: "other")
    }

    /// What went wrong.
    public var reason: Reason {
        switch self {
        case .notSent(let reason), .maybeSent(let reason): reason
        }
    }
}

extension TransportFailure.Reason: CustomStringConvertible {
    public var description: String { rawValue }
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension TransportFailure: DeliveryEvidence {
    public var delivery: Delivery {
        switch self {
        case .notSent: .notSent
        case .maybeSent: .maybeSent
        }
    }
}

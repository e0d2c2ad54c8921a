extension CurlTransport {
    /// How a ``CurlTransport`` connects; every value has a default that is safe to keep.
    public struct Configuration: Sendable, Hashable {
        /// Whom to trust when a server shows its certificate.
        public enum Roots: Sendable, Hashable {
            /// The machine's own certificates.
            case system
            /// The certificates in a PEM file, and nobody else.
            case file(String)
            /// The certificates in a PEM text, and nobody else.
            case pem(String)
        }

        /// How long a connection may take to come about: waiting for a free one, name, TCP and TLS together.
        public var connectMilliseconds: Int64 = 10_000
        /// How long after a payment's exchange was opened its first byte may leave; checked when the connection stands.
        public var beginMilliseconds: Int64 = 10_000
        /// How long a request that has begun to leave may take to be handed to the system.
        public var writeMilliseconds: Int64 = 5_000
        /// How long the system tries to deliver what it was handed, even when this process is gone.
        public var deliverMilliseconds: Int64 = 15_000
        /// How long nothing may move once a request has begun to leave us.
        public var idleTimeoutMilliseconds: Int64 = 60_000
        /// How many connections to one host may be open; further requests wait for `connectMilliseconds` at most.
        public var connectionsPerHostMax = 32
        /// How long an idle connection may still be used again; many servers close theirs after a few seconds more.
        public var idleSecondsMax = 15
        /// How many requests may be under way or waiting; more fail as `notSent(.overloaded)`.
        public var requestsMax = 4_096
        /// How many bytes the header fields of a reply may have together.
        public var headerBytesMax = 256 * 1_024
        /// Whom to trust.
        public var roots = Roots.system
        /// Whether HTTP/2 is offered in the TLS handshake; plain connections always speak HTTP/1.1.
        public var http2 = true
        /// What stands in `User-Agent` where a request doesn't say; empty for none.
        public var userAgent = "swift-payments"

        /// Makes the defaults.
        public init() {}

        /// For how long bytes can leave after the opening of what they belong to; nil where that is no limit.
        var leavesWithinMilliseconds: Int64? {
            let parts = [beginMilliseconds, writeMilliseconds, deliverMilliseconds]
            // The system takes a limit of zero for none.
            guard parts.allSatisfy({ (1...Self.limitMillisecondsMax).contains($0) }) else { return nil }
            return parts.reduce(0, +)
        }

        /// An hour; what is longer limits nothing.
        static let limitMillisecondsMax: Int64 = 3_600_000
    }
}

extension SimulatorServer {
    /// What a server puts up with; every limit has a default that suits a loopback.
    public struct Limits: Hashable, Sendable {
        /// How many bytes the first line and the header fields may have together; more is answered with 431.
        public var headBytesMax = 32 * 1_024
        /// How many bytes the target may have; more is answered with 414.
        public var targetBytesMax = 8 * 1_024
        /// How many header fields there may be; more is answered with 431.
        public var fieldsMax = 100
        /// How many bytes a body may have; more is answered with 413.
        public var bodyBytesMax = 1_024 * 1_024
        /// How many connections may be open at one port; further ones are closed at once. A ``SimulatedProviders``
        /// allows fewer where the process may not have so many descriptors for each of its ports.
        public var connectionsMax = 2_048
        /// How long a connection may be idle between two requests.
        public var idleMilliseconds: Int64 = 60_000
        /// How long a request may take from its first byte to its last; longer is answered with 408.
        public var requestMilliseconds: Int64 = 30_000
        /// How long a client may take none of an answer.
        public var writeMilliseconds: Int64 = 30_000
        /// How many bytes of further requests are kept while one is being answered, and how many of answers may wait
        /// before no further request is begun.
        public var pipelinedBytesMax = 64 * 1_024
        /// How many bytes a message on a WebSocket may have.
        public var messageBytesMax = 1_024 * 1_024
        /// How many bytes may wait to go out on a WebSocket.
        public var outgoingBytesMax = 4 * 1_024 * 1_024
        /// How long stopping waits for open requests.
        public var stopMilliseconds: Int64 = 10_000

        /// Makes the defaults.
        public init() {}
    }
}

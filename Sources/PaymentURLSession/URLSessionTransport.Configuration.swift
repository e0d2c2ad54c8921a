extension URLSessionTransport {
    /// How patient a ``URLSessionTransport`` is.
    public struct Configuration: Sendable, Hashable {
        /// How long nothing may move; `URLSession` counts connecting too.
        public var idleTimeoutMilliseconds: Int64 = 60_000

        /// Makes the defaults.
        public init() {}
    }
}

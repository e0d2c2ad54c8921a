public import PaymentBase

/// What passed between us and a provider, kept as lines of JSON, so that a test can play it again.
///
/// A line for the header, a line for each thing that happened, in order and with its time, and a last line that counts
/// them, by which a file that was cut off is told. The format is described in `docs/cassettes.md`.
public struct Cassette: Sendable, Hashable {
    /// Who was recorded, when and how.
    public struct Header: Sendable, Hashable {
        /// The provider.
        public var provider: String
        /// Its environment; `simulated` where no provider's own machine was spoken with.
        public var environment: String
        /// When the recording began, in milliseconds since 1970 by the clock of what was recorded.
        public var clock: Int64
        /// What drew every name and every order.
        public var seed: UInt64
        /// What else belongs to it: versions, the date, readings of documents, by name.
        public var notes: JSONObject = [:]

        /// Whether nobody but our own simulation spoke.
        public var isSynthetic: Bool { environment == "simulated" }

        /// Names what is recorded.
        public init(provider: String, environment: String = "simulated", clock: Int64 = 0, seed: UInt64 = 1) {
            (self.provider, self.environment, self.clock, self.seed) = (provider, environment, clock, seed)
        }
    }

    /// One request as it was recorded, and how it ended.
    public struct Interaction: Sendable, Hashable {
        /// The request, redacted.
        public let request: HTTPRequest
        /// The reply, redacted, or the failure.
        public let end: Result<HTTPResponse, TransportFailure>
        /// How long it took, in milliseconds.
        public let milliseconds: Int64

        /// Makes an exchange of what was redacted already.
        public init(
            _ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, milliseconds: Int64 = 0
        ) {
            (self.request, self.end, self.milliseconds) = (request, end, milliseconds)
        }
    }

    /// One thing that happened.
    public enum Event: Sendable, Hashable {
        /// A request with its end; it stands where it ended.
        case exchange(Interaction)
        /// Something else, by what it is: a webhook, a card reader's event, a line of the provider's books.
        case other(String, JSON)
    }

    /// One thing that happened, with its time and the part of the recording that it belongs to.
    public struct Item: Sendable, Hashable {
        /// The part: the name of a check or a scenario; empty where the recording has none.
        public let section: String
        /// How long after the part began, in milliseconds.
        public let at: Int64
        /// What happened.
        public let event: Event

        /// Makes an item.
        public init(_ event: Event, section: String = "", at: Int64 = 0) {
            (self.section, self.at, self.event) = (section, at, event)
        }
    }

    /// The longest time that anything in it takes, in milliseconds: ten years. With it none of our clocks overflows.
    static let millisecondsMax: Int64 = 10 * 366 * 86_400_000

    /// The largest text that is read.
    public static let textBytesMax = 64 * 1_024 * 1_024

    /// The text is no cassette, or not a whole one.
    public struct ParseError: Error, Hashable {
        /// The first line that was not understood.
        public let line: Int
    }

    /// Who was recorded.
    public var header: Header
    /// Everything that happened, in order.
    public var items: [Item] = []

    /// Makes an empty cassette.
    public init(_ header: Header = Header(provider: "")) { self.header = header }

    /// The exchanges, in the order in which they ended.
    public var interactions: [Interaction] {
        items.compactMap { item in
            if case .exchange(let exchange) = item.event { return exchange }
            return nil
        }
    }

    /// The parts, in order.
    public var sections: [String] {
        var seen: Set<String> = []
        return items.map(\.section).filter { seen.insert($0).inserted }
    }
}

internal import PaymentBase
public import PaymentModel

/// What several processes on one journal attempt: every sale by two of them, and refunds that can't all be had.
public struct RacePlan: Sendable {
    /// One call; a sale when it names no payment.
    public struct Call: Sendable {
        public let attempt: AttemptID
        public let payment: PaymentID?
    }

    /// What each process attempts, refunds not counted.
    public static let salesEach = 500
    /// How many payments there are to be refunded.
    public static let paidCount = 20
    /// How many refunds of each of them a process tries.
    private static let refundsEach = 2
    /// What a sale costs.
    public static let price = Money.cents(5_000)
    /// What a refund refunds; two of them fit into a price.
    public static let back = Money.cents(2_400)

    public let processes: Int

    public init(processes: Int) { self.processes = processes }

    /// Every sale that is attempted.
    public func sales() throws -> [AttemptID] { try (0..<processes).flatMap { try block($0) } }

    /// The payments that are there before the race.
    public static func paid() throws -> [AttemptID] { try (0..<paidCount).map { try AttemptID("paid-\($0)") } }

    /// What one process attempts: its own block of sales, its neighbour's, and refunds, well mixed.
    public func calls(of index: Int) throws -> [Call] {
        var calls = try (block(index) + block((index + 1) % processes)).map { Call(attempt: $0, payment: nil) }
        for paid in try Self.paid() {
            for number in 0..<Self.refundsEach {
                let attempt = try AttemptID("back-\(index)-\(number)-\(paid)")
                calls.append(Call(attempt: attempt, payment: PaymentID(paid)))
            }
        }
        let random = SeededRandom(seed: UInt64(index + 1))
        for place in calls.indices.reversed() { calls.swapAt(place, Int(random.next() % UInt64(place + 1))) }
        return calls
    }

    private func block(_ index: Int) throws -> [AttemptID] {
        try (0..<Self.salesEach / 2).map { try AttemptID("sale-\(index)-\($0)") }
    }
}

/// What one process of a race has to tell.
public struct RaceTally: Sendable {
    /// How often calls ended in each way.
    public var counts: [String: Int] = [:]
    /// How long each call of the journal has taken, in microseconds.
    public var waits: [Int64] = []

    public init() {}

    /// As one text.
    public var text: String {
        var object = JSONObject()
        for (word, count) in counts { object[word] = .number(JSONNumber(Int64(count))) }
        let json: JSON = ["counts": .object(object), "waits": .array(waits.map { .number(JSONNumber($0)) })]
        return String(decoding: json.bytes(), as: UTF8.self)
    }

    /// Reads it back.
    public init(_ text: String) throws {
        let json = try JSONReader().read(Array(text.utf8))
        for member in json["counts"]?.object?.members ?? [] { counts[member.key] = Int(member.value.int64 ?? 0) }
        waits = (json["waits"]?.array ?? []).compactMap(\.int64)
    }

    /// The longest wait and the one that 99 of 100 stay below, in microseconds.
    public var slowest: (longest: Int64, p99: Int64) {
        let sorted = waits.sorted()
        guard let last = sorted.last else { return (0, 0) }
        return (last, sorted[sorted.count * 99 / 100])
    }
}

internal import PaymentBase

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

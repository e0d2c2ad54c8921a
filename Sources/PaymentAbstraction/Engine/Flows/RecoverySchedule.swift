/// When an attempt that nobody could tell about is asked about again; pure.
public struct RecoverySchedule: Hashable, Sendable {
    /// How long to wait before the first, the second and each further time, in milliseconds.
    public static let waitsMilliseconds: [Int64] = [5 * 60_000, 3_600_000, 86_400_000]

    private var tries: [AttemptID: (count: Int, last: Int64)] = [:]

    /// Begins with nothing tried.
    public init() {}

    /// When an attempt is due; the first wait begins with its mark.
    public func due(_ record: AttemptRecord) -> Int64 {
        let tried = tries[record.intent.attempt]
        let waits = Self.waitsMilliseconds
        let wait = waits[min(tried?.count ?? 0, waits.count - 1)]
        return (tried?.last ?? record.submittedAt ?? record.begunAt) + wait
    }

    /// Writes down that an attempt was asked about and stays open.
    public mutating func tried(_ attempt: AttemptID, at instant: Int64) {
        tries[attempt] = ((tries[attempt]?.count ?? 0) + 1, instant)
    }

    /// Forgets attempts that are decided.
    public mutating func keep(only open: Set<AttemptID>) { tries = tries.filter { open.contains($0.key) } }

    public static func == (one: Self, other: Self) -> Bool {
        one.tries.mapValues(\.count) == other.tries.mapValues(\.count)
            && one.tries.mapValues(\.last) == other.tries.mapValues(\.last)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(tries.mapValues(\.last)) }
}

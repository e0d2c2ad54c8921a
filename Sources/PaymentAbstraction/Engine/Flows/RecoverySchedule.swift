/// When an attempt that nobody could tell about is asked about again; pure.
package struct RecoverySchedule: Hashable, Sendable {
    /// How long to wait before the first, the second and each further time, in milliseconds.
    package static let waitsMilliseconds: [Int64] = [5 * 60_000, 3_600_000, 86_400_000]

    private var tries: [AttemptID: (count: Int, last: Int64)] = [:]

    /// Begins with nothing tried.
    package init() {}

    /// When an attempt is due; the first wait begins with its mark.
    package func due(_ record: AttemptRecord) -> Int64 {
        let tried = tries[record.intent.attempt]
        let waits = Self.waitsMilliseconds
        let wait = waits[min(tried?.count ?? 0, waits.count - 1)]
        return (tried?.last ?? record.submittedAt ?? record.begunAt) + wait
    }

    /// Writes down that an attempt was asked about and stays open.
    package mutating func tried(_ attempt: AttemptID, at instant: Int64) {
        tries[attempt] = ((tries[attempt]?.count ?? 0) + 1, instant)
    }

    /// Forgets attempts that are decided.
    package mutating func keep(only open: Set<AttemptID>) { tries = tries.filter { open.contains($0.key) } }

    package static func == (one: Self, other: Self) -> Bool {
        one.tries.mapValues(\.count) == other.tries.mapValues(\.count)
            && one.tries.mapValues(\.last) == other.tries.mapValues(\.last)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(tries.mapValues(\.last)) }
}

internal import PaymentBase

/// Limits the lookups that hints cause: at most one in five seconds about one attempt. Anyone who reaches the address of the
/// webhooks can send a hint where a provider signs nothing.
///
/// Of all that come within the five seconds one waits for their end and looks for the others, too. The others are answered
/// before that: if the look fails or its process ends, only the next message about the attempt looks again.
final class HintedLooks: Sendable {
    /// What a hint is to do.
    enum Turn: Hashable, Sendable {
        /// Look now.
        case now
        /// Look at a moment, in milliseconds since 1970.
        case at(Int64)
        /// Another hint will look later.
        case taken
    }

    private struct Look {
        var at: Int64
        var isOwed = false
    }

    /// The least time between two lookups about one attempt, in milliseconds.
    static let everyMilliseconds: Int64 = 5_000
    /// How many attempts are remembered before those are forgotten whose five seconds are over.
    private static let standardCapacity = 1_000

    private let looks = Locked([AttemptID: Look]())

    /// What a hint about an attempt is to do.
    func turn(_ attempt: AttemptID, at now: Int64) -> Turn {
        looks.withLock { looks in
            guard let last = looks[attempt], Self.isRecent(last, now) else {
                if looks.count >= Self.standardCapacity { looks = looks.filter { Self.isRecent($0.value, now) } }
                looks[attempt] = Look(at: now)
                return .now
            }
            if last.isOwed { return .taken }
            looks[attempt]?.isOwed = true
            return .at(last.at.addingReportingOverflow(Self.everyMilliseconds).partialValue)
        }
    }

    /// The look that a hint has waited for begins, or its caller has gone: the next hint has a turn of its own.
    func begin(_ attempt: AttemptID, at now: Int64) { looks.withLock { $0[attempt] = Look(at: now) } }

    /// Whether a look still keeps the next one off; not one of a clock that was set back.
    private static func isRecent(_ look: Look, _ now: Int64) -> Bool {
        let (passed, isOverflow) = now.subtractingReportingOverflow(look.at)
        return look.isOwed || !isOverflow && (0..<everyMilliseconds).contains(passed)
    }
}

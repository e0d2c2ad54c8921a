/// Every rule about what may be appended, pure: a store loads what ``reads(_:)`` names, asks
/// ``decide(_:_:at:)``, and appends what comes back, all in one transaction.
public enum JournalRules {
    /// The most bytes of a provider's name for an operation. A longer one stays in the verdict, and nothing is found by it.
    public static let nameBytesMax = 200

    /// What has to be loaded for an entry.
    public static func reads(_ entry: JournalEntry) -> JournalReads {
        var reads = JournalReads()
        reads.told = entry.told
        switch entry.subject {
        case .attempt(let key): reads.attempt = key
        case .holder(let provider, let name, _): (reads.provider, reads.names) = (provider, [name])
        }
        for part in entry.parts {
            switch part {
            case .begin(let intent, _):
                if intent.isOrigin { reads.reference = intent.reference } else { reads.family = intent.origin }
            case .likeness(let provider, let seen, _):
                reads.provider = provider
                reads.names.formUnion(seen.map(\.reference))
                reads.wantsRivals = true
            case .names(let provider, let values):
                reads.provider = provider
                reads.names.formUnion(values)
            case .silence(let silence):
                if let provider = silence.provider { reads.provider = provider }
                reads.names.formUnion(silence.witnesses)
            case .byProvider(let intent, _): reads.family = intent.origin
            case .open, .close, .end, .word, .note: break
            }
        }
        reads.names = reads.names.filter { $0.utf8.count <= nameBytesMax }
        return reads
    }

    /// What an entry appends, and what is answered.
    public static func decide(_ entry: JournalEntry, _ slice: JournalSlice, at now: JournalInstant) -> JournalDecision {
        var work = EntryWork(slice, entry, now)
        work.tell(entry.told)
        switch entry.subject {
        case .attempt: break
        case .holder(let provider, let name, let operations):
            let fitting = (slice.holders[name] ?? []).filter { facts in
                operations.isEmpty || operations.contains(facts.intent.operation)
            }
            if name.utf8.count > nameBytesMax {
                return work.decision(.refused(.noProof("no name has more than \(nameBytesMax) bytes"), nil))
            }
            switch fitting.count {
            case 0:
                guard case .byProvider(let intent, let provider)? = entry.parts.first, work.adopt(intent, provider)
                else {
                    return work.keeping(provider, name, operations, entry.parts)
                }
            case 1: work.take(fitting[0])
            default: return work.decision(.refused(.noProof("several attempts are called so"), nil))
            }
        }
        for part in entry.parts {
            if let answer = work.apply(part) { return work.decision(answer) }
        }
        return work.decision(work.facts.map { .accepted($0) } ?? .unknownAttempt)
    }

    /// How long to wait for the first, the second and each further look, in milliseconds.
    public static let looksAfterMilliseconds: [Int64] = [5_000, 30_000, 5 * 60_000, 3_600_000, 86_400_000]

    /// When an attempt that was looked at so often is looked at next, in milliseconds since 1970; nil when it needs none.
    public static func nextLook(_ facts: AttemptFacts, looks: Int, at now: JournalInstant) -> Int64? {
        guard facts.isOpen || facts.isOfflineStill else { return nil }
        return now.wall + looksAfterMilliseconds[min(max(0, looks), looksAfterMilliseconds.count - 1)]
    }

    /// Whether a look is due; one that is further off than any wait was made by a clock that ran ahead.
    public static func isDue(_ next: Int64, at now: JournalInstant) -> Bool {
        next <= now.wall || next > now.wall + (looksAfterMilliseconds.last ?? 0)
    }

    /// Whether a whole payment may be forgotten: nothing of it is open, and all of it is older than a moment.
    public static func mayPrune(_ family: [AttemptFacts], before instant: Int64) -> Bool {
        family.allSatisfy { facts in
            !facts.isOpen && !facts.isOfflineStill && facts.words.allSatisfy { $0.saidAt < instant }
                && facts.rounds.allSatisfy { $0.begunAt.wall < instant }
        }
    }
}

extension AttemptFacts.Word {
    /// When it was said: what was adopted from elsewhere was said there.
    package var saidAt: Int64 { source == .imported ? providerTime ?? at.wall : at.wall }
}

extension AttemptFacts {
    /// Whether it was approved without the issuer and nothing says yet that it was forwarded.
    var isOfflineStill: Bool {
        if case .approved(let approval)? = verdict { return approval.isOffline }
        return false
    }
}

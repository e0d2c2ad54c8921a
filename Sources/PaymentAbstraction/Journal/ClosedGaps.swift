internal import PaymentModel

// Who said that what a restore lost is imported: it belongs to no payment, and is kept like a message whose name is not known
// yet, under a name that no provider gives. Like those it goes when the journal is pruned of its time.

extension Notice {
    private static let closedGapPrefix = "gap closed by: "

    /// The mark that a person leaves who closes the gap of a restore.
    static func ofClosedGap(by person: String, at now: Attempt.Instant) -> Notice {
        let journal = ProviderIdentity(
            ProviderID(rawValue: "journal"), adapter: "journal", environment: "journal", merchant: "journal")
        var name = closedGapPrefix + person
        while name.utf8.count > Attempt.Name.bytesMax { name.removeLast() }
        return Notice("\(name) at \(now.wall)", journal, .name(name), [], nil, at: now.wall)
    }

    /// The person who closed a gap; nil for every other message.
    package var gapClosedBy: String? {
        guard case .name(let name) = subject, verdict == nil, name.hasPrefix(Self.closedGapPrefix) else { return nil }
        return String(name.dropFirst(Self.closedGapPrefix.count))
    }
}

extension JournalMaintenance {
    /// Who closed the gap of a restore, and when, in milliseconds since 1970; the oldest first.
    package func closedGaps() async throws -> [(person: String, at: Int64)] {
        var found: [(person: String, at: Int64)] = []
        try await forEachWaitingNotice { waiting in
            if let person = waiting.notice?.gapClosedBy { found.append((person, waiting.at)) }
        }
        return found
    }
}

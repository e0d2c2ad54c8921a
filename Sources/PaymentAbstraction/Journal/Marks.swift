package import PaymentModel

// Marks belong to no payment, or to none that is there, and no provider sent them. Each is kept like a message whose name is
// not known yet, under a name that no provider gives. Those that no person has to see go when the journal is pruned of their
// time.

extension String {
    /// As much of it as a name may hold.
    fileprivate var cutToName: String {
        var text = self
        while text.utf8.count > Attempt.Name.bytesMax { text.removeLast() }
        return text
    }

    /// What follows a prefix. What begins with a combining letter makes one letter of it and the space before it.
    fileprivate func rest(_ prefix: String) -> String? {
        let (scalars, first) = (unicodeScalars, prefix.unicodeScalars)
        return scalars.starts(with: first) ? String(scalars.dropFirst(first.count)) : nil
    }
}

extension Notice {
    private static let closedGapPrefix = "gap closed by: "
    private static let otherAccountPrefix = "webhooks of another account: "

    /// The mark that a person leaves who closes the gap of a restore: that what it lost is imported.
    static func ofClosedGap(by person: String, at now: Attempt.Instant) -> Notice {
        let journal = ProviderIdentity(
            ProviderID(rawValue: "journal"), adapter: "journal", environment: "journal", merchant: "journal")
        let name = (closedGapPrefix + person).cutToName
        return Notice("\(name) at \(now.wall)", journal, .name(name), [], nil, at: now.wall)
    }

    /// The mark that proven messages about another account than the configured one leave, one for each such account, and
    /// nothing of what they say.
    package static func ofOtherAccount(_ other: String, at account: ProviderIdentity) -> Notice {
        let name = (otherAccountPrefix + other).cutToName
        return Notice(name, account, .name(name), [], nil, at: nil)
    }

    /// The name of a message that says nothing; nil for every message that a provider sent.
    private var ownName: String? { if case .name(let name) = subject, verdict == nil { name } else { nil } }

    /// The person who closed a gap; nil for every other message.
    package var gapClosedBy: String? { ownName?.rest(Self.closedGapPrefix) }

    /// The other account that it is a mark of; nil for every message that says something.
    package var otherAccount: String? { ownName?.rest(Self.otherAccountPrefix) }
}

/// What a person has to look at and nothing else in the journal shows: the client that takes the message may have no
/// subscriber. It is kept like a message whose name is not known yet, under a name that no provider gives, once for each
/// thing, and until a person says that it is seen.
package enum PersonMark: Hashable, Sendable {
    /// A proven message is about a payment that was pruned, which the message calls so.
    case pruned(String)
    /// A proven message says that money of a payment moved, and no rule books it; what the message calls the movement.
    case unbooked(PaymentID, String)
    /// A message that proves nothing is about chargebacks; on which day it came, counted since 1970. Strangers can send
    /// any number of them, so that one a day is kept for each account.
    case chargebacks(day: Int64)

    private static let prunedPrefix = "message of a pruned payment: "
    private static let unbookedPrefix = "message that is not booked: "
    private static let chargebacksPrefix = "chargebacks of day: "
    /// How long a day is, in milliseconds.
    package static let dayMilliseconds: Int64 = 86_400_000

    /// Whether the provider said it, and no stranger.
    package var isProven: Bool { if case .chargebacks = self { false } else { true } }

    /// The payment that it is about, where the journal has it.
    package var payment: PaymentID? { if case .unbooked(let payment, _) = self { payment } else { nil } }

    fileprivate var text: String {
        switch self {
        case .pruned(let name): (Self.prunedPrefix + name).cutToName
        case .unbooked(let payment, let name): "\(Self.unbookedPrefix)\(payment.attempt.text) \(name)".cutToName
        case .chargebacks(let day): "\(Self.chargebacksPrefix)\(day)"
        }
    }

    fileprivate init?(_ text: String) {
        if let name = text.rest(Self.prunedPrefix) {
            self = .pruned(name)
        } else if let both = text.rest(Self.unbookedPrefix)?.unicodeScalars, let space = both.firstIndex(of: " "),
            let id = try? AttemptID(String(both[..<space]))
        {
            self = .unbooked(PaymentID(id), String(both[both.index(after: space)...]))
        } else if let day = text.rest(Self.chargebacksPrefix).flatMap({ Int64($0) }) {
            self = .chargebacks(day: day)
        } else {
            return nil
        }
    }
}

extension Notice {
    private static let seenPrefix = "seen: "

    /// The message as which a mark is kept.
    package static func of(_ mark: PersonMark, at account: ProviderIdentity) -> Notice {
        Notice(mark.text, account, .name(mark.text), [], nil, at: nil)
    }

    /// What a person says who has seen a mark: the mark goes.
    package static func ofSeen(_ mark: PersonMark, at account: ProviderIdentity) -> Notice {
        Notice(seenPrefix + mark.text, account, .name(mark.text), [], nil, at: nil)
    }

    /// A name for a mark, with the kind of the message beside it, which its id begins with: one about the same that says
    /// something else is another mark.
    package func marked(_ name: String) -> String {
        guard let end = id.firstIndex(of: " ") else { return name }
        return [name, String(id[..<end]), verdict?.isDecline == true ? "failed" : ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// The mark that it is; nil for every message that a provider sent.
    package var mark: PersonMark? {
        ownName.flatMap { id == $0 ? PersonMark($0) : nil }
    }

    /// The mark that a person has seen.
    var seenMark: PersonMark? {
        ownName.flatMap { id == Self.seenPrefix + $0 ? PersonMark($0) : nil }
    }
}

/// A mark, as a journal has it.
package struct KeptMark: Hashable, Sendable {
    package let mark: PersonMark
    /// The account whose message left it.
    package let account: ProviderIdentity
    /// When it was left, in milliseconds since 1970.
    package let at: Int64
    /// Its number among the messages that wait.
    package let number: Int64

    init?(_ waiting: StoredNotice) {
        guard let notice = waiting.notice, let mark = notice.mark else { return nil }
        (self.mark, account, at, number) = (mark, notice.account, waiting.at, waiting.number)
    }

    /// Whether a person can end it at a time, in milliseconds since 1970: of a day that is not over another list of chargebacks
    /// may come, which leaves no mark.
    package func canEnd(at now: Int64) -> Bool {
        if case .chargebacks(let day) = mark { day < now / PersonMark.dayMilliseconds } else { true }
    }
}

extension JournalMaintenance {
    /// What is made of the messages that wait, the oldest first.
    private func waiting<Mark>(_ mark: (StoredNotice) -> Mark?) async throws -> [Mark] {
        var found: [Mark] = []
        try await forEachWaitingNotice { if let mark = mark($0) { found.append(mark) } }
        return found
    }

    /// Who closed the gap of a restore, and when, in milliseconds since 1970; the oldest first.
    package func closedGaps() async throws -> [(person: String, at: Int64)] {
        try await waiting { waiting in waiting.notice?.gapClosedBy.map { ($0, waiting.at) } }
    }

    /// Which other accounts proven messages were about that came to a configured account, with the time of the first one.
    package func otherAccounts(of account: ProviderIdentity) async throws -> [(account: String, since: Int64)] {
        try await waiting { waiting in
            guard let notice = waiting.notice, notice.account.isExactly(account) else { return nil }
            return notice.otherAccount.map { ($0, waiting.at) }
        }
    }

    /// What a person has to look at, the oldest first.
    package func marks() async throws -> [KeptMark] { try await waiting { KeptMark($0) } }

    /// Ends marks that a person has seen.
    ///
    /// - Returns: Those that can't be ended yet, and stay.
    package func end(_ marks: [KeptMark], at now: Attempt.Instant) async throws(JournalFailure) -> [KeptMark] {
        for mark in marks where mark.canEnd(at: now.wall) {
            let seen = JournalEntry(.notice(.ofSeen(mark.mark, at: mark.account)))
            _ = try await write(seen, WriteID("seen-\(mark.number)-\(now.wall)"), at: now)
        }
        return marks.filter { !$0.canEnd(at: now.wall) }
    }
}

package import PaymentModel

// Proven messages about another account than the configured one leave one mark for each such account, and nothing of what
// they say: it is kept like a message whose name is not known yet, under a name that no provider gives.

extension Notice {
    private static let otherAccountPrefix = "webhooks of another account: "

    /// The mark that messages about another account leave.
    package static func ofOtherAccount(_ other: String, at account: ProviderIdentity) -> Notice {
        var name = otherAccountPrefix + other
        while name.utf8.count > Attempt.Name.bytesMax { name.removeLast() }
        return Notice(name, account, .name(name), [], nil, at: nil)
    }

    /// The other account that it is a mark of; nil for every message that says something.
    package var otherAccount: String? {
        guard case .name(let name) = subject, verdict == nil, name.hasPrefix(Self.otherAccountPrefix) else {
            return nil
        }
        return String(name.dropFirst(Self.otherAccountPrefix.count))
    }
}

extension JournalMaintenance {
    /// Which other accounts proven messages were about that came to a configured account, with the time of the first one.
    package func otherAccounts(
        of account: ProviderIdentity
    ) async throws -> [(account: String, since: Int64)] {
        var found: [(account: String, since: Int64)] = []
        try await forEachWaitingNotice { waiting in
            guard let notice = waiting.notice, notice.account.isExactly(account), let other = notice.otherAccount else {
                return
            }
            found.append((other, waiting.at))
        }
        return found
    }
}

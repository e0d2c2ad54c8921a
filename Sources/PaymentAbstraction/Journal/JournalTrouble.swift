package import PaymentBase

/// How the words of a store's failure begin where a program can do something about the cause.
///
/// A store's failure is a text, because what is raised must hold nothing of what is stored. A store that writes its text with
/// these words lets the client name the cause.
package enum JournalTrouble: String, CaseIterable, Sendable {
    /// No room is left for the journal.
    case diskFull = "the disk or the file is full"
    /// Another process holds the journal.
    case locked = "another process holds the file for too long"
    /// This user may not write.
    case notWritable = "the file can't be written"
    /// What is stored is damaged.
    case damaged = "the file is damaged"
    /// It is no journal.
    case notJournal = "the file is no journal"

    /// The cause, for programs.
    package var cause: FailureDiagnosis.Cause {
        switch self {
        case .diskFull: .diskFull
        case .locked: .journalLocked
        case .notWritable: .journalNotWritable
        case .damaged, .notJournal: .journalUnusable
        }
    }

    /// The trouble that a text begins with; nil for any other text.
    package init?(_ words: String) {
        guard let found = Self.allCases.first(where: { words.hasPrefix($0.rawValue) }) else { return nil }
        self = found
    }
}

extension JournalFailure {
    /// The cause, for programs; a failure of another kind makes the journal unusable.
    package var cause: FailureDiagnosis.Cause { JournalTrouble(words)?.cause ?? .journalUnusable }
}

/// How a commit fails in a test: before it was made, or after it.
package enum CommitFault: String, Sendable, CaseIterable { case lost, unconfirmed }

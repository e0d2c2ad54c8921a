/// Something that a journal holds, as every store writes it, so that another store can hold the same.
package enum JournalPiece: Hashable, Sendable {
    /// Which pieces belong together; each kind is copied whole before the next one.
    package enum Kind: CaseIterable, Sendable { case attempts, answers, notices, events, forgotten }

    /// What one write appended to an attempt.
    package struct Entry: Hashable, Sendable {
        /// The write's name.
        package let write: String
        /// Whether the same write again is answered with the attempt.
        package let isAnswer: Bool
        /// When it was made, in milliseconds since 1970.
        package let at: Int64
        /// The facts, by ``FactCodec``.
        package let facts: [UInt8]

        package init(write: String, isAnswer: Bool, at: Int64, facts: [UInt8]) {
            (self.write, self.isAnswer, self.at, self.facts) = (write, isAnswer, at, facts)
        }
    }

    /// A name that leads to what was forgotten.
    package struct Name: Hashable, Sendable {
        /// Whose name it is, by ``FactCodec``.
        package let account: String
        /// The name.
        package let value: String

        package init(account: String, value: String) { (self.account, self.value) = (account, value) }
    }

    /// An attempt: its place among the others, its entries in order, and when it is looked at.
    case attempt(seq: Int64, [Entry], looks: Int64, nextLook: Int64?)
    /// An answer that says more than that something was written, or belongs to no attempt.
    case answer(write: String, at: Int64, body: [UInt8])
    /// A message that waits for a name.
    case notice(account: String, value: String, at: Int64, body: [UInt8])
    /// Steps of a payment's timeline.
    case event(scope: String, payment: String, at: Int64, body: [UInt8])
    /// An attempt that was pruned: its id stays taken, and so do its names.
    case forgotten(seq: Int64, scope: String, id: String, [Name])
}

extension JournalPiece {
    /// The facts of an attempt.
    ///
    /// - Throws: `FactCodec.Unreadable` where they are none.
    package static func facts(_ entries: [Entry]) throws -> AttemptFacts {
        guard let facts = AttemptFacts(try entries.flatMap { try FactCodec.facts($0.facts) }) else {
            throw FactCodec.Unreadable()
        }
        return facts
    }

    /// The facts of each entry, one by one.
    package static func list(_ entries: [Entry]) throws -> [JournalFact] {
        try entries.flatMap { try FactCodec.facts($0.facts) }
    }
}

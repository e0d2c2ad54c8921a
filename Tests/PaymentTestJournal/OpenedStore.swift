package import PaymentAbstraction

/// A journal that lives beyond its process, opened by one: what is tried under crashes and races, whatever keeps it.
public struct OpenedStore: Sendable {
    /// The journal.
    package let journal: any Journal
    /// Returns when a process that died is known to be gone.
    public let awaitDeath: @Sendable (String) async throws -> Void
    /// Reads everything again; gives what is wrong.
    public let problems: @Sendable () async throws -> [String]
    /// Closes it.
    public let close: @Sendable () async -> Void

    /// Takes a journal and what is done with it.
    package init(
        _ journal: any Journal,
        awaitDeath: @escaping @Sendable (String) async throws -> Void = { _ in },
        problems: @escaping @Sendable () async throws -> [String], close: @escaping @Sendable () async -> Void
    ) {
        (self.journal, self.awaitDeath, self.problems, self.close) = (journal, awaitDeath, problems, close)
    }
}

/// Where such a journal is, for this process and for its children.
public struct StorePlace: Sendable {
    /// The one word by which a child finds it.
    public let word: String
    /// Opens it as a process of a name.
    public let open: @Sendable (String) async throws -> OpenedStore

    /// Takes a word for children, and how this process opens it.
    public init(_ word: String, open: @escaping @Sendable (String) async throws -> OpenedStore) {
        (self.word, self.open) = (word, open)
    }
}

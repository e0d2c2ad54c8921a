public import PaymentAbstraction
public import PaymentProviderKit
public import Payments

extension Journals {
    /// One in a PostgreSQL database, which many machines share; its tables are made by `payctl journal init`.
    ///
    /// - Throws: `journal`, nothing moved: why the database can't be one, and what to do.
    public static func postgres(_ options: PostgresJournal.Options) async throws(PaymentError) -> JournalStore {
        JournalStore(try await PostgresJournal.open(options))
    }
}

extension JournalFactory {
    /// Opens journals of the kind `postgres`.
    public static let postgres = JournalFactory(.postgres) { choice, secrets throws(PaymentError) in
        try await Journals.postgres(try await PostgresJournal.Options(choice, secrets))
    }
}

extension PostgresJournal.Options {
    /// What a configuration says.
    ///
    /// - Throws: `configuration`, nothing moved, when its reference leads nowhere.
    public init(_ choice: JournalConfiguration, _ secrets: any SecretResolver) async throws(PaymentError) {
        guard let reference = choice.connection else {
            throw PaymentError.notExecuted(
                .configuration, "journal.connection: a postgres journal needs a reference to its connection string")
        }
        do { self.init(connection: try await reference.follow(secrets)) } catch {
            throw PaymentError.notExecuted(
                .configuration, "journal.connection: \(reference): \(error.problem). \(error.advice)")
        }
        if let schema = choice.schema { self.schema = schema }
        if let durability = choice.durability { self.durability = durability }
    }
}

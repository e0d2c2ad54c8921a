package import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit

extension PostgresJournal {
    /// Where a journal is, and how it is used.
    public struct Options: Sendable {
        /// What libpq calls a connection string, as `host=db1,db2 dbname=shop user=till`; with several hosts, the one that
        /// can be written to is found. It may hold a password, and is shown nowhere. It alone decides where the password
        /// goes and how it is protected: no environment variable of libpq's does, and `service` is refused.
        public var connection: Secret
        /// The schema in which the tables are, of small letters, digits and underscores.
        public var schema = "payments"
        /// What it takes for an acknowledged write to be safe.
        public var durability = JournalConfiguration.Durability.standby
        /// For how long a process that gives no sign is taken to be alive. It opens no send itself after half of it.
        public var lease = Duration.seconds(15)
        /// The name of this process in the journal, of letters, digits and hyphens, that none ever had; nil for one that is
        /// made.
        public var owner: String?
        /// How long a call waits for a database that can't be reached.
        public var outageTimeout = Duration.seconds(10)

        /// How a commit fails in a test.
        package var commitFault: (@Sendable () -> CommitFault?)?
        /// By which this process knows how long it gave no sign of life.
        package var clock: any PaymentClock = SystemClock()
        /// Which processes are alive, in a test that has its own; nil for what the database tells.
        package var processes: (any ProcessRegistry)?
        /// How many connections write.
        package var writersCount = 2

        /// Uses the journal of a database.
        public init(connection: Secret) { self.connection = connection }
    }
}

internal import PaymentJournalKit
internal import PaymentModel

/// Why a database can't be used as a journal.
enum PostgresOpenError: Error, Hashable {
    /// What was given is no connection string.
    case badConnection
    /// The server's certificate would not be verified.
    case notVerified(String)
    /// The connection string leaves it to a file where the database is, by this option.
    case service(String)
    /// The name of the schema isn't plain.
    case badSchema
    /// These roles may make something in the schema; one without a name is every role.
    case openSchema(String, [String])
    /// Other roles have made something in the schema before the journal.
    case foreignObjects(String)
    /// Any user of this machine can make a socket there.
    case openSocket(String)
    /// It can't be reached, in words.
    case unreachable(String)
    /// The server is older than what the journal needs.
    case oldServer(Int)
    /// The database keeps texts not in UTF-8.
    case encoding(String)
    /// There is no journal in the schema.
    case noJournal(String)
    /// The journal has another format than the one that this software reads and writes.
    case otherVersion(schema: String, found: Int64, known: Int64)
    /// The role may not do something that is needed.
    case missingRights([String])
    /// No server but the primary has what was acknowledged.
    case noStandby
    /// The server acknowledges before its disk has it.
    case notDurable(String)
    /// Statements of one connection reach different servers' processes.
    case pooled
    /// The clocks are too far apart.
    case clock(Int64)
    /// It continues elsewhere.
    case moved
    /// There is no further generation of numbers.
    case noNumbers
    /// No thread could be made for it.
    case noThread

    var words: String {
        switch self {
        case .badConnection:
            "it is no connection string of PostgreSQL, such as host=db1,db2 dbname=shop user=payments. In an address, write / "
                + "and @ of a password as %2F and %40"
        case .notVerified(let mode):
            "sslmode=\(mode) doesn't verify who the server is; over a network it has to be verify-full"
        case .service(let option):
            "the connection string has the option \(option), by which a file would decide where the password goes; write "
                + "host, port and dbname into the connection string itself"
        case .badSchema: "the schema's name has to be of small letters, digits and underscores, beginning with a letter"
        case .openSchema(let schema, let roles):
            Self.creators(roles)
                + " may create in the schema \(schema), and what they create there could be taken for the journal's. Run "
                + "REVOKE CREATE ON SCHEMA \(schema) FROM "
                + roles.map { $0.isEmpty ? "PUBLIC" : QuotedText.name($0) }.joined(
                    separator: ", ")
        case .foreignObjects(let schema):
            "other roles have made something in the schema \(schema), and it could be taken for the journal's. Give the "
                + "journal an empty schema of its own"
        case .openSocket(let place):
            "any user of this machine can make a socket in \(place) and would be sent the password. Add the option "
                + "requirepeer with the user that the server runs as, such as requirepeer=postgres, or use a folder that "
                + "only the server's user can write to"
        case .unreachable(let words): "the database can't be reached: \(words)"
        case .oldServer(let version): "the server is PostgreSQL \(version / 10_000); the journal needs 14 or later"
        case .encoding(let name): "the database's encoding is \(name); make one with UTF8"
        case .noJournal(let schema):
            "there is no journal in the schema \(schema); make it with payctl journal init, as a role that may"
        case .otherVersion(let schema, let found, let known):
            "the schema \(schema) holds a journal of format \(found), and this software reads and writes format \(known). It "
                + "was left as it is. "
                + (found > known
                    ? "Use the newer software"
                    : "Use the software that wrote it, or name another schema, make a journal there with payctl journal "
                        + "init and import every payment before its first sale (payctl journal import): what is not "
                        + "imported can be charged or refunded again")
        case .missingRights(let rights): "the role lacks rights: \(rights.joined(separator: ", "))"
        case .noStandby:
            "the server has no synchronous standby, so that what was acknowledged can be lost with it; set "
                + "synchronous_standby_names, or say durability local to live with that"
        case .notDurable(let name):
            "the server's setting \(name) is off: what was acknowledged can be lost when the power fails"
        case .pooled:
            "a pooler shares connections between transactions; locks don't hold there. Connect to the server itself, or "
                + "pool by session"
        case .clock(let milliseconds):
            "this machine's clock and the server's are \(milliseconds) ms apart; set them, for instance with NTP"
        case .moved: PostgresStoreError.movedWords
        case .noNumbers: "there are no numbers left"
        case .noThread: "the system has no thread left for it"
        }
    }

    private static func creators(_ roles: [String]) -> String {
        if roles.contains("") { return "every role" }
        return "\(roles.count == 1 ? "the role" : "the roles") \(roles.joined(separator: ", "))"
    }
}

/// Why one entry of a batch can't be written, or a question can't be answered, though the database works.
enum PostgresStoreError: Error, Hashable {
    /// Entries of a payment are missing, aren't what was written, or newer software has written them.
    case unreadable(AttemptID?)
    /// A row that belongs to no payment isn't what was written.
    case damagedRow
    /// The attempt is gone; its id and its names stay taken.
    case forgotten(AttemptID)
    /// It was restored or copied, or lacks what was acknowledged, and no person has said what becomes of what was lost.
    case restored
    /// The journal continues elsewhere, and a person has said so for good.
    case moved

    static let restoredWords =
        "the journal was restored or copied from another one, or the server lacks what was written last; what was done "
        + "since may be missing. Compare with the provider, then accept it as it is (payctl journal accept-restored)"
    static let movedWords =
        "the journal was moved (payctl journal copy --move) and continues in another one; take new payments there"
    static let busyWords = "other processes write the same all the time; try again"

    /// What it means for the caller.
    var meaning: JournalFailure {
        switch self {
        case .unreadable(let id): .unreadable(id.map { PaymentID($0) })
        case .damagedRow: .notWritten("a row is damaged; run a check of the journal, and restore a backup")
        case .forgotten(let id): .pruned(id)
        case .restored: .notWritten(Self.restoredWords)
        case .moved: .notWritten(Self.movedWords)
        }
    }
}

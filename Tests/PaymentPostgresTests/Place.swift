import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// An empty journal in a schema of its own, on the server that all tests share.
struct Place {
    let server: PostgresServer
    var options: PostgresJournal.Options

    init() async throws {
        server = try #require(PostgresServer.shared)
        options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.schema, options.durability) = (server.freshSchema(), .local)
        _ = try await Self.explaining { [options] in try await PostgresJournal.prepare(options) }
    }

    /// Opens the journal; as a process of a name, if one is given.
    func open(_ owner: String? = nil, _ change: (inout PostgresJournal.Options) -> Void = { _ in }) async throws
        -> PostgresJournal
    {
        var options = options
        options.owner = owner
        change(&options)
        return try await Self.explaining { [options] in try await PostgresJournal.open(options) }
    }

    /// Shows what an error says, which it keeps to itself when it is printed.
    private static func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as PaymentError {
            throw JournalViolation(error.detail)
        }
    }
}

extension Place {
    /// Everything that is wrong with the journal: every payment is read again, and every row that is computed from it compared.
    static func problems(_ journal: any JournalMaintenance) async throws -> [String] {
        try await journal.check(at: JournalTestWriter.at(0)).problems.map { "\($0)" }
    }
}

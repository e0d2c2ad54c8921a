import PaymentAbstraction
import PaymentPostgres

/// A sale as the journal writes it, for pgbench: the same statements with values of the same size, two transactions.
enum PgbenchScript {
    private static let account = "'{\"adapter\":\"memory\"}'"

    /// As many bytes as the facts of a beginning and of an end have.
    private static func bytes(_ facts: ArraySlice<JournalFact>) -> String {
        "repeat('b', \(FactCodec.bytes(Array(facts)).count))::bytea"
    }

    static func sale() throws -> String {
        let facts = try JournalWork.filled(0)
        // The intent, the round and the send; then what is known of them.
        let (beginning, end) = (bytes(facts[..<3]), bytes(facts[3...]))
        let id = "'a-' || :r"
        return """
            \\set r random(1, 9000000000000000)
            BEGIN;
            \(lock(2))
            \(text(.answered, ["ARRAY['b-' || :r]"]))
            \(text(.byKey, ["ARRAY['']", "ARRAY[\(id)]"]))
            \(text(.forgotten, ["ARRAY['']", "ARRAY[\(id)]"]))
            \(text(.blocking, ["ARRAY['']", "ARRAY['order-' || :r]"]))
            \(text(.fitness, ["0"]))
            SELECT nextval('attempt_seq') AS seq \\gset
            \(text(.insertAttempts, ["ARRAY[:seq]", "ARRAY['']", "ARRAY[\(id)]", "ARRAY[\(id)]", "ARRAY[true]", "ARRAY['order-' || :r]", "ARRAY[false]"]))
            \(text(.insertEntries, ["ARRAY[:seq]", "ARRAY[1]", "ARRAY['b-' || :r]", "ARRAY[true]", "ARRAY[1]", "ARRAY[\(beginning)]"]))
            \(text(.insertLive, ["ARRAY[:seq]", "ARRAY['']", "ARRAY[\(account)]", "ARRAY[true]", "ARRAY[true]", "ARRAY[true]", "ARRAY[0]", "ARRAY[5000]"]))
            COMMIT;
            BEGIN;
            \(lock(2))
            \(text(.answered, ["ARRAY['c-' || :r]"]))
            \(text(.byKey, ["ARRAY['', '']", "ARRAY[\(id), \(id)]"]))
            \(text(.forgotten, ["ARRAY['']", "ARRAY[\(id)]"]))
            \(text(.holders, ["ARRAY[\(account)]", "ARRAY['n-' || :r]"]))
            \(text(.forgottenHolders, ["ARRAY[\(account)]", "ARRAY['n-' || :r]"]))
            \(text(.notices, ["ARRAY[\(account)]", "ARRAY['n-' || :r]"]))
            \(text(.insertEntries, ["ARRAY[:seq]", "ARRAY[2]", "ARRAY['c-' || :r]", "ARRAY[true]", "ARRAY[1]", "ARRAY[\(end)]"]))
            \(text(.deleteLive, ["ARRAY[:seq]"]))
            \(text(.insertNames, ["ARRAY[\(account)]", "ARRAY['n-' || :r]", "ARRAY[:seq]"]))
            COMMIT;

            """
    }

    private static func lock(_ count: Int) -> String {
        let keys = (0..<count).map { "(:r)::bigint + \($0)" }.joined(separator: ", ")
        return text(.lock, ["ARRAY[\(keys)]"])
    }

    /// A statement with expressions in the place of its values.
    private static func text(_ statement: PostgresStatement, _ values: [String]) -> String {
        var sql = statement.sql
        for (place, value) in values.enumerated().reversed() { sql = sql.replacing("$\(place + 1)", with: value) }
        return sql + ";"
    }
}

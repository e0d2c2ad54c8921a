/// A statement by its name and its text; the server prepares it once for each connection.
struct PostgresStatement: Hashable, Sendable {
    let name: String
    let sql: String

    init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}

/// A statement with its values.
struct PostgresCall: Sendable {
    let statement: PostgresStatement
    let values: [PostgresValue]

    init(_ statement: PostgresStatement, _ values: [PostgresValue] = []) {
        (self.statement, self.values) = (statement, values)
    }
}

/// A statement by its name and its text; the server prepares it once for each connection.
package struct PostgresStatement: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The text, with its values as $1, $2 and so on.
    package let sql: String

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

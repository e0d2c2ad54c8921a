internal import PaymentBase

/// For what a role of the database is meant. Each may do what it needs, and no more.
package enum PostgresRole: String, CaseIterable, Sendable {
    /// Takes payments and gives them back: adds entries and changes none.
    case till
    /// Also lets a journal that came from a backup begin attempts again, and closes its gap.
    case office
    /// Also forgets payments that were decided long ago.
    case pruning
    /// Owns the schema: makes the tables, copies journals, and can change everything.
    case owner

    /// What it is for, in a sentence.
    package var purpose: String {
        switch self {
        case .till: "takes payments and gives them back; adds entries, and changes and removes none"
        case .office: "does what a till does, and accepts a journal that came from a backup"
        case .pruning: "does what a till does, and forgets payments that were decided (journal prune)"
        case .owner: "makes the tables (journal init), fills them from another journal, and can change everything"
        }
    }

    /// Whether a schema can be a journal's: only what needs no quotes is taken.
    package static func isSchema(_ name: String) -> Bool { PostgresOpening.isSchema(name) }

    /// The statements by which the owner of a schema gives a role of this name its rights; the role is there.
    ///
    /// A role that has more rights than these keeps them: take a role that has none.
    package func grants(to name: String, schema: String) -> [String] {
        let role = QuotedText.name(name)
        func grant(_ rights: [String], _ table: String) -> String {
            "GRANT \(rights.joined(separator: ", ")) ON \(schema).\(table) TO \(role);"
        }
        if self == .owner { return ["CREATE SCHEMA IF NOT EXISTS \(schema) AUTHORIZATION \(role);"] }
        let usual =
            [
                "GRANT USAGE ON SCHEMA \(schema) TO \(role);",
                "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role);",
            ]
            + PostgresSchema.rights.map { grant($0.rights, $0.table) } + [grant(["UPDATE (value)"], "counter")]
        return switch self {
        case .till, .owner: usual
        case .office: usual + [grant(["UPDATE"], "counter")]
        case .pruning:
            usual + ["entry", "attempt", "name", "reference"].map { grant(["DELETE"], $0) }
                + [grant(["INSERT"], "forgotten")]
        }
    }
}

/// What a place of a statement can hold.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func text(orNull text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func integer(orNull number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
    static func flag(_ holds: Bool) -> SQLiteValue { .integer(holds ? 1 : 0) }
}

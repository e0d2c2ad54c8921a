/// How data is written on standard output.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, json
}

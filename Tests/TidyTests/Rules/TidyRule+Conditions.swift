extension TidyRule {
    /// The forms in which sources may ask for a system: in each, the check of phones compiles the part that a phone gets.
    private static let conditionForms: Set<String> = [
        "#if os(Linux) && !APPLE_CHECK", "#if os(iOS) || APPLE_CHECK",
    ]
    /// Modules by whose presence only the module for the system's C library may decide.
    private static let systemNames = ["Glibc", "Musl", "CLinux", "CCurl"]

    /// What a phone compiles, its check compiles, too: a condition that is always true or always false on Linux hides code from it.
    static let conditions = TidyRule("conditions that the check of phones knows", for: \.isSource) { file in
        file.lines.enumerated().compactMap { index, line in
            let text = String(line.trimmingPrefix { $0 == " " })
            guard text.hasPrefix("#if") || text.hasPrefix("#elseif") else { return nil }
            if text.contains("os("), !conditionForms.contains(text) {
                return (index + 1, "\(text): write \(conditionForms.sorted().joined(separator: " or "))")
            }
            let isSystem = file.path.hasPrefix("Sources/\(ImportTable.systemModule)/")
            guard !isSystem, let name = systemNames.first(where: { text.contains("canImport(\($0))") }) else {
                return nil
            }
            return (index + 1, "it asks for \(name): \(ImportTable.systemModule) does that for all")
        }
    }
}

extension TidyRule {
    /// Imports point one way.
    static let imports = TidyRule("imports follow the table", for: \.isSource) { file in
        let target = file.target ?? ""
        guard let row = ImportTable.rows[target] else {
            return [(1, "the target \"\(target)\" is not in the import table")]
        }
        return Import.all(in: file.tokens).compactMap { item in
            let isKnownElsewhere =
                ImportTable.platform.contains(item.module) || ImportTable.foundation.contains(item.module)
            if isKnownElsewhere || item.module == ImportTable.standardLibrary || row.modules.contains(item.module) {
                return nil
            }
            if row.scoped.contains(item.module) {
                return item.isScoped ? nil : (item.line, "\(item.module) is imported whole; name what is needed")
            }
            return (item.line, "\(target) may not import \(item.module)")
        }
    }

    /// Foundation and the system's C library stay where they are allowed.
    static let platform = TidyRule("Foundation and the C library only where allowed", for: \.isSource) { file in
        let row = ImportTable.rows[file.target ?? ""]
        let isPlatformAllowed = row?.platformPaths.contains { file.path.hasPrefix($0) } ?? false
        return Import.all(in: file.tokens).compactMap { item in
            if ImportTable.platform.contains(item.module), !isPlatformAllowed {
                return (item.line, "\(item.module) may not be imported in this file")
            }
            let isOurs = [item.module, file.target].contains(ImportTable.systemModule)
            if ImportTable.platform.contains(item.module), !isOurs {
                return (item.line, "\(item.module) is imported as \(ImportTable.systemModule)")
            }
            if ImportTable.foundation.contains(item.module), row?.isFoundationAllowed != true {
                return (item.line, "\(item.module) may not be imported in this target")
            }
            return nil
        }
    }

    /// The manifest and the table know every target.
    static let targets = TidyRule("every target is in the manifest", for: { $0.target != nil }) { file in
        unknownTarget(file, manifest: Repository.manifest)
    }

    /// Says which target of Sources the manifest or the table doesn't know.
    static func unknownTarget(_ file: SourceFile, manifest: String) -> [(line: Int, problem: String)] {
        guard let target = file.target else { return [] }
        var problems: [(line: Int, problem: String)] = []
        let name = target.hasSuffix("Provider") ? String(target.dropLast("Provider".count)) : target
        if !manifest.contains("\"\(name)\"") { problems.append((1, "Package.swift has no target \"\(target)\"")) }
        if ImportTable.rows[target] == nil, !ImportTable.cTargets.contains(target) {
            problems.append((1, "the import table has no target \"\(target)\""))
        }
        return problems
    }
}

/// One import declaration.
struct Import: Hashable {
    let module: String
    let isScoped: Bool
    let line: Int

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]

    /// Every import of a file.
    static func all(in tokens: [Token]) -> [Import] {
        tokens.indices.compactMap { index in
            let isMember = index > 0 && tokens[index - 1].text == "."
            guard tokens[index].text == "import", !isMember, index + 1 < tokens.count else { return nil }
            let isScoped = kinds.contains(tokens[index + 1].text)
            let place = isScoped ? index + 2 : index + 1
            guard place < tokens.count, tokens[place].isWord else { return nil }
            return Import(module: tokens[place].text, isScoped: isScoped, line: tokens[index].line)
        }
    }
}

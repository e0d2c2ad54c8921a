internal import PaymentAbstraction
internal import PaymentBase

/// One reading of one file: goes through all of it and notes every problem on the way.
struct ConfigurationScan {
    let registry: ProviderRegistry
    var problems: ConfigurationProblems

    /// Reads the whole; nil, with the reason among the problems, when it can't be had.
    mutating func configuration(_ node: ConfigurationNode) -> PaymentConfiguration? {
        guard let root = object(node, "", ConfigurationShape.root) else { return nil }
        let providers = self.providers(root["providers"])
        let names = Names(root["providers"])
        let active = root["active"].flatMap { name($0, "active", names) }
        let draining = self.draining(root["draining"], names, active)
        let rules = routes(root["routes"], names, draining, providers)
        let journal = self.journal(root["journal"])
        let deadline = root["deadlineMilliseconds"].flatMap { node -> Int64? in
            let bounds = ConfigurationShape.deadlineMilliseconds
            return integer(node, "deadlineMilliseconds", bounds, .milliseconds(bounds))
        }
        guard let active, let journal else { return nil }
        var routing = Routing(active: active)
        (routing.rules, routing.draining) = (rules, Set(draining))
        return PaymentConfiguration(
            file: problems.file, providers: providers, routing: routing, journal: journal,
            deadlineMilliseconds: deadline)
    }

    /// The names of all providers, also of those with problems; nil when the list itself is not there.
    struct Names {
        let all: [String]
        /// Whether the list is there, so that a name can be said not to be in it.
        let isKnown: Bool

        init(_ node: ConfigurationNode?) {
            guard case .object(let members)? = node?.value else {
                (all, isKnown) = ([], false)
                return
            }
            all = members.map(\.key).filter { !ConfigurationShape.isComment($0) }
            isKnown = true
        }
    }

    /// Reads the name of a provider that has to be there.
    mutating func name(_ node: ConfigurationNode, _ path: String, _ names: Names) -> ProviderID? {
        guard let text = node.text else {
            problems.add(node, path, expected: "the name of a provider, in quotes")
            return nil
        }
        if names.isKnown, !names.all.contains(text) {
            problems.add(
                node, path, expected: names.all.isEmpty ? "a provider" : Shown.choices(names.all),
                advice(near: text, names.all, otherwise: "Name a member of \"providers\", or add one of this name."))
            return nil
        }
        return ProviderID(rawValue: text)
    }

    private mutating func draining(
        _ node: ConfigurationNode?, _ names: Names, _ active: ProviderID?
    ) -> [ProviderID] {
        guard let node, let nodes = list(node, "draining", of: "names of providers") else { return [] }
        var draining: [ProviderID] = []
        for (index, item) in nodes.enumerated() {
            let path = "draining[\(index)]"
            guard let id = name(item, path, names) else { continue }
            if id == active {
                problems.add(
                    item.offset, path,
                    "\(id) is the active provider, and a draining one takes nothing new. "
                        + "Make another one active, or take \(id) out of \"draining\".")
            } else if draining.contains(id) {
                problems.add(item.offset, path, "\(id) stands here twice. Remove one of them.")
                continue
            }
            draining.append(id)
        }
        return draining
    }

    private mutating func journal(_ node: ConfigurationNode?) -> JournalConfiguration? {
        guard let node, let members = object(node, "journal", ConfigurationShape.journal) else { return nil }
        let kinds = ConfigurationShape.journals
        guard let kindNode = members["kind"] else { return nil }
        guard let kind = kindNode.text.flatMap(JournalConfiguration.Kind.init(rawValue:)) else {
            problems.add(
                kindNode, "journal.kind", expected: Shown.choices(kinds),
                advice(near: kindNode.text, kinds, otherwise: ""))
            return nil
        }
        let path = members["path"].flatMap { text($0, "journal.path", ConfigurationShape.textCharactersMax) }
        var choice = JournalConfiguration(kind, path: path)
        if let node = members["connection"] { choice.connection = reference(node, "journal.connection") }
        if let node = members["schema"] { choice.schema = schema(node) }
        if let node = members["durability"] { choice.durability = durability(node) }
        let advice = "Remove this member, or choose another \"kind\"."
        for member in ["path", "connection", "schema", "durability"] where !Self.members(of: kind).contains(member) {
            guard let node = members[member] else { continue }
            problems.add(
                node.offset, "journal.\(member)",
                kind == .memory && member == "path"
                    ? "the memory journal has no file. Remove this member, or choose "
                        + "\"kind\": \"sqlite\" to keep what happened."
                    : "a journal of the kind \(kind.rawValue) has no \(member). \(advice)")
        }
        if kind == .sqlite, members["path"] == nil {
            problems.add(
                node.offset, "journal",
                "the member \"path\" is missing: the file that the journal is kept in. "
                    + "Add \"path\": \"payments.sqlite\".")
        }
        if kind == .postgres, members["connection"] == nil {
            problems.add(
                node.offset, "journal",
                "the member \"connection\" is missing: where the database's connection string is found. "
                    + "Add \"connection\": \"env:JOURNAL_URL\".")
        }
        return choice
    }

    private static func members(of kind: JournalConfiguration.Kind) -> [String] {
        switch kind {
        case .memory: []
        case .sqlite: ["path"]
        case .postgres: ["connection", "schema", "durability"]
        }
    }

    private mutating func schema(_ node: ConfigurationNode) -> String? {
        let text = node.text ?? ""
        let isPlain = text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
        if let first = text.utf8.first, (97...122).contains(first), isPlain, text.utf8.count <= 50 { return text }
        problems.add(
            node, "journal.schema",
            expected: "a name of at most 50 small letters, digits and underscores that begins with a letter")
        return nil
    }

    private mutating func durability(_ node: ConfigurationNode) -> JournalConfiguration.Durability? {
        let words = JournalConfiguration.Durability.allCases.map(\.rawValue)
        if let durability = node.text.flatMap(JournalConfiguration.Durability.init(rawValue:)) { return durability }
        problems.add(
            node, "journal.durability", expected: Shown.choices(words),
            advice(near: node.text, words, otherwise: ""))
        return nil
    }
}

extension ConfigurationScan {
    /// Reads an object: notes unknown and missing members and gives the known ones.
    mutating func object(
        _ node: ConfigurationNode, _ path: String, _ shape: [ConfigurationShape.Member]
    ) -> [String: ConfigurationNode]? {
        guard case .object(let members) = node.value else {
            problems.add(node, path, expected: "an object in braces")
            return nil
        }
        let keys = shape.map(\.key)
        var known: [String: ConfigurationNode] = [:]
        for member in members {
            if keys.contains(member.key) {
                known[member.key] = member.node
            } else if !ConfigurationShape.isComment(member.key) {
                unknown(member, path, keys)
            }
        }
        for member in shape where member.isRequired && known[member.key] == nil {
            problems.add(
                node.offset, path,
                "the member \"\(member.key)\" is missing: \(member.summary.decapitalised) "
                    + "Add \(member.example).")
        }
        return known
    }

    /// Notes a member that nobody knows.
    mutating func unknown(
        _ member: ConfigurationNode.Member, _ path: String, _ keys: [String], _ hint: String? = nil
    ) {
        let near = SpellingSuggestion.of(member.key, in: keys.filter { !ConfigurationShape.isComment($0) })
        let possible = keys.filter { !ConfigurationShape.isComment($0) }.sorted()
        let advice = hint ?? near.map { "Did you mean \"\($0)\"?" } ?? "Remove it, or let its name begin with //."
        problems.add(
            member.keyOffset, Self.path(path, member.key),
            "there is no such member here, expected \(possible.isEmpty ? "none" : Shown.choices(possible)). \(advice)")
    }

    /// Reads a list.
    mutating func list(_ node: ConfigurationNode, _ path: String, of what: String) -> [ConfigurationNode]? {
        if case .list(let nodes) = node.value { return nodes }
        problems.add(node, path, expected: "a list of \(what), in square brackets")
        return nil
    }

    /// Reads a text of one line that is not empty.
    mutating func text(_ node: ConfigurationNode, _ path: String, _ charactersMax: Int) -> String? {
        if isUnfilled(node, path) { return nil }
        if let text = node.text, !text.isEmpty, text.unicodeScalars.count <= charactersMax,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            return text
        }
        problems.add(node, path, expected: ProviderSetting.Kind.text(charactersMax: charactersMax).expected)
        return nil
    }

    /// Whether something is still to be filled in, which is then said.
    mutating func isUnfilled(_ node: ConfigurationNode, _ path: String) -> Bool {
        guard let text = node.text, text.contains(ConfigurationReader.placeholder) else { return false }
        problems.add(
            node.offset, path,
            "\(Shown.text(text)) is still to be filled in. Only you know what belongs in the place of "
                + "\(ConfigurationReader.placeholder).")
        return true
    }

    /// Reads a whole number within bounds.
    mutating func integer(
        _ node: ConfigurationNode, _ path: String, _ bounds: ClosedRange<Int64>, _ kind: ProviderSetting.Kind
    ) -> Int64? {
        if case .number(let number) = node.value, let value = number.int64, bounds.contains(value) { return value }
        let isQuoted = node.text.flatMap { Int64($0) }.map(bounds.contains) ?? false
        problems.add(node, path, expected: kind.expected, isQuoted ? "Write it without quotes." : "")
        return nil
    }

    /// What to say after a word that is none of several.
    func advice(near text: String?, _ words: [String], otherwise: String) -> String {
        text.flatMap { SpellingSuggestion.of($0, in: words) }.map { "Did you mean \"\($0)\"?" } ?? otherwise
    }

    /// A member's path.
    static func path(_ path: String, _ key: String) -> String {
        path.isEmpty ? Shown.plain(key) : "\(path).\(Shown.plain(key))"
    }
}

extension String {
    /// The same with a small first letter, to stand within a sentence.
    fileprivate var decapitalised: String { prefix(1).lowercased() + dropFirst() }
}

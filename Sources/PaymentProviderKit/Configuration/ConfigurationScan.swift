internal import PaymentBase
internal import PaymentTransport

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
            deadlineMilliseconds: deadline, registry: registry)
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

    /// Notes an unknown member.
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
    /// The same with a small first letter, to be within a sentence.
    fileprivate var decapitalised: String { prefix(1).lowercased() + dropFirst() }
}

extension ConfigurationScan {
    /// Reads a value of a kind.
    mutating func value(
        _ node: ConfigurationNode, _ path: String, _ kind: ProviderSetting.Kind, _ environment: ProviderEnvironment?
    ) -> SettingValue? {
        switch kind {
        case .text(let charactersMax): return text(node, path, charactersMax).map { .text($0) }
        case .integer(let bounds): return integer(node, path, bounds, kind).map { .integer($0) }
        case .milliseconds(let bounds): return integer(node, path, bounds, kind).map { .milliseconds($0) }
        case .boolean:
            if case .boolean(let value) = node.value { return .boolean(value) }
            let isQuoted = node.text == "true" || node.text == "false"
            problems.add(node, path, expected: kind.expected, isQuoted ? "Write it without quotes." : "")
            return nil
        case .choice(let words):
            if let text = node.text, words.contains(text) { return .text(text) }
            problems.add(node, path, expected: kind.expected, advice(near: node.text, words, otherwise: ""))
            return nil
        case .currencies: return currencies(node, path).map { .currencies($0) }
        case .origin: return origin(node, path, environment).map { .origin($0) }
        case .address: return address(node, path, environment).map { .address($0) }
        }
    }

    /// Reads a list of currencies, none of them twice.
    mutating func currencies(_ node: ConfigurationNode, _ path: String) -> [Currency]? {
        guard let nodes = list(node, path, of: "currency codes") else { return nil }
        if nodes.isEmpty { problems.add(node, path, expected: ProviderSetting.Kind.currencies.expected) }
        var currencies: [Currency] = []
        for (index, item) in nodes.enumerated() {
            guard let currency = currency(item, "\(path)[\(index)]") else { continue }
            if currencies.contains(currency) {
                problems.add(item.offset, "\(path)[\(index)]", "\(currency) stands here twice. Remove one of them.")
                continue
            }
            currencies.append(currency)
        }
        return currencies
    }

    /// Reads the code of a currency.
    mutating func currency(_ node: ConfigurationNode, _ path: String) -> Currency? {
        guard let text = node.text else {
            problems.add(node, path, expected: "a currency code of ISO 4217, like \"EUR\"")
            return nil
        }
        do { return try Currency(text) } catch {
            problems.add(node.offset, path, "\(error.detail).")
            return nil
        }
    }

    /// Reads where a provider is: scheme, host and port, and a path that goes before all of its own.
    mutating func endpoint(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> WebURL? {
        if isUnfilled(node, path) { return nil }
        guard let address = node.text.flatMap({ WebURL($0) }), Self.isSound(address.origin),
            !address.target.contains("?")
        else {
            problems.add(
                node, path, found: found(address: node),
                expected: "an address like \"https://host\", \"https://host:8443\" or \"https://host/path\"")
            return nil
        }
        guard check(address.origin, node, path, environment) else { return nil }
        var target = address.target[...]
        while target.hasSuffix("/") { target = target.dropLast() }
        return WebURL(address.origin, path: String(target))
    }

    /// Reads a scheme, a host and a port.
    mutating func origin(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> Origin? {
        if isUnfilled(node, path) { return nil }
        let expected = ProviderSetting.Kind.origin.expected
        guard let text = node.text, let origin = Origin(text), Self.isSound(origin) else {
            let isLonger = node.text.map { $0.hasPrefix("http") && !$0.contains("@") } ?? false
            problems.add(
                node, path, found: found(address: node), expected: expected,
                isLonger ? "Leave out the path; only scheme, host and port belong here." : "")
            return nil
        }
        return check(origin, node, path, environment) ? origin : nil
    }

    private mutating func address(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> WebURL? {
        if isUnfilled(node, path) { return nil }
        guard let address = node.text.flatMap({ WebURL($0) }), Self.isSound(address.origin) else {
            problems.add(node, path, found: found(address: node), expected: ProviderSetting.Kind.address.expected)
            return nil
        }
        return check(address.origin, node, path, environment) ? address : nil
    }

    private mutating func check(
        _ origin: Origin, _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> Bool {
        guard origin.isPlainBeyondThisMachine, environment?.allowsPlainHTTP == false else { return true }
        problems.add(
            node, path, found: found(address: node), expected: "an address that begins with https://",
            "Credentials would travel in the clear; plain http is for this machine alone (http://127.0.0.1).")
        return false
    }

    private func found(address node: ConfigurationNode) -> String {
        node.text.map { $0.isEmpty ? "an empty text" : Shown.address($0) } ?? node.found
    }

    /// Whether a host has no characters that no host has.
    private static func isSound(_ origin: Origin) -> Bool {
        origin.host.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || "-._[]:".utf8.contains(byte)
        }
    }
}

extension ConfigurationScan {
    /// Reads the routes, in order; those with problems are left out.
    mutating func routes(
        _ node: ConfigurationNode?, _ names: Names, _ draining: [ProviderID], _ providers: [ConfiguredProvider]
    ) -> [Routing.Rule] {
        guard let node, let nodes = list(node, "routes", of: "routes") else { return [] }
        if nodes.count > ConfigurationShape.routesMax {
            problems.add(
                node.offset, "routes",
                "there are \(nodes.count) routes, and at most "
                    + "\(ConfigurationShape.routesMax) are allowed.")
        }
        var rules: [Routing.Rule] = []
        var catchesAll: Int?
        for (index, node) in nodes.prefix(ConfigurationShape.routesMax).enumerated() {
            let path = "routes[\(index)]"
            if let catchesAll {
                problems.add(
                    node.offset, path,
                    "this route is never reached: routes[\(catchesAll)] has no condition and takes "
                        + "every payment. Move that one to the end, or give it a condition.")
            }
            guard let members = object(node, path, ConfigurationShape.route) else { continue }
            let conditions = ConfigurationShape.route.map(\.key).filter { $0 != "providers" }
            if catchesAll == nil, conditions.allSatisfy({ members[$0] == nil }) { catchesAll = index }
            if let rule = route(members, path, names, draining) {
                checkCurrency(rule, members, path, providers)
                rules.append(rule)
            }
        }
        return rules
    }

    private mutating func route(
        _ members: [String: ConfigurationNode], _ path: String, _ names: Names, _ draining: [ProviderID]
    ) -> Routing.Rule? {
        var rule = Routing.Rule(takers(members["providers"], path + ".providers", names, draining))
        rule.currency = members["currency"].flatMap { currency($0, path + ".currency") }
        rule.routingLabel = members["label"].flatMap { text($0, path + ".label", ConfigurationShape.textCharactersMax) }
        if let node = members["source"] {
            let kinds = PaymentSource.Kind.allCases.map(\.rawValue)
            rule.source = node.text.flatMap(PaymentSource.Kind.init(rawValue:))
            if rule.source == nil {
                problems.add(
                    node, path + ".source", expected: Shown.choices(kinds),
                    advice(near: node.text, kinds, otherwise: ""))
            }
        }
        for key in ["least", "most"] where members["currency"] == nil {
            guard let node = members[key] else { continue }
            problems.add(
                node.offset, "\(path).\(key)",
                "an amount needs a currency. Add \"currency\": \"EUR\", or whichever "
                    + "it is, to this route.")
        }
        guard let currency = rule.currency else { return rule.providers.isEmpty ? nil : rule }
        rule.minimum = members["least"].flatMap { amount($0, path + ".least", currency) }
        rule.maximum = members["most"].flatMap { amount($0, path + ".most", currency) }
        if let least = rule.minimum, let most = rule.maximum, let node = members["most"],
            most.minorUnits < least.minorUnits
        {
            problems.add(
                node.offset, path + ".most",
                "\(most) is less than the least amount, \(least), so the route takes "
                    + "nothing. Swap the two.")
        }
        return rule.providers.isEmpty ? nil : rule
    }

    private mutating func takers(
        _ node: ConfigurationNode?, _ path: String, _ names: Names, _ draining: [ProviderID]
    ) -> [ProviderID] {
        guard let node, let nodes = list(node, path, of: "names of providers") else { return [] }
        if nodes.isEmpty {
            problems.add(node, path, expected: "at least one provider", "Name who takes these payments.")
        }
        var takers: [ProviderID] = []
        for (index, item) in nodes.enumerated() {
            let path = "\(path)[\(index)]"
            guard let id = name(item, path, names) else { continue }
            if draining.contains(id) {
                problems.add(
                    item.offset, path, "\(id) is draining and takes nothing new. Take it out of this route.")
            } else if takers.contains(id) {
                problems.add(item.offset, path, "\(id) stands here twice. Remove one of them.")
                continue
            }
            takers.append(id)
        }
        return takers
    }

    private mutating func amount(_ node: ConfigurationNode, _ path: String, _ currency: Currency) -> Money? {
        guard let text = node.text else {
            var advice = ""
            if case .number = node.value { advice = "Write amounts in quotes, so that nothing is rounded." }
            problems.add(
                node, path, expected: "an amount as text, like \"\(Money.zero(currency).decimalText)\"", advice)
            return nil
        }
        do { return try Money(text, currency) } catch {
            problems.add(node.offset, path, "\(error.detail).")
            return nil
        }
    }

    /// A provider that doesn't take the route's currency would refuse every payment of the route.
    private mutating func checkCurrency(
        _ rule: Routing.Rule, _ members: [String: ConfigurationNode], _ path: String, _ providers: [ConfiguredProvider]
    ) {
        guard let currency = rule.currency, let node = members["currency"] else { return }
        for id in rule.providers {
            guard let takes = providers.first(where: { $0.id == id })?.currencies, !takes.contains(currency) else {
                continue
            }
            let codes = takes.map(\.code).sorted().joined(separator: ", ")
            problems.add(
                node.offset, path + ".currency",
                "\(id) does not take \(currency), only \(codes). Route it elsewhere, "
                    + "or add it to providers.\(id).currencies.")
        }
    }
}

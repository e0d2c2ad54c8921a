public import PaymentAbstraction

extension ProviderRegistry {
    /// Checks the entries themselves, which are somebody's code.
    ///
    /// - Throws: `configuration`, nothing moved, when an adapter is there twice or an entry contradicts itself.
    public func check() throws(PaymentError) {
        var problems: [String] = []
        for (adapter, same) in Dictionary(grouping: entries, by: \.adapter) where same.count > 1 {
            let names = same.map(\.name).joined(separator: ", ")
            problems.append(
                "the adapter \(adapter) was added \(same.count) times (\(names)); give each its own name")
        }
        for entry in entries { problems += Self.problems(of: entry) }
        guard problems.isEmpty else {
            throw PaymentError.notExecuted(
                .configuration, "the registry of providers is wrong: \(problems.sorted().joined(separator: "; "))")
        }
    }

    private static func problems(of entry: ProviderDefinition) -> [String] {
        let name = entry.adapter
        var problems: [String] = []
        if !ProviderName.isGood(name) { problems.append("the adapter's name \(Shown.text(name)) \(ProviderName.rule)") }
        if entry.environments.isEmpty { problems.append("\(name) has no environment") }
        let lists = [
            ("environment", entry.environments.map(\.name)), ("setting", entry.settings.map(\.key)),
            ("credential", entry.credentials.map(\.key)),
        ]
        for (what, keys) in lists {
            for (key, same) in Dictionary(grouping: keys, by: \.self) where same.count > 1 {
                problems.append("\(name) describes the \(what) \(key) twice")
            }
        }
        if let key = entry.webhookCredential, !entry.credentials.contains(where: { $0.key == key }) {
            problems.append("\(name) proves webhooks by the unknown credential \(key)")
        }
        for setting in entry.settings {
            if case .default(let value) = setting.need, !setting.kind.holds(value) {
                problems.append("\(name)'s default of \(setting.key) is not \(setting.kind.expected)")
            }
        }
        for environment in entry.environments {
            for key in environment.publicCredentials.keys.sorted()
            where !entry.credentials.contains(where: { $0.key == key }) {
                problems.append(
                    "\(name)'s environment \(environment.name) has a public value of the unknown credential \(key)")
            }
            for (key, value) in environment.defaults {
                guard let setting = entry.settings.first(where: { $0.key == key }) else {
                    problems.append("\(name)'s environment \(environment.name) has a default of the unknown \(key)")
                    continue
                }
                if !setting.kind.holds(value) {
                    problems.append(
                        "\(name)'s default of \(key) in \(environment.name) is not \(setting.kind.expected)")
                }
            }
        }
        return problems
    }
}

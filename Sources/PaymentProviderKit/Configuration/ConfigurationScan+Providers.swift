internal import PaymentBase
internal import PaymentModel
internal import PaymentTransport

extension ConfigurationScan {
    /// Reads all providers; those with problems are left out.
    mutating func providers(_ node: ConfigurationNode?) -> [ConfiguredProvider] {
        guard let node else { return [] }
        guard case .object(let members) = node.value else {
            problems.add(node, "providers", expected: "an object with a member for each provider")
            return []
        }
        let real = members.filter { !ConfigurationShape.isComment($0.key) }
        if real.isEmpty {
            problems.add(
                node, "providers", expected: "at least one provider",
                "Add one, like \"till\": { \"adapter\": \"memory\", … }.")
        }
        if real.count > ConfigurationShape.providersMax {
            problems.add(
                node.offset, "providers",
                "there are \(real.count) providers, and at most "
                    + "\(ConfigurationShape.providersMax) are allowed.")
        }
        return real.prefix(ConfigurationShape.providersMax).compactMap { provider($0) }
    }

    private mutating func provider(_ member: ConfigurationNode.Member) -> ConfiguredProvider? {
        let path = Self.path("providers", member.key)
        if !ProviderName.isGood(member.key) {
            problems.add(member.keyOffset, path, "\(Shown.text(member.key)) \(ProviderName.rule).")
        }
        guard let members = object(member.node, path, ConfigurationShape.provider) else { return nil }
        let merchant = members["merchant"].flatMap {
            text($0, path + ".merchant", ConfigurationShape.textCharactersMax)
        }
        let currencies = members["currencies"].flatMap { self.currencies($0, path + ".currencies") }
        guard let adapterNode = members["adapter"] else { return nil }
        guard let entry = adapterNode.text.flatMap({ registry.entry($0) }) else {
            problems.add(
                adapterNode, path + ".adapter", expected: Shown.choices(registry.adapters),
                advice(
                    near: adapterNode.text, registry.adapters,
                    otherwise: "An adapter of your own is given to `open` as `registry: .builtin + [yours]`."))
            return nil
        }
        let environment = members["environment"].flatMap { self.environment($0, path + ".environment", entry) }
        let endpoint = environment.flatMap { environment in
            self.endpoint(members["endpoint"], member.node, path, environment)
        }
        // One address is enough: where the file names it, every other is looked for there, unless it is named too.
        let base = members["endpoint"] == nil ? nil : endpoint
        let settings = self.settings(
            members["settings"], member.node, path + ".settings", entry, environment?.moved(to: base?.origin)
        ).mapValues { $0.relative(to: base) }
        let references = self.credentials(members["credentials"], path + ".credentials", entry)
        guard let merchant, let environment, let endpoint else { return nil }
        return ConfiguredProvider(
            id: ProviderID(rawValue: member.key), entry: entry, environment: environment.name,
            endpoint: endpoint.origin,
            endpointPath: endpoint.target, merchant: merchant, currencies: currencies.map { Set($0) },
            settings: settings, references: references,
            place: "\(problems.place(member.keyOffset)): \(path)")
    }

    private mutating func environment(
        _ node: ConfigurationNode, _ path: String, _ entry: ProviderDefinition
    ) -> ProviderEnvironment? {
        if let environment = node.text.flatMap({ entry.environment($0) }) { return environment }
        let names = entry.environments.map(\.name)
        problems.add(
            node, path, expected: Shown.choices(names),
            advice(near: node.text, names, otherwise: "These are the environments of \(entry.name)."))
        return nil
    }

    private mutating func endpoint(
        _ node: ConfigurationNode?, _ provider: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment
    ) -> WebURL? {
        if let node { return self.endpoint(node, path + ".endpoint", environment) }
        if environment.endpoint == nil {
            problems.add(
                provider.offset, path,
                "the member \"endpoint\" is missing: the environment \(environment.name) has "
                    + "no address of its own. Add \"endpoint\": \"https://…\".")
        }
        return environment.endpoint.map { WebURL($0, path: "") }
    }

    /// Reads the settings of one provider and fills in their defaults.
    private mutating func settings(
        _ node: ConfigurationNode?, _ provider: ConfigurationNode, _ path: String, _ entry: ProviderDefinition,
        _ environment: ProviderEnvironment?
    ) -> [String: SettingValue] {
        var given: [String: ConfigurationNode] = [:]
        if let node {
            guard case .object(let members) = node.value else {
                problems.add(node, path, expected: "an object in braces")
                return [:]
            }
            let keys = entry.settings.map(\.key)
            let hidden = entry.credentials.map(\.key)
            for member in members where !ConfigurationShape.isComment(member.key) {
                if keys.contains(member.key) {
                    given[member.key] = member.node
                } else if hidden.contains(member.key) {
                    unknown(member, path, keys, "It is a credential: refer to it under \"credentials\".")
                } else {
                    unknown(member, path, keys)
                }
            }
        }
        var values: [String: SettingValue] = [:]
        for setting in entry.settings {
            if let node = given[setting.key] {
                values[setting.key] = value(node, Self.path(path, setting.key), setting.kind, environment)
            } else if let value = environment?.defaults[setting.key] {
                values[setting.key] = value
            } else {
                switch setting.need {
                case .default(let value): values[setting.key] = value
                case .optional: break
                case .required:
                    problems.add(
                        (node ?? provider).offset, path,
                        "the member \"\(setting.key)\" is missing. "
                            + "\(setting.summary) Expected \(setting.kind.expected).")
                }
            }
        }
        return values
    }

    /// Reads the references of one provider; whether one is missing is known when the application has been asked too.
    private mutating func credentials(
        _ node: ConfigurationNode?, _ path: String, _ entry: ProviderDefinition
    ) -> [String: ConfiguredProvider.Reference] {
        guard let node else { return [:] }
        guard case .object(let members) = node.value else {
            problems.add(
                node, path, found: node.foundKind, expected: "an object in braces",
                "It holds a reference for each credential: \(SecretReference.kinds).")
            return [:]
        }
        var references: [String: ConfiguredProvider.Reference] = [:]
        let keys = entry.credentials.map(\.key)
        for member in members where !ConfigurationShape.isComment(member.key) {
            let path = Self.path(path, member.key)
            guard let credential = entry.credentials.first(where: { $0.key == member.key }) else {
                let isSetting = entry.settings.contains { $0.key == member.key }
                unknown(member, Self.parent(path), keys, isSetting ? "It belongs under \"settings\"." : nil)
                continue
            }
            guard let reference = reference(member.node, path) else { continue }
            if case .address = reference, credential.use == .once {
                problems.add(
                    member.node, path, found: "a reference that begins with url:",
                    expected: "env:NAME, file:PATH or command:PROGRAM ARGUMENT…",
                    "This credential is read once, when the client opens; url: is for tokens that change.")
            }
            references[member.key] = ConfiguredProvider.Reference(
                reference: reference, place: "\(problems.place(member.node.offset)): \(path)")
        }
        return references
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }

    mutating func reference(_ node: ConfigurationNode, _ path: String) -> SecretReference? {
        guard let text = node.text, !text.isEmpty else {
            problems.add(
                node, path, found: node.foundKind, expected: "a reference in quotes",
                "Credentials are never written here; refer to them with one of \(SecretReference.kinds).")
            return nil
        }
        do { return try SecretReference(text) } catch {
            problems.add(node, path, found: node.foundKind, expected: error.expected, error.advice)
            return nil
        }
    }
}

extension ProviderEnvironment {
    /// The same with every address that is a default at another origin; its path stays.
    fileprivate func moved(to origin: Origin?) -> ProviderEnvironment {
        guard let origin else { return self }
        var moved = self
        moved.defaults = defaults.mapValues { value in
            switch value {
            case .origin: .origin(origin)
            case .address(let address): .address(WebURL(origin, address.target))
            case .text, .integer, .boolean, .currencies, .milliseconds: value
            }
        }
        return moved
    }
}

extension SettingValue {
    /// The same as seen from an endpoint, whose path goes before every other of its origin.
    fileprivate func relative(to base: WebURL?) -> SettingValue {
        guard let base, !base.target.isEmpty, case .address(let address) = self, address.origin == base.origin,
            address.target.hasPrefix(base.target + "/")
        else { return self }
        return .address(WebURL(base.origin, String(address.target.dropFirst(base.target.count))))
    }
}

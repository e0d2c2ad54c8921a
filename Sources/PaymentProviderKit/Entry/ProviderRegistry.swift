internal import PaymentBase
public import PaymentModel

/// The adapters that a configuration can name.
///
/// ```swift
/// let payments = try await PaymentClient.open(configuration: "providers.json", registry: .builtin + [acme])
/// ```
public struct ProviderRegistry: Sendable {
    /// All entries, in the order in which they were added.
    public let entries: [ProviderDefinition]

    /// Makes a registry; whatever reads a configuration with it first checks that no adapter is there twice.
    public init(_ entries: [ProviderDefinition]) { self.entries = entries }

    /// The entry of an adapter.
    public func entry(_ adapter: String) -> ProviderDefinition? { entries.first { $0.adapter == adapter } }

    /// The names of all adapters, in order.
    public var adapters: [String] { entries.map(\.adapter).sorted() }

    /// The same with further adapters.
    public static func + (registry: ProviderRegistry, more: [ProviderDefinition]) -> ProviderRegistry {
        ProviderRegistry(registry.entries + more)
    }
}

extension ProviderRegistry {
    /// Checks the entries themselves, which come from outside this package.
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

extension ProviderRegistry {
    /// The JSON Schema (2020-12) of the configurations that a reader with this registry accepts.
    ///
    /// It is for editors; what spans several members, such as a route's provider that has to exist, only the reader
    /// checks.
    public func schema() -> [UInt8] {
        var definitions = JSONObject()
        for entry in entries.sorted(by: { $0.adapter < $1.adapter }) { definitions[entry.adapter] = Self.schema(entry) }
        var root = Self.object(ConfigurationShape.root) { key in
            switch key {
            case "providers": providers
            case "routes":
                [
                    "type": "array", "maxItems": .number(JSONNumber(Int64(ConfigurationShape.routesMax))),
                    "items": Self.json(Self.object(ConfigurationShape.route)),
                ]
            case "journal": Self.json(Self.object(ConfigurationShape.journal))
            default: nil
            }
        }
        root["$defs"] = .object(definitions)
        var all: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Payment providers",
        ]
        for member in root.members { all[member.key] = member.value }
        return JSON.object(all).bytes(layout: .pretty) + [UInt8(ascii: "\n")]
    }

    /// Every provider fits the description of its adapter.
    private var providers: JSON {
        let names = entries.map(\.adapter).sorted()
        let rules: [JSON] = names.map { name in
            [
                "if": ["properties": ["adapter": ["const": .string(name)]], "required": ["adapter"]],
                "then": ["$ref": .string("#/$defs/\(name)")],
            ]
        }
        let provider: JSON = [
            "type": "object", "required": ["adapter"],
            "properties": ["adapter": ["enum": .array(names.map { .string($0) })]], "allOf": .array(rules),
        ]
        return [
            "type": "object", "minProperties": 1, "patternProperties": [ConfigurationShape.commentPattern: true],
            "propertyNames": [
                "pattern": .string("\(ConfigurationShape.commentPattern)|\(ProviderName.pattern)")
            ],
            "additionalProperties": provider,
        ]
    }

    private static func schema(_ entry: ProviderDefinition) -> JSON {
        let isEndpointRequired = entry.environments.allSatisfy { $0.endpoint == nil }
        let settings = entry.settings.map { setting in
            ConfigurationShape.Member(
                key: setting.key, isRequired: isRequired(setting, entry), summary: setting.summary,
                schema: schema(setting))
        }
        let credentials = entry.credentials.map { credential in
            ConfigurationShape.Member(
                key: credential.key, summary: credential.summary,
                schema: ["type": "string", "pattern": .string(SecretReference.pattern)])
        }
        var shape = ConfigurationShape.provider
        for index in shape.indices {
            switch shape[index].key {
            case "endpoint": shape[index].isRequired = isEndpointRequired
            case "settings": shape[index].isRequired = settings.contains { $0.isRequired }
            default: break
            }
        }
        var object = object(shape) { key in
            switch key {
            case "adapter": ["const": .string(entry.adapter)]
            case "environment": ["enum": .array(entry.environments.map { .string($0.name) })]
            case "merchant":
                described(entry.merchant, ConfigurationShape.text)
            case "settings": json(self.object(settings))
            case "credentials": json(self.object(credentials))
            default: nil
            }
        }
        object["title"] = .string(entry.name)
        return json(object)
    }

    /// Whether no environment has a default of it.
    private static func isRequired(_ setting: ProviderSetting, _ entry: ProviderDefinition) -> Bool {
        setting.need == .required && entry.environments.allSatisfy { $0.defaults[setting.key] == nil }
    }

    private static func schema(_ setting: ProviderSetting) -> JSON {
        guard case .default(let value) = setting.need, var object = setting.kind.schema.object else {
            return setting.kind.schema
        }
        object["default"] = value.json
        return .object(object)
    }

    /// An object with exactly these members, beside comments; `schema` gives those that the shape leaves open.
    private static func object(
        _ shape: [ConfigurationShape.Member], _ schema: (String) -> JSON? = { _ in nil }
    ) -> JSONObject {
        var properties = JSONObject()
        for member in shape {
            properties[member.key] = described(member.summary, schema(member.key) ?? member.schema)
        }
        let required = shape.filter(\.isRequired).map { JSON.string($0.key) }
        var object: JSONObject = ["type": "object"]
        if !required.isEmpty { object["required"] = .array(required) }
        object["properties"] = .object(properties)
        object["patternProperties"] = [ConfigurationShape.commentPattern: true]
        object["additionalProperties"] = false
        return object
    }

    /// A schema with a sentence for people, unless it brings one of its own.
    private static func described(_ summary: String, _ schema: JSON) -> JSON {
        var object: JSONObject = ["description": .string(summary)]
        for member in schema.object?.members ?? [] { object[member.key] = member.value }
        return .object(object)
    }

    private static func json(_ object: JSONObject) -> JSON { .object(object) }
}

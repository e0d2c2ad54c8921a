internal import PaymentBase
public import PaymentModel

/// Reads `providers.json`; an error lists everything that is wrong with the file, each with its place.
///
/// The file is strict JSON; members whose names begin with `$` or `//` are passed over, so that it can carry comments:
///
/// ```json
/// {
///   "active": "till",                     who takes what no route takes
///   "draining": ["old"],                  who takes nothing new and serves what it took
///   "providers": {
///     "till": {                           a name of your choice; it is recorded with every payment
///       "adapter": "memory",              one of the registry's
///       "environment": "sandbox",         one of the entry's
///       "endpoint": "https://host:8443",  only when it isn't the environment's own
///       "merchant": "m-1",
///       "currencies": ["EUR"],            all when left out
///       "settings": {},                   what the entry describes
///       "credentials": { "secret": "env:TILL_SECRET" }
///     }
///   },
///   "routes": [                           the first that matches wins; what is left out matches everything
///     { "currency": "EUR", "least": "10.00", "most": "500.00", "source": "reader", "label": "fuel",
///       "providers": ["till"] }
///   ],
///   "journal": { "kind": "sqlite", "path": "payments.sqlite" },
///   "deadlineMilliseconds": 180000
/// }
/// ```
///
/// `active`, `providers`, `journal` and, of a provider, `adapter`, `environment` and `merchant` must be there.
public struct ConfigurationReader: Sendable {
    /// The largest file.
    public static let bytesMax = 1_024 * 1_024
    /// What a file to start from has where only the merchant knows the value; a file with it is not read.
    public static let placeholder = "REPLACE-ME"

    private let registry: ProviderRegistry

    /// Makes a reader that knows the adapters of a registry.
    public init(_ registry: ProviderRegistry) { self.registry = registry }

    /// Reads the bytes of a file.
    ///
    /// - Throws: `configuration`, nothing moved; a line of its detail for each problem, at most 20, with file, line,
    ///   column, the member's path, what was found, what was expected, and what to do. Values that are where a
    ///   credential belongs are never in it.
    public func read(_ bytes: [UInt8], file: String) throws(PaymentError) -> PaymentConfiguration {
        try registry.check()
        var problems = ConfigurationProblems(file: file, bytes)
        let root: ConfigurationNode
        var path = ""
        do { root = try ConfigurationNode.read(bytes, bytesMax: Self.bytesMax, path: &path) } catch {
            problems.add(error, path, bytesMax: Self.bytesMax)
            throw problems.error
        }
        var scan = ConfigurationScan(registry: registry, problems: problems)
        let configuration = scan.configuration(root)
        guard let configuration, scan.problems.isEmpty else { throw scan.problems.error }
        return configuration
    }
}

/// A value of a configuration with the place where it is.
struct ConfigurationNode {
    enum Value {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case text(String)
        case list([ConfigurationNode])
        case object([Member])
    }

    struct Member {
        let key: String
        /// How many bytes are before the key's quote.
        let keyOffset: Int
        let node: ConfigurationNode
    }

    let value: Value
    /// How many bytes are before the value.
    let offset: Int

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = value { return text }
        return nil
    }

    /// What is there, in words.
    var found: String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): "the number \(Shown.plain(number.text))"
        case .text(let text): Shown.text(text)
        case .list(let nodes): nodes.isEmpty ? "an empty list" : "a list of \(nodes.count)"
        case .object(let members): members.isEmpty ? "an empty object" : "an object"
        }
    }

    /// The kind of what is there and nothing of its content.
    var foundKind: String {
        switch value {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number (not shown)"
        case .text(let text): text.isEmpty ? "an empty text" : "a text (not shown)"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension ConfigurationNode {
    /// How deep a configuration may nest.
    static let depthMax = 8

    /// Reads a whole text.
    ///
    /// - Parameter path: The innermost value that was begun; after an error, the one that it is in.
    static func read(
        _ bytes: [UInt8], bytesMax: Int, path: inout String
    ) throws(JSONError) -> ConfigurationNode {
        var options = JSONReadOptions()
        (options.bytesMax, options.depthMax) = (bytesMax, depthMax)
        var reader = try JSONPullReader(bytes, options: options)
        let node = try ConfigurationNode(&reader, bytes, &path)
        try reader.end()
        return node
    }

    /// Reads the value that comes next; what it nests is bounded by the reader's depth.
    private init(_ reader: inout JSONPullReader, _ bytes: [UInt8], _ path: inout String) throws(JSONError) {
        let own = path
        let type = try reader.nextType()
        offset = reader.offset
        switch type {
        case .null:
            _ = try reader.skipNull()
            value = .null
        case .bool: value = .boolean(try reader.bool())
        case .number: value = .number(try reader.number())
        case .string: value = .text(try reader.string())
        case .array:
            var nodes: [ConfigurationNode] = []
            let level = try reader.enterArray()
            while try reader.nextElement(of: level) {
                path = "\(own)[\(nodes.count)]"
                nodes.append(try ConfigurationNode(&reader, bytes, &path))
                path = own
            }
            value = .list(nodes)
        case .object:
            var members: [Member] = []
            let level = try reader.enterObject()
            var before = reader.offset
            while try reader.nextMember(of: level) {
                let (key, keyOffset) = (reader.key, Self.quote(bytes, from: before))
                path = ConfigurationScan.path(own, key)
                let node = try ConfigurationNode(&reader, bytes, &path)
                path = own
                members.append(Member(key: key, keyOffset: keyOffset, node: node))
                before = reader.offset
            }
            value = .object(members)
        }
    }

    /// Where the next quote is; between two members there is only white space and a comma.
    private static func quote(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start
    }
}

/// The members of a configuration outside of `settings` and `credentials`; the reader and the schema both follow it.
enum ConfigurationShape {
    /// One member of an object.
    struct Member: Sendable {
        let key: String
        var isRequired = false
        /// What it is for, as one sentence.
        let summary: String
        /// What it may hold, as JSON Schema.
        let schema: JSON
        /// What to write, when it is missing.
        var example = ""
    }

    /// The most providers.
    static let providersMax = 64
    /// The most routes.
    static let routesMax = 256
    /// The longest merchant account, label or path.
    static let textCharactersMax = 256
    /// How long a call may wait for its answer.
    static let deadlineMilliseconds: ClosedRange<Int64> = 1_000...3_600_000
    /// The journals that can be named.
    static let journals = JournalConfiguration.Kind.allCases.map(\.rawValue)

    static let root: [Member] = [
        Member(key: "$schema", summary: "Where the schema of this file is, for editors.", schema: ["type": "string"]),
        Member(
            key: "active", isRequired: true,
            summary: "The provider that takes new payments when no route says otherwise.",
            schema: name, example: "\"active\": \"till\""),
        Member(
            key: "draining", summary: "Providers that take nothing new and still serve the payments that they took.",
            schema: ["type": "array", "items": name, "uniqueItems": true]),
        Member(
            key: "providers", isRequired: true, summary: "The providers, each under a name of your choice.",
            schema: [:], example: "\"providers\": { \"till\": { … } }"),
        Member(key: "routes", summary: "Which provider takes which payment; the first that matches wins.", schema: [:]),
        Member(
            key: "journal", isRequired: true, summary: "Where attempts are written down before they are sent.",
            schema: [:],
            example: "\"journal\": { \"kind\": \"memory\" }, which forgets everything with the process"),
        Member(
            key: "deadlineMilliseconds", summary: "How long a call waits for its answer.",
            schema: [
                "type": "integer", "minimum": .number(JSONNumber(deadlineMilliseconds.lowerBound)),
                "maximum": .number(JSONNumber(deadlineMilliseconds.upperBound)), "default": 180_000,
            ]),
    ]

    static let provider: [Member] = [
        Member(
            key: "adapter", isRequired: true, summary: "The adapter that speaks with the provider.", schema: name,
            example: "\"adapter\": \"memory\""),
        Member(
            key: "environment", isRequired: true, summary: "Which of the provider's worlds it is.", schema: name,
            example: "\"environment\": \"sandbox\""),
        Member(
            key: "endpoint",
            summary:
                "Where the provider is, when it is not where the environment says; a path goes before all of its own.",
            schema: ["type": "string", "pattern": .string(endpointPattern)]),
        Member(
            key: "merchant", isRequired: true, summary: "The merchant's account at the provider.", schema: text,
            example: "\"merchant\": \"m-1\""),
        Member(
            key: "currencies", summary: "The currencies that it may take; all when left out.", schema: currencies),
        Member(key: "settings", summary: "What the adapter needs to know.", schema: [:]),
        Member(
            key: "credentials", summary: "References to credentials; never the credentials themselves.", schema: [:]),
    ]

    static let route: [Member] = [
        Member(key: "currency", summary: "Payments in this currency.", schema: currency),
        Member(key: "least", summary: "Payments of at least this much, as text.", schema: amount),
        Member(key: "most", summary: "Payments of at most this much, as text.", schema: amount),
        Member(
            key: "source", summary: "Payments from this kind of source.",
            schema: ["enum": .array(PaymentSource.Kind.allCases.map { .string($0.rawValue) })]),
        Member(key: "label", summary: "Payments with this label of the application's.", schema: text),
        Member(
            key: "providers", isRequired: true, summary: "Who takes them; those after the first only as a fallback.",
            schema: ["type": "array", "items": name, "minItems": 1, "uniqueItems": true],
            example: "\"providers\": [\"till\"]"),
    ]

    static let journal: [Member] = [
        Member(
            key: "kind", isRequired: true, summary: "What keeps the attempts.",
            schema: ["enum": .array(journals.map { .string($0) })], example: "\"kind\": \"memory\""),
        Member(
            key: "path",
            summary: "The file; relative paths begin at this file's folder, those after `state:` at the user's own.",
            schema: text),
        Member(
            key: "connection", summary: "A reference to the database's connection string, which may hold a password.",
            schema: ["type": "string", "pattern": .string(SecretReference.pattern)]),
        Member(
            key: "schema", summary: "The schema of the database that the journal is in.",
            schema: ["type": "string", "pattern": .string(schemaPattern), "default": "payments"]),
        Member(
            key: "durability", summary: "What it takes for an acknowledged write to the database to be safe.",
            schema: [
                "enum": .array(JournalConfiguration.Durability.allCases.map { .string($0.rawValue) }),
                "default": "standby",
            ]),
    ]

    /// Names of schemas that need no quoting.
    static let schemaPattern = "^[a-z][a-z0-9_]{0,49}$"
    static let name: JSON = ["type": "string", "pattern": .string(ProviderName.pattern)]
    static let currency: JSON = ["type": "string", "pattern": "^[A-Z]{3}$"]
    static let currencies: JSON = ["type": "array", "items": currency, "minItems": 1, "uniqueItems": true]
    static let amount: JSON = ["type": "string", "pattern": "^[0-9]+([.][0-9]+)?$"]
    static let text: JSON = [
        "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(Int64(textCharactersMax))),
    ]
    static let endpointPattern = "^https?://[^?#@ ]+$"
    static let originPattern = "^https?://[^/?#@ ]+/?$"

    /// Whether the reader looks past a member: it belongs to editors, or is a comment.
    static func isComment(_ key: String) -> Bool { key.hasPrefix("$") || key.hasPrefix("//") }
    /// The same as a pattern.
    static let commentPattern = "^([$]|//)"
}

internal import PaymentAbstraction
internal import PaymentBase

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

internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

/// The configuration that `init` writes.
struct StartingFile {
    /// One provider that it names.
    struct Choice {
        let entry: ProviderDefinition
        let environment: ProviderEnvironment
        var merchant: String?
        var endpoint: String?

        /// Whether nothing real happens there.
        var isSimulated: Bool { environment.allowsPlainHTTP }
    }

    /// Where attempts are written down of which nothing is real; no real payment stands beside them.
    static let simulationJournal = "state:simulation.sqlite"
    static let journal = "state:journal.sqlite"

    let choices: [(name: String, choice: Choice)]
    private let journal: String

    /// Takes providers under the names of their adapters, or of adapter and environment where one is there twice.
    init(_ choices: [Choice], journal: String? = nil, taken: Set<String> = []) {
        var named: [(name: String, choice: Choice)] = []
        for choice in choices {
            let names = taken.union(named.map(\.name))
            let plain = choice.entry.adapter
            let longer = "\(plain)-\(choice.environment.name)"
            named.append((names.contains(plain) ? longer : plain, choice))
        }
        self.choices = named
        self.journal =
            journal ?? (choices.allSatisfy(\.isSimulated) ? Self.simulationJournal : Self.journal)
    }

    /// Every adapter, simulated; the memory provider first, since it needs nothing.
    static func simulated(_ registry: ProviderRegistry, journal: String? = nil) -> StartingFile {
        let others = registry.entries.filter { $0.adapter != "memory" }.sorted { $0.adapter < $1.adapter }
        let all = registry.entries.filter { $0.adapter == "memory" } + others
        return StartingFile(
            all.compactMap { entry in
                (entry.environments.first { $0.allowsPlainHTTP } ?? entry.environments.first).map {
                    Choice(entry: entry, environment: $0)
                }
            }, journal: journal)
    }

    func bytes() -> [UInt8] {
        var providers = JSONObject()
        for (name, choice) in choices { providers[name] = .object(provider(choice)) }
        let file: JSON = [
            "$schema": "./providers.schema.json",
            "//": "Members whose names begin with // are comments. Every other member is described in the schema.",
            "//active": "The provider that takes new payments when no route says otherwise.",
            "active": .string(choices.first?.name ?? ""),
            "//providers": "Name them as you like; \"adapter\" says which software speaks with the provider.",
            "providers": .object(providers),
            "//journal":
                "Where attempts are written down before they are sent; state: is the user's state folder. Real and simulated payments never share one.",
            "journal": ["kind": "sqlite", "path": .string(journal)],
            "//deadlineMilliseconds": "How long a call waits for its answer.", "deadlineMilliseconds": 180_000,
        ]
        return file.bytes(layout: .pretty) + [UInt8(ascii: "\n")]
    }

    /// The members of one provider, each with a comment that says what it may hold.
    func provider(_ choice: Choice) -> JSONObject {
        let (entry, environment) = (choice.entry, choice.environment)
        var provider: JSONObject = [
            "//": .string(
                "\(entry.name)\(choice.isSimulated ? ", simulated: no account is needed and no money moves" : "")."),
            "adapter": .string(entry.adapter),
            "//environment": .string("One of \(entry.environments.map(\.name).joined(separator: ", "))."),
            "environment": .string(environment.name),
        ]
        if let endpoint = choice.endpoint {
            provider["endpoint"] = .string(endpoint)
        } else if let origin = environment.endpoint {
            provider["//endpoint"] = .string("Only when it is not \(origin); every other address follows it.")
        } else {
            provider["endpoint"] = .string("https://\(ConfigurationReader.placeholder)")
        }
        provider["//merchant"] = .string(entry.merchant)
        provider["merchant"] = .string(
            choice.merchant ?? environment.publicMerchant ?? ConfigurationReader.placeholder)
        let settings = settings(entry, environment)
        if !settings.isEmpty { provider["settings"] = .object(settings) }
        let credentials = credentials(entry, environment)
        if !credentials.isEmpty { provider["credentials"] = .object(credentials) }
        return provider
    }

    /// What has to be said; what may be left out is only mentioned, with what it may hold.
    private func settings(_ entry: ProviderDefinition, _ environment: ProviderEnvironment) -> JSONObject {
        var members = JSONObject()
        for setting in entry.settings {
            var words = "\(setting.summary) It is \(setting.kind.expected)"
            let preset = environment.defaults[setting.key]
            if let preset {
                words += "; \(preset.words) when left out here"
            } else if case .default(let value) = setting.need {
                words += "; \(value.words) when left out"
            }
            members["//\(setting.key)"] = .string(words + ".")
            guard preset == nil else { continue }
            if let example = environment.expected[setting.key] {
                members[setting.key] = .string(example)
            } else if setting.need == .required {
                members[setting.key] = .string(ConfigurationReader.placeholder)
            }
        }
        return members
    }

    private func credentials(_ entry: ProviderDefinition, _ environment: ProviderEnvironment) -> JSONObject {
        var members = JSONObject()
        if environment.allowsPlainHTTP { return members }
        for credential in entry.credentials where credential.publicDefault == nil {
            let name = "\(entry.adapter)_\(credential.key)".uppercased().filter { $0.isLetter || $0 == "_" }
            let optional = credential.isExpected ? "" : " May be left out; else such as \"env:\(name)\"."
            members["//\(credential.key)"] = .string(credential.summary + optional)
            if credential.isExpected { members[credential.key] = .string("env:\(name)") }
        }
        return members
    }
}

extension SettingValue {
    /// A default in words.
    fileprivate var words: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .integer(let number), .milliseconds(let number): "\(number)"
        case .boolean(let truth): "\(truth)"
        case .currencies(let list): list.map(\.code).joined(separator: ", ")
        case .origin(let origin): "\(origin)"
        case .address(let address): "\(address)"
        }
    }
}

internal import PaymentProviderKit

extension Command {
    /// A configuration to start from.
    static let initialize = Command(
        name: "init", summary: "writes a commented providers.json to start from, and its schema beside it",
        example: "payctl init --provider arise=uat --provider adyen=test",
        takes: AcceptedArguments(options: [
            .value("config", "FILE", "the file to write; providers.json by default"),
            .values("provider", "ADAPTER[=ENVIRONMENT]", "a provider; may be given again; by default all, simulated"),
            .value("environment", "NAME", "the environment of those that name none"),
            .value("merchant", "ACCOUNT", "the merchant's account there"),
            .value("journal", "PATH", "the journal's file; in the user's state folder by default"),
            .flag("add", "adds the providers to a file that is there"),
            .flag("force", "writes over a file that is there"),
        ])
    ) { call in
        let path = call.configurationPath
        let folder = call.configurationFolder
        let schema = folder.isEmpty ? "providers.schema.json" : "\(folder)/providers.schema.json"
        let asked = try call.asked()
        let bytes: [UInt8]
        if asked.given.has("add") {
            bytes = try asked.added(to: path)
        } else {
            if CommandFile.isThere(path), !asked.given.has("force") {
                throw UsageError(
                    message:
                        "\(path) is there already; --add adds to it, --force writes over it, --config names another")
            }
            let choices = try asked.choices()
            bytes =
                (choices.isEmpty
                ? StartingFile.simulated(call.registry.providers, journal: asked.given["journal"])
                : StartingFile(choices, journal: asked.given["journal"])).bytes()
        }
        try CommandFile.write(bytes, path)
        try CommandFile.write(call.registry.providers.schema(), schema)
        // What is written must be readable; what only a person knows is said with its place.
        var missing: [String] = []
        do throws(PaymentError) { _ = try call.configuration() } catch {
            missing = error.detail.split(separator: "\n").map(String.init)
        }
        call.say(
            ["written": [.string(path), .string(schema)], "missing": .texts(missing)],
            ["\(path) and \(schema) are written"]
                + (missing.isEmpty
                    ? [] : ["Still to be filled in:"] + missing.map { "  \($0)" })
                + ["next       \(call.command("doctor"))"])
        return .fine
    }
}

extension Invocation {
    /// The providers that `--provider` names; those without an environment have that of `--environment`, else the
    /// simulated one.
    fileprivate func choices() throws(UsageError) -> [StartingFile.Choice] {
        try given.all("provider").map { text throws(UsageError) in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let (name, known) = (parts.first ?? "", registry.providers)
            guard let entry = known.entry(name) else {
                throw .unknown("provider", name, of: known.adapters)
            }
            let environment = try environment(parts.count > 1 ? parts[1] : given["environment"], of: entry)
            return StartingFile.Choice(entry: entry, environment: environment, merchant: given["merchant"])
        }
    }

    private func environment(
        _ name: String?, of entry: ProviderDefinition
    ) throws(UsageError) -> ProviderEnvironment {
        if let name { return try entry.environments.picked(name, "environment of \(entry.adapter)", by: \.name) }
        guard let first = entry.environments.first(where: \.allowsPlainHTTP) ?? entry.environments.first else {
            throw UsageError(message: "\(entry.adapter) has no environment")
        }
        return first
    }

    /// The file with the providers that are asked for, and every other byte as it is.
    fileprivate func added(to path: String) throws -> [UInt8] {
        guard CommandFile.isThere(path) else { throw UsageError(message: "\(path) is not there; leave out --add") }
        let edit = ConfigurationEdit(try CommandFile.read(path))
        let choices = try choices()
        if choices.isEmpty { throw UsageError(message: "--add needs --provider ADAPTER=ENVIRONMENT") }
        guard let there = edit.providers() else {
            throw UsageError(message: "\(path) is no configuration that a program can add to")
        }
        let known = registry.providers
        let wasSimulated = there.allSatisfy { provider in
            known.entry(provider.adapter)?.environment(provider.environment)?.allowsPlainHTTP ?? false
        }
        if wasSimulated != choices.allSatisfy(\.isSimulated), !given.has("force") {
            throw UsageError(
                message: "real and simulated payments would share the journal of \(path); write another file with "
                    + "--config, or do it with --force")
        }
        let file = StartingFile(choices, taken: Set(there.map(\.name)))
        if let twice = file.choices.first(where: { choice in there.contains { $0.name == choice.name } }) {
            throw UsageError(message: "\(path) has a provider \(twice.name) already")
        }
        guard let bytes = edit.adding(file.choices.map { ($0.name, file.provider($0.choice)) }) else {
            throw UsageError(message: "\(path) is no configuration that a program can add to")
        }
        return bytes
    }

    /// The same call with what a person answered, where nothing was said about the provider and a person can be asked.
    fileprivate func asked() throws(UsageError) -> Invocation {
        guard let ask = console.ask, !given.has("provider") else { return self }
        let names = registry.providers.adapters
        var words: [String] = []
        let provider =
            ask("Which provider (\(names.joined(separator: ", ")))? Nothing for all of them, simulated.") ?? ""
        if provider.isEmpty { return self }
        words += ["--provider", provider]
        if let entry = registry.providers.entry(provider) {
            let environments = entry.environments.map(\.name)
            let environment = ask("Which environment (\(environments.joined(separator: ", ")))?") ?? ""
            if !environment.isEmpty { words += ["--environment", environment] }
            if entry.environment(environment)?.publicMerchant == nil, !environment.isEmpty {
                let merchant = ask("\(entry.merchant) Which is it?") ?? ""
                if !merchant.isEmpty { words += ["--merchant", merchant] }
            }
        }
        return try Invocation(given.adding(words, takes: Command.initialize.takes), registry, console)
    }
}

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

    /// Where attempts are written down of which nothing is real; no real payment is beside them.
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

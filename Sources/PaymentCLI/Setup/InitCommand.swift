internal import PaymentAbstraction
internal import PaymentBase
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

    /// The same call with what a person answered, where nothing was said about the provider and somebody can be asked.
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

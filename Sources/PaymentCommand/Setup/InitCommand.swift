internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// A configuration to start from.
    static let initialize = Command(
        name: "init", summary: "writes a commented providers.json to start from, and its schema beside it",
        example: "payctl init --provider adyen --environment test --merchant YourAccount",
        takes: AcceptedArguments(options: [
            .init(name: "config", value: "FILE", summary: "the file to write; providers.json by default"),
            .init(name: "provider", value: "ADAPTER", summary: "a provider; may be given again; by default all"),
            .init(name: "environment", value: "NAME", summary: "its environment; by default the simulated one"),
            .init(name: "merchant", value: "ACCOUNT", summary: "the merchant's account there"),
            .init(name: "journal", value: "PATH", summary: "the journal's file; in the user's state folder by default"),
            .init(name: "force", value: nil, summary: "writes over a file that is there"),
        ])
    ) { call in
        let path = call.configurationPath
        let folder = call.configurationFolder
        let schema = folder.isEmpty ? "providers.schema.json" : "\(folder)/providers.schema.json"
        if CommandFile.isThere(path), !call.given.has("force") {
            throw UsageError(message: "\(path) is there already; --force writes over it, --config names another")
        }
        let bytes = try StartingFile(try call.asked()).bytes()
        // What is written must be readable; what is missing is said with its place.
        try CommandFile.write(bytes, path)
        try CommandFile.write(call.registry.providers.schema(), schema)
        call.say(["written": [.string(path), .string(schema)]], ["\(path) and \(schema) are written"])
        do throws(PaymentError) { _ = try call.configuration() } catch {
            call.note("Still to be filled in:")
            call.note(error.detail)
        }
        return .fine
    }
}

extension Invocation {
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

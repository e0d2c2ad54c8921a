internal import PaymentAbstraction
internal import PaymentBase
internal import Providers

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
        let bytes = try StartingFile(call).bytes()
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

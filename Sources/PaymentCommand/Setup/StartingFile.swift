internal import PaymentBase
internal import PaymentProviderKit

/// The configuration that `init` writes.
struct StartingFile {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func bytes() throws(UsageError) -> [UInt8] {
        let entries = try chosen()
        var providers = JSONObject()
        for entry in entries { providers[entry.adapter] = .object(try provider(entry, isOnly: entries.count == 1)) }
        let journal = call.given["journal"] ?? "state:journal.sqlite"
        let file: JSON = [
            "$schema": "./providers.schema.json",
            "//": "Members whose names begin with // are comments. Every other member is described in the schema.",
            "//active": "The provider that takes new payments when no route says otherwise.",
            "active": .string(entries[0].adapter),
            "//providers": "Name them as you like; \"adapter\" says which software speaks with the provider.",
            "providers": .object(providers),
            "//journal": "Where attempts are written down before they are sent; state: is the user's state folder.",
            "journal": ["kind": "sqlite", "path": .string(journal)],
            "//deadlineMilliseconds": "How long a call waits for its answer.", "deadlineMilliseconds": 180_000,
        ]
        return file.bytes(layout: .pretty) + [UInt8(ascii: "\n")]
    }

    /// The adapters that were named, else all; the memory provider first, since it needs nothing.
    private func chosen() throws(UsageError) -> [ProviderEntry] {
        let all = call.registry.providers
        let names = call.given.all("provider")
        if names.isEmpty {
            let others = all.entries.filter { $0.adapter != "memory" }.sorted { $0.adapter < $1.adapter }
            return all.entries.filter { $0.adapter == "memory" } + others
        }
        return try names.map { name throws(UsageError) in
            if let entry = all.entry(name) { return entry }
            throw .unknown("provider", name, of: all.adapters, near: NearestName.of(name, in: all.adapters))
        }
    }

    private func provider(_ entry: ProviderEntry, isOnly: Bool) throws(UsageError) -> JSONObject {
        let environment = try environment(entry)
        let isSimulated = environment.allowsPlainHTTP
        var provider: JSONObject = [
            "//": .string(
                "\(entry.name)\(isSimulated ? ", simulated: no account is needed and no money moves" : "")."),
            "adapter": .string(entry.adapter),
            "//environment": .string("One of \(entry.environments.map(\.name).joined(separator: ", "))."),
            "environment": .string(environment.name),
        ]
        if environment.endpoint == nil { provider["endpoint"] = "https://REPLACE-ME" }
        provider["//merchant"] = .string(entry.merchant)
        provider["merchant"] = .string(call.given["merchant"] ?? environment.publicMerchant ?? "REPLACE-ME")
        let settings = settings(entry, environment)
        if !settings.isEmpty { provider["settings"] = .object(settings) }
        let credentials = credentials(entry, environment)
        if !credentials.isEmpty { provider["credentials"] = .object(credentials) }
        return provider
    }

    private func environment(_ entry: ProviderEntry) throws(UsageError) -> ProviderEnvironment {
        let names = entry.environments.map(\.name)
        if let name = call.given["environment"] {
            if let environment = entry.environment(name) { return environment }
            throw .unknown(
                "environment of \(entry.adapter)", name, of: names, near: NearestName.of(name, in: names))
        }
        let simulated = entry.environments.first { $0.allowsPlainHTTP } ?? entry.environments.first
        guard let simulated else { throw UsageError(message: "\(entry.adapter) has no environment") }
        return simulated
    }

    /// What has to be said; what may be left out is only mentioned.
    private func settings(_ entry: ProviderEntry, _ environment: ProviderEnvironment) -> JSONObject {
        var members = JSONObject()
        for setting in entry.settings where environment.defaults[setting.key] == nil {
            members["//\(setting.key)"] = .string(setting.summary)
            if setting.need == .required { members[setting.key] = "REPLACE-ME" }
        }
        return members
    }

    private func credentials(_ entry: ProviderEntry, _ environment: ProviderEnvironment) -> JSONObject {
        var members = JSONObject()
        if environment.allowsPlainHTTP { return members }
        for credential in entry.credentials where credential.publicDefault == nil {
            members["//\(credential.key)"] = .string(credential.summary)
            let name = "\(entry.adapter)_\(credential.key)".uppercased().filter { $0.isLetter || $0 == "_" }
            if !credential.isOptional { members[credential.key] = .string("env:\(name)") }
        }
        return members
    }
}

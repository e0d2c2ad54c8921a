package import PaymentBase
public import PaymentDriverKit
public import PaymentTransport

/// What a `providers.json` says, checked as a whole; credentials are still references.
///
/// ```swift
/// let configuration = try ConfigurationReader(.builtin).read(bytes, file: "providers.json")
/// let drivers = try await configuration.drivers(ProviderDependencies(transport: transport), secrets: mySecrets)
/// ```
public struct PaymentConfiguration: Sendable {
    /// The file's name, as it is in errors.
    public let file: String
    /// The providers, in the order of the file.
    public let providers: [ConfiguredProvider]
    /// Who takes what.
    public var routing: Routing
    /// The journal.
    public let journal: JournalConfiguration
    /// How long a call waits for its answer, in milliseconds; nil for the client's own default.
    public let deadlineMilliseconds: Int64?
    /// Every adapter that the file could name: a journal may have payments of one that it doesn't name.
    package let registry: ProviderRegistry
}

/// One provider of a configuration, complete but for its credentials, of which only the references are known.
public struct ConfiguredProvider: Sendable {
    /// A reference with the place where it is.
    struct Reference: Sendable {
        let reference: SecretReference
        let place: String
    }

    /// The name under which it is configured.
    public let id: ProviderID
    /// What the adapter declares about itself.
    public let entry: ProviderDefinition
    /// Which of the entry's environments.
    public let environment: String
    /// Where the provider is.
    public let endpoint: Origin
    /// What goes before every path there; empty where the provider is at the root.
    public let endpointPath: String
    /// The merchant's account.
    public let merchant: String
    /// The currencies that it may take; nil for all.
    public let currencies: Set<Currency>?
    /// The settings, with their defaults filled in.
    public let settings: [String: SettingValue]
    let references: [String: Reference]
    /// Where it is in the file.
    let place: String

    /// The references to credentials, by key.
    public var credentials: [String: SecretReference] { references.mapValues(\.reference) }

    /// Which account of which provider it is.
    public var identity: ProviderIdentity {
        let world = entry.environment(environment)?.world ?? environment
        return ProviderIdentity(id, adapter: entry.adapter, environment: world, merchant: merchant)
    }
}

/// The journal that a configuration names.
public struct JournalConfiguration: Hashable, Sendable {
    /// What keeps the attempts.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Memory, which forgets everything with the process.
        case memory
        /// A SQLite file on this machine.
        case sqlite
        /// A PostgreSQL database that many machines share.
        case postgres
    }

    /// What it takes for an acknowledged write to a database to be safe.
    public enum Durability: String, Hashable, Sendable, CaseIterable {
        /// A synchronous standby has it, too.
        case standby
        /// The server's own disk has it: what is acknowledged is lost with that server.
        case local
    }

    /// What keeps the attempts.
    public let kind: Kind
    /// The file, where there is one; a path that is not absolute begins at the configuration's folder.
    public let path: String?
    /// Where the database's connection string is found, which may hold a password.
    public var connection: SecretReference?
    /// The schema of the database in which the journal is.
    public var schema: String?
    /// What it takes for an acknowledged write to the database to be safe.
    public var durability: Durability?

    /// Makes a choice.
    public init(_ kind: Kind, path: String? = nil) { (self.kind, self.path) = (kind, path) }
}

extension PaymentConfiguration {
    /// Follows the references and makes a driver of each provider, in the order of the file.
    ///
    /// References to the environment, files and programs are followed now, so that a missing one is known before any
    /// payment; an address is asked when its token is needed.
    ///
    /// - Throws: `configuration`, nothing moved; its detail lists every credential that is missing and every adapter
    ///   that refused its settings, with their places.
    public func drivers(
        _ tools: ProviderDependencies, secrets: any SecretResolver
    ) async throws(PaymentError) -> [any PaymentDriver] {
        var lines = unknownNames(tools)
        var drivers: [any PaymentDriver] = []
        for provider in providers {
            let resolved = await provider.resolve(tools, secrets, &lines)
            guard let resolved else { continue }
            do { drivers.append(try provider.entry.makeDriver(resolved, tools.behind(provider))) } catch {
                let words = resolved.scrubbed(error.detail)
                lines.append("\(provider.place): the adapter \(provider.entry.adapter) refused it: \(words)")
            }
        }
        if !lines.isEmpty { throw ConfigurationProblems.error(file, lines, count: lines.count) }
        return drivers
    }

    /// What the application injects under the name of a provider that isn't there would never be used.
    private func unknownNames(_ tools: ProviderDependencies) -> [String] {
        let names = providers.map(\.id.rawValue)
        let given = [("token provider", Array(tools.tokenProviders.keys)), ("signer", Array(tools.signers.keys))]
        return given.flatMap { what, keys in
            keys.sorted().filter { !names.contains($0) }.map { key in
                let near = SpellingSuggestion.of(key, in: names).map { "Did you mean \"\($0)\"?" }
                return "\(file): the application gives a \(what) to \(Shown.text(key)), expected "
                    + "\(Shown.choices(names)). \(near ?? "Give it under the name of a provider.")"
            }
        }
    }
}

extension ConfiguredProvider {
    /// Follows the references of one provider; nil, with the reasons added, when one leads nowhere.
    fileprivate func resolve(
        _ tools: ProviderDependencies, _ resolver: any SecretResolver, _ lines: inout [String]
    ) async -> ProviderSettings? {
        let before = lines.count
        var secrets: [String: Secret] = [:]
        var sources: [String: SecretSource] = [:]
        for credential in entry.credentials {
            switch credential.use {
            case .once: secrets[credential.key] = await once(credential, tools, resolver, &lines)
            case .whenNeeded: sources[credential.key] = await source(credential, tools, resolver, &lines)
            }
        }
        guard lines.count == before else { return nil }
        return ProviderSettings(
            id: id, environment: environment, endpoint: endpoint, merchant: merchant, currencies: currencies,
            entry: entry, values: settings, secrets: secrets, sources: sources)
    }

    private func once(
        _ credential: ProviderCredential, _ tools: ProviderDependencies, _ resolver: any SecretResolver,
        _ lines: inout [String]
    ) async -> Secret? {
        guard let given = references[credential.key] else {
            if let standIn = credential.standIn {
                if references[standIn] != nil || tools.tokenProviders[id.rawValue] != nil { return nil }
            }
            if let known = publicDefault(of: credential) { return Secret(known) }
            if !credential.isOptional { lines.append(missing(credential)) }
            return nil
        }
        return await follow(given, resolver, &lines)
    }

    private func source(
        _ credential: ProviderCredential, _ tools: ProviderDependencies, _ resolver: any SecretResolver,
        _ lines: inout [String]
    ) async -> SecretSource? {
        if let provider = tools.tokenProviders[id.rawValue] {
            return SecretSource("the application's token provider for \(id)", provider)
        }
        guard let given = references[credential.key] else {
            if let known = publicDefault(of: credential) { return SecretSource("the default") { Secret(known) } }
            if !credential.isOptional { lines.append(missing(credential)) }
            return nil
        }
        if case .address(let address, let member) = given.reference {
            let token = TokenAddress(address: address, member: member, transport: tools.transport)
            return SecretSource("\(given.reference)") { try await token.fetch() }
        }
        guard await follow(given, resolver, &lines) != nil else { return nil }
        return SecretSource("\(given.reference)") { try await given.reference.follow(resolver) }
    }

    private func follow(
        _ given: Reference, _ resolver: any SecretResolver, _ lines: inout [String]
    ) async -> Secret? {
        do {
            let secret = try await given.reference.follow(resolver)
            if !secret.isEmpty { return secret }
            lines.append("\(given.place): \(given.reference) is empty. Put the credential there.")
        } catch {
            lines.append("\(given.place): \(given.reference) led to nothing: \(error.problem). \(error.advice)")
        }
        return nil
    }

    /// The public values of credentials in this environment.
    private func publicDefault(of credential: ProviderCredential) -> String? {
        entry.environment(environment)?.publicCredentials[credential.key] ?? credential.publicDefault
    }

    private func missing(_ credential: ProviderCredential) -> String {
        let injected =
            credential.use == .whenNeeded
            ? ", or let the application give a token provider under the name \(id)" : ""
        let other = credential.standIn.map { " or \"\($0)\"" } ?? ""
        return "\(place).credentials: the member \"\(credential.key)\"\(other) is missing. \(credential.summary) "
            + "Refer to it with one of \(credential.kinds)\(injected)."
    }
}

extension ProviderCredential {
    /// The kinds of reference that it may have.
    fileprivate var kinds: String {
        switch use {
        case .once: "env:NAME, file:PATH, command:PROGRAM ARGUMENT…"
        case .whenNeeded: SecretReference.kinds
        }
    }
}

extension SecretReference {
    /// Follows a reference on this machine.
    package func follow(_ resolver: any SecretResolver) async throws(SecretResolutionError) -> Secret {
        switch self {
        case .environment(let name): try await resolver.environment(name)
        case .file(let path): try await resolver.file(path)
        case .command(let words): try await resolver.command(words)
        case .address:
            throw SecretResolutionError("an address is asked only for a token", "Use another kind of reference.")
        }
    }
}

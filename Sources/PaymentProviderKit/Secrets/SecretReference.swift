public import PaymentBase

/// Where a credential is to be found; a configuration holds references, never the values themselves.
public enum SecretReference: Hashable, Sendable {
    /// `env:NAME`: an environment variable.
    case environment(String)
    /// `file:PATH`: a file of one line; a path that is not absolute begins at the configuration's folder.
    case file(String)
    /// `command:PROGRAM ARGUMENT…`: what a program prints; no shell, so no quotes and no variables.
    case command([String])
    /// `url:https://…`: what an address answers, asked whenever the token is needed.
    case address(WebURL, member: String?)

    /// The longest reference.
    public static let charactersMax = 2_048
    /// The most words of a command.
    public static let wordsMax = 32

    /// The four kinds, as they are written.
    static let kinds = "env:NAME, file:PATH, command:PROGRAM ARGUMENT…, url:https://ADDRESS"
    /// The four kinds as a pattern.
    static let pattern = "^(env:[A-Z_][A-Z0-9_]*|file:.+|command:.+|url:https?://.+)$"
}

extension SecretReference: RedactedDescription {
    /// Names it without a command's arguments or an address's query, in which people hide secrets.
    public var description: String {
        switch self {
        case .environment(let name): "env:\(name)"
        case .file(let path): "file:\(path)"
        case .command(let words): "command:\(words.first ?? "")\(words.count > 1 ? " …" : "")"
        case .address(let address, let member): "url:\(address)\(member.map { "#\($0)" } ?? "")"
        }
    }
}

public import PaymentBase
public import PaymentModel
internal import PaymentTransport

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

extension SecretReference {
    /// Why a text is no reference, in words that don't repeat it.
    struct Misfit: Error, Hashable {
        let expected: String
        let advice: String
    }

    /// Reads a reference.
    init(_ text: String) throws(Misfit) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Misfit(
                expected: "a reference of one line and at most \(Self.charactersMax) bytes", advice: "Shorten it.")
        }
        if let name = Self.rest(of: text, after: "env:") {
            self = .environment(try Self.variable(name))
        } else if let path = Self.rest(of: text, after: "file:") {
            guard !path.isEmpty else {
                throw Misfit(expected: "a path after file:", advice: "Write it like file:secrets/till.key.")
            }
            self = .file(path)
        } else if let line = Self.rest(of: text, after: "command:") {
            self = .command(try Self.words(line))
        } else if let address = Self.rest(of: text, after: "url:") {
            self = try Self.address(address)
        } else {
            throw Misfit(
                expected: "a reference",
                advice: "Credentials are never written here; refer to them with one of \(Self.kinds). "
                    + "If this was the secret itself, treat it as leaked and replace it.")
        }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// Capital letters only: a secret that was pasted in place of a name is hardly ever written so, and isn't shown.
    private static func variable(_ name: String) throws(Misfit) -> String {
        let isName = name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
        guard isName, let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 128 else {
            throw Misfit(
                expected: "the name of an environment variable after env: (capital letters, digits, underscores)",
                advice: "Write it like env:TILL_SECRET, and the secret into that variable.")
        }
        return name
    }

    private static func words(_ line: String) throws(Misfit) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        guard !words.isEmpty, words.count <= wordsMax, !line.contains("\"") && !line.contains("'") else {
            throw Misfit(
                expected: "a program and at most \(wordsMax - 1) arguments after command:, with spaces between them "
                    + "and no quotes",
                advice: "No shell reads it; put whatever needs one into a script and name that.")
        }
        return words
    }

    private static func address(_ text: String) throws(Misfit) -> SecretReference {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = WebURL(String(parts[0])), !address.origin.isPlainBeyondThisMachine else {
            throw Misfit(
                expected: "an address that begins with https:// after url:, without a user name in it",
                advice: "Plain http is allowed for this machine alone (http://127.0.0.1).")
        }
        let member = parts.count > 1 ? String(parts[1]) : nil
        if let member, !ProviderName.isGood(member) {
            throw Misfit(
                expected: "the name of a member after # in the address",
                advice: "It says which member of the JSON answer is the token, like #access_token.")
        }
        return .address(address, member: member)
    }
}

/// Follows references to credentials on this machine; `Payments` has the one for environment, files and programs.
///
/// A test needs a dictionary:
///
/// ```swift
/// struct Fixed: SecretResolver {
///     let values: [String: Secret]
///     func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
///         guard let value = values[name] else { throw SecretResolutionError("it is not set", "Set it.") }
///         return value
///     }
///     func file(_ path: String) async throws(SecretResolutionError) -> Secret { try await environment(path) }
///     func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { try await environment(words[0])
/// } }
/// ```
public protocol SecretResolver: Sendable {
    /// The value of an environment variable.
    func environment(_ name: String) async throws(SecretResolutionError) -> Secret
    /// The one line of a file.
    func file(_ path: String) async throws(SecretResolutionError) -> Secret
    /// The one line that a program prints.
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret
}

/// Why a reference led to no credential; never with anything that was read.
public struct SecretResolutionError: Error, Hashable, Sendable {
    /// What is wrong, as a clause: "it is not set".
    public let problem: String
    /// What to do, as a sentence.
    public let advice: String

    /// Makes a failure.
    public init(_ problem: String, _ advice: String) { (self.problem, self.advice) = (problem, advice) }
}

/// A credential that is fetched whenever an adapter needs it, such as a token that another program renews.
public struct SecretSource: Sendable {
    private let name: String
    private let fetch: @Sendable () async throws -> Secret

    /// Makes a source of a function; the name is in errors.
    public init(_ name: String, _ fetch: @escaping @Sendable () async throws -> Secret) {
        (self.name, self.fetch) = (name, fetch)
    }

    /// A fresh value.
    ///
    /// - Throws: `authentication`, nothing moved, when there is none now; `network` when an address was out of reach.
    public func secret() async throws(PaymentError) -> Secret {
        let secret: Secret
        do { secret = try await fetch() } catch let error as PaymentError where error.outcome == .notExecuted {
            throw error
        } catch {
            let reason = (error as? SecretResolutionError).map { "\($0.problem). \($0.advice)" } ?? "\(type(of: error))"
            let isCancelled = error is CancellationError
            throw PaymentError.notExecuted(
                isCancelled ? .cancelled : .authentication, "no token came from \(name): \(reason)")
        }
        guard !secret.isEmpty else {
            throw PaymentError.notExecuted(.authentication, "the token that came from \(name) is empty")
        }
        return secret
    }
}

/// Fetches a token from an address: JSON with a member that holds it, or the token as plain text.
struct TokenAddress: Sendable {
    /// The largest answer.
    static let bodyBytesMax = 64 * 1_024
    /// Where the token is in a JSON answer when the reference names no member.
    static let members = ["token", "access_token"]

    let address: WebURL
    let member: String?
    let transport: any HTTPTransport

    func fetch() async throws(PaymentError) -> Secret {
        var request = HTTPRequest("GET", address.origin, address.target, headers: ["Accept": "application/json"])
        request.responseBodyBytesMax = Self.bodyBytesMax
        let response: HTTPResponse
        do { response = try await transport.exchange(request) } catch {
            throw PaymentError(
                error.reason == .cancelled ? .cancelled : .network, outcome: .notExecuted,
                detail: "no token came from \(address): \(error.reason.rawValue)", diagnosis: error.diagnosis)
        }
        guard (200..<300).contains(response.status) else {
            throw refusal("it answered with status \(response.status)")
        }
        return Secret(try token(response.body))
    }

    private func token(_ body: [UInt8]) throws(PaymentError) -> String {
        let text: String
        let json = try? JSONReader().read(body)
        if let object = json?.object {
            let names = member.map { [$0] } ?? Self.members
            guard let found = names.compactMap({ object[$0]?.string }).first else {
                throw refusal("its JSON has no text under \(names.joined(separator: " or "))")
            }
            text = found
        } else if let member {
            throw refusal("its answer is no JSON object, so there is no member \(member)")
        } else {
            text = json?.string ?? String(decoding: body, as: UTF8.self).trimmedLineEnd
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refusal("its answer holds no token of one line without spaces")
        }
        return text
    }

    private func refusal(_ problem: String) -> PaymentError {
        PaymentError.notExecuted(
            .authentication, "no token came from \(address): \(problem); ask the operator of that address")
    }
}

extension String {
    /// The same without one line feed, and a carriage return before it, at its end.
    package var trimmedLineEnd: String {
        // "\r\n" is one character.
        hasSuffix("\r\n") || hasSuffix("\n") ? String(dropLast()) : self
    }
}

extension Origin {
    /// Whether the host is this machine.
    var isThisMachine: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "[::1]" || isLoopback
    }

    /// Whether what is sent there could be read on the way.
    package var isPlainBeyondThisMachine: Bool { scheme == .http && !isThisMachine }
}

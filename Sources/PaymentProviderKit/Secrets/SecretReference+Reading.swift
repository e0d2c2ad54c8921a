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

    /// Capital letters only: what somebody pasted in place of a name is hardly ever written so, and isn't shown.
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

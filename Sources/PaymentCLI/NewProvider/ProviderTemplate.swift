/// The package of a new provider: an adapter, its simulated provider, its harness and a program, complete and
/// compiling.
///
/// The wire is invented and as small as can be, so that every line is there to be replaced. `Examples/AcmeProvider` is
/// the package of the name `acme`; a test compares the two.
struct ProviderTemplate {
    /// One file of the package.
    struct File {
        let path: String
        let text: String

        /// A file whose imports are in order, whatever the provider is called.
        init(_ path: String, _ text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let rest = lines.drop { $0.hasPrefix("import ") }
            self.path = path
            self.text = (lines[..<rest.startIndex].sorted() + rest).joined(separator: "\n")
        }
    }

    /// The name by which configurations and the command line know it, such as `north-pay`.
    let name: String
    /// Where the package of the payments lies, as seen from the new one, or as an absolute path.
    let payments: String
    /// The beginning of its types' names, such as `NorthPay`.
    let type: String
    /// Its name among static members, such as `northPay`.
    let member: String
    /// Its name for people, such as `North Pay`.
    let title: String

    /// The longest name.
    static let charactersMax = 24
    /// What a name must not be: a word of Swift, or one whose types would have the names of ours.
    static let taken: Set<String> = [
        "adjustment", "any", "array", "as", "authorization", "await", "bool", "break", "card-on-file", "case",
        "catch", "character", "class", "codable", "collection", "connection", "continue", "controllable", "default",
        "defer", "deinit", "details", "device", "dictionary", "do", "double", "else", "enum", "equatable", "error",
        "extension", "false", "for", "func", "guard", "hashable", "if", "import", "in", "init", "int", "internal",
        "is", "let", "list", "money", "never", "nil", "offline", "operator", "optional", "pricing", "private",
        "protocol", "public", "reader", "refund", "repeat", "rethrows", "return", "rows", "sale", "saved-instrument",
        "self", "sendable", "sequence", "session", "set", "settings", "simulated", "some", "static", "string",
        "struct", "subscript", "substring", "super", "switch", "throw", "throws", "tip-adjustment", "tokenization",
        "true", "try", "type", "typealias", "unlinked-refund", "var", "verification", "void", "webhook", "where",
        "while",
    ]

    /// Makes the package of a name; `adapters` are those that there are.
    init(_ name: String, payments: String, adapters: [String]) throws(UsageError) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let isWord: (String) -> Bool = { word in
            !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
        }
        guard name.utf8.count <= Self.charactersMax, words.allSatisfy(isWord), let first = name.utf8.first,
            (97...122).contains(first)
        else {
            throw UsageError(
                message: "\"\(name)\" is no name: 1 to \(Self.charactersMax) small letters, digits and single hyphens, "
                    + "beginning with a letter, like north-pay")
        }
        guard !adapters.contains(name) else {
            throw UsageError(message: "there is an adapter \(name) already; choose another name")
        }
        guard !Self.taken.contains(name), !name.hasPrefix("payment") else {
            throw UsageError(
                message: "\(name) is a word of Swift or of the payments package; choose another name, like my-\(name)")
        }
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        (self.name, self.payments) = (name, payments)
        (type, title) = (capitals.joined(), capitals.joined(separator: " "))
        member = (words.first ?? "") + capitals.dropFirst().joined()
    }

    /// A text as Swift reads it between quotation marks.
    static func quoted(_ text: String) -> String {
        let letters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\u{0}"..."\u{1F}", "\u{7F}": "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }
        return "\"\(letters.joined())\""
    }

    /// Every file, by its path within the package.
    var files: [File] {
        let (adapter, suite) = ("Sources/\(type)Provider", "Sources/\(type)Harnesses")
        return [
            File(".gitignore", ".build/\n"),
            File("Package.swift", manifest),
            File("README.md", readme),
            File("\(adapter)/\(type)Driver.swift", driver),
            File("\(adapter)/\(type)Entry.swift", entry),
            File("\(adapter)/\(type)Errors.swift", errors),
            File("\(adapter)/\(type)Mapping.swift", mapping),
            File("\(adapter)/\(type)Sale.swift", wire),
            File("Sources/\(type)Sandbox/Simulated\(type).swift", simulated),
            File("\(suite)/\(type)Harness.swift", harness),
            File("Sources/\(name)-payctl/Main.swift", program),
            File("Tests/\(type)Tests/\(type)Tests.swift", test),
        ]
    }
}

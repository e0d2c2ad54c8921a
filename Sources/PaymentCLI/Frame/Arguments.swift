internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentSystem

/// What a command takes.
struct AcceptedArguments: Sendable {
    /// One option; without a value it is a flag.
    struct Option: Sendable {
        let name: String
        let value: String?
        let summary: String
        /// Whether it may be given more than once.
        var isRepeatable = false

        var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

        static func flag(_ name: String, _ summary: String) -> Self { Self(name: name, value: nil, summary: summary) }

        static func value(_ name: String, _ value: String, _ summary: String) -> Self {
            Self(name: name, value: value, summary: summary)
        }

        /// One that may be given more than once.
        static func values(_ name: String, _ value: String, _ summary: String) -> Self {
            Self(name: name, value: value, summary: summary, isRepeatable: true)
        }
    }

    /// What is without a name, in order; those in brackets may be left out.
    var operands: [String] = []
    /// Whether the last operand may be given again.
    var takesMoreOperands = false
    var options: [Option] = []

    /// What a command takes that reads a configuration: what all of those take, and its own.
    static func configured(_ operands: String..., with own: [Option] = []) -> AcceptedArguments {
        AcceptedArguments(operands: operands, options: Option.configured + own)
    }

    var usage: String {
        operands.map { " \($0)" }.joined() + (options.isEmpty ? "" : " [options]")
    }

    /// How many operands there must be.
    var operandsMin: Int { operands.count { !$0.hasPrefix("[") } }

    /// The same with what every command takes.
    func withCommon(table: Bool) -> AcceptedArguments {
        var all = self
        all.options += [table ? .tableFormat : .format, .noColor]
        return all
    }
}

extension AcceptedArguments.Option {
    static let format = value("format", "FORMAT", "text (the default) or json")
    static let tableFormat = value("format", "FORMAT", "text (the default), json or csv")
    static let noColor = flag("no-color", "no colours, also when NO_COLOR is set")
    static let config = value("config", "FILE", "the configuration; providers.json by default")
    static let provider = value("provider", "NAME", "the configured provider; by default the active one")
    static let state = value("state", "FOLDER", "where simulated providers and `state:` files are kept")
    static let attempt = value("attempt", "ID", "our name for this operation; the same id never does it twice")
    static let reference = value(
        "reference", "TEXT", "your own name for it, such as the number of an order; it is paid once")
    static let part = value("part", "TEXT", "which part of the reference is paid, such as \"1 of 2\"")
    static let holdsFor = value(
        "holds-for", "MINUTES", "how long the reference stays taken; for labels that come again")
    static let unreferenced = flag("unreferenced", "it has no reference: the same line typed again moves money again")
    static let account = value(
        "account", "NAME", "at which account, by its merchant or provider; needed if several have money of the payment")
    static let within = value("within", "SECONDS", "how long to wait for the answer before it is left open")

    static let reading = values(
        "reading", "NAME", "the simulated provider plays this reading of its documents; may be given for each")

    /// Whose payment it is, in a journal of several shops.
    static let scope = value("scope", "NAME", "the shop of `payctl serve`, or the scope, that the payment belongs to")

    /// What every command takes that reads a configuration.
    static let configured: [Self] = [.config, .state]
}

/// What was given to a command: `--key value`, `--key=value`, flags, operands; `--` ends the options.
struct GivenArguments: Sendable {
    let operands: [String]
    private let values: [String: [String]]

    /// Takes a command line apart.
    init(_ arguments: [String], takes: AcceptedArguments) throws(UsageError) {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("--"), word.count > 2 else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = takes.options.first(where: { $0.name == name }) else {
                let near = SpellingSuggestion.of(name, in: takes.options.map(\.name))
                throw UsageError(
                    message: "there is no option --\(name)\(near.map { "; did you mean --\($0)?" } ?? "")")
            }
            if option.value != nil, !option.isRepeatable, values[name] != nil {
                throw UsageError(message: "--\(name) is given twice, and only one of both can be meant")
            }
            let isOption = rest.first.map { next in takes.options.contains { "--\($0.name)" == next } } ?? false
            values[name, default: []].append(try Self.value(of: option, parts, &rest, isFollowedByOption: isOption))
        }
        if operands.count > takes.operands.count, !takes.takesMoreOperands {
            throw UsageError(message: "\(operands[takes.operands.count]) is one word too many")
        }
        if operands.count < takes.operandsMin {
            throw UsageError(message: "\(takes.operands[operands.count]) is missing")
        }
        (self.operands, self.values) = (operands, values)
    }

    private static func value(
        of option: AcceptedArguments.Option, _ parts: [Substring], _ rest: inout ArraySlice<String>,
        isFollowedByOption: Bool
    ) throws(UsageError) -> String {
        guard let placeholder = option.value else {
            if parts.count > 1 { throw UsageError(message: "--\(option.name) takes no value") }
            return ""
        }
        if parts.count > 1 { return String(parts[1]) }
        // An option behind it is no value of it: that one was forgotten.
        guard !isFollowedByOption, let next = rest.popFirst() else {
            throw UsageError(message: "--\(option.name) needs a value: \(placeholder)")
        }
        return next
    }

    /// The same with more words.
    func adding(_ words: [String], takes: AcceptedArguments) throws(UsageError) -> GivenArguments {
        let more = try GivenArguments(words, takes: takes)
        return GivenArguments(operands + more.operands, values.merging(more.values) { $0 + $1 })
    }

    private init(_ operands: [String], _ values: [String: [String]]) {
        (self.operands, self.values) = (operands, values)
    }

    /// Whether a flag or an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Every value of an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The last value of an option.
    subscript(name: String) -> String? { values[name]?.last }
}

/// The words of this process's command line, as bytes: Swift makes two words that are no text into the same one.
enum RawArguments {
    /// A word that is no text; its place is counted from 1 behind the program's name.
    struct NoText: Error { let place: Int }

    /// Every word behind the program's name.
    static func read() throws(NoText) -> [String] {
        let argv = unsafe CommandLine.unsafeArgv
        var words: [String] = []
        var place = 1
        while place < CommandLine.argc, let word = unsafe argv[place] {
            guard let text = unsafe String(validatingCString: word) else { throw NoText(place: place) }
            words.append(text)
            place += 1
        }
        return words
    }
}

/// The rules of a typed reference, beside those of the client: two that look the same are the same.
enum TypedReference {
    /// What is wrong with one, as the end of a sentence; nil where nothing is.
    static func problem(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        if scalars.first?.properties.isWhitespace == true || scalars.last?.properties.isWhitespace == true {
            return "begins or ends with white space, which can't be seen; leave it out"
        }
        for scalar in scalars where scalar != " " {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse,
                .unassigned:
                let code = String(scalar.value, radix: 16, uppercase: true)
                let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
                return "has the character U+\(digits), which looks like another one; leave it out"
            default: if scalar == "\u{FFFD}" { return "has characters that could not be read" }
            }
        }
        return nil
    }
}

/// Files that a command line names.
enum CommandFile {
    /// Reads a file whole.
    static func read(_ path: String) throws(UsageError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError(message: "\(path) can't be opened: \(reason)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe readSome(descriptor, $0) }
            if count == 0 { return bytes }
            if count < 0 { throw UsageError(message: "\(path) can't be read: \(reason)") }
            bytes += part.prefix(count)
            if bytes.count > Console.inputBytesMax {
                throw UsageError(message: "\(path) has more than \(Console.inputBytesMax) bytes")
            }
        }
    }

    /// Whether there is something of that name.
    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether nothing has that name. A link that leads nowhere is something, and so is what can't be looked at.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && errno == ENOENT
    }

    /// Whether a folder is there.
    static func isFolder(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Makes a folder, and those that it lies in.
    static func makeFolder(_ path: String) throws(UsageError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for piece in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + piece
            if unsafe mkdir(made, 0o755) != 0, errno != EEXIST {
                throw UsageError(message: "the folder \(made) can't be made: \(reason)")
            }
        }
    }

    /// The folder in which this program was called.
    static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Where this program lies.
    static func ownProgram() -> String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Writes a file, beside the old one and then in its place; a link that is there is replaced and not followed.
    ///
    /// - Parameter isPrivate: Whether this user alone may read it; else the process's mask says who may.
    static func write(_ bytes: [UInt8], _ path: String, isPrivate: Bool = false) throws(UsageError) {
        do { try RegularFile.replace(path, with: bytes, isPrivate: isPrivate) } catch {
            throw UsageError(message: "\(path) can't be written: \(error.problem)")
        }
    }

    private static var reason: String {
        switch errno {
        case ENOENT: "there is no such file or folder"
        case EACCES, EPERM: "this user may not"
        case EISDIR: "it is a folder; name a file in it"
        case ENOSPC, EDQUOT: "the disk is full"
        case EROFS: "the file system is mounted to be read only"
        case let code: "the system failed with error \(code)"
        }
    }
}

/// The system's own functions, which the enum's would hide.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

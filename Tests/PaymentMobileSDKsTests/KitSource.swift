/// Reads what a kit's source text declares: calls with their parameters, types, members, cases.
///
/// The members of a protocol stand without its name, since a document knows the call alone; all others stand with the
/// types around them, without the name space.
struct KitSource {
    private enum Scope { case space, type([String], isEnum: Bool), protocolBody, other }

    private let tokens: [String]
    private var index = 0
    private var scopes: [Scope] = []
    private var pending: Scope?
    private var found: Set<String> = []

    /// The names in a text.
    static func names(in text: String, space: String) -> Set<String> {
        var source = KitSource(text)
        source.read(space)
        return source.found
    }

    private init(_ text: String) { tokens = Self.tokens(of: text) }

    private mutating func read(_ space: String) {
        while index < tokens.count {
            let token = tokens[index]
            switch token {
            case "{":
                scopes.append(pending ?? .other)
                pending = nil
            case "}": _ = scopes.popLast()
            case "struct", "enum", "protocol", "extension", "class": type(token, space)
            case "typealias" where isPublic: add(tokens[index + 1])
            case "case": if case .type(let path, isEnum: true) = scopes.last { enumCase(path) }
            case "func": function()
            case "let", "var": if isPublic || isRequirement { add(tokens[index + 1]) }
            default: break
            }
            index += 1
        }
    }

    private var isRequirement: Bool {
        if case .protocolBody = scopes.last { return true }
        return false
    }

    private var isPublic: Bool {
        if case .other = scopes.last { return false }
        var place = index - 1
        while place >= 0, ["static", "mutating"].contains(tokens[place]) { place -= 1 }
        return place >= 0 && tokens[place] == "public"
    }

    private var path: [String] {
        if case .type(let path, _) = scopes.last { return path }
        return []
    }

    private mutating func add(_ name: String) { found.insert((path + [name]).joined(separator: ".")) }

    private mutating func type(_ kind: String, _ space: String) {
        index += 1
        var names = [tokens[index]]
        while tokens[index + 1] == "." {
            names.append(tokens[index + 2])
            index += 2
        }
        if names[0] == space {
            pending = names.count == 1 ? .space : .type(Array(names.dropFirst()), isEnum: false)
        } else if kind == "extension" || scopes.isEmpty {
            pending = .other
        } else {
            if case .other = scopes.last { return }
            found.insert((path + names).joined(separator: "."))
            pending = kind == "protocol" ? .protocolBody : .type(path + names, isEnum: kind == "enum")
        }
    }

    private mutating func enumCase(_ path: [String]) {
        repeat {
            index += 1
            let name = tokens[index]
            add(name)
            if tokens[index + 1] == "(" {
                index += 1
                for label in labels() { found.insert((path + [name, label]).joined(separator: ".")) }
            }
            if tokens[index + 1] == "=" { index += 2 }
            guard tokens[index + 1] == "," else { return }
            index += 1
        } while index + 1 < tokens.count
    }

    private mutating func function() {
        guard isPublic || isRequirement else { return }
        let name = tokens[index + 1]
        add(name)
        index += 1
        while tokens[index] != "(" { index += 1 }
        for label in labels() { found.insert((path + [name, label]).joined(separator: ".")) }
    }

    /// The labels of the list that begins here; a parameter without one goes by its name. Ends on the closing bracket.
    private mutating func labels() -> [String] {
        var (depth, labels, isStart) = (0, [String](), false)
        repeat {
            switch tokens[index] {
            case "(", "[", "<":
                depth += 1
                isStart = depth == 1
            case ")", "]", ">":
                if tokens[index] != ">" || tokens[index - 1] != "-" { depth -= 1 }
            case "," where depth == 1: isStart = true
            default:
                if isStart {
                    let label = tokens[index] == "_" ? tokens[index + 1] : tokens[index]
                    if tokens[index + 1] == ":" || tokens[index + 2] == ":" { labels.append(label) }
                }
                isStart = false
            }
            index += 1
        } while depth > 0
        index -= 1
        return labels
    }

    private static func tokens(of text: String) -> [String] {
        var (tokens, word, rest) = ([String](), "", text[...])
        while let character = rest.first {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                rest.removeFirst()
                continue
            }
            if !word.isEmpty { tokens.append(word) }
            word = ""
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if character == "\"" {
                rest.removeFirst()
                while let next = rest.first, next != "\"" { rest.removeFirst(next == "\\" ? 2 : 1) }
                rest = rest.dropFirst()
                tokens.append("\"\"")
            } else {
                if !character.isWhitespace, character != "`" { tokens.append(String(character)) }
                rest.removeFirst()
            }
        }
        return word.isEmpty ? tokens : tokens + [word]
    }
}

extension Command {
    /// Completions for a shell.
    static let completions = Command(
        name: "completions", summary: "prints completions for bash, zsh or fish",
        example: "payctl completions bash > ~/.local/share/bash-completion/completions/payctl",
        takes: AcceptedArguments(operands: ["SHELL"])
    ) { call in
        let shell = try Shell.allCases.picked(call.operand(0, "SHELL"), "shell", by: \.rawValue)
        call.console.page(shell.script(Payctl.commands))
        return .fine
    }
}

/// A shell that can complete words.
private enum Shell: String, CaseIterable {
    case bash, zsh, fish

    func script(_ commands: [Command]) -> String {
        let first = Array(Set(commands.map { String($0.name.prefix { $0 != " " }) })).sorted()
        switch self {
        case .bash: return Self.bash(first, commands)
        case .zsh:
            return "#compdef payctl\nautoload -U +X bashcompinit && bashcompinit\n" + Self.bash(first, commands)
        case .fish:
            var lines = first.map { name in
                let summary = commands.first { $0.name == name }?.summary ?? "a family of commands"
                return "complete -c payctl -n __fish_use_subcommand -f -a \(name) -d \(Self.quoted(summary))"
            }
            for command in commands {
                let seen = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
                let condition = Self.quoted(seen.joined(separator: "; and "))
                for option in command.takes.options {
                    let takes = option.value == nil ? "" : " -r"
                    lines.append(
                        "complete -c payctl -n \(condition) -l \(option.name)\(takes) -d \(Self.quoted(option.summary))"
                    )
                }
            }
            return lines.joined(separator: "\n")
        }
    }

    private static func bash(_ first: [String], _ commands: [Command]) -> String {
        var cases: [String] = []
        for name in first {
            let family = commands.filter { $0.name == name || $0.name.hasPrefix(name + " ") }
            let seconds = family.compactMap { $0.name.split(separator: " ").dropFirst().first.map(String.init) }
            let options = Set(family.flatMap { $0.takes.options.map { "--\($0.name)" } }).sorted()
            let words = (seconds + options).joined(separator: " ")
            cases.append("    \(name)) words=\"\(words)\" ;;")
        }
        return """
            _payctl() {
              local word="${COMP_WORDS[COMP_CWORD]}" words
              if [ "$COMP_CWORD" -eq 1 ]; then
                words="\(first.joined(separator: " "))"
              else
                case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
                esac
              fi
              COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o default -F _payctl payctl
            """
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}

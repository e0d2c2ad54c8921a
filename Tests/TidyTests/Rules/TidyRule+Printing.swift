extension TidyRule {
    /// The one place that writes to a terminal or a pipe; every text passes its function, which writes out what does something.
    private static let console = "Sources/PaymentCLI/Frame/Console.swift"
    private static let printers: Set<String> = ["print", "debugPrint", "puts", "fputs", "fwrite", "NSLog", "putchar"]
    private static let descriptors: Set<String> = ["standardOutput", "standardError", "STDOUT_FILENO", "STDERR_FILENO"]

    /// Text from outside reaches a terminal by one way.
    static let printing = TidyRule(
        "only the console prints", for: { $0.isSource && $0.path != console },
        check: { file in
            let tokens = file.tokens
            // A function of the file's own may have such a name.
            let own = Set(
                tokens.indices.dropFirst().filter { tokens[$0 - 1].text == "func" }.map { tokens[$0].text })
            return tokens.indices.compactMap { index in
                let text = tokens[index].text
                if descriptors.contains(text) {
                    return (tokens[index].line, "\(text) is written to beside the console")
                }
                let isCall =
                    printers.contains(text) && index + 1 < tokens.count && tokens[index + 1].text == "("
                    && !tokens[index + 1].isAfterSpace
                let isMember = index > 0 && [".", "func"].contains(tokens[index - 1].text)
                guard isCall, !isMember, !own.contains(text) else { return nil }
                return (tokens[index].line, "\"\(text)\" prints what the console has not seen")
            }
        })
}

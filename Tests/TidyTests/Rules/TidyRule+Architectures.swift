extension TidyRule {
    /// Words that name one kind of processor, its registers or its instructions.
    static let architectureWords: Set<String> = [
        "x86_64", "i386", "arm64", "aarch64", "arm64e", "riscv64", "__x86_64__", "__aarch64__", "__SSE2__",
        "__ARM_NEON",
        "_Builtin_intrinsics", "immintrin", "arm_neon", "Float80", "__builtin_ia32_pause",
    ]

    /// What runs on one kind of processor runs on every other.
    static let architectures = TidyRule("nothing of one architecture", for: \.isSource) { file in
        guard file.mentions("arch") || architectureWords.contains(where: file.mentions) else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            let isNext = index + 1 < tokens.count && tokens[index + 1].text == "("
            let isCondition =
                index > 0
                && tokens[..<index].reversed().prefix { $0.line == token.line }
                    .contains { $0.text == "if" || $0.text == "elseif" }
            let follows = index > 0 && tokens[index - 1].text == "."
            if token.text == "arch", isNext, isCondition, !follows {
                return (token.line, "it asks for an architecture")
            }
            return architectureWords.contains(token.text) ? (token.line, "\(token.text) is one architecture's") : nil
        }
    }
}

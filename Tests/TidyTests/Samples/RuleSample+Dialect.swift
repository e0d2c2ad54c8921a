extension RuleSample {
    /// Every phrase in a line of its own.
    private static func lines(_ line: (DialectPhrase) -> String) -> String {
        DialectPhrase.all.map { "\(line($0))\n" }.joined()
    }

    private static let everyLine = Array(1...DialectPhrase.all.count)
    private static let script = "#!/usr/bin/env bash\n"

    static let dialectSamples =
        [
            RuleSample(.dialect, at: everyLine, lines { "/// It says: \($0.text)." }),
            RuleSample(.dialect, at: everyLine, lines { "let a = \"It says: \($0.text).\"" }),
            RuleSample(.dialect, at: everyLine, lines { "let \($0.identifier) = b" }),
            RuleSample(.dialect, at: everyLine, lines { "case a_\($0.identifier)Then" }),
            RuleSample(.dialect, at: everyLine, in: "Examples/A/Sources/B.swift", lines { "// \($0.text)" }),
            RuleSample(.dialect, at: everyLine, in: "Benchmarks/B.swift", lines { "let a = \"\($0.text)\"" }),
            RuleSample(.dialect, at: everyLine, in: "docs/a.md", lines { "What is \($0.text), they say." }),
            RuleSample(.dialect, at: everyLine, in: "README.md", lines { "\($0.text.uppercased())" }),
            RuleSample(.dialect, at: everyLine, in: "Models/a.pml", lines { "#define \($0.identifier) 1" }),
            RuleSample(.dialect, at: everyLine, in: "Sources/Payments/Payments.docc/A.md", lines { "*\($0.text)*" }),
            RuleSample(.dialect, at: everyLine.map { $0 + 1 }, in: "Scripts/a", script + lines { "# \($0.text)" }),
            RuleSample(.dialect, at: everyLine, in: "Tests/Fixtures/Help/a.txt", lines { "  --a  \($0.text)" }),
            RuleSample(.dialect, at: everyLine, in: "Tests/A/B.swift", lines { "// \($0.text)" }),
            RuleSample(.dialect, at: everyLine, in: "Tests/A/B.swift", lines { "@Test func \($0.identifier)() {}" }),
            RuleSample(.dialect, at: everyLine, in: "Tests/A/B.swift", lines { "@Test(\"\($0.text)\") func a() {}" }),
        ] + moreDialect

    private static let moreDialect = [
        // A phrase goes over the end of a line, of a comment or of a text.
        RuleSample(
            .dialect, at: [2, 3, 5, 7],
            """
            /// What the provider
            /// tells.
            /// A refund that is
            /// told twice.
            let a = "an attempt of "
                + "ours"
            // NOBODY, and
            // nothing else.
            """),
        RuleSample(
            .dialect, at: [2, 5], in: "Tests/A/B.swift",
            """
            @Test(arguments: [1])
            func sale_isTold(_ number: Int) {
                let nobody = "whoever"
                isTold(nobody)
                // Nobody waits.
            }
            func everybodyPlays() {}
            """),
        // Neighbours in plain English.
        RuleSample(
            .dialect, at: [],
            """
            /// A `MachineWord`, an exchange rate of another currency, `Rounding` to even, and a card reading.
            /// An analogue of hours; oneWhole, isTolded, unheardly, cargoOn, standsFore.
            /// What it is. Told nothing. Those, who pay; come, over all.
            let words = ["is", "told", "of", "ours"]
            let isOn = goes(on: back, for: over)
            let twin = round(silence) + likely
            """),
        RuleSample(
            .dialect, at: [], in: "Sources/PaymentLinux/Curl/CurlTransfer.swift", "try set(CURLOPT_NOBODY, 1)\n"),
        RuleSample(.dialect, at: [1], "try set(CURLOPT_NOBODY, 1)\n"),
        RuleSample(
            .dialect, at: [2], in: "Sources/Providers/Halo/A.swift", "context.givesBack()\nlet a = \"given back\"\n"),
        RuleSample(.dialect, at: [], in: "docs/api/A.txt", "func givesBack()\n"),
        RuleSample(.dialect, at: [], in: "Tests/Contracts/a.tsv", "nobody\n"),
    ]
}

extension RuleSample {
    static let testSamples = [
        RuleSample(
            .testHonesty, at: [1, 2], in: "Tests/A/B.swift",
            "@Test(.disabled(\"flaky\")) func a() {}\nfunc b() { withKnownIssue { } }\n"),
        RuleSample(
            .testHonesty, at: [], in: "Tests/A/B.swift",
            "// .disabled(\nlet a = \"withKnownIssue\"\nlet disabled = 1\n"),
        RuleSample(.testSleeping, at: [], in: "Sources/A/B.swift", "try await Task.sleep(for: .seconds(1))\n"),
        RuleSample(
            .testSleeping, at: [1, 2, 3, 4], in: "Tests/A/B.swift",
            "try await Task.sleep(for: .seconds(1))\nThread.sleep(forTimeInterval: 1)\nusleep(5)\nsleep(1)\n"),
        RuleSample(
            .testSleeping, at: [], in: "Tests/A/B.swift",
            "try await stage.sleep(until: 5)\nfunc sleep(until instant: Int64) {}\nlet sleep = 1\n"),
        RuleSample(
            .testPrograms, at: [2], in: "Tests/A/B.swift",
            "let process = Process()\nprocess.executableURL = URL(filePath: \"/bin/true\")\n"),
        RuleSample(
            .testPrograms, at: [], in: "Benchmarks/B.swift", "struct Process {}\nlet a = \"executableURL\"\n"),
        RuleSample(
            .machinePaths, at: [1, 2], in: "docs/a.md",
            TidyRule.homes.prefix(2).map { "see \($0)somebody/x\n" }.joined()),
        RuleSample(
            .machinePaths, at: [], in: "docs/a.md",
            TidyRule.homes.map { "https://example.org\($0)a and Sources\($0)b\n" }.joined()),
    ]
}

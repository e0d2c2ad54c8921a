/// A small file and the lines at which a rule must find something; none where it must be silent.
struct RuleSample: Sendable, CustomStringConvertible {
    let rule: TidyRule
    let file: SourceFile
    let lines: [Int]

    init(_ rule: TidyRule, at lines: [Int], in path: String = "Sources/PaymentAbstraction/A/B.swift", _ text: String) {
        (self.rule, self.lines) = (rule, lines)
        file = SourceFile(path, text)
    }

    var description: String { "\(rule.name): \(file.path) \(file.text.prefix(60).debugDescription)" }

    /// All samples.
    static let all =
        importSamples + sizeSamples + wordSamples + publicSamples + testSamples
        + amountSamples
}

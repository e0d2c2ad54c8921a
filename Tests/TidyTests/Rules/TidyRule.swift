/// One rule of the house: a pure function from a file to what is wrong with it.
struct TidyRule: Sendable, CustomStringConvertible {
    /// The rule in a few words, as it is printed.
    let name: String
    /// Which files it looks at.
    let applies: @Sendable (SourceFile) -> Bool
    /// What is wrong, with the line from 1.
    let check: @Sendable (SourceFile) -> [(line: Int, problem: String)]

    init(
        _ name: String, for applies: @escaping @Sendable (SourceFile) -> Bool,
        check: @escaping @Sendable (SourceFile) -> [(line: Int, problem: String)]
    ) {
        (self.name, self.applies, self.check) = (name, applies, check)
    }

    var description: String { name }

    /// What is wrong with a file, ready to be printed.
    func findings(_ file: SourceFile) -> [String] {
        guard applies(file) else { return [] }
        return check(file).map { "\(file.path):\($0.line): \($0.problem) [\(name)]" }
    }

    /// All rules.
    static let all: [TidyRule] = [
        .imports, .platform, .targets, .fileLength, .functionLength, .floatingPoint, .unwraps, .unchecked, .unsafety,
        .fatalErrors, .exposedComparisons, .markers, .fileNames, .publicDocumentation, .testHonesty,
        .testSleeping, .testPrograms, .machinePaths, .readArithmetic,
    ]
}

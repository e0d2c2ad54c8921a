import Testing

@Suite struct RuleTests {
    @Test(arguments: RuleSample.all)
    func aRuleFindsExactlyWhatBreaksIt(_ sample: RuleSample) {
        let found = sample.rule.findings(sample.file)
        let expected = sample.lines.map { "\(sample.file.path):\($0):" }
        #expect(found.count == expected.count, "\(found)")
        for place in expected { #expect(found.contains { $0.hasPrefix(place) }, "nothing at \(place) in \(found)") }
        #expect(found.allSatisfy { $0.hasSuffix("[\(sample.rule.name)]") })
    }

    @Test(arguments: TidyRule.all)
    func everyRuleIsShownToFindSomethingAndToBeSilent(_ rule: TidyRule) {
        let samples = RuleSample.all.filter { $0.rule.name == rule.name }
        #expect(samples.contains { !$0.lines.isEmpty })
        #expect(samples.contains { $0.lines.isEmpty && rule.applies($0.file) })
    }

    @Test func rulesHaveNamesOfTheirOwn() {
        #expect(Set(TidyRule.all.map(\.name)).count == TidyRule.all.count)
    }

    @Test func aTargetMustBeInTheManifestAndInTheTable() {
        let manifest = #"targets: [.target(name: "PaymentBase"), .target(name: "New"), .target(name: "CCurl")]"#
        func problems(_ path: String) -> [String] {
            TidyRule.unknownTarget(SourceFile(path, ""), manifest: manifest).map(\.problem)
        }
        #expect(problems("Sources/PaymentBase/A.swift").isEmpty)
        #expect(problems("Sources/CCurl/shim.h").isEmpty)
        #expect(problems("Sources/PaymentSQLite/A.swift") == ["Package.swift has no target \"PaymentSQLite\""])
        #expect(problems("Sources/New/A.swift") == ["the import table has no target \"New\""])
        #expect(problems("Sources/Other/A/B.swift").count == 2)
    }

    @Test func aRequirementIsExplainedWhereItStands() {
        let text = "public protocol P {\n    func asked()\n}\nextension P {\n    public func asked() {}\n}\n"
        let file = SourceFile("Sources/PaymentAbstraction/Core/P.swift", text)
        let requirements = Block.requirements(in: file.tokens)
        #expect(requirements == ["asked"])
        #expect(TidyRule.undocumented(file, requirements: Set(requirements)).map(\.line) == [1])
        #expect(TidyRule.undocumented(file, requirements: []).map(\.line) == [1, 5])
    }

    /// What is allowed is few lines, and each is still there.
    @Test func allowedDialect_isNeeded_andShort() {
        let files = Repository.files.filter { file in DialectException.all.contains { file.path.hasPrefix($0.path) } }
        let hits = files.flatMap { file in
            TidyRule.dialect(file).map { (path: file.path, line: file.lines[$0.line - 1], phrase: $0.phrase) }
        }
        for exception in DialectException.all {
            let isNeeded = hits.contains { exception.covers($0.phrase, $0.line, in: $0.path) }
            #expect(isNeeded, "\(exception.path) has no \(exception.part): \(exception.reason)")
        }
        let allowed = hits.filter { hit in
            DialectException.all.contains { $0.covers(hit.phrase, hit.line, in: hit.path) }
        }
        #expect(allowed.count <= DialectException.linesMax, "\(allowed.map(\.line))")
    }

    @Test func thePlaceOfTheRepositoryIsNotNamed() {
        let file = SourceFile("docs/a.md", "see /srv/trees/x\nor https://example.org/srv/trees/\n")
        #expect(TidyRule.machinePaths(file, root: "/srv/trees/money").map(\.line) == [1])
        #expect(TidyRule.machinePaths(file, root: "/payments").isEmpty)
        let script = SourceFile("Scripts/a", "#!/usr/bin/env bash\necho /usr/src/x\n")
        #expect(TidyRule.machinePaths(script, root: "/usr/src").map(\.line) == [2])
    }
}

@Suite struct LexerTests {
    private func code(_ text: String) -> String { String(decoding: SwiftLexer(text).code, as: UTF8.self) }
    private func comments(_ text: String) -> String { String(decoding: SwiftLexer(text).comments, as: UTF8.self) }
    private func words(_ text: String) -> [String] { Token.all(in: SwiftLexer(text).code).map(\.text) }

    @Test(arguments: [
        ("a \"b\" c", ["a", "\"", "\"", "c"]),
        ("a \"b \\\" c\" d", ["a", "\"", "\"", "d"]),
        ("\"\\\\\" a", ["\"", "\"", "a"]),
        ("a // b \" c\nd", ["a", "d"]),
        ("a /* b /* c */ \" d */ e", ["a", "e"]),
        ("a /* b", ["a"]),
        ("\"// no\" a", ["\"", "\"", "a"]),
        ("\"\\(a + \"b\\(c)\")\" d", ["\"", "(", "a", "+", "\"", "(", "c", ")", "\"", ")", "\"", "d"]),
        ("\"\\(f(a))\" b", ["\"", "(", "f", "(", "a", ")", ")", "\"", "b"]),
        ("#\"a \" \\(b) \"# c", ["#", "\"", "\"", "#", "c"]),
        ("#\"\\#(a)\"# b", ["#", "\"", "(", "a", ")", "\"", "#", "b"]),
        ("\"\"\"\na \" b \"\" c\n\"\"\" d", ["\"", "\"", "\"", "\"", "\"", "\"", "d"]),
        ("\"unclosed\na", ["\"", "a"]),
        ("let a = #/b\"c/# d", ["let", "a", "=", "d"]),
        ("é = 1", ["é", "=", "1"]),
        ("", []),
    ])
    func onlyCodeIsLeft(text: String, expected: [String]) {
        #expect(words(text) == expected)
        #expect(code(text).utf8.count == text.utf8.count)
    }

    @Test func commentsAreKeptApart() {
        let text = "a // one\n\"// two\" /* three\nfour */ b"
        #expect(comments(text).split(whereSeparator: \.isWhitespace) == ["//", "one", "/*", "three", "four", "*/"])
        #expect(comments(text).count { $0 == "\n" } == 2)
    }

    @Test func tokensKnowTheirLine() {
        let tokens = Token.all(in: SwiftLexer("a\n\"\"\"\nb\n\"\"\"\n!c").code)
        #expect(tokens.last == Token(text: "c", line: 5, isAfterSpace: false, isWord: true))
        #expect(tokens.first == Token(text: "a", line: 1, isAfterSpace: true, isWord: true))
    }

    @Test func bodiesEndWhereTheirBraceDoes() {
        let text = """
            struct A {
                func a() {
                    if b { c() }
                    let d = "}"
                }
                var e: Int { 1 }
                var f = 4
                init() {
                }
            }
            """
        let bodies = FunctionBody.all(in: SourceFile("A.swift", text).tokens)
        #expect(
            bodies == [
                FunctionBody(name: "func a", line: 2, lastLine: 5), FunctionBody(name: "var e", line: 6, lastLine: 6),
                FunctionBody(name: "init", line: 8, lastLine: 9),
            ])
    }

    @Test func unbalancedBracesDoNotCrash() {
        for text in ["}", "{", "}}{{", "func a() {", "func", "func a(", "init() {{}", ")(", "public", "import"] {
            let file = SourceFile("Sources/PaymentBase/A.swift", text)
            for rule in TidyRule.all { _ = rule.findings(file) }
            #expect(Block.all(in: file.tokens).allSatisfy { $0.start < $0.end })
        }
    }
}

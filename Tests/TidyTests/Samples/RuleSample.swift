/// A small file and the lines at which a rule must find something; none where it must be silent.
struct RuleSample: Sendable, CustomStringConvertible {
    let rule: TidyRule
    let file: SourceFile
    let lines: [Int]

    init(_ rule: TidyRule, at lines: [Int], in path: String = "Sources/PaymentAbstraction/Core/B.swift", _ text: String)
    {
        (self.rule, self.lines) = (rule, lines)
        file = SourceFile(path, text)
    }

    var description: String { "\(rule.name): \(file.path) \(file.text.prefix(60).debugDescription)" }

    /// All samples.
    static let all =
        importSamples + sizeSamples + wordSamples + publicSamples + testSamples
        + amountSamples + architectureSamples + conditionSamples + dialectSamples
}

extension RuleSample {
    static let amountSamples = [
        RuleSample(
            .readArithmetic, at: Array(1...11),
            """
            let a = b.minorUnits + 1
            let c = 1 - d.e.minorUnits
            let f = 2 * g?.minorUnits
            h += i[0].minorUnits
            j[k, default: 0] -= l(m).minorUnits
            let n = -o.minorUnits
            let p = q.reduce(0) { $0 + ($1.r?.minorUnits ?? 0) }
            let s = clock.now + t.milliseconds
            let u = v.minorUnits &+ 1
            let w = max(0, x.minorUnits - y.z().minorUnits)
            let a = b().c?.minorUnits * 3
            """),
        RuleSample(
            .readArithmetic, at: [],
            """
            let a = b.minorUnits.addingReportingOverflow(c.minorUnits)
            let d = e.minorUnits > 0 && f.minorUnits == g.minorUnits
            let h = i.map { $0.minorUnits } + [j(k.minorUnits)]
            let l = m + n(o.minorUnits)
            func p(_ q: Money) -> Int64 { q.minorUnits }
            let r: (Money) -> Int64 = { $0.minorUnits }
            let milliseconds = seconds * 1_000
            let minorUnits = whole * 100
            let s = (t.minorUnits, -1)
            """),
        RuleSample(
            .readArithmetic, at: [], in: "Sources/PaymentAbstraction/Model/Money.swift", "let a = b.minorUnits + 1\n"),
        RuleSample(.readArithmetic, at: [], in: "Tests/A/B.swift", "let a = b.minorUnits + 1\n"),
    ]
}

extension RuleSample {
    static let importSamples = [
        RuleSample(
            .imports, at: [2, 3, 4],
            """
            public import PaymentBase
            internal import PaymentTransport
            @preconcurrency import Testing
            import struct PaymentSimulator.Ledger
            // import AdyenProvider
            let text = "import AdyenProvider"
            """),
        RuleSample(.imports, at: [1], in: "Sources/Unheard/A.swift", "let a = 1\n"),
        RuleSample(.imports, at: [], in: "Sources/PaymentSQLite/A.swift", "import PaymentBase\nimport CSQLite\n"),
        RuleSample(
            .imports, at: [2], in: "Sources/PaymentSimulator/A.swift",
            "public import protocol PaymentModel.CardReader\nimport PaymentModel\n"),
        RuleSample(.imports, at: [1], in: "Sources/PaymentSimulator/A.swift", "import AdyenProvider\n"),
        RuleSample(.imports, at: [1], in: "Sources/PaymentBase/A.swift", "import PaymentModel\n"),
        RuleSample(.platform, at: [1, 2], "import Foundation\ninternal import Glibc\n"),
        RuleSample(
            .platform, at: [2], in: "Sources/PaymentBase/Concurrency/Locked.swift",
            "internal import PaymentSystem\ninternal import Glibc\n"),
        RuleSample(
            .platform, at: [], in: "Sources/PaymentSystem/A.swift",
            "#if canImport(Glibc)\npublic import Glibc\n#elseif canImport(Musl)\npublic import Musl\n#endif\n"),
        RuleSample(.platform, at: [1], in: "Sources/PaymentBase/Concurrency/Promise.swift", "import PaymentSystem\n"),
        RuleSample(
            .platform, at: [1], in: "Sources/PaymentLinux/A.swift",
            "import FoundationEssentials\nimport PaymentSystem\n"),
        RuleSample(.platform, at: [], in: "Sources/PaymentURLSession/A.swift", "import FoundationNetworking\n"),
        RuleSample(.targets, at: [1, 1], in: "Sources/Unheard/A.swift", "let a = 1\n"),
        RuleSample(.targets, at: [], in: "Sources/PaymentBase/A.swift", "let a = 1\n"),
    ]
}

extension RuleSample {
    static let publicSamples = [
        RuleSample(
            .publicDocumentation, at: [1, 4, 10],
            """
            public struct A: Hashable, Sendable {
                // A plain comment.
                public let a: Int
                public init() {}
                /// Explained.
                @discardableResult
                @inlinable
                public func b() -> Int { a }
            }
            public protocol P {
                func c()
            }
            extension A {
                public static func == (one: A, other: A) -> Bool { one.a == other.a }
                public func hash(into hasher: inout Hasher) {}
            }
            """),
        RuleSample(
            .publicDocumentation, at: [],
            """
            public import PaymentBase
            /// Explained.
            public struct A: PaymentClock { public var now: Int64 { 0 } }
            extension A: CustomStringConvertible {
                public var description: String { "public" }
            }
            """),
        RuleSample(
            .publicDocumentation, at: [2, 3],
            "extension A {\n    public static func b() {}\n    public init?(c: Int) {}\n}\n"),
        RuleSample(.publicDocumentation, at: [], "extension HTTPTransport {\n    public func send() {}\n}\n"),
    ]
}

extension RuleSample {
    private static func function(_ lineCount: Int, _ head: String = "func long()") -> String {
        let body = String(repeating: "        _ = \"}\" // }\n", count: lineCount - 2)
        return "struct A {\n    \(head) {\n\(body)    }\n}\n"
    }

    static let sizeSamples = [
        RuleSample(.fileLength, at: [], String(repeating: "\n", count: 700)),
        RuleSample(.fileLength, at: [701], String(repeating: "\n", count: 701)),
        RuleSample(.fileLength, at: [701], in: "Tests/A/B.swift", String(repeating: "\n", count: 700) + "let a = 1"),
        RuleSample(.functionLength, at: [], function(70)),
        RuleSample(.functionLength, at: [2], function(71)),
        RuleSample(.functionLength, at: [2], in: "Tests/A/B.swift", function(71, "func long<A>() async throws -> [A]")),
        RuleSample(.functionLength, at: [2], function(71, "init?(_ a: Int = { 4 }(), b: () -> Void)")),
        RuleSample(.functionLength, at: [2], function(71, "var long: Int")),
        RuleSample(.functionLength, at: [2], function(71, "subscript(a: Int) -> Int")),
        RuleSample(.functionLength, at: [2], function(71, "func a() where A: B,\n        C: D")),
        RuleSample(.functionLength, at: [], function(80, "struct Inner")),
        RuleSample(.functionLength, at: [], "protocol P {\n    func a() -> Int\n    init()\n}\n" + function(70)),
        RuleSample(.functionLength, at: [], "let a = A.init(4)\nvar b = 4\n" + function(80, "enum Inner")),
    ]
}

extension RuleSample {
    static let testSamples = [
        RuleSample(
            .testHonesty, at: [1, 2], in: "Tests/A/B.swift",
            "@Test(.disabled(\"flaky\")) func a() {}\nfunc b() { withKnownIssue { } }\n"),
        RuleSample(
            .testHonesty, at: [], in: "Tests/A/B.swift",
            "// .disabled(\nlet a = \"withKnownIssue\"\nlet disabled = 1\n"),
        RuleSample(
            .printing, at: [1, 2, 3, 4], in: "Sources/A/B.swift",
            "print(a)\ndebugPrint(a)\nfputs(a, stderr)\nwrite(STDOUT_FILENO, a, 1)\n"),
        RuleSample(
            .printing, at: [], in: "Sources/A/B.swift",
            "// print(a)\nlet b = print(of: a)\nconsole.print(a)\nstatic func print(of a: A) {}\nlet c = \"puts(\"\n"),
        RuleSample(.printing, at: [], in: "Sources/PaymentCLI/Frame/Console.swift", "write(STDOUT_FILENO, a, 1)\n"),
        RuleSample(.printing, at: [], in: "Tests/A/B.swift", "print(a)\n"),
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

extension RuleSample {
    static let wordSamples = [
        RuleSample(
            .floatingPoint, at: [1, 2, 3],
            "let a: Double = 1\nlet b = [Float]()\nlet c = 1.5\n// Double 1.5\nlet d = \"Double 1.5\"\n"),
        RuleSample(.floatingPoint, at: [], "let a = pair.0.1\nlet b = 0..<15\nlet c = 1_500\nlet DoubleRoom = 2\n"),
        RuleSample(.floatingPoint, at: [], "let a = pairs.map { $0.1 + $0.1.0 }\n"),
        RuleSample(.floatingPoint, at: [], "if #available(macOS 15.0, *) { a() }\n#if swift(>=6.3)\n#endif\n"),
        RuleSample(.floatingPoint, at: [], in: "Benchmarks/A.swift", "let a: Double = 1.5\n"),
        RuleSample(
            .unwraps, at: [1, 2, 3, 4, 5, 6, 7],
            """
            let a = b!
            let c = try! d()
            let e = f as! G
            var h: Int!
            let i = j[0]!.k
            let l = m()!
            let n = "\\(o!)"
            """),
        RuleSample(
            .unwraps, at: [],
            "let a = !b && c != d || e!==f\nif !(a) { }\n// b!\nlet g = \"Stop! try!\"\n#if !os(Linux)\n#endif\nf(!a)\n"
        ),
        RuleSample(.unchecked, at: [1], "struct A: @unchecked Sendable {}\n"),
        RuleSample(.unchecked, at: [1], in: "Tests/A/Locked.swift", "struct A: @unchecked Sendable {}\n"),
        RuleSample(.unchecked, at: [], "struct A: Sendable {} // not @unchecked\n"),
        RuleSample(
            .unsafety, at: [1], in: "Tests/A/B.swift", "nonisolated(unsafe) var a = 1\nnonisolated func b() {}\n"),
        RuleSample(.unsafety, at: [], "nonisolated struct A {} // nonisolated(unsafe)\n"),
        RuleSample(.fatalErrors, at: [2], "func a() -> Never {\n    fatalError(\"no\")\n}\n"),
        RuleSample(.fatalErrors, at: [], "/// Never calls fatalError.\nlet fatalErrorCount = 0\n"),
        RuleSample(
            .exposedComparisons, at: [1, 2, 3],
            "let a = given == key.expose()\nif key.exposeBytes() != b {}\nf { self.key.expose() == $0 }\n"),
        RuleSample(
            .exposedComparisons, at: [],
            "let a = Secret(given) == key\nlet b = key.expose()\nlet c = d.expose().count == 1\n// expose() ==\n"),
        RuleSample(
            .markers, at: markerLines, in: "Tests/A/B.swift",
            TidyRule.markerWords.map { "let a = 1  // \($0): later\n" }.joined()),
        RuleSample(.markers, at: [2], in: "Scripts/a", "#!/bin/bash\necho # \(TidyRule.markerWords[1])\n"),
        RuleSample(
            .markers, at: [], TidyRule.markerWords.map { "let a = \"\($0)\" // \($0)S and to-do\n" }.joined()),
        RuleSample(.fileNames, at: [1], in: "Sources/A/StringUtils.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Sources/Helpers/A.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Tests/A/A+Helper.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Scripts/utils", ""),
        RuleSample(.fileNames, at: [1], in: "Sources/A/SessionManager.swift", ""),
        RuleSample(.fileNames, at: [], in: "Sources/A/Money+Text.swift", ""),
    ]

    private static let markerLines = Array(1...TidyRule.markerWords.count)
}

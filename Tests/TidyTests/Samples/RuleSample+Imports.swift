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
            "public import protocol PaymentAbstraction.CardReader\nimport PaymentAbstraction\n"),
        RuleSample(.imports, at: [1], in: "Sources/PaymentSimulator/A.swift", "import AdyenProvider\n"),
        RuleSample(.imports, at: [1], in: "Sources/PaymentBase/A.swift", "import PaymentAbstraction\n"),
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

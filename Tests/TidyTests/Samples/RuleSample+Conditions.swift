extension RuleSample {
    static let conditionSamples = [
        RuleSample(
            .conditions, at: [1, 3, 6, 8],
            """
            #if os(Linux)
            let a = 1
            #elseif os(macOS)
            let a = 2
            #endif
                #if canImport(Glibc)
                #endif
            #if os(Linux) || APPLE_CHECK
            #endif
            """),
        RuleSample(
            .conditions, at: [],
            """
            #if os(Linux) && !APPLE_CHECK
            let a = 1
            #else
            let a = 2
            #endif
            #if canImport(Security)
            #endif
            """),
        RuleSample(.conditions, at: [], in: "Sources/PaymentSystem/System.swift", "#if canImport(Glibc)\n#endif\n"),
        RuleSample(.conditions, at: [], in: "Tests/A/B.swift", "#if os(Linux)\n#endif\n"),
    ]
}

extension RuleSample {
    static let architectureSamples = [
        RuleSample(
            .architectures, at: [1, 1, 4, 6],
            """
            #if arch(x86_64)
            let a = 1
            #endif
            #if os(Linux) && !arch(wasm32)
            #endif
            let b = arm64.registers
            """),
        RuleSample(
            .architectures, at: [],
            """
            #if os(Linux)
            #endif
            // On x86_64 and arm64 alike.
            let name = "x86_64"
            let found = search(b)
            if plan.arch(1) { stop() }
            """),
        RuleSample(.architectures, at: [], in: "Tests/A/B.swift", "#if arch(arm64)\n#endif\n"),
    ]
}

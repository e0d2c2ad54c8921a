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
            .readArithmetic, at: [], in: "Sources/PaymentAbstraction/Money/Money.swift", "let a = b.minorUnits + 1\n"),
        RuleSample(.readArithmetic, at: [], in: "Tests/A/B.swift", "let a = b.minorUnits + 1\n"),
    ]
}

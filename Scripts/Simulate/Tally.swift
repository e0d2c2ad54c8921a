import PaymentBase
import PaymentSimulation

/// What all runs came to.
struct Tally {
    private var operations = 0
    private var calls = 0
    private var open = 0
    private(set) var violations = 0
    private var simulated: Int64 = 0
    private var visits: [String: [String: Int]] = [:]

    mutating func add(_ run: SimulationRun) {
        operations += run.steps.count
        calls += run.calls
        open += run.openCount
        simulated += run.milliseconds
        if run.violation != nil { violations += 1 }
        for (state, events) in run.visits { visits[state, default: [:]].merge(events) { $0 + $1 } }
    }

    func print(_ seeds: Int, _ milliseconds: Int64, isJSON: Bool) {
        let events = Set(visits.values.flatMap(\.keys)).sorted()
        let visited = visits.values.reduce(0) { $0 + $1.count }
        if !isJSON {
            Swift.print("never visited:")
            for (state, seen) in visits.sorted(by: { $0.key < $1.key }) {
                let missing = events.filter { seen[$0] == nil }
                if !missing.isEmpty { Swift.print("  \(state): \(missing.joined(separator: "; "))") }
            }
            let rate = Int64(operations) * 1_000 / max(1, milliseconds)
            Swift.print("\(visits.count) states, \(events.count) events, \(visited) pairs visited")
            Swift.print("\(calls) calls about money, \(open) attempts open in the end, \(rate) operations a second")
        }
        let summary: JSON = [
            "operations": .whole(operations), "seeds": .whole(seeds), "violations": .whole(violations),
            "simulatedSeconds": .number(JSONNumber(simulated / 1_000)),
            "realSeconds": .number(JSONNumber(milliseconds / 1_000)), "calls": .whole(calls), "open": .whole(open),
            "pairs": .whole(visited),
        ]
        Swift.print(String(decoding: summary.bytes(), as: UTF8.self))
    }
}

extension JSON {
    fileprivate static func whole(_ number: Int) -> JSON { .number(JSONNumber(Int64(number))) }
}

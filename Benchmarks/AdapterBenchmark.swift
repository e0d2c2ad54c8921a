import Foundation
import PaymentConformance
import PaymentHarnesses

/// What a sale costs in each adapter alone, per provider and link; and in a client around an adapter that does nothing.
enum AdapterBenchmark {
    /// The doors without an adapter: what the other figures hold beside their adapter.
    static let doors = "doors"
    /// A whole client with a journal in memory, around an adapter that does nothing.
    static let client = "client"
    /// How many cycles one figure is taken of.
    private static let cyclesInRound = 8

    /// Everything that can be counted.
    static var names: [String] { [doors, client] + HarnessRegistry.builtin.harnesses.map(\.name) }

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        if let repeats = options.repeats {
            try countedWork(try work(options.only ?? doors), repeats)
            return []
        }
        let bare = try TapedTill()
        let tills = try HarnessRegistry.builtin.harnesses.filter { options.only.map($0.name.contains) ?? true }
            .map { (name: $0.name, till: try TapedTill($0)) }
        let still = try StillTill()
        var (doors, clients) = ([Double](), [Double]())
        var adapters = [[Double]](repeating: [], count: tills.count)
        let cycles = options.isShort ? 1 : cyclesInRound
        try still.sell(TapedTill.cycle)
        for _ in 0..<options.rounds {
            let door = try bare.sell(cycles: cycles)
            doors.append(door)
            clients.append(try still.sell(cycles * TapedTill.cycle))
            for (place, one) in tills.enumerated() {
                adapters[place].append(try one.till.sell(cycles: cycles) - door)
            }
        }
        let head = [
            BenchmarkResult("doors of a context, a sale", unit: "µs", samples: doors),
            BenchmarkResult("client alone with its journal in memory, a sale", unit: "µs", samples: clients),
        ]
        return head
            + zip(tills, adapters).map { one, samples in
                let requests = String(format: "%.1f", one.till.requestsOfSale)
                return BenchmarkResult(
                    "\(one.name) alone, a sale of \(requests) requests", unit: "µs", samples: samples)
            }
    }

    /// What a counter of instructions looks for by its name.
    @inline(never) private static func countedWork(_ work: (Int) throws -> Void, _ cycles: Int) throws {
        try work(cycles)
    }

    /// One kind of work under its name, to be repeated so many cycles.
    private static func work(_ name: String) throws -> (_ cycles: Int) throws -> Void {
        switch name {
        case doors:
            let till = try TapedTill()
            return { try till.sell(cycles: $0) }
        case client:
            let till = try StillTill()
            // What is looked up once in a process is not a sale's.
            try till.sell(TapedTill.cycle)
            return { try till.sell($0 * TapedTill.cycle) }
        default:
            guard let harness = HarnessRegistry.builtin[name] else { throw NotHere(what: "no harness \(name)") }
            let till = try TapedTill(harness)
            return { try till.sell(cycles: $0) }
        }
    }
}

import PaymentConformance
import PaymentHarnesses
import PaymentSimulation

/// Plays simulated worlds until the first violation, for `Scripts/planted`: planted SEEDS OPERATIONS FIRST-SEED
@main struct Play {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard numbers.count == 3 else { return print("planted SEEDS OPERATIONS FIRST-SEED") }
        let all = HarnessRegistry.builtin.harnesses
        let (count, operations) = (UInt64(all.count), Int(numbers[1]))
        for played in 0..<numbers[0] {
            let seed = numbers[2] + played
            let other = all[Int((seed / count / 2) % count)]
            let simulation = try Simulation(
                all[Int(seed % count)], beside: (seed / count) % 2 == 1 ? other : nil)
            guard let violation = try simulation.run(seed: seed, operations: operations).violation else { continue }
            return print("caught within \((played + 1) * numbers[1]) operations, seed \(seed): \(violation)")
        }
        print("not caught in \(numbers[0] * numbers[1]) operations")
    }
}

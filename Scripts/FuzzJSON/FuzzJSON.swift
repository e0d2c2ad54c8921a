import PaymentBase

/// Tries variants of JSON texts on the readers and the writer: `fuzz-json [count] [seed]`.
@main struct FuzzJSON {
    static let standardCount = 1_000_000

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { Int($0) }
        let count = arguments.first.flatMap { $0 } ?? standardCount
        let seed = arguments.dropFirst().first.flatMap { $0 } ?? 1
        let clock = ContinuousClock()
        let start = clock.now
        var accepted = 0
        for number in 0..<count {
            // Every variant has its own seed, so that a finding can be repeated alone.
            let variantSeed = UInt64(truncatingIfNeeded: seed &* 1_000_000_007 &+ number)
            var mutator = Mutator(seed: variantSeed)
            let bytes = mutator.variant()
            do {
                if try Trial.run(bytes, choices: &mutator) { accepted += 1 }
            } catch {
                print("finding \(error) for variant seed \(variantSeed): \(Hex.encode(bytes))")
                throw error
            }
        }
        let (seconds, attoseconds) = (clock.now - start).components
        let hundredths = attoseconds / 10_000_000_000_000_000
        let time = "\(seconds)." + (hundredths < 10 ? "0" : "") + "\(hundredths)"
        print("\(count) inputs in \(time) s: \(accepted) accepted, \(count - accepted) rejected, seed \(seed)")
    }
}

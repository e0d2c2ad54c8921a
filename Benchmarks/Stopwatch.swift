/// Measures several pieces of work turn by turn in the same run, so that a busy machine disturbs all of them alike.
struct Stopwatch {
    /// How long one piece of work is repeated within a round, in nanoseconds.
    static let roundNanoseconds: Int64 = 20_000_000

    /// One piece of work under its name.
    struct Work {
        let name: String
        let body: () throws -> Int
    }

    /// Microseconds per call, per piece of work and round.
    static func interleave(_ works: [Work], rounds: Int) throws -> [[Double]] {
        var samples = [[Double]](repeating: [], count: works.count)
        var counts: [Int] = []
        for work in works { counts.append(try repetitions(of: work)) }
        for _ in 0..<rounds {
            for (index, work) in works.enumerated() {
                samples[index].append(try Double(nanoseconds(work, counts[index])) / 1_000 / Double(counts[index]))
            }
        }
        return samples
    }

    private static func repetitions(of work: Work) throws -> Int {
        var count = 16
        while try nanoseconds(work, count) < roundNanoseconds { count *= 2 }
        return count
    }

    private static func nanoseconds(_ work: Work, _ count: Int) throws -> Int64 {
        var sum = 0
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<count { sum &+= try work.body() }
        let (seconds, attoseconds) = (clock.now - start).components
        precondition(sum != 0, "the work must give something, or it would be optimised away")
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

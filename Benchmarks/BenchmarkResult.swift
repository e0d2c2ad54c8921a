import Foundation
import PaymentBase

/// One measured figure: the median of its rounds with the extremes.
struct BenchmarkResult {
    let name: String
    let unit: String
    let median: Double
    let min: Double
    let max: Double
    let n: Int

    init(_ name: String, unit: String, samples: [Double]) {
        let sorted = samples.sorted()
        self.name = name
        self.unit = unit
        median = sorted[sorted.count / 2]
        min = sorted[0]
        max = sorted[sorted.count - 1]
        n = sorted.count
    }

    /// How many times larger the first figure is than the second, round by round.
    static func ratio(_ name: String, _ slow: [Double], _ fast: [Double]) -> BenchmarkResult {
        BenchmarkResult(name, unit: "times", samples: zip(slow, fast).map { $0 / $1 })
    }

    private static func text(_ value: Double) -> String { String(format: "%.3f", value) }

    /// The results as a JSON array of `name`, `unit`, `median`, `min`, `max`, `n`.
    static func json(_ results: [BenchmarkResult]) -> String {
        let rows = results.map { result -> JSON in
            func number(_ value: Double) -> JSON { (try? JSONNumber(text(value))).map(JSON.number) ?? .null }
            return [
                "name": .string(result.name), "unit": .string(result.unit), "median": number(result.median),
                "min": number(result.min), "max": number(result.max), "n": .number(JSONNumber(Int64(result.n))),
            ]
        }
        return String(decoding: JSON.array(rows).bytes(layout: .pretty), as: UTF8.self)
    }

    /// The results as a table for people.
    static func table(_ results: [BenchmarkResult]) -> String {
        results.map { result in
            let name = result.name.padding(toLength: 48, withPad: " ", startingAt: 0)
            let range = "\(text(result.min))–\(text(result.max))"
            return "\(name) \(text(result.median)) \(result.unit) (\(range), n \(result.n))"
        }
        .joined(separator: "\n")
    }
}

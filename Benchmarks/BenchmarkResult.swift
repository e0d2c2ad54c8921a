import Foundation
import PaymentBase

/// One measured figure: the median of its rounds with the extremes; without rounds it is not measured.
struct BenchmarkResult {
    let name: String
    let unit: String
    private let sorted: [Double]

    init(_ name: String, unit: String, samples: [Double]) {
        self.name = name
        self.unit = unit
        sorted = samples.sorted()
    }

    private var median: Double? { sorted.isEmpty ? nil : sorted[sorted.count / 2] }

    /// How many times larger the first figure is than the second, round by round.
    static func ratio(_ name: String, _ slow: [Double], _ fast: [Double]) -> BenchmarkResult {
        BenchmarkResult(name, unit: "times", samples: zip(slow, fast).map { $0 / $1 })
    }

    private static func text(_ value: Double) -> String { String(format: "%.3f", value) }

    /// The results as a JSON array of `name`, `unit`, `median`, `min`, `max`, `n`.
    static func json(_ results: [BenchmarkResult]) -> String {
        let rows = results.map { result -> JSON in
            func number(_ value: Double?) -> JSON {
                value.flatMap { try? JSONNumber(text($0)) }.map(JSON.number) ?? .null
            }
            return [
                "name": .string(result.name), "unit": .string(result.unit), "median": number(result.median),
                "min": number(result.sorted.first), "max": number(result.sorted.last),
                "n": .number(JSONNumber(Int64(result.sorted.count))),
            ]
        }
        return String(decoding: JSON.array(rows).bytes(layout: .pretty), as: UTF8.self)
    }

    /// The results as a table for people.
    static func table(_ results: [BenchmarkResult]) -> String {
        results.map { result in
            let name = result.name.padding(toLength: max(48, result.name.count), withPad: " ", startingAt: 0)
            guard let median = result.median, let least = result.sorted.first, let most = result.sorted.last else {
                return "\(name) not measured"
            }
            return "\(name) \(text(median)) \(result.unit) (\(text(least))–\(text(most)), n \(result.sorted.count))"
        }
        .joined(separator: "\n")
    }
}

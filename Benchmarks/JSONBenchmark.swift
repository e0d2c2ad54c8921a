import Foundation
import PaymentBase

/// Reading and writing one payment: our reader and writer against Foundation's, on the same structs and bytes.
enum JSONBenchmark {
    /// One of the two sides did not give what the other gave.
    struct Disagreement: Error {}

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        results += try compare(
            "response", JSONFixture.response, options, as: ResponseEnvelope.self,
            read: readResponse, write: { $0.write(to: &$1) })
        results += try compare(
            "request", JSONFixture.request, options, as: RequestEnvelope.self,
            read: readRequest, write: { $0.write(to: &$1) })
        return results
    }

    private static func readResponse(_ bytes: [UInt8]) throws -> ResponseEnvelope {
        var reader = try JSONPullReader(bytes)
        let message = try ResponseEnvelope(from: &reader)
        try reader.end()
        return message
    }

    private static func readRequest(_ bytes: [UInt8]) throws -> RequestEnvelope {
        var reader = try JSONPullReader(bytes)
        let message = try RequestEnvelope(from: &reader)
        try reader.end()
        return message
    }

    private static func compare<Message: Codable & Equatable>(
        _ name: String, _ bytes: [UInt8], _ options: BenchmarkOptions, as type: Message.Type,
        read: @escaping ([UInt8]) throws -> Message, write: @escaping (Message, inout JSONWriter) -> Void
    ) throws -> [BenchmarkResult] {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        let message = try read(bytes)
        func written(_ message: Message) -> [UInt8] {
            var writer = JSONWriter()
            write(message, &writer)
            return writer.finish()
        }
        guard
            try message == decoder.decode(Message.self, from: data), written(message) == bytes,
            try read(Array(encoder.encode(message))) == message
        else { throw Disagreement() }

        let works = [
            Stopwatch.Work(name: "Foundation read") {
                withExtendedLifetime(try decoder.decode(Message.self, from: data)) { 1 }
            },
            Stopwatch.Work(name: "read") { withExtendedLifetime(try read(bytes)) { 1 } },
            Stopwatch.Work(name: "Foundation write") { try encoder.encode(message).count },
            Stopwatch.Work(name: "write") { written(message).count },
            Stopwatch.Work(name: "read to JSON value") { try JSONReader().read(bytes).object?.count ?? 0 },
            Stopwatch.Work(name: "check only") {
                try JSONReader().check(bytes)
                return 1
            },
        ]
        if let only = options.only {
            let chosen = works.filter { $0.name == only }
            let samples = try Stopwatch.interleave(chosen, rounds: options.rounds)
            return zip(chosen, samples).map { BenchmarkResult("json \(name) \($0.name)", unit: "µs", samples: $1) }
        }
        let samples = try Stopwatch.interleave(works, rounds: options.rounds)
        let label = "json \(name) (\(bytes.count) bytes)"
        var results = zip(works, samples).map { work, samples in
            BenchmarkResult("\(label) \(work.name)", unit: "µs", samples: samples)
        }
        results.append(.ratio("\(label) read ratio", samples[0], samples[1]))
        results.append(.ratio("\(label) write ratio", samples[2], samples[3]))
        return results
    }
}

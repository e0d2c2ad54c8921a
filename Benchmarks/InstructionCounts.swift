import Foundation
import PaymentBase
import PaymentTestPrograms

/// How many instructions a sale takes, and how often it asks for memory, in each adapter, in a context's doors and in a
/// client, as valgrind's callgrind counts them; what is committed as `Benchmarks/counts.json`.
///
/// Counted is what more sales take in a longer run than in a shorter one, without start and recording. The program must
/// have no debugging information, which valgrind can't read in this form.
enum InstructionCounts {
    private static let cycles = (few: 4, many: 8)
    /// What memory is asked for by.
    private static let allocators: Set<String> = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

    private struct Count {
        var instructions: Int64
        var allocations: Int64
    }

    static func json() throws -> String {
        let counts = try AdapterBenchmark.names.map { name -> JSON in
            FileHandle.standardError.write(Data("counting \(name)\n".utf8))
            let (few, many) = (try count(name, cycles.few), try count(name, cycles.many))
            let sales = Int64((cycles.many - cycles.few) * TapedTill.cycle)
            let instructions = (many.instructions - few.instructions) / sales
            // The last digits are not the same in each run.
            let rounded = (instructions + 50) / 100 * 100
            let allocations = (many.allocations - few.allocations + sales / 2) / sales
            return [
                "name": .string(name), "instructions": .number(JSONNumber(rounded)),
                "allocations": .number(JSONNumber(allocations)),
            ]
        }
        return String(decoding: JSON.array(counts).bytes(layout: .pretty), as: UTF8.self)
    }

    private static func count(_ name: String, _ cycles: Int) throws -> Count {
        let profile = NSTemporaryDirectory() + "payments-counts-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: profile) }
        let run = try TestProgram.run(
            "/usr/bin/env",
            [
                "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=callgrind", "--callgrind-out-file=\(profile)",
                "--toggle-collect=*countedWork*", CommandLine.arguments[0], "adapters", "--only", name, "--repeat",
                "\(cycles)",
            ])
        let figure = run.errors.split(separator: "\n").first { $0.contains("Collected : ") }?.split(separator: " ").last
        guard run.code == 0, let instructions = figure.flatMap({ Int64($0) }) else {
            throw NotHere(what: "callgrind counted nothing of \(name): \(run.errors.suffix(500))")
        }
        let calls = callsOfAllocators(try String(contentsOfFile: profile, encoding: .utf8))
        guard calls > 0 else { throw NotHere(what: "callgrind saw no request for memory in \(name)") }
        return Count(instructions: instructions, allocations: calls)
    }

    /// How often memory was asked for by a profile: a line names who is called, by a number that means a name once it
    /// was given, and the next one says how often.
    private static func callsOfAllocators(_ profile: String) -> Int64 {
        var (numbers, isAllocator, sum) = (Set<Substring>(), false, Int64(0))
        for line in profile.split(separator: "\n") {
            if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let parts = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
                guard let number = parts.first else { continue }
                if parts.count > 1, allocators.contains(String(parts[1])) { numbers.insert(number) }
                if line.hasPrefix("cfn=") { isAllocator = numbers.contains(number) }
            } else if line.hasPrefix("calls="), isAllocator {
                sum += line.dropFirst(6).split(separator: " ").first.flatMap { Int64($0) } ?? 0
            }
        }
        return sum
    }
}

import Foundation
import PaymentBase
import PaymentTestPrograms

/// How many instructions a sale takes in each adapter, in a context's doors and in a client, as valgrind's callgrind
/// counts them; what is committed as `Benchmarks/counts.json`.
///
/// Only what is done within `countedWork` is counted, without start and recording. The program must have no debugging
/// information, which valgrind can't read in this form.
enum InstructionCounts {
    private static let cycles = 4

    static func json() throws -> String {
        let counts = try AdapterBenchmark.names.map { name -> JSON in
            FileHandle.standardError.write(Data("counting \(name)\n".utf8))
            let each = try count(name) / Int64(cycles * TapedTill.cycle)
            // The last digits are not the same in each run.
            let rounded = (each + 50) / 100 * 100
            return ["name": .string(name), "instructions": .number(JSONNumber(rounded))]
        }
        return String(decoding: JSON.array(counts).bytes(layout: .pretty), as: UTF8.self)
    }

    private static func count(_ name: String) throws -> Int64 {
        let run = try TestProgram.run(
            "/usr/bin/env",
            [
                "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                "--toggle-collect=*countedWork*", CommandLine.arguments[0], "adapters", "--only", name, "--repeat",
                "\(cycles)",
            ])
        let text = run.errors
        let figure = text.split(separator: "\n").first { $0.contains("Collected : ") }?.split(separator: " ").last
        guard run.code == 0, let count = figure.flatMap({ Int64($0) }) else {
            throw NotHere(what: "callgrind counted nothing of \(name): \(text.suffix(500))")
        }
        return count
    }
}

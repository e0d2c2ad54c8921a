import Foundation
import PaymentBase
import PaymentTestPrograms

/// How long the command line takes to compare a report with the journal.
///
/// The report has two rows for each payment, and the journal has every payment. `payctl` stands beside this program.
enum ReconcileBenchmark {
    private static let paymentsMax = 50_000
    /// How many payments one import takes.
    private static let importedMax = 10_000
    private static let head =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference\n"

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/payctl"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw NotHere(what: "no \(program): swift build -c release --product payctl")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "reconcile-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let count = min(options.payments ?? paymentsMax, paymentsMax)
        let place = ["--config", "\(folder)/providers.json", "--state", "\(folder)/state"]
        try write("\(folder)/providers.json", try String(contentsOfFile: "providers.json", encoding: .utf8))
        for first in stride(from: 0, to: count, by: importedMax) {
            let lines = (first..<min(first + importedMax, count)).map(imported)
            try write("\(folder)/import.jsonl", lines.joined(separator: "\n") + "\n")
            try call(program, ["journal", "import", "\(folder)/import.jsonl"] + place)
        }
        let rows = (0..<count).map { number in
            let start = "TestMerchant,P\(number),order-\(number),2026-11-10 12:00:00,UTC,"
            return start + "Authorised,EUR,,12.50,,\n" + start + "SentForSettle,EUR,,-12.50,12.50,M\(number)\n"
        }
        try write("\(folder)/report.csv", head + rows.joined())
        let words = [
            "reconcile", "adyen", "--from", "2026-11-01", "--to", "2026-11-30", "--file", "\(folder)/report.csv",
        ]
        var times: [Double] = []
        for _ in 0..<options.rounds {
            let start = ContinuousClock().now
            try call(program, words + place)
            let (seconds, attoseconds) = (ContinuousClock().now - start).components
            times.append(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
        }
        return [
            BenchmarkResult("payctl reconcile, \(2 * count) rows, \(count) payments", unit: "ms", samples: times)
        ]
    }

    private static func imported(_ number: Int) -> String {
        let day = Timestamp("2026-11-10T12:00:00Z")?.milliseconds ?? 0
        let line: JSON = [
            "attempt": .string("sale-\(number)"), "provider": "adyen", "adapter": "adyen", "environment": "simulated",
            "merchant": "TestMerchant", "reference": .string("order-\(number)"),
            "minorUnits": .number(JSONNumber(1_250)),
            "currency": "EUR", "takenAt": .number(JSONNumber(day)), "references": ["psp": .string("P\(number)")],
        ]
        return String(decoding: line.bytes(), as: UTF8.self)
    }

    private static func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Calls the command line, which has to find that nothing differs.
    private static func call(_ program: String, _ words: [String]) throws {
        let run = try TestProgram.run(program, words)
        guard run.code == 0 else { throw NotHere(what: "\(words.prefix(2)) ended with \(run.code): \(run.errors)") }
    }
}

#if DEBUG
import Glibc
import PaymentTestPrograms

/// The table of readers and directions: exponent of the instructions, and memory beside the input.
struct GrowthTable {
    let form: GrowthForm

    /// Prints the table; whether every reader is as it must be, and the planted one is found.
    func print() -> Bool {
        let axes = form.axes
        guard let counts = counted(axes) else { return false }
        var problems: [String] = []
        var isFound = form.reader != nil
        Swift.print("reader\tdirection\tinstructions at 2^\(Growth.doublings.all)\texponent\tmemory")
        for (index, axis) in axes.enumerated() {
            let sizes = form.doublings.count
            let mine = Array(counts[(index * sizes)..<((index + 1) * sizes)])
            let exponent = Self.exponent(mine)
            let work = axis.work(Growth.memoryInputBytes)
            let memory = axis.reader == "planted" ? 0 : Growth.memory(work)
            let times = Self.text(Double(memory) / Double(max(work.bytes, 1)))
            let line = [axis.reader, axis.name, String(mine.last ?? 0), Self.text(exponent), times]
            Swift.print(line.joined(separator: "\t"))
            let isSteep = exponent > Growth.exponentMax
            if axis.reader == "planted" {
                isFound = isSteep
                continue
            }
            if isSteep { problems.append("\(axis.title): the exponent is \(line[3])") }
            if memory > axis.memory * work.bytes + Growth.memoryBytesMax {
                problems.append("\(axis.title): \(memory) bytes of memory for \(work.bytes) bytes")
            }
        }
        if !GrowthForm.isWhole { problems.append("the short form names a direction that is not there") }
        if !isFound { problems.append("the planted reader was not found: this table checks nothing") }
        for problem in problems { Swift.print("growth: \(problem)") }
        return problems.isEmpty
    }

    /// The slope of the last doublings on paper with two logarithmic scales.
    static func exponent(_ counts: [Int64]) -> Double {
        let judged = counts.suffix(Growth.doublings.judged + 1)
        guard let first = judged.first, let last = judged.last, first > 0, last > 0 else { return 0 }
        return log2(Double(last) / Double(first)) / Double(judged.count - 1)
    }

    /// A number with two decimals.
    private static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let rest = hundredths.magnitude % 100
        return "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Runs this program under valgrind, and prints the counts in the order of the work.
    private static let script = """
        folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
        SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$folder/profile" \
            --collect-atstart=no --toggle-collect=payments_counted_work --dump-after=payments_counted_work "$@" || exit
        number=1
        while [ -f "$folder/profile.$number" ]; do
            sed -n 's/^totals: //p' "$folder/profile.$number"
            number=$((number + 1))
        done
        """

    /// The instructions of each direction at each size, in their order; nil where valgrind counted something else.
    private func counted(_ axes: [Axis]) -> [Int64]? {
        let words = [CommandLine.arguments[0], "work", form.name] + (form.reader.map { [$0] } ?? [])
        guard let run = try? TestProgram.run("/bin/sh", ["-c", Self.script, "growth"] + words), run.code == 0 else {
            Swift.print("growth: valgrind could not run this program")
            return nil
        }
        let counts = run.output.split(separator: "\n").compactMap { Int64($0) }
        let wanted = axes.count * form.doublings.count
        guard counts.count == wanted else {
            Swift.print("growth: valgrind gave \(counts.count) counts of \(wanted): \(run.errors.suffix(300))")
            return nil
        }
        return counts
    }
}
#endif

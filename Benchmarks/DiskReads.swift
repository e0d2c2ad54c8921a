import Foundation
import PaymentTestPrograms

/// What the machine fetches from its disk, and how it is made to have a folder's files in memory.
///
/// Some machines put aside what no program has read for a while though there is memory left; what a lookup costs is then
/// the disk's time, and not separated from the journal's.
enum DiskReads {
    /// How many bytes the whole machine has fetched since it started; 0 where the system doesn't say.
    static var bytes: Int64 {
        let text = (try? String(contentsOfFile: "/proc/vmstat", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("pgpgin ") }
        return (line?.split(separator: " ").last.flatMap { Int64($0) } ?? 0) * 1_024
    }

    /// Has every file in a folder read once, as far as that may be. By another program: a file that is closed here takes
    /// the locks along that SQLite has on it.
    static func readAll(_ folder: String) throws {
        let line = "find \"$0\" -type f -exec cat {} + >/dev/null 2>/dev/null"
        _ = try TestProgram.run("/bin/sh", ["-c", line, folder])
    }
}

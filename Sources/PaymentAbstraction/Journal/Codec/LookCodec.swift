/// Which boots have looked at an attempt, and since when a lookup is owed, as bytes.
package enum LookCodec {
    package static func bytes(_ marks: JournalClock.Marks) -> [UInt8] {
        Array(marks.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: "\n").utf8)
    }

    package static func marks(_ bytes: [UInt8]) -> JournalClock.Marks {
        var marks: JournalClock.Marks = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let uptime = Int64(parts[0]) else { continue }
            marks[String(parts[1])] = uptime
        }
        return marks
    }

    package static func bytes(_ instant: JournalInstant) -> [UInt8] {
        Array("\(instant.wall) \(instant.uptime) \(instant.boot)".utf8)
    }

    package static func instant(_ bytes: [UInt8]) -> JournalInstant? {
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let wall = Int64(parts[0]), let uptime = Int64(parts[1]) else { return nil }
        return JournalInstant(wall: wall, uptime: uptime, boot: String(parts[2]))
    }
}

internal import PaymentBase
internal import PaymentProviderKit

/// The zone in which a day of the books begins: its offset from universal time at each moment.
///
/// A name such as `Europe/Berlin` is read from the system's files (RFC 9636); `UTC` and offsets such as `+02:00` need none.
struct DayZone: Sendable {
    /// Where the system keeps its zones.
    private static let folder = "/usr/share/zoneinfo/"
    /// The most that the file of a zone may have, in bytes.
    static let bytesMax = 256 * 1_024

    let name: String
    /// From when which offset counts, in seconds, in order of time.
    private var changes: [(at: Int64, offset: Int64)] = []
    /// The offset before the first change, in seconds.
    private var first: Int64 = 0
    /// What counts after the last change; nil if nothing changes any more.
    private var rule: ZoneRule?

    /// Universal time.
    static let universal = DayZone("UTC", 0)

    private init(_ name: String, _ offset: Int64) { (self.name, first) = (name, offset) }

    /// Reads what a person types.
    init(named text: String) throws(UsageError) {
        if text == "UTC" || text == "Z" {
            self = .universal
            return
        }
        if let offset = Self.offset(text) {
            self.init(text, offset)
            return
        }
        let steps = text.split(separator: "/", omittingEmptySubsequences: false)
        let isName = steps.allSatisfy { step in
            !step.isEmpty && !step.hasPrefix(".")
                && step.utf8.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                        || "_-+".utf8.contains(byte)
                }
        }
        let unknown = UsageError(
            message: "--time-zone takes a name such as Europe/Berlin, an offset such as +02:00, or UTC, not \(text)")
        guard isName, text.first?.isLetter == true, CommandFile.isThere(Self.folder + text) else { throw unknown }
        let bytes = try CommandFile.read(Self.folder + text)
        guard let zone = DayZone(text, file: bytes) else {
            throw UsageError(
                message: "the system's file of the zone \(text) can't be read; name an offset such as +02:00")
        }
        self = zone
    }

    /// Reads `+02:00` or `-0330`, in seconds.
    private static func offset(_ text: String) -> Int64? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let hours = Int64(digits.prefix(2)), let minutes = Int64(digits.suffix(2)), hours <= 14, minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return sign == "-" ? -seconds : seconds
    }

    /// Reads a file of the system's; nil if it is none.
    init?(_ name: String, file bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax else { return nil }
        var reader = ZoneFile(bytes)
        // The first block has 32 bits; the second one, of version 2 on, has 64 and the rule.
        guard let small = reader.header(), small.version >= 2, reader.skip(small.size(timeBytes: 4)),
            let header = reader.header(), let times = reader.numbers(header.times, bytes: 8),
            let kinds = reader.bytes(header.times), let types = reader.types(header.types),
            reader.skip(header.rest(timeBytes: 8)), let first = types.first
        else { return nil }
        self.init(name, types.first { !$0.isSaving }?.offset ?? first.offset)
        for (time, kind) in zip(times, kinds) {
            guard Int(kind) < types.count, time > changes.last?.at ?? .min else { return nil }
            changes.append((time, types[Int(kind)].offset))
        }
        guard let text = reader.footer() else { return nil }
        if text.isEmpty { return }
        guard let rule = ZoneRule(text) else { return nil }
        self.rule = rule
    }

    /// How far the zone is ahead of universal time at a moment, in seconds.
    func offset(at milliseconds: Int64) -> Int64 {
        let moment = milliseconds.quotientFloor(1_000)
        if let rule, changes.last.map({ moment >= $0.at }) ?? true { return rule.offset(at: moment) }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].offset
    }

    /// The day of a moment in the zone, as the count of days since 1970; nil beyond the calendar.
    func day(of milliseconds: Int64) -> CalendarDate? {
        let (local, overflows) = milliseconds.addingReportingOverflow(offset(at: milliseconds) * 1_000)
        guard !overflows else { return nil }
        return CalendarDate(daysSince1970: local.quotientFloor(86_400_000))
    }
}

/// The bytes of a zone's file.
private struct ZoneFile {
    /// The counts of one block.
    struct Header {
        let version: UInt8
        let flags: Int
        let standards: Int
        let leaps: Int
        let times: Int
        let types: Int
        let letters: Int

        /// The bytes of the whole block.
        func size(timeBytes: Int) -> Int { times * (timeBytes + 1) + types * 6 + rest(timeBytes: timeBytes) }

        /// The bytes behind the types.
        func rest(timeBytes: Int) -> Int { letters + leaps * (timeBytes + 4) + standards + flags }
    }

    private let all: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { all = bytes }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= all.count - place else { return nil }
        defer { place += count }
        return Array(all[place..<place + count])
    }

    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

    mutating func header() -> Header? {
        guard let head = bytes(20), head.starts(with: Array("TZif".utf8)), let counts = numbers(6, bytes: 4) else {
            return nil
        }
        // No zone has as many; with fewer no product below can overflow.
        guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        let sizes = counts.map { Int($0) }
        return Header(
            version: head[4] == 0 ? 1 : head[4] &- 48, flags: sizes[0], standards: sizes[1], leaps: sizes[2],
            times: sizes[3], types: sizes[4], letters: sizes[5])
    }

    /// Numbers with their sign, the most significant byte first.
    mutating func numbers(_ count: Int, bytes size: Int) -> [Int64]? {
        guard let part = bytes(count * size) else { return nil }
        return (0..<count).map { index in
            let own = part[index * size..<(index + 1) * size]
            let bits = own.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
        }
    }

    mutating func types(_ count: Int) -> [(offset: Int64, isSaving: Bool)]? {
        var types: [(Int64, Bool)] = []
        for _ in 0..<count {
            guard let offset = numbers(1, bytes: 4)?.first, abs(offset) < 100_000, let rest = bytes(2) else {
                return nil
            }
            types.append((offset, rest[0] != 0))
        }
        return types
    }

    /// The rule between two line feeds; nil if there is none.
    func footer() -> String? {
        let rest = all[place...]
        guard rest.first == 10, rest.last == 10, rest.count >= 2 else { return nil }
        return String(decoding: rest.dropFirst().dropLast(), as: UTF8.self)
    }
}

/// The rule of a zone for all time, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// One day of the year: the n-th of a weekday in a month, the last one if n is 5, and a second of that day.
    private struct Change {
        let month: Int
        let week: Int64
        let weekday: Int64
        let second: Int64

        /// The second since 1970 at which it comes in a year, by a clock with an offset.
        func moment(in year: Int, _ offset: Int64) -> Int64? {
            guard let start = CalendarDate(year: year, month: month, day: 1) else { return nil }
            let next =
                month == 12
                ? CalendarDate(year: year + 1, month: 1, day: 1) : .init(year: year, month: month + 1, day: 1)
            let first = start.daysSince1970
            // 1970 began on a Thursday, the fourth day of a week that begins on Sunday.
            let ahead = ((weekday - (first + 4) % 7) % 7 + 7) % 7
            var day = first + ahead + (week - 1) * 7
            if let next, day >= next.daysSince1970 { day -= 7 }
            return day * 86_400 + second - offset
        }
    }

    private let standard: Int64
    private let saving: (offset: Int64, begin: Change, end: Change)?

    /// Reads a rule; nil for forms that no zone of today has.
    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.name(&rest), let offset = Self.clock(&rest) else { return nil }
        standard = -offset
        if rest.isEmpty {
            saving = nil
            return
        }
        guard Self.name(&rest) else { return nil }
        var summer = standard + 3_600
        if let first = rest.first, first != "," {
            guard let offset = Self.clock(&rest) else { return nil }
            summer = -offset
        }
        let parts = rest.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, let begin = Self.change(parts[1]), let end = Self.change(parts[2])
        else {
            return nil
        }
        saving = (summer, begin, end)
    }

    /// How far the zone is ahead of universal time, in seconds, at a second since 1970.
    func offset(at moment: Int64) -> Int64 {
        guard let saving, let year = CalendarDate(daysSince1970: (moment + standard).quotientFloor(86_400))?.year,
            let begin = saving.begin.moment(in: year, standard), let end = saving.end.moment(in: year, saving.offset)
        else { return standard }
        // South of the equator the year begins in summer.
        let isSummer = begin < end ? begin <= moment && moment < end : moment < end || begin <= moment
        return isSummer ? saving.offset : standard
    }

    private static func name(_ rest: inout Substring) -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// Reads `-1`, `3:30` or `24`, in seconds.
    private static func clock(_ rest: inout Substring) -> Int64? {
        let sign: Int64 = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        let word = rest.prefix { $0.isNumber || $0 == ":" }
        rest = rest.dropFirst(word.count)
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.map { (0...167).contains($0) } ?? false }) else {
            return nil
        }
        return sign * zip(parts, [3_600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
    }

    private static func change(_ text: Substring) -> Change? {
        let halves = text.split(separator: "/", maxSplits: 1)
        guard let first = halves.first, first.hasPrefix("M") else { return nil }
        let numbers = first.dropFirst().split(separator: ".").map { Int64($0) }
        guard numbers.count == 3, let month = numbers[0], let week = numbers[1], let weekday = numbers[2],
            (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
        else { return nil }
        var second: Int64 = 7_200
        if halves.count == 2 {
            var clock = halves[1]
            guard let named = Self.clock(&clock), clock.isEmpty else { return nil }
            second = named
        }
        return Change(month: Int(month), week: week, weekday: weekday, second: second)
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, by a number above zero.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

import Foundation
import PaymentProviderKit

@testable import PaymentBase
@testable import PaymentCLI
@testable import PaymentJournalKit
@testable import PaymentModel
@testable import PaymentSQLite

/// One reader of bytes from outside, and what must hold for any bytes whatever.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) { (self.name, self.run) = (name, run) }

    /// All of them.
    static let all: [FuzzTarget] = texts + wires + providers + journals + service + hostile
}

/// The choices that an input makes, byte by byte; zeros when it is at its end.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func all() -> [UInt8] { bytes(rest.count) }

    /// The rest, cut into pieces of the lengths that the input says.
    mutating func pieces() -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while !isEmpty { pieces.append(bytes(1 + below(64))) }
        return pieces
    }
}

extension String {
    /// Bytes as text, broken ones repaired.
    init(fuzzed bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }
}

extension FuzzTarget {
    /// What a journal keeps, and what a person imports into one.
    static let journals: [FuzzTarget] = [
        FuzzTarget("log") { bytes in try? log(bytes) },
        FuzzTarget("events") { bytes in
            if let events = try? EventCodec.events(bytes) {
                let written = EventCodec.bytes(events)
                hold((try? EventCodec.events(written)).map { EventCodec.bytes($0) } == written, "events are others")
            }
            if let notice = try? EventCodec.notice(bytes) {
                let written = EventCodec.bytes(notice)
                hold((try? EventCodec.notice(written)).map { EventCodec.bytes($0) } == written, "a notice is another")
            }
            if let answer = try? StoredAnswer.read(bytes) {
                hold((try? StoredAnswer.read(answer.bytes)) == answer, "an answer is another")
            }
        },
        FuzzTarget("packed") { bytes in
            // With a right sum, which no input would find on its own.
            let sealed = PackedJSON.sealed(bytes)
            if let value = try? PackedJSON.value(sealed, EventCodecNames.packed) {
                let written = PackedJSON.bytes(value, EventCodecNames.packed)
                hold((try? PackedJSON.value(written, EventCodecNames.packed)) == value, "a packed value is another")
            }
            try? log(sealed)
            if let events = try? EventCodec.events(sealed) {
                hold((try? EventCodec.events(EventCodec.bytes(events))) == events, "packed events are others")
            }
            _ = try? EventCodec.notice(sealed)
            _ = try? StoredAnswer.read(sealed)
            var options = JSONReadOptions.standard
            options.depthMax = PackedForm.depthMax - 1
            if let json = try? JSONReader(options: options).read(bytes) {
                let written = PackedJSON.bytes(json, EventCodecNames.packed)
                hold(
                    (try? PackedJSON.value(written, EventCodecNames.packed)) == json, "plain JSON comes back as another"
                )
            }
        },
        FuzzTarget("import") { bytes in
            guard let payment = try? ImportedPayment(String(fuzzed: bytes)) else { return }
            guard let movement = try? payment.movement() else { return }
            hold(payment.intent.amount.minorUnits > 0, "nothing was imported as something")
            for intent in [movement.begin.intent] + (movement.refunded.map { [$0] } ?? []) {
                hold(intent.amount.minorUnits > 0, "a movement of nothing")
                hold(intent.amount.minorUnits <= payment.intent.amount.minorUnits, "more than was taken")
            }
            let entry = JournalEntry(.report(payment.intent.attempt, .imported(movement)))
            let now = Attempt.Instant(wall: 1_700_000_000_000, uptime: 1, boot: "b")
            var store = InMemoryStore()
            _ = store.write(entry, WriteID("fuzz"), at: now) { _ in false }
        },
    ]

    /// Reads what an entry appended, folds it, and writes it again.
    private static func log(_ bytes: [UInt8]) throws {
        let appended = try EventCodec.appended(bytes)
        let written = EventCodec.bytes(appended)
        let again = try? EventCodec.appended(written)
        hold(again.map { EventCodec.bytes($0) } == written, "what was appended is another when it was written")
        let attempts = appended.compactMap { Attempt($0.events) }
        for attempt in attempts {
            _ = (attempt.state, attempt.verdict, attempt.evidence, attempt.moved, MatchRow(attempt))
        }
        _ = PaymentRecord(attempts).amounts
        _ = PaymentRecord(attempts).referenceRow
    }
}

extension FuzzTarget {
    /// Texts: JSON, encodings, dates, money, addresses; where there is a second reader, against it.
    static let texts: [FuzzTarget] = [
        FuzzTarget("json") { bytes in json(bytes) },
        FuzzTarget("json-pull") { bytes in
            var choices = Choices(bytes)
            let seed = choices.bytes(8)
            pull(choices.all(), seed)
        },
        FuzzTarget("base64") { bytes in base64(bytes) },
        FuzzTarget("dates") { bytes in dates(String(fuzzed: bytes)) },
        FuzzTarget("money") { bytes in money(bytes) },
        FuzzTarget("forms") { bytes in forms(String(fuzzed: bytes)) },
        FuzzTarget("addresses") { bytes in
            let text = String(fuzzed: bytes)
            if let origin = Origin(text) {
                hold(Origin("\(origin)") == origin, "an origin is another one when it was written")
            }
            if let address = WebURL(text) {
                hold(!address.target.utf8.contains { $0 <= 32 }, "an address has white space in its target")
            }
        },
        FuzzTarget("zone") { bytes in
            guard let zone = DayZone("fuzzed", file: bytes) else { return }
            for moment in [0, 1_790_000_000_000, -1, Int64.min, .max, 4_102_444_800_000] {
                hold(abs(zone.offset(at: moment)) < 1_000_000, "an offset of more than ten days")
                _ = zone.day(of: moment)
            }
        },
        FuzzTarget("import-table") { bytes in
            _ = ImportedTable.isMeant(bytes)
            guard let lines = try? ImportedTable.lines(bytes) else { return }
            for line in lines {
                hold((try? JSONReader().read(Array(line.utf8)))?.object != nil, "a row becomes no JSON")
            }
        },
        FuzzTarget("printed") { bytes in
            let line = PrintedText(String(fuzzed: bytes)).text
            let isSeen = line.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            hold(isSeen, "something is printed that is not seen")
        },
    ]

    private static func json(_ bytes: [UInt8]) {
        let read = try? JSONReader().read(bytes)
        let isChecked = (try? JSONReader().check(bytes)) != nil
        hold((read != nil) == isChecked, "the check and the reader disagree")
        guard let read else { return }
        let compact = read.bytes()
        hold((try? JSONReader().read(compact)) == read, "what was written is read as something else")
        hold((try? JSONReader().read(read.bytes(layout: .pretty))) == read, "what was laid out is something else")
        // Foundation has no numbers beyond a Double's.
        guard !compact.contains(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }), bytes.count < 300 else {
            return
        }
        guard let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
            return hold(false, "Foundation refuses what we read")
        }
        hold(isSame(read, other), "Foundation reads something else")
    }

    private static func isSame(_ ours: JSON, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let flag): return (theirs as? NSNumber)?.boolValue == flag
        case .number(let number):
            guard let value = Int64(number.text) else { return theirs is NSNumber }
            return (theirs as? NSNumber)?.int64Value == value
        case .string(let text): return (theirs as? String).map { marksLeftOut($0) == marksLeftOut(text) } ?? false
        case .array(let items):
            guard let others = theirs as? [Any], others.count == items.count else { return false }
            return zip(items, others).allSatisfy { isSame($0, $1) }
        case .object(let object):
            // Foundation's keys are equal where their characters are, ours where their bytes are.
            guard let others = theirs as? [String: Any], others.count <= object.count else { return false }
            let known = Dictionary(
                others.map { (marksLeftOut($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
            if known.count < object.count { return true }
            return object.members.allSatisfy { member in
                known[marksLeftOut(member.key)].map { isSame(member.value, $0) } ?? false
            }
        }
    }

    /// Foundation loses a byte order mark that stands first in a text or behind an escape.
    private static func marksLeftOut(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "\u{FEFF}" }
    }

    /// Reads as a careless caller would: skipping, leaving early, asking twice.
    private static func pull(_ bytes: [UInt8], _ seed: [UInt8]) {
        var choices = Choices(seed)
        let isRead = (try? JSONReader().read(bytes)) != nil
        var isWalked = false
        if var reader = try? JSONPullReader(bytes) {
            isWalked = (try? visit(&reader, &choices, 12)) != nil && (try? reader.end()) != nil
        }
        hold(isRead == isWalked, "the pull reader and the reader disagree")
    }

    private static func visit(_ reader: inout JSONPullReader, _ choices: inout Choices, _ levels: Int) throws {
        if levels == 0 { return try reader.skip() }
        switch choices.below(6) {
        case 4: return try reader.skip()
        case 5:
            _ = try reader.value()
            return
        default: break
        }
        switch try reader.nextType() {
        case .null: _ = try reader.skipNull()
        case .bool: _ = try reader.bool()
        case .number: _ = try reader.number()
        case .string: _ = try reader.string()
        case .array:
            let array = try reader.enterArray()
            while try reader.nextElement(of: array) {
                if choices.below(4) > 0 { try visit(&reader, &choices, levels - 1) }
            }
        case .object:
            let object = try reader.enterObject()
            while try reader.nextMember(of: object) {
                _ = reader.isKey("a")
                if choices.below(4) > 0 { try visit(&reader, &choices, levels - 1) }
            }
        }
    }

    private static func base64(_ bytes: [UInt8]) {
        let text = String(fuzzed: bytes)
        hold(Base64.standard.decode(Base64.standard.encode(bytes)) == bytes, "Base64 loses bytes")
        hold(Base64.urlSafe.decode(Base64.urlSafe.encode(bytes)) == bytes, "the other Base64 loses bytes")
        hold(Base64.standard.encode(bytes) == Data(bytes).base64EncodedString(), "Foundation encodes otherwise")
        if let ours = Base64.standard.decode(text) {
            hold(Data(base64Encoded: text).map { Array($0) } == ours, "Foundation decodes otherwise")
            hold(Base64.standard.encode(ours) == text, "two texts are one value")
        }
        hold(Hex.decode(Hex.encode(bytes)) == bytes, "hexadecimal loses bytes")
        if let ours = Hex.decode(text) { hold(Hex.encode(ours) == text.lowercased(), "two texts are one value") }
    }

    private static func dates(_ text: String) {
        if let date = CalendarDate(iso: text) { hold(date.isoText == text, "a day is another one when it was written") }
        guard let time = Timestamp(text, offsetMinutes: 60) else { return }
        for style in [Timestamp.Style.milliseconds, .seconds, .colonOffset, .basicOffset] {
            let again = Timestamp(time.text(style))
            hold(again?.seconds == time.seconds, "a moment is another one when it was written")
        }
        guard time.date.year > 1_600 else { return }
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        let other = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(time.seconds)))
        hold(other == time.text(.seconds), "Foundation has another moment")
    }

    private static func money(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        guard let currency = ["EUR", "JPY", "KWD", "USD"][choices.below(4)].currency else { return }
        let (units, text) = (Int64(choices.byte()) << Int64(choices.below(56)), String(fuzzed: choices.all()))
        if let money = try? Money(signed: text, currency) {
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            var scaled = decimal ?? 0
            for _ in 0..<currency.exponent { scaled *= 10 }
            hold(scaled == Decimal(money.minorUnits), "Foundation reads another amount")
        }
        _ = try? Money(wireDecimal: text, currency)
        let price = Money(minorUnits: units, currency)
        for rate in [try? Rate(percent: text), try? Rate(fraction: text)] {
            guard let rate else { continue }
            hold((try? Rate(percent: rate.percentText)) == rate, "a percentage is another one when it was written")
            hold((try? Rate(fraction: rate.fractionText)) == rate, "a fraction is another one when it was written")
            let share = try? rate.share(of: price)
            hold((share?.minorUnits ?? 0) >= 0, "a share of something is less than nothing")
            _ = try? rate.withoutMarkUp((try? rate.markedUp(price)) ?? price)
        }
        if let parts = try? price.split(into: 1 + Int(units & 15)) {
            hold(parts.reduce(Int64(0)) { $0 + $1.minorUnits } == units, "parts are not the whole")
        }
    }

    private static func forms(_ text: String) {
        if let fields = FormEncoding.decode(text) {
            hold(
                FormEncoding.decode(FormEncoding.encode(fields)) == fields, "a form is another one when it was written")
        }
        hold(PercentEncoding.decode(PercentEncoding.queryComponent(text)) == text, "percent signs lose something")
        if let segment = PercentEncoding.pathSegment(text) {
            hold(!segment.utf8.contains(UInt8(ascii: "/")), "a piece of a path leads on")
            hold(PercentEncoding.decode(segment) == text, "a piece of a path is another one")
        }
    }
}

extension String {
    fileprivate var currency: Currency? { Currency.known(self) }
}

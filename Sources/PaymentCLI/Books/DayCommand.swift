internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentService

extension Command {
    /// The money of one day.
    static let day = Command(
        name: "day", summary: "sums up what moved on a day, by kind, tender, brand and reader; names what is open",
        example: "payctl day --date 2026-11-27 --time-zone Europe/Berlin",
        takes: .configured(with: [
            .value("date", "DAY", "the day, as 2026-11-30; today by default"),
            .value("time-zone", "ZONE", "where the day begins: Europe/Berlin, +02:00, or UTC (the default)"),
            .values("scope", "NAME", "only attempts of this scope; may be given again; by default of every scope"),
        ]), writesTable: true
    ) { call in
        let zone = try call.given["time-zone"].map { text throws(UsageError) in try DayZone(named: text) }
        let date = try call.given["date"].map { text throws(UsageError) in
            guard let date = CalendarDate(iso: text) else {
                throw UsageError(message: "--date takes a day such as 2026-11-30, not \(text)")
            }
            return date
        }
        return try await CommandSession.use(call, .journal) { till in
            let zone = zone ?? .universal
            guard let date = date ?? zone.day(of: till.clock.now) else {
                throw UsageError(message: "this machine's clock is beyond the calendar; name the day with --date")
            }
            let attempts = try await till.everyAttempt()
            let scopes = call.given.has("scope") ? Set(call.given.all("scope")) : nil
            if let unknown = scopes?.subtracting(attempts.map(\.intent.scope)).min() {
                throw UsageError.unknownScope(unknown, of: attempts.scopes)
            }
            let chosen = attempts.filter { scopes?.contains($0.intent.scope) ?? true }
            let day = BookedDay(
                date, zone, chosen, Set(chosen.map(\.intent.scope)), isEveryScope: scopes == nil,
                apart: till.environmentApart)
            var looked = try await LookedAt(of: till)
            looked.look(at: date, in: zone)
            if call.format == .csv {
                // A table has no place for what is not in it, or may not stay.
                if let lack = looked.lack { call.note(BookedDay.words(of: lack)) }
                if let words = day.mayGoBackWords { call.note(words) }
            }
            call.say(day.json(looked), day.lines(looked, call.paint), csv: day.csv)
            if looked.lack != nil { return .failed }
            return day.open.isEmpty && day.mayGoBack.isEmpty ? .fine : .pending
        }
    }
}

/// The money of one day, as the journal knows it now. What failed or was taken back later stays in it, and comes back on the day
/// on which that happened.
struct BookedDay: Sendable {
    /// What has a sum of its own.
    struct Key: Hashable, Comparable {
        let currency: String
        let kind: String
        /// Credit, debit or prepaid, where the provider says it; else where the money came from.
        let tender: String
        let brand: String
        /// What read the card, and whose account took it.
        let reader: String
        /// The account, where it is of another environment than the configured one: its money is never added to that of
        /// the configured one. Nil for every other.
        let apart: String?

        static func < (one: Key, other: Key) -> Bool { one.order.lexicographicallyPrecedes(other.order) }

        private var order: [String] { [currency, apart ?? "", kind, tender, brand, reader] }
    }

    /// Several movements.
    struct Sum: Equatable {
        var count = 0
        /// What came to the merchant; less than nothing where money was refunded. In minor units.
        var moved: Int128 = 0
        /// What was set aside and can be captured; less than nothing where a hold ended.
        var held: Int128 = 0

        mutating func add(_ other: Sum) {
            (count, moved, held) = (count + other.count, moved + other.moved, held + other.held)
        }
    }

    let date: CalendarDate
    let zone: DayZone
    let scopes: [String]
    let isEveryScope: Bool
    private(set) var sums: [Key: Sum] = [:]
    /// What began on the day or before, and is not decided.
    private(set) var open: [Attempt] = []
    /// What began on the day or before, is in the sums, and may still go back: a device approved it and has not forwarded it,
    /// or a part was approved and the till has not said yet whether it stays.
    private(set) var mayGoBack: [Attempt] = []
    private let apart: @Sendable (ProviderIdentity) -> String?

    /// - Parameter apart: Names an account whose money is not added to that of the others.
    init(
        _ date: CalendarDate, _ zone: DayZone, _ attempts: [Attempt], _ scopes: Set<String>, isEveryScope: Bool,
        apart: @escaping @Sendable (ProviderIdentity) -> String?
    ) {
        (self.date, self.zone, self.scopes, self.isEveryScope) = (date, zone, scopes.sorted(), isEveryScope)
        self.apart = apart
        for attempts in Dictionary(grouping: attempts, by: \.intent.paymentID).values { add(attempts) }
        let unsure = attempts.filter { attempt in
            guard attempt.isUnfinished, let day = zone.day(of: OwnMovement.moment(of: attempt))
            else { return false }
            return day.daysSince1970 <= date.daysSince1970
        }.sorted { ($0.createdAt, $0.intent.attempt.text) < ($1.createdAt, $1.intent.attempt.text) }
        open = unsure.filter { $0.isOpen || $0.hasHiddenDoubt }
        mayGoBack = unsure.filter { ($0.isOfflineStill || $0.mayReturnPart) && !$0.isDryRun }
    }

    /// Adds what each account moved of a payment: several may have executed it, on different days.
    private mutating func add(_ attempts: [Attempt]) {
        let accounts = Set(attempts.flatMap { $0.executions.map(\.account) })
        for account in accounts { add(attempts, at: account) }
    }

    /// An attempt as it was booked, or as it is since what it moved came back.
    private struct Step {
        let attempt: Attempt
        let moment: Int64
        var isEnd = false

        /// What an attempt is to the days of an account, in its order.
        static func all(of attempt: Attempt, at account: ProviderIdentity) -> [Step] {
            guard let (end, before) = OwnMovement.ended(attempt, at: account) else {
                return [Step(attempt: attempt, moment: OwnMovement.booked(attempt, at: account))]
            }
            let booked = OwnMovement.booked(before, at: account)
            let back = Step(attempt: attempt, moment: max(booked, end), isEnd: true)
            return [Step(attempt: before, moment: booked), back]
        }

        /// What comes back follows what is booked at the same moment.
        static func isEarlier(_ one: Step, _ other: Step) -> Bool {
            (one.moment, one.isEnd ? 1 : 0, one.attempt.intent.isOrigin ? 0 : 1, one.attempt.intent.attempt.text)
                < (
                    other.moment, other.isEnd ? 1 : 0, other.attempt.intent.isOrigin ? 0 : 1,
                    other.attempt.intent.attempt.text
                )
        }
    }

    /// Adds each movement by what it changes of the sums of an account, which the journal's own rules compute.
    private mutating func add(_ attempts: [Attempt], at account: ProviderIdentity) {
        let steps = attempts.flatMap { Step.all(of: $0, at: account) }.sorted(by: Step.isEarlier)
        guard let origin = attempts.first(where: \.intent.isOrigin) else { return }
        let card = attempts.lazy.compactMap(\.card).first
        var (known, before) = ([Attempt](), State())
        for step in steps {
            let attempt = step.attempt
            if let place = known.firstIndex(where: { $0.intent.attempt == attempt.intent.attempt }) {
                known[place] = attempt
            } else {
                known.append(attempt)
            }
            let after = State(known, at: account)
            defer { before = after }
            let isMovement = attempt.approval != nil && attempt.holders.contains(account)
            let isBack = step.isEnd && after.held != before.held
            // What an import had counted and failed since brings its money back, though it never was a movement here.
            guard zone.day(of: step.moment) == date, !attempt.isDryRun,
                isMovement || isBack || after.moved != before.moved
            else { continue }
            let sum = Sum(count: 1, moved: after.moved - before.moved, held: after.held - before.held)
            let source = origin.intent.source.map(\.rawValue) ?? "not known"
            let place = attempt.named(account)
            let other = apart(place)
            let key = Key(
                currency: origin.intent.amount.currency.code, kind: attempt.intent.operation.rawValue,
                tender: card?.funding?.lowercased() ?? source, brand: card?.brandName ?? "none",
                reader: "\(source) at \(other ?? place.id.rawValue)", apart: other)
            sums[key, default: Sum()].add(sum)
        }
    }

    /// The state of a payment at an account after some of its attempts.
    private struct State {
        var moved: Int128 = 0
        var held: Int128 = 0

        init() {}

        init(_ attempts: [Attempt], at account: ProviderIdentity) {
            guard let origin = attempts.first(where: \.intent.isOrigin) else { return }
            var amounts = PaymentTotals(attempts, currency: origin.intent.amount.currency, at: account).shown
            // What may still move is in no sum.
            amounts.inDoubt = .zero(amounts.captured.currency)
            moved = Int128(amounts.isVoided ? 0 : amounts.captured.minorUnits) - Int128(amounts.refunded.minorUnits)
            if origin.intent.operation == .authorize { held = Int128(amounts.heldForCaptures.minorUnits) }
        }
    }

    /// Sums by one part of the keys, in order.
    private func grouped(_ name: (Key) -> String) -> [(currency: String, name: String, sum: Sum)] {
        var groups: [String: [String: Sum]] = [:]
        for (key, sum) in sums {
            let words = name(key)
            let isNamed = key.apart.map { words.hasSuffix($0) } ?? true
            let shown = isNamed ? words : words + (key.apart.map { ", \($0)" } ?? "")
            groups[key.currency, default: [:]][shown, default: Sum()].add(sum)
        }
        return groups.sorted { $0.key < $1.key }.flatMap { currency, named in
            named.sorted { $0.key < $1.key }.map { (currency, $0.key, $0.value) }
        }
    }

    private var views: [(title: String, groups: [(currency: String, name: String, sum: Sum)])] {
        [
            ("kind", grouped(\.kind)), ("tender", grouped(\.tender)), ("brand", grouped(\.brand)),
            ("reader", grouped(\.reader)), ("all", grouped { _ in "all" }),
        ]
    }

    private static func words(_ units: Int128, _ code: String) -> String {
        guard let currency = Currency.known(code), let small = Int64(exactly: units) else {
            return "\(units) of the smallest unit of \(code)"
        }
        return "\(Money(minorUnits: small, currency))"
    }

    func lines(_ looked: LookedAt, _ paint: Paint) -> [String] {
        let names = scopes.map { $0.isEmpty ? "the default one" : $0 }.joined(separator: ", ")
        let scope = isEveryScope ? "every scope" : "only scope"
        var lines = [
            "day        \(date.isoText), time zone \(zone.name), as the journal knows it now"
        ]
        let words = scopes.isEmpty ? "every scope (none has an attempt)" : "\(scope) (\(names))"
        lines += looked.lines(scopes: words, within: nil)
        if sums.isEmpty { lines += ["", "nothing moved"] }
        for view in views where !sums.isEmpty {
            var table = TextTable([view.title, "count", "moved", "held"], right: [1, 2, 3])
            table.rows = view.groups.map { currency, name, sum in
                [name, "\(sum.count)", Self.words(sum.moved, currency), Self.words(sum.held, currency)]
            }
            lines += [""] + table.lines
        }
        if let lack = looked.lack { lines += ["", paint.doubt(Self.words(of: lack))] }
        if let words = mayGoBackWords { lines += ["", paint.doubt("\(words):")] + mayGoBack.map(line) }
        if open.isEmpty {
            let isAll = looked.lack == nil && mayGoBack.isEmpty
            return isAll ? lines + ["", "Nothing of the day or before is open."] : lines
        }
        return lines + ["", paint.doubt("\(open.count) open; what may still move is in no sum:")] + open.map(line)
    }

    /// What a journal that lacks payments means for the day.
    fileprivate static func words(of lack: String) -> String { "\(lack) Other payments of the day may exist." }

    /// What is in the sums and may not stay, for people; nil if nothing is.
    var mayGoBackWords: String? {
        if mayGoBack.isEmpty { return nil }
        return "\(mayGoBack.count) in the sums may still go back, approved offline and not forwarded, or in part"
    }

    private func line(_ attempt: Attempt) -> String {
        "  \(attempt.status): \(attempt.intent.operation.rawValue) of \(attempt.askedAmount), reference "
            + "\(attempt.intent.reference ?? "none"), attempt \(attempt.intent.attempt), at "
            + "\(apart(attempt.account) ?? attempt.account.id.rawValue), since \(attempt.createdAt.time)"
    }

    /// What is written as JSON.
    private typealias Shown = (day: BookedDay, lookedAt: LookedAt)

    func json(_ looked: LookedAt) -> JSON { Self.shape.json((self, looked), for: .office) }

    /// The schema of what is written as JSON.
    static var schema: AnyShape { shape.any }

    private static let shape = Shape<Shown>(
        "Day", uses: [AttemptView.shape.any, LookedAt.shape.any],
        [
            .init("date", Schema.text, "The day.") { .string($0.day.date.isoText) },
            .init("timeZone", Schema.text, "Where the day begins.") { .string($0.day.zone.name) },
            BookShapes.lookedAt { $0.lookedAt },
            .init("isEveryScope", Schema.flag, "Whether attempts of every scope count.") {
                .bool($0.day.isEveryScope)
            },
            .init("scopes", Schema.texts, "The scopes that count and have an attempt.") { .texts($0.day.scopes) },
            .init(
                "sums",
                [
                    "type": "array",
                    "items": Schema.object([
                        ("currency", Schema.text), ("kind", Schema.text), ("tender", Schema.text),
                        ("brand", Schema.text), ("reader", Schema.text), ("apart", Schema.textOrNull),
                        ("count", Schema.count),
                        ("moved", DecimalSum.schema), ("held", DecimalSum.schema),
                    ]),
                ],
                "What moved, by currency, kind, tender, brand and reader. Money of an account that is `apart`, such as a test "
                    + "account's, is added to no other."
            ) { shown in
                .array(
                    shown.day.sums.sorted { $0.key < $1.key }.map { key, sum in
                        [
                            "currency": .string(key.currency), "kind": .string(key.kind),
                            "tender": .string(key.tender), "brand": .string(key.brand),
                            "reader": .string(key.reader), "apart": .text(key.apart), "count": .integer(sum.count),
                            "moved": .string(DecimalSum.text(sum.moved, key.currency)),
                            "held": .string(DecimalSum.text(sum.held, key.currency)),
                        ]
                    })
            },
            .init("open", BookShapes.list(of: AttemptView.shape.any), "What began by then and is not decided.") {
                .array($0.day.open.map(\.json))
            },
            .init(
                "mayGoBack", BookShapes.list(of: AttemptView.shape.any), "What is in the sums and may still go back."
            ) { .array($0.day.mayGoBack.map(\.json)) },
        ])

    /// A row for each sum, and one for each open attempt, which is in no sum.
    var csv: CSVText {
        var table = CSVText([
            "date", "timeZone", "kind", "tender", "brand", "reader", "count", "moved", "held", "currency", "open",
            "apart",
        ])
        for (key, sum) in sums.sorted(by: { $0.key < $1.key }) {
            func amount(_ units: Int128) -> CSVText.Value {
                let words = Self.words(units, key.currency)
                return words.hasSuffix(" \(key.currency)") ? .number(String(words.dropLast(4))) : .text(words)
            }
            table.add([
                .text(date.isoText), .text(zone.name), .text(key.kind), .text(key.tender), .text(key.brand),
                .text(key.reader), .number("\(sum.count)"), amount(sum.moved), amount(sum.held), .text(key.currency),
                .text(""), .optional(key.apart),
            ])
        }
        for attempt in open {
            table.add([
                .text(date.isoText), .text(zone.name), .text(attempt.intent.operation.rawValue), .text(""), .text(""),
                .text(apart(attempt.account) ?? attempt.account.id.rawValue), .number("1"), .text(""), .text(""),
                .text(attempt.intent.amount.currency.code), .text(attempt.intent.attempt.text),
                .optional(apart(attempt.account)),
            ])
        }
        return table
    }
}

package import PaymentJournalKit

/// Writes messages to receivers outside, takes and settles them, by two processes where there are two.
package struct DeliveryPlay: Sendable {
    private let one: any Journal
    private let other: any Journal
    private static let name = "shop"

    /// Plays over a journal, as one process or two see it.
    package init(_ one: any Journal, beside other: (any Journal)? = nil) {
        (self.one, self.other) = (one, other ?? one)
    }

    private static func message(_ number: Int, at now: Int64 = 1_000) -> OutgoingMessage {
        OutgoingMessage(name, "evt_\(number)", "{\"number\":\(number)}", at: now, due: now)
    }

    private func take(_ journal: any Journal, at now: Int64) async throws -> [OutgoingMessage] {
        try await journal.changeDeliveries { rows in try DeliveryRules.take(Self.name, at: now, &rows) }
    }

    private func settle(
        _ journal: any Journal, _ message: OutgoingMessage, _ outcome: DeliveryOutcome, at now: Int64
    ) async throws -> OutgoingMessage? {
        try await journal.changeDeliveries { rows in
            try DeliveryRules.settle(message, outcome, at: now, jitter: { _ in 7 }, &rows)
        }
    }

    private func all() async throws -> [OutgoingMessage] {
        try await one.changeDeliveries { rows in try rows.all(Self.name, after: "", limit: 1_000) }
    }

    private func endpoint() async throws -> DeliveryEndpoint? {
        try await one.changeDeliveries { rows in try rows.endpoint(Self.name) }
    }

    private func write(_ numbers: Range<Int>, from: FeedPosition, upTo: FeedPosition) async throws -> Bool {
        try await one.changeDeliveries { rows in
            try DeliveryRules.write(
                numbers.map { Self.message($0) }, to: Self.name, from: from, upTo: upTo, at: 1_000, &rows)
        }
    }

    /// What is wrong; nothing if all is as it must be.
    package func problems() async throws -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { problems.append(words) } }
        let places = (1...4).map { FeedPosition("0123456789ab", row: Int64($0), index: $0) }
        expect(try await !write(0..<1, from: places[0], upTo: places[1]), "a receiver that is not known got messages")
        try await one.changeDeliveries { rows in try rows.keep(DeliveryEndpoint(Self.name, from: places[0])) }
        expect(try await write(0..<20, from: places[0], upTo: places[1]), "messages were not written")
        expect(try await !write(20..<30, from: places[0], upTo: places[2]), "a piece was written twice")
        let position = try await endpoint()?.position
        expect(try await all().count == 20 && position == places[1], "the place is not the written one")
        problems += try await together()
        problems += try await again()
        problems += try await off(places)
        problems += try await removed()
        return problems
    }

    private func keepOnly(_ names: Set<String>, at now: Int64) async throws {
        try await other.changeDeliveries { rows in try DeliveryRules.keepOnly(names, at: now, &rows) }
    }

    /// A receiver that is not configured any more, comes back in time, and later too late.
    private func removed() async throws -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { problems.append(words) } }
        for message in try await all() {
            try await one.changeDeliveries { rows in try rows.remove(Self.name, message.event) }
        }
        let (seen, sign): (Int64, Int64) = (1_800_000_000_000, DeliveryRules.signMilliseconds)
        let start = seen + sign
        let inTime = start + DeliveryRules.keptMilliseconds
        let gone = inTime + sign
        let late = gone + DeliveryRules.keptMilliseconds + 1
        try await one.changeDeliveries { rows in
            for number in 200..<203 { try rows.keep(Self.message(number, at: start)) }
        }
        try await keepOnly([Self.name, "another"], at: seen)
        expect(try await endpoint()?.removedAt == nil, "a receiver that is configured is said to be removed")
        // Of two processes only one has it: it says so again and again, and the other one looks as often.
        for pause: Int64 in [0, 60_000, sign - 1] { try await keepOnly(["another"], at: seen + pause) }
        expect(try await endpoint()?.removedAt == nil, "a receiver that another process has is said to be removed")
        for pause: Int64 in [0, 1_000] { try await keepOnly(["another"], at: start + pause) }
        expect(try await endpoint()?.removedAt == start, "it is not known since when it is removed")
        try await keepOnly([], at: inTime)
        expect(try await all().count == 3, "what waits for a removed receiver was deleted too early")
        let back = try await one.changeDeliveries { rows in
            try DeliveryRules.configured(Self.name, at: inTime, &rows)
        }
        expect(back != nil && back?.removedAt == nil, "a receiver that came back is still said to be removed")
        expect(try await endpoint() == back, "that it came back is not written")
        expect(try await take(one, at: inTime).count == 3, "a receiver that came back does not get what waited")
        for now in [gone, late - 1] { try await keepOnly([], at: now) }
        expect(try await all().count == 3, "what waits for a removed receiver was deleted too early")
        try await keepOnly([], at: late)
        expect(try await all().isEmpty, "what waits for a removed receiver is kept for ever")
        // Without a service in between, nothing was deleted: it is not sent after so long a time.
        try await one.changeDeliveries { rows in try rows.keep(Self.message(210, at: start)) }
        let again = try await one.changeDeliveries { rows in
            try DeliveryRules.configured(Self.name, at: late, &rows)
        }
        let left = try await all()
        expect(again?.removedAt == nil && left.isEmpty, "a receiver that came back too late gets what waited")
        return problems
    }

    /// Two processes take at the same time.
    private func together() async throws -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { problems.append(words) } }
        async let first = take(one, at: 2_000)
        async let second = take(other, at: 2_000)
        let taken = try await first + second
        expect(Set(taken.map(\.event)).count == taken.count, "a message was taken twice")
        expect(taken.count == DeliveryRules.atOnceMax, "\(taken.count) were taken at once")
        expect(try await take(other, at: 2_000).isEmpty, "more were taken than may be under way")
        for message in taken.dropFirst() { _ = try await settle(other, message, .taken, at: 3_000) }
        expect(try await all().count == 13, "what the receiver has is still there")
        // A process that died with a message: another one takes it when the time is over, and the first one's word is late.
        let late = 2_000 + DeliveryRules.takenMilliseconds
        let next = try await take(one, at: late)
        let lost = next.first { $0.event == taken[0].event }
        expect(lost?.tries == 2, "the message of a process that died was not taken again")
        _ = try await settle(other, taken[0], .failed("late"), at: late)
        expect(try await all().first { $0.event == taken[0].event }?.failure == "", "a late word counted")
        for message in next { _ = try await settle(one, message, .taken, at: late) }
        return problems
    }

    /// A receiver that fails: the pauses, the probes, and the end.
    private func again() async throws -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { problems.append(words) } }
        for message in try await all().dropFirst() {
            try await one.changeDeliveries { rows in try rows.remove(Self.name, message.event) }
        }
        var now: Int64 = 10_000_000
        for pause in DeliveryRules.pauses {
            guard let message = try await take(one, at: now).first else {
                return problems + ["nothing is due at \(now)"]
            }
            _ = try await settle(one, message, .failed("The receiver answered 500."), at: now)
            guard let due = try await all().first?.due else { return problems + ["it failed too early"] }
            expect(due == now + pause + 7, "the next try is at \(due - now), not at \(pause + 7)")
            expect(try await take(one, at: due - 1).isEmpty, "it was taken before it was due")
            now = due
        }
        guard let last = try await take(one, at: now).first else { return problems + ["the last try does not come"] }
        let lost = try await settle(one, last, .failed("The receiver answered 500."), at: now)
        expect(lost?.tries == 10 && lost?.due == nil, "it is not known to have failed for good")
        expect(try await endpoint()?.failures == DeliveryRules.failuresMax, "its failures were not counted")
        expect(try await take(one, at: .max - 1).isEmpty, "what failed for good was taken")
        // One a minute, until one arrives.
        try await one.changeDeliveries { rows in for number in 50..<60 { try rows.keep(Self.message(number)) } }
        expect(try await take(one, at: now + 1).isEmpty, "a receiver that fails was not left alone")
        now += DeliveryRules.probeMilliseconds
        let probe = try await take(one, at: now)
        expect(probe.count == 1, "\(probe.count) were taken in place of one")
        if let probe = probe.first { _ = try await settle(one, probe, .failed("no"), at: now) }
        expect(try await take(one, at: now + 1_000).isEmpty, "there were two in a minute")
        now += DeliveryRules.probeMilliseconds
        if let probe = try await take(one, at: now).first { _ = try await settle(one, probe, .taken, at: now) }
        expect(
            try await take(one, at: now).count == DeliveryRules.atOnceMax, "a receiver that works again gets one only")
        return problems
    }

    /// A receiver that wants no more, until a person has it sent again.
    private func off(_ places: [FeedPosition]) async throws -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { problems.append(words) } }
        for message in try await all() {
            try await one.changeDeliveries { rows in try rows.remove(Self.name, message.event) }
        }
        try await one.changeDeliveries { rows in try rows.keep(Self.message(70)) }
        let now: Int64 = 900_000_000_000
        guard let message = try await take(one, at: now).first else { return ["nothing is due"] }
        _ = try await settle(other, message, .gone, at: now)
        expect(try await take(one, at: now + 1_000_000).isEmpty, "a receiver that wants no more got something")
        expect(
            try await !write(80..<81, from: places[1], upTo: places[2]), "the feed is read for a receiver that is off")
        let count = try await other.changeDeliveries { rows in
            try DeliveryRules.resend(Self.name, "evt_70", at: now, &rows)
        }
        expect(count == 1, "\(count ?? -1) are sent again")
        let again = try await take(one, at: now)
        expect(again.map(\.event) == ["evt_70"] && again.first?.tries == 1, "it is not sent again")
        // What failed for good is kept for thirty days from then on, however old it is.
        try await one.changeDeliveries { rows in
            var old = Self.message(90)
            old.due = nil
            try rows.keep(old)
            var long = Self.message(91)
            (long.due, long.failedAt) = (nil, now - DeliveryRules.keptMilliseconds - 1)
            try rows.keep(long)
            var lately = Self.message(92)
            (lately.due, lately.failedAt) = (nil, now - DeliveryRules.keptMilliseconds)
            try rows.keep(lately)
            try rows.keep(Self.message(93, at: now))
        }
        try await keepOnly([Self.name], at: now)
        let left = Set(try await all().map(\.event))
        expect(left.isDisjoint(with: ["evt_90", "evt_91"]), "what failed long ago is still there")
        expect(left.isSuperset(of: ["evt_92", "evt_93"]), "what failed lately was deleted")
        return problems
    }
}

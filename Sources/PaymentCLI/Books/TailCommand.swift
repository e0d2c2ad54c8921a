internal import PaymentAbstraction
internal import PaymentBase

extension Command {
    /// The events of all processes.
    static let tail = Command(
        name: "tail", summary: "prints the journal's last events, and every new one of any process until it is stopped",
        example: "payctl tail --last 20",
        takes: .configured(with: [
            .value("last", "N", "how many of those that are there, 0 to 1000; 10 by default"),
            .flag("once", "ends after those"),
        ])
    ) { call in
        let last = Int(try call.integer("last", in: 0...1_000, 10))
        return try await CommandSession.use(call, .journal) { till in
            try await JournalTail(call, till.client).run(last: last, isOnce: call.given.has("once"))
        }
    }
}

/// Events of every payment, read off the journal that all processes share.
struct JournalTail {
    /// How often the journal is looked at, in milliseconds.
    private static let everyMilliseconds: Int64 = 500
    /// How many of the newest payments are looked at each time.
    private static let payments = ListQuery.limitMax

    private let call: Invocation
    private let client: PaymentClient

    init(_ call: Invocation, _ client: PaymentClient) { (self.call, self.client) = (call, client) }

    func run(last: Int, isOnce: Bool) async throws -> ExitStatus {
        let clock = SystemClock()
        var seen: [PaymentID: Int] = [:]
        for event in try await fresh(&seen).suffix(last) { tell(event) }
        while !isOnce, !Task.isCancelled, call.console.isHeard {
            do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { break }
            for event in try await fresh(&seen) { tell(event) }
        }
        return .fine
    }

    /// Events that weren't seen yet, oldest first.
    private func fresh(_ seen: inout [PaymentID: Int]) async throws -> [PaymentEvent] {
        var fresh: [PaymentEvent] = []
        for payment in try await client.payments(limit: Self.payments).payments {
            let known = seen[payment.id] ?? 0
            let timeline = try await client.timeline(of: payment.id)
            fresh += timeline.filter { $0.sequence > known }
            seen[payment.id] = max(known, timeline.last?.sequence ?? 0)
        }
        return fresh.sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    }

    private func tell(_ event: PaymentEvent) {
        let payment = event.payment.map { "…" + $0.attempt.text.suffix(8) } ?? ""
        let words = event.words.isEmpty ? "" : "  \(event.words)"
        call.say(
            event.json,
            ["\(event.at.time)  \(payment)  \(event.provider?.rawValue ?? "")  \(event.kind.rawValue)\(words)"])
    }
}

extension Invocation {
    /// Whether it waits for what others write.
    var isFollowing: Bool { given.has("follow") || words.first == "tail" && !given.has("once") }
}

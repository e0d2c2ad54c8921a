package import PaymentJournalKit
internal import PaymentModel

/// Writes about several payments and follows the feed, reconnected behind every single event.
package struct FeedPlay {
    private let desk: JournalTestWriter
    private var journal: any Journal { desk.journal }

    package init(_ journal: any Journal) { desk = JournalTestWriter(journal) }

    /// One event of the feed, as it is compared.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        package let kind: String
        package let payment: String
        package let scope: String
        package var description: String { "\(kind) of \(payment) in \(scope)" }
    }

    /// Everything behind a place, read so many events at a time.
    package func follow(_ start: FeedPosition, by limit: Int) async throws -> [Line] {
        var (lines, place) = ([Line](), start)
        while true {
            guard let page = try await journal.feed(after: place, limit: limit) else {
                throw JournalViolation("the feed does not know its own place \(place)")
            }
            if page.items.isEmpty { return lines }
            lines += page.items.map {
                Line(kind: $0.event.kind.rawValue, payment: $0.event.payment?.attempt.text ?? "", scope: $0.scope)
            }
            // A reader that is reconnected begins behind the last event that it took.
            guard let last = page.items.last?.next, last == page.next else {
                throw JournalViolation("the piece does not end behind its last event")
            }
            place = last
        }
    }

    /// The end of the feed.
    package func end() async throws -> FeedPosition {
        guard let page = try await journal.feed(after: nil, limit: 10), page.items.isEmpty else {
            throw JournalViolation("without a place the feed gives more than its end")
        }
        return page.next
    }

    /// Writes entries with none, one and several events, of two scopes, and returns the lines that they make.
    package func write(_ prefix: String = "") async throws -> [Line] {
        var lines: [Line] = []
        func step(_ name: String, _ scope: String, _ command: JournalCommand, _ kinds: [String]) async throws {
            let events = try kinds.map { try JournalTestWriter.event($0, of: name) }
            try await desk.accept(command, timeline: events)
            lines += kinds.map { Line(kind: $0, payment: name, scope: scope) }
        }
        for (name, scope) in [("a", ""), ("b", "shop"), ("c", "")] {
            let name = prefix + name
            let intent = try JournalTestWriter.intent(name, scope: scope)
            try await step(name, scope, JournalTestWriter.request(intent), ["begun", "submitted"])
            try await step(name, scope, JournalTestWriter.note(intent.attempt, "n", "1"), [])
        }
        for (name, scope) in [("b", "shop"), ("a", "")] {
            let name = prefix + name
            let id = try JournalTestWriter.id(name)
            try await step(
                name, scope, JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["p-\(name)"]),
                ["approved", "told", "printed"])
        }
        return lines
    }

    /// What is wrong with the feed; nothing if all that was written is read once, in its order, from every place.
    package func problems() async throws -> [String] {
        let start = try await end()
        let written = try await write()
        var problems: [String] = []
        for limit in 1...4 {
            let read = try await follow(start, by: limit)
            if read != written { problems.append("\(limit) at a time: \(read), written \(written)") }
        }
        let end = try await end()
        if try await journal.feed(after: end, limit: 10)?.items.isEmpty != true {
            problems.append("the end has events")
        }
        if try await journal.feed(after: start, limit: 0)?.next != start { problems.append("no event moves the place") }
        for strange in [
            FeedPosition("000000000000", row: 1), FeedPosition(end.feed, row: end.row + 1),
            FeedPosition(end.feed, row: 0),
        ] where try await journal.feed(after: strange, limit: 10) != nil {
            problems.append("\(strange) is no place of this feed and is answered")
        }
        return problems
    }
}

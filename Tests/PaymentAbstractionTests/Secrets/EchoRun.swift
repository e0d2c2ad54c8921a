import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// One sale at a provider that echoes a text, and a walk through everything that came of it.
struct EchoRun {
    /// What came out, by what was planted and where.
    struct Finding: Hashable, CustomStringConvertible {
        let needle: String
        let form: String
        let field: String
        let route: String
        let ways: String
        var description: String { "\(needle) as \(form) in \(field), \(route): \(ways)" }
    }

    /// How the answer comes.
    enum Route: Int64, CaseIterable {
        case approved = 2_000
        case declined = 1_051
        case pending = 1_015
        case byLookup = 1_013
        case brokenThenLookup = 1_017
    }

    private(set) var findings: [Finding] = []
    private(set) var count = 0

    /// Sells once and walks through result or error, events, journal, timeline and client.
    mutating func run(
        _ needle: Planted.Needle, _ forms: [Planted.Form], from source: PaymentSource, _ field: EchoTransport.Field,
        _ route: Route
    ) throws {
        let till = Till()
        let echo = EchoTransport(till.transport, field, forms.map { $0.write(needle.text) }.joined(separator: " "))
        let client = try till.client(echo)
        let events = client.events()
        let values = Locked([any Sendable]())
        let request = Planted.sale(.cents(route.rawValue), from: source)
        try till.play {
            func keep(_ value: any Sendable) { values.withLock { $0.append(value) } }
            let attempt = try AttemptID("planted-1")
            do { keep(try await client.sale(request, attempt: attempt)) } catch { keep(error) }
            do { keep(try await client.status(attempt)) } catch { keep(error) }
            do { keep(try await client.payment(PaymentID(attempt))) } catch { keep(error) }
            keep(try await client.attempt(attempt))
            keep(try await client.timeline(of: PaymentID(attempt)))
            keep(try await till.journal.openRecords())
            keep(till.journal)
        }
        till.scheduler.drain()
        let told = try till.play {
            // A last event of our own, so that the stream of what was told before can be read to its end.
            try await client.addEvent(PaymentEvent.Kind(rawValue: "end"), to: PaymentID(try AttemptID("planted-1")))
            var told: [PaymentEvent] = []
            for await event in events {
                if event.kind.rawValue == "end" { break }
                told.append(event)
            }
            return told
        }
        #expect(!told.isEmpty)
        var walk = SecretWalk([needle])
        for value in values.withLock({ $0 }) + [told] { walk.walk(value) }
        count += walk.count
        for (form, leaks) in Dictionary(grouping: walk.leaks, by: \.form) {
            let ways = Set(leaks.map(\.type)).sorted().prefix(3).joined(separator: ", ")
            findings.append(
                Finding(needle: needle.name, form: form, field: field.rawValue, route: "\(route)", ways: ways))
        }
    }
}

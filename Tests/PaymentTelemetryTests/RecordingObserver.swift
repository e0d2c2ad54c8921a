import PaymentBase
import PaymentCore
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport

/// Remembers everything that a client reports.
final class RecordingObserver: PaymentObserver {
    private struct Seen {
        var began: [ObservedSpan] = []
        var ended: [ObservedSpan] = []
        var counts: [ObservedCount] = []
        var records: [ObservedRecord] = []
    }

    private let seen = Locked(Seen())
    private let namesTraces: Bool

    init(namesTraces: Bool = false) { self.namesTraces = namesTraces }

    var began: [ObservedSpan] { seen.withLock { $0.began } }
    var ended: [ObservedSpan] { seen.withLock { $0.ended } }
    var counts: [ObservedCount] { seen.withLock { $0.counts } }
    var records: [ObservedRecord] { seen.withLock { $0.records } }

    func began(_ span: ObservedSpan) { seen.withLock { $0.began.append(span) } }
    func ended(_ span: ObservedSpan) { seen.withLock { $0.ended.append(span) } }
    func counted(_ count: ObservedCount) { seen.withLock { $0.counts.append(count) } }
    func logged(_ record: ObservedRecord) { seen.withLock { $0.records.append(record) } }
    func traceContext(for span: ObservedSpan) -> TraceContext? { namesTraces ? span.context : nil }

    /// The spans as a tree, a line each: name, outcome, and what a request came to.
    var tree: [String] {
        let spans = ended
        func lines(under parent: TraceContext?, _ depth: Int) -> [String] {
            spans.filter { $0.parent == parent }.sorted { order($0) < order($1) }.flatMap { span in
                [String(repeating: "  ", count: depth) + span.line] + lines(under: span.context, depth + 1)
            }
        }
        return lines(under: nil, 0)
    }

    /// Spans of one moment come in the order in which they began.
    private func order(_ span: ObservedSpan) -> Int { began.firstIndex { $0.context == span.context } ?? .max }
}

extension ObservedSpan {
    /// What an attribute says; nil if there is none.
    func text(_ key: ObservedAttribute.Key) -> String? {
        attributes.first { $0.key == key }.map { "\($0.value)" }
    }

    var line: String {
        let said = [text(.outcome), text(.status), text(.cause)].compactMap(\.self)
        return ([name.rawValue] + said).joined(separator: " ")
    }
}

/// A sale whose reply is lost, and with it each lookup, until the line is good again: then a recovery finds it.
struct LostReplySale {
    let till = Till()
    private let line = Locked(Line.good)

    private enum Line { case good, bad, repaired }

    /// The line: what asks for money arrives, and neither its reply comes back nor that of any request after it.
    private var transport: HookTransport {
        HookTransport(till.transport) { [line] (request, next) async throws(TransportFailure) in
            let isBad = line.withLock { line in
                if line == .good, request.path.hasPrefix("/payments") { line = .bad }
                return line == .bad
            }
            let response = try await next(request)
            if isBad { throw .maybeSent(.connectionReset) }
            return response
        }
    }

    /// Plays it with an observer; the attempt's id, and what was left open after the recovery.
    func play(_ observer: any PaymentObserver) throws -> (attempt: AttemptID, left: [AttemptID]) {
        var options = till.dependencies
        options.observer = observer
        let client = try PaymentClient(till.driver(transport), options)
        let attempt = try till.play { try await client.newAttempt() }
        let card = try Cards.good()
        let failure = till.failure {
            _ = try await client.sale(.cents(4_999), from: card, reference: "order-1001", attempt: attempt)
        }
        if failure?.outcome != .unknown { throw LostNothing() }
        line.withLock { $0 = .repaired }
        till.scheduler.advance(by: 60_000)
        return (attempt, try till.play { try await client.recover() })
    }

    private struct LostNothing: Error {}
}

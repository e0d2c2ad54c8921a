internal import PaymentBase
internal import PaymentModel

/// What the service counts, as text that Prometheus reads.
final class ServiceMetrics: Sendable {
    /// The upper ends of the classes of durations, in milliseconds.
    private static let classes: [Int64] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000]

    private struct Request: Hashable, Sendable {
        let operation: String
        let status: Int
    }

    private struct Durations: Sendable {
        var counts = [Int](repeating: 0, count: ServiceMetrics.classes.count)
        var count = 0
        var milliseconds: Int64 = 0
    }

    private struct State: Sendable {
        var requests: [Request: Int] = [:]
        var durations: [String: Durations] = [:]
        var keyReloads: [Bool: Int] = [:]
        var lostAuditLines = 0
    }

    private let state = Locked(State())

    /// Counts an answer.
    func count(_ operation: String, _ status: Int, milliseconds: Int64) {
        let milliseconds = max(0, milliseconds)
        state.withLock { state in
            state.requests[Request(operation: operation, status: status), default: 0] += 1
            var durations = state.durations[operation] ?? Durations()
            for (place, end) in Self.classes.enumerated() where milliseconds <= end { durations.counts[place] += 1 }
            durations.count += 1
            durations.milliseconds = durations.milliseconds.addingSaturating(milliseconds)
            state.durations[operation] = durations
        }
    }

    /// Counts that keys were read again, or could not be.
    func countKeys(isGood: Bool) { state.withLock { $0.keyReloads[isGood, default: 0] += 1 } }

    /// Counts that an audit line could not be written.
    func countLostAuditLine() { state.withLock { $0.lostAuditLines += 1 } }

    /// One value that is known at the time of asking.
    struct Gauge: Sendable {
        let name: String
        let help: String
        /// The value for each set of labels, as `shop="berlin"`; empty for none.
        let values: [(labels: String, value: Int)]
    }

    /// Everything, with what is known now.
    func text(_ gauges: [Gauge]) -> String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        func begin(_ name: String, _ kind: String, _ help: String) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
        }
        begin("payments_requests_total", "counter", "Answers by operation and status.")
        let requests = state.requests.sorted { ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status) }
        for (request, count) in requests {
            lines.append(
                "payments_requests_total{operation=\"\(request.operation)\",status=\"\(request.status)\"} \(count)")
        }
        begin("payments_request_seconds", "histogram", "How long answers took, their waits included.")
        for (operation, durations) in state.durations.sorted(by: { $0.key < $1.key }) {
            let label = "operation=\"\(operation)\""
            for (end, count) in zip(Self.classes, durations.counts) {
                lines.append("payments_request_seconds_bucket{\(label),le=\"\(Self.seconds(end))\"} \(count)")
            }
            lines += [
                "payments_request_seconds_bucket{\(label),le=\"+Inf\"} \(durations.count)",
                "payments_request_seconds_sum{\(label)} \(Self.seconds(durations.milliseconds))",
                "payments_request_seconds_count{\(label)} \(durations.count)",
            ]
        }
        begin("payments_key_reloads_total", "counter", "How often the file of keys was read again, by result.")
        for isGood in [true, false] {
            let count = state.keyReloads[isGood] ?? 0
            lines.append("payments_key_reloads_total{result=\"\(isGood ? "read" : "refused")\"} \(count)")
        }
        begin("payments_audit_lines_lost_total", "counter", "Audit lines that could not be written.")
        lines.append("payments_audit_lines_lost_total \(state.lostAuditLines)")
        for gauge in gauges {
            begin(gauge.name, "gauge", gauge.help)
            for (labels, value) in gauge.values {
                lines.append(labels.isEmpty ? "\(gauge.name) \(value)" : "\(gauge.name){\(labels)} \(value)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Milliseconds as seconds with three decimals.
    static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
    }
}

extension Int64 {
    /// The difference, or the nearest number that there is.
    func subtractingSaturating(_ other: Int64) -> Int64 {
        let (value, isOver) = subtractingReportingOverflow(other)
        return isOver ? (other > 0 ? .min : .max) : value
    }
}

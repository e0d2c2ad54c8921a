internal import PaymentBase

/// A journal that forgets everything with the process: for tests and demonstrations.
public final class MemoryJournal: Journal {
    private struct State {
        var rows: [AttemptID: AttemptRecord] = [:]
        var order: [AttemptID] = []
        var timelines: [PaymentID: [PaymentEvent]] = [:]
        var nextNumber: Int64 = 1
    }

    private let state = Locked(State())

    /// Makes an empty journal.
    public init() {}

    public func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        state.withLock { state in
            let rows = state.rows
            let family = intent.payment.map { Self.family($0, state) } ?? []
            let rivals = intent.isOrigin ? rows.values.filter { $0.intent.reference == intent.reference } : []
            let answer = Admission.decide(
                intent, terms, existing: rows[intent.attempt], family: family, sameReference: rivals, at: instant)
            if case .fresh(let record) = answer {
                if rows[intent.attempt] == nil { state.order.append(intent.attempt) }
                state.rows[intent.attempt] = record
            }
            return answer
        }
    }

    public func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try state.withLock { state throws(JournalFailure) in
            guard let row = state.rows[attempt] else { throw .noSuchAttempt }
            state.rows[attempt] = try row.marked(mark, round: round)
        }
    }

    public func conclude(
        _ attempt: AttemptID, round: Int, _ conclusion: Conclusion
    ) async throws -> AttemptRecord {
        try state.withLock { state throws(JournalFailure) in
            guard let row = state.rows[attempt] else { throw .noSuchAttempt }
            if let claim = conclusion.claim {
                let taken = state.rows.values.contains { other in
                    other.intent.attempt != attempt && other.provider == row.provider && other.handles.contains(claim)
                }
                if taken { return row }
            }
            guard let changed = row.concluded(by: conclusion, round: round) else { return row }
            state.rows[attempt] = changed
            return changed
        }
    }

    public func append(_ events: [PaymentEvent]) async throws {
        state.withLock { state in
            for event in events {
                guard let payment = event.payment else { continue }
                state.timelines[payment, default: []].append(event)
            }
        }
    }

    public func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        state.withLock { state in
            let rows = state.order.compactMap { state.rows[$0] }
            switch query {
            case .attempt(let attempt): return state.rows[attempt].map { [$0] } ?? []
            case .payment(let payment): return Self.family(payment, state)
            case .open: return rows.filter(\.isUndecided)
            case .holding(let provider, let values):
                return rows.filter { $0.provider == provider && !$0.handles.isDisjoint(with: values) }
            case .page(let after, let limit):
                let origins = Array(rows.filter(\.intent.isOrigin).reversed())
                guard let after else { return Array(origins.prefix(max(0, limit))) }
                guard let last = origins.firstIndex(where: { $0.intent.attempt == after }) else { return [] }
                return Array(origins.dropFirst(last + 1).prefix(max(0, limit)))
            case .reference(let reference):
                return rows.filter { $0.intent.isOrigin && $0.intent.reference == reference }
            }
        }
    }

    public func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        state.withLock { $0.timelines[payment] ?? [] }.sorted { ($0.sequence, $0.at) < ($1.sequence, $1.at) }
    }

    private static func family(_ payment: PaymentID, _ state: State) -> [AttemptRecord] {
        state.order.compactMap { state.rows[$0] }.filter { $0.intent.paymentID == payment }
    }
}

extension MemoryJournal: NumberSource {
    public func draw(_ count: Int64) async throws -> Int64 {
        state.withLock { state in
            defer { state.nextNumber += count }
            return state.nextNumber
        }
    }
}

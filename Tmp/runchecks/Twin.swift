import PaymentBase
import PaymentAbstraction
import PaymentTesting
@testable import PaymentJournal

nonisolated(unsafe) var differences = 0
final class Twin: WrappingJournal, @unchecked Sendable {
    let memory: InMemoryJournal
    var inner: any Journal { memory }
    private let lock = Locked(0)
    nonisolated(unsafe) private let connection: SQLiteConnection
    init(_ processes: any ProcessRegistry) {
        memory = InMemoryJournal(processes: processes)
        unsafe connection = try! SQLiteConnection(path: ":memory:", isReadOnly: false, busyMilliseconds: 1)
        try! unsafe connection.execute(Schema.sql, doing: "making")
    }
    private func say(_ text: String) { unsafe differences += 1; if unsafe differences < 12 { print("TWIN", text) } }
    func write(_ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant) async throws(JournalFailure) -> JournalAnswer {
        let alive = memory.processes
        let first = try await memory.write(entry, id, at: instant)
        let second = lock.withLock { _ in Result { try unsafe LogWriter(connection, isAlive: { alive.isAlive($0) }).write(entry, id, at: instant).answer } }
        switch second {
        case .failure(let error): say("write failed \(error) \(entry.command)")
        case .success(let answer):
            if strip(answer) != strip(first) { say("ANSWERS " + gap("\(strip(first))", "\(strip(answer))") + "\n FOR \(entry.command)".prefix(300)) }
            if let payment = first.attempt?.intent.paymentID {
                let mine = try await memory.payment(payment)
                let other = lock.withLock { _ in Result { try unsafe LogReader(connection: connection).payment(of: payment.attempt) } }
                switch other {
                case .failure(let error): say("read failed \(error)")
                case .success(let p):
                    if mine?.attempts != p?.attempts || mine?.entry != p?.entry { say("FOLDS \(mine?.entry ?? -1) \(p?.entry ?? -1) " + gap("\(mine?.attempts ?? [])", "\(p?.attempts ?? [])")) }
                }
                let t1 = try await memory.timeline(payment)
                let t2 = lock.withLock { _ in try? unsafe LogReader(connection: connection).timeline(payment) }
                if t1 != t2 { say("TIMELINE " + gap("\(t1)", "\(t2 ?? [])")) }
            }
        }
        return first
    }
    private func strip(_ answer: JournalAnswer) -> JournalAnswer {
        if case .written(let a, var r) = answer { r.alerts = []; return .written(a, r) }
        return answer
    }
    func takeDue(limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        let alive = memory.processes
        let first = try await memory.takeDue(limit: limit, at: instant)
        let second = lock.withLock { _ in Result { try unsafe LogWriter(connection, isAlive: { alive.isAlive($0) }).takeDue(limit: limit, at: instant, isAlive: { alive.isAlive($0) }) } }
        if (try? second.get()) != first { say("DUE \(first.attempts.map(\.intent.attempt)) \((try? second.get())?.attempts.map(\.intent.attempt) ?? [])") }
        return first
    }
    func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        try await memory.add(events, to: payment)
        lock.withLock { _ in do { try unsafe LogWriter(connection, isAlive: { _ in true }).add(events, to: payment) } catch { say("add \(error)") } }
    }
    func attempts(_ query: JournalQuery, after cursor: JournalCursor?, limit: Int) async throws(JournalFailure) -> JournalPage {
        let first = try await memory.attempts(query, after: cursor, limit: limit)
        if cursor == nil {
            let second = lock.withLock { _ in Result { try unsafe LogReader(connection: connection).page(query, after: nil, limit: limit) } }
            if Set((try? second.get())?.attempts ?? []) != Set(first.attempts) { say("PAGE \(query) \(first.attempts.map(\.intent.attempt)) \((try? second.get())?.attempts.map(\.intent.attempt) ?? [])") }
        }
        return first
    }
}

func gap(_ one: String, _ other: String) -> String {
    let (a, b) = (Array(one), Array(other))
    var i = 0
    while i < a.count, i < b.count, a[i] == b[i] { i += 1 }
    return "\n  A " + String(a[max(0, i - 60)..<min(a.count, i + 160)]) + "\n  B " + String(b[max(0, i - 60)..<min(b.count, i + 160)])
}

internal import PaymentBase
internal import PaymentTransport

/// Cards that are registered for later debits.
extension EcommpaySimulator {
    /// A registered card with its terms, by the names of the registration.
    struct Registration: Recorded {
        var id: Int64 = 0
        var number = ""
        var currency = ""
        var isActive = true
        var terms: JSON = [:]

        var recordName: String { String(id) }

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("number", \.number), .init("currency", \.currency),
            .init("isActive", \.isActive), .init("terms", \.terms),
        ]
    }

    static let noRegistration = refuse(400, "3181", "COF purchase registration ID not found")
    private static let ended = refuse(400, "3184", "COF purchase registration ID is cancelled")

    /// The registration that a message names, and may still be used.
    static func active(_ call: SimulatorRequest, _ state: State) -> (
        id: Int64, kept: Registration?, refusal: SimulatorResponse?
    ) {
        guard let id = call.json?["recurring"]?["id"]?.int64, let kept = state.registrations[String(id)] else {
            return (0, nil, noRegistration)
        }
        return kept.isActive ? (id, kept, nil) : (id, nil, ended)
    }

    /// How a registration stands, in the form of the answer, which has names of its own.
    static func registration(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let id = call.json?["recurring"]?["id"]?.int64, let kept = state.registrations[String(id)] else {
            return noRegistration
        }
        return .json(["project_id": .whole(state.rules.project), "recurring": shown(id, kept)])
    }

    private static func shown(_ id: Int64, _ kept: Registration) -> JSON {
        var body: JSON = [
            "id": .whole(id), "currency": .string(kept.currency), "status": kept.isActive ? "active" : "cancelled",
        ]
        func text(_ name: String) -> String? { kept.terms[name]?.string ?? kept.terms[name]?.number?.text }
        let start = text("start_date").flatMap { CalendarDate(dayFirst: $0) }?.isoText
        let until = CalendarDate(
            year: text("expiry_year").flatMap { Int($0) } ?? 0, month: text("expiry_month").flatMap { Int($0) } ?? 0,
            day: text("expiry_day").flatMap { Int($0) } ?? 1)
        let members = [
            ("type", text("type")), ("period", text("period")), ("period_interval", text("interval")),
            ("start_date", start), ("start_time", text("time").map { String($0.prefix(5)) }),
            ("amount", text("amount")), ("valid_thru", until.map { "\($0.isoText) 00:00:00" }),
        ]
        for (name, value) in members { if let value { body = body.adding(name, .string(value)) } }
        return body
    }

    /// A change of the terms; its name is that of no other request.
    static func update(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        change(call, &state) { kept, asked in
            for member in asked.object?.members ?? [] {
                kept.terms = kept.terms.adding(member.key, member.value)
            }
        }
    }

    static func end(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        change(call, &state) { kept, _ in kept.isActive = false }
    }

    private static func change(
        _ call: SimulatorRequest, _ state: inout State, _ apply: (inout Registration, JSON) -> Void
    ) -> SimulatorResponse {
        guard let name = call.json?["general"]?["payment_id"]?.string, (1...255).contains(name.utf8.count),
            let asked = call.json?["recurring"], isWhole(asked)
        else { return refuse(400, "2004", "Required field not provided") }
        guard state.payments[name] == nil, !state.names.contains(name) else {
            return refuse(400, "3041", "Payment ID already exists")
        }
        let found = active(call, state)
        if let refusal = found.refusal { return refusal }
        guard var kept = found.kept else { return noRegistration }
        apply(&kept, asked)
        state.registrations.keep(kept)
        state.names.insert(name)
        let news = shown(found.id, kept)
        tell(["project_id": .whole(state.rules.project), "recurring": news], about: name, &state, call.now)
        return acknowledged(name, "request-\(number(&state))", state)
    }

    /// Whether the members of a change are as the documents have them.
    private static func isWhole(_ asked: JSON) -> Bool {
        let letters = asked["period"]?.string
        let dates = [asked["start_date"] == nil, asked["scheduled_payment_id"] == nil]
        let numbers: [(String, ClosedRange<Int64>)] = [
            ("expiry_year", 2_020...9_999), ("expiry_month", 1...12), ("expiry_day", 1...31), ("interval", 1...100),
            ("amount", 1...amountMax),
        ]
        return (asked["period"] == nil || ["D", "W", "M", "Q", "Y"].contains(letters)) && dates[0] == dates[1]
            && numbers.allSatisfy { name, range in
                asked[name] == nil || asked[name]?.int64.map { range.contains($0) } == true
            }
    }

    /// No more tries of a debit that was declined.
    static func stopRetries(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = active(call, state).refusal { return refusal }
        let trigger = call.json?["trigger_operation_id"]?.int64
        let isThere = state.payments.records.named("operation \(trigger ?? 0)").contains { payment in
            payment.operations.contains { $0.id == trigger && $0.type == "recurring" && $0.status == "decline" }
        }
        return isThere ? accepted : refuse(400, "3186", "Trigger operation ID is not found")
    }
}

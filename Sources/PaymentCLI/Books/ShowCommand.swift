internal import PaymentBase
internal import PaymentCore
internal import PaymentModel
internal import PaymentService

extension Command {
    /// Everything that the journal has about a payment.
    static let show = Command(
        name: "show", summary: "shows a payment with its attempts and its timeline", example: "payctl show PAYMENT",
        takes: .configured("PAYMENT", with: [ReportFiles.option, .scope])
    ) { call in
        let files = try ReportFiles(call.given)
        let text = try call.operand(0, "PAYMENT")
        return try await CommandSession.use(call, .journal, scope: call.given["scope"] ?? "") { till in
            let id = try await till.payment(text)
            let payment = try await till.client.payment(id)
            // Of the import, where the payment turned out to be one.
            let timeline = try await till.client.timeline(of: payment.id)
            let shown = ShownPayment(payment, timeline, call)
            let seen = await PaymentView.Seen(payment, by: till.client)
            try files.tell(
                call, shown.document, BookShapes.shown.json(.init(seen: seen, events: timeline), for: .office),
                shown.lines)
            return .fine
        }
    }
}

/// A payment with everything that the journal has about it.
struct ShownPayment {
    let payment: PaymentRecord
    let timeline: [PaymentEvent]
    private let call: Invocation

    init(_ payment: PaymentRecord, _ timeline: [PaymentEvent], _ call: Invocation) {
        (self.payment, self.timeline, self.call) = (payment, timeline, call)
    }

    var lines: [String] {
        payment.lines(call.paint).flatMap(fitted) + block("What was done", attempts) + block("Why", reasons)
            + block("How it is known", words) + block("Timeline", events) + block("Receipt", receipts)
    }

    /// A line with its name in front, broken where a terminal ends.
    private func fitted(_ line: String) -> [String] {
        guard let columns = call.console.columns, line.count > columns else { return [line] }
        let name = line.prefix(11)
        let rest = String(line.dropFirst(11)).wrapped(to: columns - 11)
        return rest.enumerated().map { $0 == 0 ? name + $1 : String(repeating: " ", count: 11) + $1 }
    }

    private func block(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", call.paint.strong(title)] + lines.map { "  \($0)" }
    }

    /// How wide a table inside of a block may be.
    private var columns: Int? { call.console.columns.map { $0 - 2 } }

    private var attempts: [String] {
        var table = TextTable(["operation", "amount", "state", "known by", "attempt"], right: [1])
        for record in payment.attempts {
            table.rows.append([
                record.intent.operation.rawValue, record.sum, record.status,
                record.evidence?.word ?? "not known yet", record.intent.attempt.text,
            ])
        }
        table.painted = [2: { [paint = call.paint] in Attempt.painted($0, paint) }]
        return table.lines(within: columns)
    }

    /// Reasons of refusals and of people's decisions.
    private var reasons: [String] {
        payment.attempts.flatMap { record -> [String] in
            var lines: [String] = []
            let name = record.intent.operation.rawValue
            if case .declined(let decline)? = record.verdict {
                lines.append("\(name): \(decline.reason) (the provider says \(decline.provider))")
            }
            if let reason = record.reason { lines.append("\(name): a person decided, because: \(reason)") }
            if record.isContradicted {
                lines.append("\(name): two reports contradict each other; check the payment with the provider")
            }
            if record.isUndecided {
                lines.append("\(name): open; ask with \(call.command("status --attempt \(record.intent.attempt)"))")
            }
            return lines
        }
    }

    /// What was said about it, by whom, when: the reply, a lookup, a webhook, a person.
    private var words: [String] {
        var table = TextTable(["when", "by", "operation", "what"])
        let said = payment.attempts.flatMap { record in record.reports.map { (record, $0) } }
        for (record, word) in said.sorted(by: { $0.1.at.wall < $1.1.at.wall }) {
            table.rows.append([
                word.at.wall.time, word.evidence.word, record.intent.operation.rawValue, word.words,
            ])
        }
        return table.rows.isEmpty ? [] : table.lines(within: columns)
    }

    private var events: [String] {
        var table = TextTable(["#", "when", "event", ""], right: [0])
        for event in timeline {
            table.rows.append(["\(event.sequence)", event.at.time, event.kind.rawValue, event.words])
        }
        return timeline.isEmpty ? [] : table.lines(within: columns)
    }

    private var receipts: [String] {
        let receipts = payment.attempts.compactMap { record in record.receipt.map { (record, $0) } }
        guard !receipts.isEmpty else { return [] }
        return receipts.map { record, receipt in
            let parts = [receipt.authorizationCode.map { "approval code \($0)" }, receipt.responseText]
            let words = parts.compactMap(\.self).joined(separator: ", ")
            return "\(record.intent.operation.rawValue): \(words.isEmpty ? "there is one" : words)"
        } + ["print it with \(call.command("receipt \(payment.id)"))"]
    }
}

extension PaymentRecord {
    func lines(_ paint: Paint) -> [String] {
        var lines = [
            "payment    \(paint.strong(id.attempt.text))", "state      \(Self.painted(words, paint))",
            "provider   \(provider)", "reference  \(reference.isEmpty ? "none" : reference)", "amounts    \(sums)",
            "begun      \(createdAt.time)",
        ]
        if let card = card ?? attempts.first?.card { lines.append("card       \(card.words)") }
        for (key, value) in references.sorted(by: { $0.key < $1.key }) { lines.append("named      \(key) \(value)") }
        return lines
    }
}

extension PaymentEvent {
    /// What belongs to it, in the order of the names.
    var words: String {
        attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
}

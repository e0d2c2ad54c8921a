internal import PaymentConformance
internal import PaymentCore
internal import PaymentModel
internal import PaymentService

extension ShownPayment {
    /// The payment with its timeline as a picture, for a page, Markdown and JUnit.
    var document: ReportDocument {
        var document = ReportDocument(title: "Payment \(payment.id)")
        let isContradicted = payment.attempts.contains(where: \.isContradicted)
        document.mood =
            isContradicted ? .bad : payment.openAttempts.isEmpty ? .good : .doubt
        document.facts = payment.lines(Paint(isOn: false)).dropFirst().map { line in
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            return (String(parts.first ?? ""), parts.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? "")
        }
        document.verdict = document.facts.first.map { [$0.text] } ?? []
        document.facts.removeFirst(min(1, document.facts.count))
        let steps = timeline.map(step)
        document.add(
            "Timeline",
            timeline.isEmpty
                ? []
                : [
                    .init(
                        "What happened", document.mood, attempts,
                        .init(
                            title: "From top to bottom, in universal time, from \(timeline[0].at.time.prefix(10)) on",
                            lanes: ["till", "payments", payment.provider.id.rawValue],
                            steps: steps))
                ])
        document.add(
            .init(
                title: "Attempts", head: ["attempt", "operation", "amount", "state", "known by"],
                rows: payment.attempts.map { record in
                    .init(
                        cells: [
                            [record.intent.attempt.text], [record.intent.operation.rawValue],
                            [record.sum], [record.status], [record.evidence?.word ?? "not known yet"],
                        ], mood: mood(record))
                }))
        let said = payment.attempts.flatMap { record in record.reports.map { (record, $0) } }
        document.add(
            .init(
                title: "How it is known", head: ["when", "by", "operation", "what"],
                rows: said.sorted { $0.1.at.wall < $1.1.at.wall }.map { record, word in
                    .init(
                        cells: [
                            [word.at.wall.time], [word.evidence.word], [record.intent.operation.rawValue],
                            [word.words],
                        ], mood: .plain)
                }))
        document.suites = [
            .init(
                "payment \(payment.id)",
                payment.attempts.map { record in
                    let name = "\(record.intent.operation.rawValue) \(record.intent.attempt)"
                    return record.isUndecided || record.isContradicted
                        ? .init(name, in: "payment", .failed, "\(record.status), which is not certain")
                        : .init(name, in: "payment", .passed)
                })
        ]
        return document
    }

    private var attempts: [(name: String, text: String)] {
        payment.attempts.map { record in
            (record.intent.operation.rawValue, "\(record.sum): \(record.status)")
        }
    }

    private func mood(_ record: Attempt) -> ReportDocument.Severity {
        if record.isContradicted { return .bad }
        if record.isUndecided { return .doubt }
        return record.approval == nil ? .bad : .good
    }

    /// An event as an arrow between those whom it concerns, or a dot where it concerns one.
    private func step(_ event: PaymentEvent) -> ReportPicture.Step {
        let (till, payments, provider) = (0, 1, 2)
        let ends: (Int, Int) =
            switch event.kind {
            case .begun, .answered, .resolved: (till, payments)
            case .asked: (payments, till)
            case .submitted, .repeated, .lookedUp, .accessRenewed: (payments, provider)
            case .approved, .declined, .cancelled, .pending, .failedLater, .webhook, .chargedBack:
                (provider, payments)
            case .readerReady, .readerFailed, .readyForCard, .cardRead, .pinRequested, .pinEntered, .educationShown:
                (till, till)
            default: (payments, payments)
            }
        let mood: ReportDocument.Severity =
            switch event.kind {
            case .approved: .good
            case .declined, .cancelled, .failed, .failedLater, .readerFailed, .contradiction, .otherAmount,
                .chargedBack:
                .bad
            case .inDoubt, .pending, .unanswered, .notRecorded, .nameTaken: .doubt
            default: .plain
            }
        let words = event.words
        return .init(
            from: ends.0, to: ends.1, event.kind.rawValue + (words.isEmpty ? "" : " (\(words))"),
            when: String(event.at.time.dropFirst(11).prefix { $0 != "Z" }), mood: mood)
    }
}

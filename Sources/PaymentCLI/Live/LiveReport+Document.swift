internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentProviderKit

extension LiveReport {
    /// All of it, for a page, Markdown and JUnit.
    var document: ReportDocument {
        var document = ReportDocument(title: "Live: \(provider.identity)")
        let proven = results.count { $0.status == .proven }
        let how = isReplay ? "off the recording of" : "on"
        document.verdict = [
            "\(proven) of \(results.count) checks proven \(how) \(at.time) by \(by), payctl \(PaymentsVersion.text)."
        ]
        let left = closings.count { !$0.isClosed && !$0.isReceived }
        let received = closings.count(where: \.isReceived)
        if closings.isEmpty {
            document.verdict.append("Nothing was opened.")
        } else if left == 0, received == 0 {
            document.verdict.append("Everything that was opened is closed again.")
        }
        if left > 0 { document.verdict.append("\(left) payments are NOT closed.") }
        if received > 0 { document.verdict.append("Of \(received) payments the provider decides later.") }
        let others = changes.count + differences.count
        if others > 0 { document.verdict.append("\(others) things are otherwise than recorded.") }
        document.mood = isFine ? .good : .bad
        document.add(
            .init(
                title: "Checks", head: ["check", "result", "behaviour", "why"],
                rows: results.map { result in
                    .init(
                        cells: [
                            [result.check.id], [result.status.words], [result.check.summary], [result.detail],
                        ], mood: result.status.mood)
                }))
        document.add(
            .init(
                title: "What was opened", head: ["payment", "amount", "what became of it"],
                rows: closings.map { closing in
                    .init(
                        cells: [
                            [closing.payment.map { "\($0)" } ?? "–"], ["\(closing.amount)"], [closing.words],
                        ], mood: closing.isClosed ? .good : closing.isReceived ? .doubt : .bad)
                }))
        document.add(
            .init(
                title: "Ended otherwise than recorded", head: ["check", "recorded", "now"],
                rows: changes.map { .init(cells: [[$0.check], [$0.recorded], [$0.now]], mood: .bad) }))
        document.add(
            "Asked otherwise than recorded", exchanges.map { take, exchange in picture(take, exchange) })
        document.suites = [.init("live \(provider.id)", outcomes)]
        return document
    }

    /// The exchanges that were asked otherwise, each once.
    private var exchanges: [(take: String, exchange: String)] {
        var seen: Set<[String]> = []
        return differences.compactMap { one in
            seen.insert([one.take, one.exchange]).inserted ? (one.take, one.exchange) : nil
        }
    }

    /// What was recorded of an exchange and what is asked now, member by member.
    private func picture(_ take: String, _ exchange: String) -> ReportDocument.Case {
        let members = differences.filter { $0.take == take && $0.exchange == exchange }
        let facts = members.map { one -> (name: String, text: String) in
            (one.member.isEmpty ? "the exchange" : one.member, "recorded \(one.recorded), now \(one.now)")
        }
        let steps = members.flatMap { one -> [ReportPicture.Step] in
            let member = one.member.split(separator: ".").last.map { "\($0) " } ?? ""
            return [
                .init(from: 0, to: 1, "\(member)recorded: \(one.recorded)"),
                .init(from: 2, to: 1, "\(member)now: \(one.now)", mood: .bad),
            ]
        }
        return .init(
            "\(take): \(exchange)", .bad, facts,
            .init(title: "What was sent then and now", lanes: ["recorded", provider.id.rawValue, "now"], steps: steps))
    }

    private var outcomes: [ReportDocument.Outcome] {
        var outcomes = results.map { result -> ReportDocument.Outcome in
            switch result.status {
            case .proven: .init(result.check.id, in: "live", .passed)
            case .failed: .init(result.check.id, in: "live", .failed, result.detail)
            case .skipped, .notApplicable: .init(result.check.id, in: "live", .skipped, result.detail)
            }
        }
        let open = closings.filter { !$0.isClosed && !$0.isReceived }.map { "\($0.amount): \($0.words)" }
        outcomes.append(
            open.isEmpty
                ? .init(LiveRun.closing, in: "live", .passed)
                : .init(LiveRun.closing, in: "live", .failed, "\(open.count) payments are not closed", lines: open))
        if isReplay {
            let others = changes.map { "\($0.check): \($0.recorded) → \($0.now)" } + differences.map { "\($0)" }
            outcomes.append(
                others.isEmpty
                    ? .init("live.as-recorded", in: "live", .passed)
                    : .init(
                        "live.as-recorded", in: "live", .failed, "\(others.count) things are otherwise", lines: others))
        }
        return outcomes
    }
}

extension LiveRun.Result.Status {
    fileprivate var words: String { self == .notApplicable ? "not applicable" : rawValue }

    fileprivate var mood: ReportDocument.Severity {
        switch self {
        case .proven: .good
        case .failed: .bad
        case .skipped: .doubt
        case .notApplicable: .plain
        }
    }
}

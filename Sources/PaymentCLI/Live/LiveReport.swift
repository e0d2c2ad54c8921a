internal import PaymentConformance
internal import PaymentJournalKit
internal import PaymentProviderKit

/// What a live run came to: the level `live` of a provider.
struct LiveReport {
    let provider: ConfiguredProvider
    let by: String
    let at: Int64
    let isReplay: Bool
    let results: [LiveRun.Result]
    let closings: [LiveRun.Closing]
    let changes: [(check: String, recorded: String, now: String)]
    let differences: [ReplayDifference]

    /// Whether nothing failed, everything came back or is about to, and a replay went as it was recorded.
    var isFine: Bool {
        !results.contains { $0.status == .failed } && closings.allSatisfy { $0.isClosed || $0.isReceived }
            && changes.isEmpty && differences.isEmpty
    }

    func lines(_ paint: Paint) -> [String] {
        let proven = results.count { $0.status == .proven }
        let how = isReplay ? "off the recording of" : "on"
        return [
            paint.strong("live: \(provider.identity)"),
            "\(proven) of \(results.count) checks proven \(how) \(at.time) by \(by), payctl \(PaymentsVersion.text)",
        ]
            + results.map { result in
                let word = result.status.rawValue.padded(to: 13)
                let shown =
                    result.status == .proven ? paint.good(word) : result.status == .failed ? paint.bad(word) : word
                return "  \(shown) \(result.check.id): \(result.check.summary)"
                    + (result.detail.isEmpty ? "" : " (\(result.detail))")
            } + (closings.isEmpty ? ["Nothing was opened."] : ["What was opened, and what became of it:"])
            + closings.map { closing in
                let words = closing.isReceived ? paint.doubt(closing.words) : paint.bad(closing.words)
                return "  \(closing.amount) \(closing.payment.map { "\($0)" } ?? "–"): "
                    + (closing.isClosed ? closing.words : words)
            } + changes.map { paint.bad("otherwise  ") + "\($0.check): \($0.recorded) → \($0.now)" }
            + differences.map { paint.bad("asked      ") + "\($0)" }
    }

    var json: JSON {
        [
            "level": "live", "provider": .string(provider.id.rawValue), "environment": .string(provider.environment),
            "merchant": .string(provider.merchant), "by": .string(by), "at": .string(at.time),
            "versions": ["payments": .string(PaymentsVersion.text)], "replay": .bool(isReplay),
            "checks": .array(
                results.map { result in
                    [
                        "id": .string(result.check.id), "summary": .string(result.check.summary),
                        "status": .string(result.status.rawValue), "detail": .string(result.detail),
                    ]
                }),
            "closed": .array(
                closings.map { closing in
                    [
                        "payment": .text(closing.payment?.attempt.text), "amount": closing.amount.json,
                        "words": .string(closing.words), "closed": .bool(closing.isClosed),
                    ]
                }),
            "changes": .array(
                changes.map { one in
                    ["check": .string(one.check), "recorded": .string(one.recorded), "now": .string(one.now)]
                }),
            "differences": .array(
                differences.map { one in
                    [
                        "take": .string(one.take), "exchange": .string(one.exchange), "member": .string(one.member),
                        "recorded": .string(one.recorded), "now": .string(one.now),
                    ]
                }),
        ]
    }
}

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
        if others > 0 { document.verdict.append("\(others) things differ from the recording.") }
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
                title: "Ended in another way than recorded", head: ["check", "recorded", "now"],
                rows: changes.map { .init(cells: [[$0.check], [$0.recorded], [$0.now]], mood: .bad) }))
        document.add(
            "Asked in another way than recorded", exchanges.map { take, exchange in picture(take, exchange) })
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

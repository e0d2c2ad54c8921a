internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
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

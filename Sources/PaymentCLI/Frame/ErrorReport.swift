internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// An error as `payctl` tells it: what is wrong and where, what is known of the money, and what to type next.
struct ErrorReport {
    private let error: PaymentError
    private let advised: AdvisedError
    private let call: Invocation
    private let trouble: LastRequestFailure.Problem?

    init(_ error: PaymentError, _ call: Invocation) { self.init(AdvisedError(error), call) }

    init(_ advised: AdvisedError, _ call: Invocation) {
        (self.advised, error, self.call) = (advised, advised.error, call)
        let isOfExchange = [.network, .timedOut, .inDoubt, .providerUnavailable].contains(error.code)
        trouble = isOfExchange ? call.watch.trouble : nil
    }

    /// What is wrong, in a sentence.
    private var cause: String {
        let exchange = trouble.map { "\($0.origin): \($0.words)" }
        return [String(error.detail.drop { $0 == " " }), exchange ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// What is known of the money.
    private var money: String {
        switch error.outcome {
        case .unknown where error.code == .notFound && error.attempt == nil:
            "Whether money moved under that name, this journal can't tell."
        case .notExecuted:
            isOfEarlier
                ? "This call moved nothing; whether the earlier one did, nobody knows yet."
                : "Nothing moved."
        case .executed: "Money has moved already."
        case .unknown: "Nobody knows yet whether money moved. Do not charge again."
        }
    }

    /// Whether the doubt is about an earlier payment.
    private var isOfEarlier: Bool { error.code == .inDoubt || error.isBlockedByOpen }

    /// The command to type next; nil where no command helps.
    private var next: String? {
        if let next = advised.next { return next }
        if error.outcome == .unknown, let attempt = error.attempt {
            return call.command("status --attempt \(attempt)")
        }
        if error.outcome == .executed || error.code == .referenceInUse, let attempt = error.attempt {
            return call.command("status --attempt \(attempt)")
        }
        switch error.code {
        case .inDoubt: return call.command("recover")
        case .network, .providerUnavailable, .rateLimited, .authentication, .permission, .timedOut:
            return call.command("doctor")
        case .configuration:
            if CommandFile.isThere(call.configurationPath) { return call.command("doctor") }
            // Without a file everything is simulated, and no file would help.
            return call.isBuiltin ? nil : "payctl init"
        case .unsupported: return call.command("providers")
        case .notFound: return call.command("list")
        case .amountTooHigh, .conflict:
            // What became of a call that moved nothing is known; how its payment stands is what helps.
            if error.outcome == .notExecuted, call.takesPayment {
                return call.operand(0).map { call.command("show \($0)") }
            }
            if let attempt = error.attempt { return call.command("status --attempt \(attempt)") }
            return call.operand(0).map { call.command("show \($0)") }
        case .journal: return call.command("journal check")
        default: return nil
        }
    }

    /// The same command once more, where that can't move money twice.
    private var again: String? {
        if let again = advised.again { return again }
        guard error.outcome == .unknown, call.takesAttempt, let attempt = error.attempt else { return nil }
        return call.again(attempt)
    }

    var json: JSON {
        [
            "code": .string(error.code.rawValue), "outcome": .string(error.outcome.rawValue),
            "retry": .string(error.retry.rawValue), "userAction": .bool(error.requiresUserAction),
            "detail": .string(cause), "attempt": .text(error.attempt?.text),
            "provider": error.provider.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
            "host": .text(trouble.map { "\($0.origin)" }), "step": .text(trouble?.step),
            "cause": .text(trouble?.failure?.reason.rawValue ?? (trouble == nil ? nil : "noReply")),
            "next": .text(next), "again": .text(again),
        ]
    }

    /// What people read.
    var lines: [String] {
        let paint = call.paint
        let parts = (cause.isEmpty ? "no more is known" : cause).split(separator: "\n").map(String.init)
        var lines = ["\(paint.bad(error.code.rawValue)): \(parts.first ?? "")"] + parts.dropFirst().map { "  " + $0 }
        if let provider = error.provider { lines.append("the provider says: \(provider)") }
        lines.append(error.outcome == .notExecuted && !isOfEarlier ? money : paint.doubt(money))
        if let next { lines.append("next       \(next)") }
        if let again { lines.append("repeat     \(again)") }
        if error.outcome == .unknown, error.attempt != nil {
            let recover = call.command("recover")
            lines.append(
                "The attempt is open, and this program looks no further: `\(recover)` does, for all that is open.")
        }
        return lines
    }
}

extension Invocation {
    /// Whether the command is one that can be repeated under its attempt.
    var takesAttempt: Bool { takes("attempt") && words.first != "status" }

    /// Whether the command is about a payment that it names first.
    fileprivate var takesPayment: Bool {
        itself?.takes.operands.first?.hasPrefix("PAYMENT") == true && !given.has("unlinked")
    }

    /// Whether the command has an option.
    fileprivate func takes(_ name: String) -> Bool {
        itself?.takes.options.contains { $0.name == name } ?? false
    }

    private var itself: Command? {
        Payctl.commands.first { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
    }
}

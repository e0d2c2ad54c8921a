internal import PaymentAbstraction
internal import PaymentBase

extension PaymentError {
    /// Everything that a program may want to know.
    var json: JSON {
        [
            "code": .string(code.rawValue), "outcome": .string(outcome.rawValue), "retry": .string(retry.rawValue),
            "userAction": .bool(requiresUserAction), "detail": .string(detail), "attempt": .text(attempt?.text),
            "provider": provider.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
        ]
    }

    /// What people read: what is wrong, what is known about the money, and what to do.
    func lines(_ paint: Paint) -> [String] {
        var lines = ["\(paint.bad(code.rawValue)): \(detail.isEmpty ? "no more is known" : detail)"]
        if let provider { lines.append("the provider says: \(provider)") }
        switch outcome {
        case .nothingMoved: break
        case .moved:
            lines.append(paint.doubt("Money has moved already."))
            if let attempt { lines.append("To charge once more although it has: --after \(attempt)") }
        case .unknown:
            lines.append(paint.doubt("Nobody knows yet whether money moved. Do not charge again."))
            if let attempt {
                lines.append("Ask: payctl status --attempt \(attempt)")
                lines.append("Safe to repeat: the same command with --attempt \(attempt)")
            }
        }
        return lines
    }
}

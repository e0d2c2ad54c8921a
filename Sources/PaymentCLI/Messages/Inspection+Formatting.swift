internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Inspection {
    /// Always the same members.
    var json: JSON {
        [
            "message": .string(message), "status": .string(status.rawValue), "money": .string(money.rawValue),
            "amount": amount?.json ?? .null, "attempt": .text(attempt), "providerReference": .text(providerReference),
            "decline": decline?.json ?? .null, "error": problem?.json ?? .null,
            "unknownFields": .array(unknownFields.map { .string($0) }),
        ]
    }

    /// What people read.
    func lines(_ paint: Paint) -> [String] {
        let word =
            switch status {
            case .approved: paint.good(status.rawValue)
            case .declined, .cancelled, .failed: paint.bad(status.rawValue)
            case .pending, .unknown: paint.doubt(status.rawValue)
            case .none: "says nothing about an outcome"
            }
        let moved =
            switch money {
            case .executed: "moved"
            case .notExecuted: "did not move"
            case .unknown: paint.doubt("nobody can tell from this message")
            }
        var lines = ["\(message): \(word)", "money      \(moved)"]
        if let amount { lines.append("amount     \(amount)") }
        if let attempt { lines.append("ours       \(attempt)") }
        if let providerReference { lines.append("named      \(providerReference)") }
        if let decline { lines.append("declined   \(decline.reason) (\(decline.provider))") }
        if let problem { lines.append("error      \(problem.category.rawValue) (\(problem.code): \(problem.message))") }
        if !unknownFields.isEmpty { lines.append("not in the documents: \(unknownFields.joined(separator: ", "))") }
        return lines
    }
}

extension Inspection.Problem {
    var json: JSON {
        ["code": .string(code), "category": .string(category.rawValue), "message": .string(message)]
    }
}

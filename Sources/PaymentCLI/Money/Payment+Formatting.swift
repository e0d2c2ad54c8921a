internal import PaymentAbstraction
internal import PaymentBase

extension Decline {
    var json: JSON {
        [
            "reason": .string(reason.rawValue), "code": .string(provider.code), "message": .string(provider.message),
        ]
    }
}

extension Payment {
    func lines(_ paint: Paint) -> [String] {
        var lines = [
            "\(paint.good("approved")): \(operation.rawValue) of \(approved)\(difference)", "payment    \(id)",
        ]
        if attempt != id.attempt { lines.append("attempt    \(attempt)") }
        lines += [
            "provider   \(provider.id)", "reference  \(reference.isEmpty ? "none" : reference)",
            "amounts    \(amounts.words)",
        ]
        if let card { lines.append("card       \(card.words)") }
        if let saved { lines.append("saved      \(saved.id.rawValue)") }
        if isDryRun { lines.append("nothing real happened: it was a dry run") }
        if isOffline { lines.append("taken offline: it is still to be forwarded") }
        if !isRecorded { lines.append(paint.doubt("the journal does not hold it yet: run payctl recover")) }
        return lines
    }

    /// How the approved amount differs from what was asked for; empty where it doesn't.
    private var difference: String {
        if approved.currency == requested.currency, approved.minorUnits > requested.minorUnits {
            return " of \(requested): more than was asked"
        }
        return isPartial ? " of \(requested): only a part" : ""
    }
}

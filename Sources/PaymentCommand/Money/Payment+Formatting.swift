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
        let part = isPartial ? " of \(requested): only a part" : ""
        var lines = ["\(paint.good("approved")): \(operation.rawValue) of \(approved)\(part)", "payment    \(id)"]
        if attempt != id.attempt { lines.append("attempt    \(attempt)") }
        lines += ["provider   \(provider.id)", "reference  \(reference)", "amounts    \(amounts.words)"]
        if let card { lines.append("card       \(card.words)") }
        if let saved { lines.append("saved      \(saved.id.rawValue)") }
        if isDryRun { lines.append("nothing real happened: it was a dry run") }
        if isOffline { lines.append("taken offline: it is still to be forwarded") }
        if !isRecorded { lines.append(paint.doubt("the journal does not hold it yet: run payctl recover")) }
        return lines
    }
}

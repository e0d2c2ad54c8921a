public import PaymentBase

extension WebhookOutbox {
    /// Every message with its delivery, as the control address shows them and as a state file keeps them.
    public var json: JSON { .array(entries.map(\.json)) }

    /// Makes an outbox of what ``json`` gave; nil when it is anything else.
    public init?(_ json: JSON) {
        guard let items = json.array else { return nil }
        let entries = items.compactMap { Entry($0) }
        let first = entries.first?.number ?? 1
        guard entries.count == items.count, entries.enumerated().allSatisfy({ $1.number - first == $0 }) else {
            return nil
        }
        self.init(entries)
    }
}

extension WebhookOutbox: PersistedState {
    var kept: JSON { json }
    init?(kept json: JSON) { self.init(json) }
}

extension WebhookOutbox.Entry {
    /// A body that is no text stands under another name, in Base64.
    fileprivate var json: JSON {
        let text = String(validating: message.body, as: UTF8.self)
        let body: (name: String, text: String) =
            text.map { ("body", $0) } ?? ("base64", Base64.standard.encode(message.body))
        return [
            "number": .whole(number), "attempt": .string(message.attempt), "at": .whole(message.at),
            "headers": message.headers.kept,
            "state": .string(state.rawValue), "tries": .whole(tryCount), "dueAt": .whole(dueAt),
            body.name: .string(body.text),
        ]
    }

    fileprivate init?(_ json: JSON) {
        let coded = json["base64"]?.string.flatMap { Base64.standard.decode($0) }
        guard let body = coded ?? json["body"]?.string.map({ Array($0.utf8) }), let number = json["number"]?.int64,
            number > 0,
            let headers = json["headers"].flatMap({ [String: String](kept: $0) }), let at = json["at"]?.int64,
            let attempt = json["attempt"]?.string, let tries = json["tries"]?.int64,
            let state = json["state"]?.string.flatMap({ State(rawValue: $0) }), let dueAt = json["dueAt"]?.int64
        else { return nil }
        let message = OutgoingWebhook(headers: headers, body: body, at: at, attempt: attempt)
        self.init(number: Int(number), message: message, state: state, tryCount: Int(tries), dueAt: dueAt)
    }
}

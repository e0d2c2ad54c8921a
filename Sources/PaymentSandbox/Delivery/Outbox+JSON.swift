internal import PaymentBase

extension Outbox.Entry: Kept {
    /// The message with its delivery, as the control address shows it and as a state file keeps it.
    var kept: JSON {
        [
            "number": .whole(number), "attempt": .string(message.attempt), "at": .whole(message.at),
            "path": .string(message.path), "headers": message.headers.kept,
            "body": .string(String(decoding: message.body, as: UTF8.self)), "state": .string(state.rawValue),
            "tries": .whole(tryCount), "dueAt": .whole(dueAt),
        ]
    }

    init?(kept json: JSON) {
        guard let number = json["number"]?.int64, let at = json["at"]?.int64, let body = json["body"]?.string,
            let headers = json["headers"].flatMap({ [String: String](kept: $0) }),
            let attempt = json["attempt"]?.string, let path = json["path"]?.string,
            let state = json["state"]?.string.flatMap({ State(rawValue: $0) }), let tries = json["tries"]?.int64,
            let dueAt = json["dueAt"]?.int64
        else { return nil }
        let message = OutgoingMessage(headers: headers, body: Array(body.utf8), at: at, attempt: attempt, path: path)
        self.init(number: Int(number), message: message, state: state, tryCount: Int(tries), dueAt: dueAt)
    }
}

extension Outbox: Kept {
    var kept: JSON { entries.kept }

    init?(kept json: JSON) {
        guard let entries = [Entry](kept: json) else { return nil }
        self.init(entries)
    }
}

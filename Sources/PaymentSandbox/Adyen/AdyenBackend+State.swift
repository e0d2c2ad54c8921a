public import PaymentBase

/// What a restart must not lose: the books, the payments, what is decided later, the answers and the phones' sessions.
/// A payment that a terminal works on is lost with its process, as a terminal that loses its power.
extension AdyenBackend: Persistable {
    public func snapshot() -> JSON {
        looking { state in
            [
                "ledger": state.ledger.json,
                "payments": .array(state.payments.values.sorted { $0.psp < $1.psp }.map(\.json)),
                "references": .table(state.byReference), "tokens": .table(state.tokens),
                "modifications": .array(state.modifications.map(\.json)), "answers": .table(state.answers) { $0 },
                "outbox": .array(state.outbox), "nextNumber": .whole(state.nextNumber),
                "stored": .array(state.stored.map { .string($0) }),
                "playedOnce": .words(state.playedOnce),
                "sessions": .table(state.sessions),
                "terminals": .table(state.terminals) { terminal in
                    .table(terminal.answers) { answer in
                        [
                            "at": .whole(answer.at), "message": answer.message,
                            "category": .string(answer.category),
                        ]
                    }
                },
            ]
        }
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let payments = snapshot["payments"]?.list({ Payment($0) }),
            let modifications = snapshot["modifications"]?.list({ Modification($0) }),
            let outbox = snapshot["outbox"]?.array,
            let nextNumber = snapshot["nextNumber"]?.int64,
            let references = snapshot["references"]?.texts, let tokens = snapshot["tokens"]?.texts,
            let answers = snapshot["answers"]?.table({ $0 }),
            let sessions = snapshot["sessions"]?.wholes,
            let stored = snapshot["stored"]?.array?.compactMap(\.string),
            let playedOnce = snapshot["playedOnce"]?.words,
            let terminals = snapshot["terminals"]?.table({ Self.terminal($0) })
        else { return false }
        var new = State()
        for payment in payments { new.payments[payment.psp] = payment }
        new.modifications = modifications
        (new.ledger, new.outbox, new.nextNumber, new.byReference) = (ledger, outbox, nextNumber, references)
        (new.answers, new.sessions, new.stored, new.terminals) = (answers, sessions, stored, terminals)
        (new.playedOnce, new.tokens) = (playedOnce, tokens)
        state.withLock { $0 = new }
        return true
    }

    private static func terminal(_ json: JSON) -> Terminal? {
        guard
            let answers = json.table({ item -> Terminal.Answer? in
                guard let at = item["at"]?.int64, let message = item["message"],
                    let category = item["category"]?.string
                else { return nil }
                return Terminal.Answer(at: at, message: message, category: category)
            })
        else { return nil }
        var terminal = Terminal()
        terminal.answers = answers
        return terminal
    }
}

extension AdyenBackend.Payment {
    fileprivate var json: JSON {
        [
            "psp": .string(psp), "reference": .string(reference), "currency": .string(currency),
            "held": .whole(held), "captured": .whole(captured),
            "refunded": .whole(refunded),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let psp = json["psp"]?.string, let reference = json["reference"]?.string,
            let currency = json["currency"]?.string, let held = json["held"]?.int64,
            let captured = json["captured"]?.int64, let refunded = json["refunded"]?.int64
        else { return nil }
        self.init(
            psp: psp, reference: reference, currency: currency, held: held, captured: captured, refunded: refunded)
    }
}

extension AdyenBackend.Modification {
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "psp": .string(psp), "payment": .string(payment),
            "reference": .string(reference), "currency": .string(currency), "amount": .whole(amount),
            "dueAt": .whole(dueAt), "isTechnical": .bool(isTechnical), "isDone": .bool(isDone),
            "succeeded": .bool(succeeded),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap({ Kind(rawValue: $0) }), let psp = json["psp"]?.string,
            let payment = json["payment"]?.string, let reference = json["reference"]?.string,
            let currency = json["currency"]?.string, let amount = json["amount"]?.int64,
            let dueAt = json["dueAt"]?.int64, let isTechnical = json["isTechnical"]?.bool,
            let isDone = json["isDone"]?.bool, let succeeded = json["succeeded"]?.bool
        else { return nil }
        self.init(
            kind: kind, psp: psp, payment: payment, reference: reference, currency: currency, amount: amount,
            dueAt: dueAt, isTechnical: isTechnical, isDone: isDone, succeeded: succeeded)
    }
}

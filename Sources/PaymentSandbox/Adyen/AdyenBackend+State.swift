public import PaymentBase

/// What a restart must not lose: the books, the payments, what is decided later, the answers and the phones' sessions.
/// A payment that a terminal works on is lost with its process, as a terminal that loses its power.
extension AdyenBackend: Persistable {
    public func snapshot() -> JSON {
        looking { state in
            [
                "ledger": state.ledger.json,
                "payments": .array(state.payments.values.sorted { $0.psp < $1.psp }.map(\.json)),
                "references": Self.object(state.byReference) { .string($0) },
                "tokens": Self.object(state.tokens) { .string($0) },
                "modifications": .array(state.modifications.map(\.json)), "answers": Self.object(state.answers) { $0 },
                "outbox": .array(state.outbox), "nextNumber": .number(JSONNumber(state.nextNumber)),
                "stored": .array(state.stored.map { .string($0) }),
                "playedOnce": .array(state.playedOnce.sorted().map { .string($0) }),
                "sessions": Self.object(state.sessions) { .number(JSONNumber($0)) },
                "terminals": Self.object(state.terminals) { terminal in
                    Self.object(terminal.answers) { answer in
                        [
                            "at": .number(JSONNumber(answer.at)), "message": answer.message,
                            "category": .string(answer.category),
                        ]
                    }
                },
            ]
        }
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let payments = snapshot["payments"]?.array,
            let modifications = snapshot["modifications"]?.array, let outbox = snapshot["outbox"]?.array,
            let nextNumber = snapshot["nextNumber"]?.int64,
            let references = Self.dictionary(snapshot["references"], { $0.string }),
            let answers = Self.dictionary(snapshot["answers"], { $0 }),
            let tokens = Self.dictionary(snapshot["tokens"], { $0.string }),
            let sessions = Self.dictionary(snapshot["sessions"], { $0.int64 }),
            let stored = snapshot["stored"]?.array?.compactMap(\.string),
            let playedOnce = snapshot["playedOnce"]?.array?.compactMap(\.string),
            let terminals = Self.dictionary(snapshot["terminals"], { Self.terminal($0) })
        else { return false }
        var new = State()
        for json in payments {
            guard let payment = Payment(json) else { return false }
            new.payments[payment.psp] = payment
        }
        for json in modifications {
            guard let modification = Modification(json) else { return false }
            new.modifications.append(modification)
        }
        (new.ledger, new.outbox, new.nextNumber, new.byReference) = (ledger, outbox, nextNumber, references)
        (new.answers, new.sessions, new.stored, new.terminals) = (answers, sessions, stored, terminals)
        (new.playedOnce, new.tokens) = (Set(playedOnce), tokens)
        state.withLock { $0 = new }
        return true
    }

    private static func terminal(_ json: JSON) -> Terminal? {
        guard
            let answers = dictionary(
                json,
                { item -> Terminal.Answer? in
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

    private static func object<Value>(_ values: [String: Value], _ json: (Value) -> JSON) -> JSON {
        var object = JSONObject()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = json(value) }
        return .object(object)
    }

    private static func dictionary<Value>(_ json: JSON?, _ value: (JSON) -> Value?) -> [String: Value]? {
        guard let members = json?.object?.members else { return nil }
        var values: [String: Value] = [:]
        for member in members {
            guard let read = value(member.value) else { return nil }
            values[member.key] = read
        }
        return values
    }
}

extension AdyenBackend.Payment {
    fileprivate var json: JSON {
        [
            "psp": .string(psp), "reference": .string(reference), "currency": .string(currency),
            "held": .number(JSONNumber(held)), "captured": .number(JSONNumber(captured)),
            "refunded": .number(JSONNumber(refunded)),
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
            "reference": .string(reference), "currency": .string(currency), "amount": .number(JSONNumber(amount)),
            "dueAt": .number(JSONNumber(dueAt)), "isTechnical": .bool(isTechnical), "isDone": .bool(isDone),
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

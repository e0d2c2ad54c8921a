public import PaymentBase

extension EcommpayBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension EcommpayBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        return [
            "ledger": state.ledger.json, "payments": .array(state.sequence.compactMap { state.payments[$0]?.json }),
            "sessions": .array(
                state.sessions.sorted { $0.key < $1.key }.map {
                    [.string($0.key), .string($0.value.payment), $0.value.parameters, .whole($0.value.expires)]
                }),
            "accounts": .array(
                state.accounts.values.sorted { $0.id < $1.id }.map {
                    [
                        .whole($0.id), .string($0.number), .string($0.customer), .string($0.expiry), .string($0.token),
                        .whole($0.tokenizedAt),
                    ]
                }),
            "registrations": .array(
                state.registrations.sorted { $0.key < $1.key }.map {
                    [
                        .whole($0.key), .string($0.value.number), .string($0.value.currency),
                        .bool($0.value.isActive), $0.value.terms,
                    ]
                }),
            "customers": .array(
                state.customers.sorted { $0.key < $1.key }.map { [.string($0.key), $0.value] }),
            "names": .words(state.names),
            "tokens": .table(state.tokens), "cards": .table(state.cards),
            "busyOnce": .words(state.busyOnce), "nextNumber": .whole(state.nextNumber),
            "clearedUntil": .whole(state.clearedUntil),
            "told": .table(state.told), "nextCallback": .whole(state.nextCallback),
            "callbacks": .array(
                state.callbacks.map { [.whole($0.id), $0.message, .whole($0.tryCount), .whole($0.dueAt)] }),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let payments = snapshot["payments"]?.list({ Payment($0) }),
            let sessions = snapshot["sessions"]?.array, let accounts = snapshot["accounts"]?.list({ Account($0) }),
            let registrations = snapshot["registrations"]?.list({ Kept($0) }),
            let customers = snapshot["customers"]?.array, let names = snapshot["names"]?.words,
            let tokens = snapshot["tokens"]?.texts,
            let cards = snapshot["cards"]?.texts,
            let busyOnce = snapshot["busyOnce"]?.words,
            let nextNumber = snapshot["nextNumber"]?.int64, let clearedUntil = snapshot["clearedUntil"]?.int64,
            let told = snapshot["told"]?.texts, let callbacks = snapshot["callbacks"]?.array,
            let nextCallback = snapshot["nextCallback"]?.int64
        else { return false }
        var new = State(rules: rules)
        for payment in payments {
            new.sequence.append(payment.id)
            new.payments[payment.id] = payment
        }
        for item in sessions {
            guard let name = item[0]?.string, let payment = item[1]?.string, let parameters = item[2],
                let expires = item[3]?.int64
            else { return false }
            new.sessions[name] = Session(payment: payment, parameters: parameters, expires: expires)
        }
        for account in accounts { new.accounts[account.id] = account }
        for item in registrations { new.registrations[item.id] = item.registration }
        for item in customers {
            guard let id = item[0]?.string, let known = item[1] else { return false }
            new.customers[id] = known
        }
        new.names = names
        for item in callbacks {
            guard let id = item[0]?.int64, let message = item[1], let count = item[2]?.int64, let due = item[3]?.int64
            else { return false }
            new.callbacks.append(Callback(id: id, message: message, tryCount: Int(count), dueAt: due))
        }
        (new.told, new.nextCallback) = (told, nextCallback)
        new.payments.changed = []
        (new.ledger, new.tokens, new.cards, new.busyOnce) = (ledger, tokens, cards, busyOnce)
        (new.nextNumber, new.clearedUntil) = (nextNumber, clearedUntil)
        state.withLock { $0 = new }
        return true
    }
}

extension EcommpayBackend.Account {
    fileprivate init?(_ json: JSON) {
        guard let id = json[0]?.int64, let number = json[1]?.string, let customer = json[2]?.string,
            let expiry = json[3]?.string, let token = json[4]?.string, let tokenizedAt = json[5]?.int64
        else { return nil }
        self.init(
            id: id, number: number, customer: customer, expiry: expiry, token: token, tokenizedAt: tokenizedAt)
    }
}

/// A registration with its number.
private struct Kept {
    let id: Int64
    let registration: EcommpayBackend.Registration

    init?(_ json: JSON) {
        guard let id = json[0]?.int64, let number = json[1]?.string, let currency = json[2]?.string,
            let isActive = json[3]?.bool, let terms = json[4]
        else { return nil }
        self.id = id
        registration = EcommpayBackend.Registration(
            number: number, currency: currency, isActive: isActive, terms: terms)
    }
}

extension EcommpayBackend.Payment {
    fileprivate var json: JSON {
        return [
            "id": .string(id), "currency": .string(currency), "createdAt": .whole(createdAt),
            "method": .string(method), "customer": .string(customer), "number": .string(self.number),
            "status": .string(status), "waitsFor": .string(waitsFor), "waitsUntil": .whole(waitsUntil),
            "saves": .bool(saves), "registers": .string(registers), "account": .whole(account),
            "token": .string(token), "terms": terms, "held": .whole(held), "captured": .whole(captured),
            "refunded": .whole(refunded),
            "operations": .array(
                operations.map { operation in
                    [
                        .whole(operation.id), .string(operation.type), .string(operation.status),
                        .whole(operation.units), .string(operation.request), .whole(operation.at),
                        .string(operation.refund), .string(operation.code), .string(operation.label),
                    ]
                }),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, let currency = json["currency"]?.string,
            let createdAt = json["createdAt"]?.int64, let method = json["method"]?.string,
            let customer = json["customer"]?.string, let number = json["number"]?.string,
            let status = json["status"]?.string, let waitsFor = json["waitsFor"]?.string,
            let waitsUntil = json["waitsUntil"]?.int64, let saves = json["saves"]?.bool,
            let registers = json["registers"]?.string, let account = json["account"]?.int64,
            let token = json["token"]?.string, let terms = json["terms"], let held = json["held"]?.int64,
            let captured = json["captured"]?.int64, let refunded = json["refunded"]?.int64,
            let operations = json["operations"]?.array
        else { return nil }
        self.init(
            id: id, currency: currency, createdAt: createdAt, method: method, customer: customer, number: number,
            status: status, waitsFor: waitsFor, waitsUntil: waitsUntil, saves: saves, registers: registers,
            account: account, token: token, terms: terms, held: held, captured: captured, refunded: refunded)
        for item in operations {
            guard let id = item[0]?.int64, let type = item[1]?.string, let status = item[2]?.string,
                let units = item[3]?.int64, let request = item[4]?.string, let at = item[5]?.int64,
                let refund = item[6]?.string, let code = item[7]?.string, let label = item[8]?.string
            else { return nil }
            self.operations.append(
                .init(
                    id: id, type: type, status: status, units: units, request: request, at: at, refund: refund,
                    code: code, label: label))
        }
    }
}

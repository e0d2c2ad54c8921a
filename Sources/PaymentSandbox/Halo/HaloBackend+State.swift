public import PaymentBase

extension HaloBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension HaloBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        return [
            "ledger": state.ledger.json, "records": .array(state.sequence.compactMap { state.records[$0]?.json }),
            "devices": .array(state.devices.map(JSON.string)),
            "revoked": .words(state.revoked),
            "busyOnce": .words(state.busyOnce),
            "cards": .table(state.cards),
            "nextNumber": .whole(state.nextNumber),
            "readerTokenCount": .whole(state.readerTokenCount),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let records = snapshot["records"]?.list({ Record($0) }),
            let devices = snapshot["devices"]?.list({ $0.string }),
            let revoked = snapshot["revoked"]?.words,
            let busyOnce = snapshot["busyOnce"]?.words, let cards = snapshot["cards"]?.texts,
            let nextNumber = snapshot["nextNumber"]?.whole,
            let readerTokenCount = snapshot["readerTokenCount"]?.whole
        else { return false }
        var new = State(merchant: merchant, officeKey: officeKey)
        for record in records {
            new.sequence.append(record.id)
            new.records[record.id] = record
            new.byReference[record.reference] = record.id
        }
        (new.ledger, new.devices, new.revoked, new.busyOnce) = (ledger, devices, revoked, busyOnce)
        new.cards = cards
        (new.nextNumber, new.readerTokenCount) = (nextNumber, readerTokenCount)
        state.withLock { $0 = new }
        return true
    }
}

extension HaloBackend.Record {
    fileprivate var json: JSON {
        [
            "id": .string(id), "reference": .string(reference), "kind": .string(kind),
            "original": original.map(JSON.string) ?? .null, "currency": .string(currency),
            "units": .whole(units), "createdAt": .whole(createdAt),
            "device": .string(device), "maskedNumber": .string(maskedNumber), "scheme": .string(scheme),
            "disposition": .string(disposition), "errorCode": .string(errorCode), "isoCode": .string(isoCode),
            "pinUntil": pinUntil.map { .whole($0) } ?? .null, "refunded": .whole(refunded),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, let reference = json["reference"]?.string, let kind = json["kind"]?.string,
            let currency = json["currency"]?.string, let units = json["units"]?.int64,
            let createdAt = json["createdAt"]?.int64, let device = json["device"]?.string,
            let maskedNumber = json["maskedNumber"]?.string, let scheme = json["scheme"]?.string,
            let disposition = json["disposition"]?.string, let errorCode = json["errorCode"]?.string,
            let isoCode = json["isoCode"]?.string, let refunded = json["refunded"]?.int64
        else { return nil }
        self.init(
            id: id, reference: reference, kind: kind, original: json["original"]?.string, currency: currency,
            units: units, createdAt: createdAt, device: device, maskedNumber: maskedNumber, scheme: scheme,
            disposition: disposition, errorCode: errorCode, isoCode: isoCode, pinUntil: json["pinUntil"]?.int64,
            refunded: refunded)
    }
}

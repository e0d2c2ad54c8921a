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
            "revoked": .array(state.revoked.sorted().map(JSON.string)),
            "busyOnce": .array(state.busyOnce.sorted().map(JSON.string)),
            "cards": .array(state.cards.sorted { $0.key < $1.key }.map { [.string($0.key), .string($0.value)] }),
            "nextNumber": .number(JSONNumber(Int64(state.nextNumber))),
            "readerTokenCount": .number(JSONNumber(Int64(state.readerTokenCount))),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let records = snapshot["records"]?.array,
            let devices = snapshot["devices"]?.array?.compactMap(\.string),
            let revoked = snapshot["revoked"]?.array?.compactMap(\.string),
            let busyOnce = snapshot["busyOnce"]?.array?.compactMap(\.string), let cards = snapshot["cards"]?.array,
            let nextNumber = snapshot["nextNumber"]?.int64,
            let readerTokenCount = snapshot["readerTokenCount"]?.int64
        else { return false }
        var new = State(merchant: merchant, officeKey: officeKey)
        for json in records {
            guard let record = Record(json) else { return false }
            new.sequence.append(record.id)
            new.records[record.id] = record
            new.byReference[record.reference] = record.id
        }
        new.cards = [:]
        for item in cards {
            guard let number = item[0]?.string, let code = item[1]?.string else { return false }
            new.cards[number] = code
        }
        (new.ledger, new.devices, new.revoked, new.busyOnce) = (ledger, devices, Set(revoked), Set(busyOnce))
        (new.nextNumber, new.readerTokenCount) = (Int(nextNumber), Int(readerTokenCount))
        state.withLock { $0 = new }
        return true
    }
}

extension HaloBackend.Record {
    fileprivate var json: JSON {
        [
            "id": .string(id), "reference": .string(reference), "kind": .string(kind),
            "original": original.map(JSON.string) ?? .null, "currency": .string(currency),
            "units": .number(JSONNumber(units)), "createdAt": .number(JSONNumber(createdAt)),
            "device": .string(device), "maskedNumber": .string(maskedNumber), "scheme": .string(scheme),
            "disposition": .string(disposition), "errorCode": .string(errorCode), "isoCode": .string(isoCode),
            "pinUntil": pinUntil.map { .number(JSONNumber($0)) } ?? .null, "refunded": .number(JSONNumber(refunded)),
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

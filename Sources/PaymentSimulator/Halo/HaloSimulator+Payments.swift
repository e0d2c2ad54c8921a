internal import PaymentBase
internal import PaymentTransport

extension HaloSimulator {
    /// A tap: everything about the money is in what the reader handed over.
    static func submit(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let reference = call.json?["merchantReference"]?.string, !reference.isEmpty,
            reference.count <= referenceCharactersMax, call.json?["generalCardData"]?.string != nil,
            let tap = TapPayload(call.json?["paymentCardData"]?.string), tap.purpose != "verification"
        else { return refuse(400, 104, "invalid request") }
        if state.record(of: reference) != nil { return refuse(400, 124, "duplicate merchant reference") }
        guard call.now - tap.at <= tapMilliseconds else { return expired }
        let units = tap.amount.minorUnits
        guard units > 0, units <= amountMax else { return refuse(400, 104, "invalid amount") }
        guard state.records.count < recordsMax else { return refuse(503, 201, "no more records are kept") }
        let script = TestAmount(minorUnits: units)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.busyOnce.insert(reference).inserted { return busy }
        let device = call.request.headers["X-Device-Installation-Id"] ?? ""
        if !state.devices.contains(device) { state.devices.append(device) }
        var record = Record()
        (record.id, record.reference, record.kind) = (
            number(&state), reference, tap.purpose == "refund" ? "Refund" : "Purchase"
        )
        (record.currency, record.units, record.createdAt) = (tap.amount.currency, units, call.now)
        (record.device, record.maskedNumber, record.scheme) = (device, tap.maskedNumber, tap.scheme)
        (record.disposition, record.errorCode, record.isoCode) = ("Declined", "209", "05")
        if let code = script?.declineCode ?? state.cards[tap.number] {
            record.isoCode = code
        } else if script == .asksPIN, tap.pin == nil {
            (record.errorCode, record.isoCode) = ("65", "65")
            record.pinUntil = call.now + pinMilliseconds
        } else if tap.pin.map({ $0 != tap.expectedPIN }) ?? false {
            (record.errorCode, record.isoCode) = ("211", "55")
        } else if script == .pends {
            (record.disposition, record.errorCode, record.isoCode) = ("Indeterminate", "203", "")
        } else {
            approve(&record, &state, call.now)
        }
        state.keep(record)
        return disturbed(script, record)
    }

    private static var expired: SimulatorResponse {
        .reply(refusal(400, "PPS-4003", "Request Expired"))
    }

    private static var busy: SimulatorResponse {
        var response = HTTPResponse.json(["error": "Too many requests"], status: 429)
        response.headers["Retry-After"] = "1"
        return .reply(response)
    }

    /// A PIN for a tap that asked for one.
    static func submitPIN(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var record = state.records[call["id"]] else { return refuse(404, 122, "data not found") }
        guard let tap = TapPayload(call.json?["paymentCardData"]?.string),
            call.json?["merchantReference"]?.string == record.reference,
            tap.amount == LedgerAmount(record.units, record.currency), tap.maskedNumber == record.maskedNumber,
            (tap.purpose == "refund") == (record.kind == "Refund")
        else { return refuse(400, 104, "invalid request") }
        guard let until = record.pinUntil, call.now <= until else { return refuse(409, 104, "it waits for no PIN") }
        guard call.now - tap.at <= tapMilliseconds else { return expired }
        let again = state.play.takesSecondPIN ? record.pinUntil : nil
        record.pinUntil = nil
        if state.play.recordsPINApart {
            state.keep(record)
            record.id = number(&state)
        }
        if tap.pin != nil, tap.pin == tap.expectedPIN {
            approve(&record, &state, call.now)
        } else {
            (record.errorCode, record.isoCode, record.pinUntil) = ("211", "55", again)
        }
        state.keep(record)
        return .json(wrapped(record), status: 201)
    }

    /// The one place where the money of a record moves.
    static func approve(_ record: inout Record, _ state: inout State, _ now: Int64) {
        (record.disposition, record.errorCode, record.isoCode) = ("Approved", "0", "00")
        record.pinUntil = nil
        if state.play.approvesHalf, record.original == nil, record.units > 1 {
            (record.units, record.isoCode) = (record.units / 2, "10")
        }
        let amount = LedgerAmount(record.units, record.currency)
        if let original = record.original {
            state.records[original]?.refunded += record.units
            state.ledger.move(
                amount, from: .merchant, to: .refunded, payment: original, attempt: record.reference, cause: "refund",
                at: now)
        } else if record.kind == "Refund" {
            state.ledger.move(
                amount, from: .funds, to: .refunded, payment: record.id, attempt: record.reference,
                cause: "refundByTap", at: now)
        } else {
            state.ledger.move(
                amount, from: .cardholder, to: .merchant, payment: record.id, attempt: record.reference,
                cause: "purchase", entry: "reader", at: now)
        }
    }

    private static func disturbed(_ script: TestAmount?, _ record: Record) -> SimulatorResponse {
        let status = record.disposition == "Approved" ? 200 : 201
        guard let script else { return .json(wrapped(record), status: status) }
        return script.disturb(
            wrapped(record), broken: .json(["error": "Internal server error"], status: 500),
            word: { ReplyFalsifier.changing(["type"], in: $0) { _ in "Teleported" } },
            amount: { ReplyFalsifier.changing(["amount"], in: $0, ReplyFalsifier.larger) }
        ) { .json($0, status: status) }
    }

    static func wrapped(_ record: Record) -> JSON {
        ["onlineAuthorizationResponse": answer(record)]
    }

    private static func answer(_ record: Record) -> JSON {
        let wantsPIN = record.pinUntil != nil
        let isGood = record.disposition == "Approved"
        return [
            "type": .string(record.disposition),
            "authorizationCode": isGood ? .string(String(record.id.suffix(6))) : "",
            "tags": [["tag": "9F26", "value": "A1B2C3D4E5F60718"]], "haloReference": .string(record.id),
            "errorMessage": isGood ? "Transaction approved" : "Transaction not approved",
            "errorCode": .number((try? JSONNumber(record.errorCode)) ?? 203),
            "isoResponseCode": .string(record.isoCode), "association": "1234567890", "expiryDate": "",
            "paymentProviderReference": .string(String(record.id.suffix(8))), "cardType": "Credit Card",
            "cardScheme": .string(record.scheme), "customValues": [:], "isSingleTapAndPin": .bool(wantsPIN),
            "maskedPAN": .string(record.maskedNumber), "pinToken": wantsPIN ? .string("pin-\(record.id)") : "",
            "cardReaderId": "1234567890", "cardReaderTransactionId": .string(record.id),
            "amount": .number(JSONNumber(record.units)), "currency": .string(record.currency),
            "merchantReference": .string(record.reference),
        ]
    }

    /// The back office gives back to an original, in major units.
    static func refund(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let original = state.records[call["id"]] else { return refuse(404, 122, "data not found") }
        guard let reference = call.json?["refundReference"]?.string, !reference.isEmpty,
            let asked = call.json?["amount"]?.number?.scaled(
                places: state.play.refundsInMinorUnits ? 0 : decimals(original.currency)), asked > 0
        else { return refuse(400, 104, "invalid request") }
        if state.record(of: reference) != nil, !state.play.refundsAgain {
            return refuse(409, 213, "refund already processed")
        }
        let units = state.play.refundsWhole ? original.units - original.refunded : asked
        let refunds = state.records.named("refund of \(original.id)")
        let pending = refunds.filter { $0.disposition == "Indeterminate" }.reduce(0) { $0 + $1.units }
        guard original.disposition == "Approved", original.kind == "Purchase",
            units <= original.units - original.refunded - pending
        else { return refuse(400, 104, "not that much is left") }
        var record = Record()
        (record.id, record.reference, record.kind) = (number(&state), reference, "Refund")
        (record.original, record.currency, record.units) = (original.id, original.currency, units)
        (record.createdAt, record.device) = (call.now, original.device)
        (record.maskedNumber, record.scheme) = (original.maskedNumber, original.scheme)
        (record.disposition, record.errorCode, record.isoCode) = ("Indeterminate", "203", "")
        if TestAmount(minorUnits: units) != .pends { approve(&record, &state, call.now) }
        state.keep(record)
        return flat(record)
    }

    /// Only the answer to a refund has no wrapper and no amount, and writes the response code as a number.
    static func flat(_ record: Record) -> SimulatorResponse {
        guard var flat = answer(record).object else { return .closed }
        for name in ["amount", "currency", "merchantReference", "isSingleTapAndPin", "pinToken"] { flat[name] = nil }
        if record.disposition == "Approved" { flat["isoResponseCode"] = 0 }
        return .json(.object(flat))
    }

    /// How many decimals a currency has.
    static func decimals(_ currency: String) -> Int {
        let none = [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF",
        ]
        if none.contains(currency) { return 0 }
        if ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].contains(currency) { return 3 }
        return ["CLF", "UYW"].contains(currency) ? 4 : 2
    }
}

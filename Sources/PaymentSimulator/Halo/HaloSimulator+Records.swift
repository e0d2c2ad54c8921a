internal import PaymentBase
internal import PaymentTransport

extension HaloSimulator {
    /// The records that fit, the newest first.
    static func search(_ call: SimulatorRequest, _ state: State) -> JSON {
        let (offset, limit) = call.part(from: "offset")
        guard !state.play.findsNothing,
            call.query("merchant") ?? state.merchant.merchant == state.merchant.merchant
        else { return [] }
        let scale = state.play.filtersInMajorUnits ? Int64(100) : 1
        if fitsAll(state.span, call, scale) { return .array(state.records.page(offset, limit).map(json)) }
        func page(_ records: some Sequence<Record>) -> JSON {
            var (skipped, found, days) = (0, [JSON](), Days())
            for record in records {
                if found.count == limit { break }
                guard fits(record, days.text(record.createdAt), call, scale) else { continue }
                if skipped == offset { found.append(json(record)) } else { skipped += 1 }
            }
            return .array(found)
        }
        guard let reference = call.query("merchantReference") else { return page(state.records.newestFirst) }
        return page(state.records.named("reference \(reference)"))
    }

    /// The day of a moment as a text; of those that follow one another most are of the same.
    private struct Days {
        private var last: (number: Int64, text: String)?

        mutating func text(_ instant: Int64) -> String {
            let number = instant / 86_400_000
            if let last, last.number == number { return last.text }
            let text = day(instant)
            last = (number, text)
            return text
        }
    }

    /// Whether the filters leave nothing out, as those of a walk through everything; then nobody counts what lies before
    /// its page.
    private static func fitsAll(_ span: Span, _ call: SimulatorRequest, _ scale: Int64) -> Bool {
        guard call.query("merchantReference") == nil, call.query("transactionDisposition") == nil else { return false }
        if let first = call.query("startDate"), day(span.first) < first { return false }
        if let last = call.query("endDate"), day(span.last) > last { return false }
        if let least = call.query("minAmount").flatMap({ Int64($0) }), least > 0 { return false }
        if let most = call.query("maxAmount").flatMap({ Int64($0) }), most < amountMax / scale { return false }
        return true
    }

    private static func day(_ instant: Int64) -> String { String(time(instant).prefix(10)) }

    private static func fits(_ record: Record, _ day: String, _ call: SimulatorRequest, _ scale: Int64) -> Bool {
        if let reference = call.query("merchantReference"), record.reference != reference { return false }
        if let first = call.query("startDate"), day < first { return false }
        if let last = call.query("endDate"), day > last { return false }
        if let least = call.query("minAmount").flatMap({ Int64($0) }), record.units / scale < least { return false }
        if let most = call.query("maxAmount").flatMap({ Int64($0) }), record.units / scale > most { return false }
        if let word = call.query("transactionDisposition"), record.disposition != word { return false }
        return true
    }

    static func json(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantTransactionReference": .string(record.reference),
            "details": [["tags": [], "maskedPAN": .string(record.maskedNumber), "paymentProviderId": 1]],
            "latitude": nil, "longitude": nil, "deviceinstallationId": .string(record.device),
            "transactionstatusId": "RespondedToPhone", "transactionDispositionId": .string(record.disposition),
            "amount": .string(String(record.units)), "currency": .string(record.currency),
            "responseCode": .string(record.isoCode), "transactionTypeId": .string(record.kind),
            "originalTransactionId": record.original.map(JSON.string) ?? .null, "acquirerId": 1, "userId": "user-1",
            "authorisationCode": .string(String(record.id.suffix(6))), "createdAt": .string(time(record.createdAt)),
            "updatedAt": .string(time(record.createdAt)),
            "receiptData": [
                "authorizationCode": .string(String(record.id.suffix(6))), "tid": "TID0001",
                "transactionReference": .string(String(record.id.suffix(8))), "merchantName": "Simulated Shop",
                "formattedMerchantAddress": "1 Main Road", "transactionType": .string(record.kind),
                "amount": .string(printed(record)), "approvalText": .string(record.disposition),
                "aid": "A0000000031010",
                "applicationLabel": "VISA CREDIT", "association": .string(record.scheme),
                "isoResponseCode": .string(record.isoCode), "cryptogram": "A1B2C3D4E5F60718", "tvr": "0000000000",
                "maskedPan": .string(record.maskedNumber),
            ],
        ]
    }
}

extension HaloSimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Ends what is indeterminate under a reference; gives the webhook that tells of it, which nobody signs.
    public func decide(_ reference: String, succeeds: Bool) -> OutgoingWebhook? {
        change(reference, "Indeterminate") { record, state, now in
            if succeeds {
                Self.approve(&record, &state, now)
            } else {
                (record.disposition, record.errorCode, record.isoCode) = ("Declined", "209", "91")
            }
        }
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ reference: String) -> OutgoingWebhook? {
        change(reference, "Approved") { record, state, now in
            guard let original = record.original else { return }
            (record.disposition, record.errorCode, record.isoCode) = ("Voided", "209", "91")
            state.records[original]?.refunded -= record.units
            state.ledger.move(
                LedgerAmount(record.units, record.currency), from: .refunded, to: .merchant, payment: original,
                attempt: reference, cause: "refundFailed", at: now)
        }
    }

    /// Changes the record of a reference that has a disposition; tells of it if that became another.
    private func change(
        _ reference: String, _ disposition: String, _ change: (inout Record, inout State, Int64) -> Void
    ) -> OutgoingWebhook? {
        let now = clock.now
        return state.withLock { state in
            guard var record = state.record(of: reference), record.disposition == disposition else { return nil }
            change(&record, &state, now)
            guard record.disposition != disposition else { return nil }
            state.keep(record)
            guard let said = told(Self.webhook(record)) else { return nil }
            return state.outbox.deliver(OutgoingWebhook(body: said.bytes(), at: now, attempt: reference))
        }
    }

    /// An amount as it is printed: `ZAR 15.00`.
    private static func printed(_ record: Record) -> String {
        let places = decimals(record.currency)
        return "\(record.currency) \(JSONNumber(units: record.units, places: places).text)"
    }

    private static func number(_ text: String) -> JSON { (try? JSONNumber(text)).map { .number($0) } ?? .string(text) }

    private static func webhook(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantReference": .string(record.reference),
            "disposition": .string(record.disposition), "errorCode": number(record.errorCode),
            "paymentProviderReference": .string(String(record.id.suffix(8))),
            "authorisationCode": .string(String(record.id.suffix(6))),
            "amount": .number(JSONNumber(record.units)), "currency": .string(record.currency),
            "haloReference": .string(record.id), "deviceInstallationId": .string(record.device),
        ]
    }
}

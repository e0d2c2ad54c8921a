internal import PaymentBase
internal import PaymentTransport

extension HaloBackend {
    /// The records that fit, the newest first.
    static func search(_ call: SandboxCall, _ state: State) -> JSON {
        let limit = min(100, max(1, call.query("limit").flatMap { Int($0) } ?? 20))
        let offset = max(0, call.query("offset").flatMap { Int($0) } ?? 0)
        guard call.query("merchant") ?? state.merchant.merchant == state.merchant.merchant else { return [] }
        let fitting = state.sequence.reversed().compactMap { state.records[$0] }.filter { fits($0, call) }
        return .array(fitting.dropFirst(offset).prefix(limit).map(json))
    }

    private static func fits(_ record: Record, _ call: SandboxCall) -> Bool {
        let day = String(time(record.createdAt).prefix(10))
        if let reference = call.query("merchantReference"), record.reference != reference { return false }
        if let first = call.query("startDate"), day < first { return false }
        if let last = call.query("endDate"), day > last { return false }
        if let least = call.query("minAmount").flatMap({ Int64($0) }), record.units < least { return false }
        if let most = call.query("maxAmount").flatMap({ Int64($0) }), record.units > most { return false }
        if let word = call.query("transactionDisposition"), record.disposition != word { return false }
        return true
    }

    static func json(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantTransactionReference": .string(record.reference),
            "details": [["tags": [], "maskedPAN": .string(record.maskedNumber), "paymentProviderId": "1"]],
            "latitude": nil, "longitude": nil, "deviceinstallationId": .string(record.device),
            "transactionstatusId": "RespondedToPhone", "transactionDispositionId": .string(record.disposition),
            "amount": .string(String(record.units)), "currency": .string(record.currency),
            "responseCode": .string(record.isoCode), "transactionTypeId": .string(record.kind),
            "originalTransactionId": record.original.map(JSON.string) ?? .null, "acquirerId": "1", "userId": "user-1",
            "authorisationCode": .string(String(record.id.suffix(6))), "createdAt": .string(time(record.createdAt)),
            "updatedAt": .string(time(record.createdAt)),
            "receiptData": [
                "authorizationCode": .string(String(record.id.suffix(6))), "tid": "TID0001",
                "transactionReference": .string(String(record.id.suffix(8))), "merchantName": "Simulated Shop",
                "formattedMerchantAddress": "1 Main Road", "transactionType": .string(record.kind),
                "approvalText": .string(record.disposition), "aid": "A0000000031010",
                "applicationLabel": "VISA CREDIT", "association": .string(record.scheme),
                "isoResponseCode": .string(record.isoCode), "cryptogram": "A1B2C3D4E5F60718", "tvr": "0000000000",
                "maskedPan": .string(record.maskedNumber),
            ],
        ]
    }

    // MARK: News

    /// Ends what is indeterminate under a reference; gives the webhook that tells of it, which nobody signs.
    public func decide(_ reference: String, succeeds: Bool) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let told: JSON? = state.withLock { state in
            guard let id = state.byReference[reference], var record = state.records[id],
                record.disposition == "Indeterminate"
            else { return nil }
            if succeeds {
                Self.approve(&record, &state, now)
            } else {
                (record.disposition, record.errorCode, record.isoCode) = ("Declined", "209", "91")
            }
            state.records[id] = record
            return Self.webhook(record)
        }
        return told.map { ([:], $0.bytes()) }
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ reference: String) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let told: JSON? = state.withLock { state in
            guard let id = state.byReference[reference], var record = state.records[id],
                record.disposition == "Approved", let original = record.original
            else { return nil }
            (record.disposition, record.errorCode, record.isoCode) = ("Voided", "209", "91")
            state.records[id] = record
            state.records[original]?.refunded -= record.units
            state.ledger.move(
                LedgerAmount(record.units, record.currency), from: .refunded, to: .merchant, payment: original,
                attempt: reference, cause: "refundFailed", at: now)
            return Self.webhook(record)
        }
        return told.map { ([:], $0.bytes()) }
    }

    private static func webhook(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantReference": .string(record.reference),
            "disposition": .string(record.disposition), "errorCode": .string(record.errorCode),
            "paymentProviderReference": .string(String(record.id.suffix(8))),
            "authorisationCode": .string(String(record.id.suffix(6))),
            "amount": .number(JSONNumber(record.units)), "currency": .string(record.currency),
            "haloReference": .string(record.id), "deviceInstallationId": .string(record.device),
        ]
    }
}

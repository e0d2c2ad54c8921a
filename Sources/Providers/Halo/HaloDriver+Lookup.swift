public import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

extension HaloDriver: DetailsDriver, ListDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let query = [merchantField, (name: "merchantReference", value: inquiry.attempt.text)]
        let found = try await search(query, context).filter { $0.reference == inquiry.attempt.text }
        // A PIN may make a record of its own; the tap's then only says that one was asked for.
        let finished = found.filter { !$0.waitsForPIN }
        let seen = finished.isEmpty ? found : finished
        guard seen.count <= 1 else { return .cannotTell("The provider does not say.") }
        let isRefund = inquiry.record.intent.operation == .refund
        guard let record = seen.first else {
            return isRefund || configuration.search == .unproven
                ? .cannotTell("The provider does not say.") : .notFound(seesBack: nil)
        }
        if isRefund, record.original != inquiry.payment?.references["transaction"] {
            return .cannotTell("The provider does not say.")
        }
        if record.waitsForPIN, isPINPossible(inquiry) { return .cannotTell("The provider does not say.") }
        return .found(
            try HaloMapping.verdict(record, inquiry.record.intent.operation, configuration.recordAmounts))
    }

    /// The one finished record under an attempt's name; nil where there is none, or more than one.
    func finished(_ attempt: AttemptID, _ context: LookupContext) async throws -> HaloRecord? {
        let query = [merchantField, (name: "merchantReference", value: attempt.text)]
        let found = try await search(query, context).filter { $0.reference == attempt.text && !$0.waitsForPIN }
        return found.count == 1 ? found.first : nil
    }

    /// How a search names the merchant.
    private var merchantField: (name: String, value: String) {
        ("merchant", configuration.searchMerchant ?? configuration.merchant)
    }

    /// Whether a PIN may still be on its way, or was sent and may stand elsewhere.
    private func isPINPossible(_ inquiry: LookupRequest) -> Bool {
        if inquiry.note(Self.pinNote) != nil, configuration.search == .unproven { return true }
        let last =
            untilTapMilliseconds + Self.pinMilliseconds + Self.tapMilliseconds + Self.clockSkewMilliseconds
        return inquiry.millisecondsSinceSent.map { $0 <= last } ?? true
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["transaction"] ?? references["refund"] else { return nil }
        let record: HaloRecord
        do {
            record = try await self.record(name, context)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        guard record.id == name else {
            throw PaymentError.notExecuted(.mismatch, "the answer is about another transaction")
        }
        return try HaloMapping.details(record, configuration.recordAmounts)
    }

    /// One record by its name.
    func record(_ name: String, _ context: LookupContext) async throws(PaymentError) -> HaloRecord {
        try await context.exchange { attempt in
            try await wire.read(
                "GET", HaloPath.transaction(name), bearer: attempt.access.value, unreadable: "309", as: HaloRecord.init)
        }
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        let offset = query.cursor.flatMap { Int($0) } ?? 0
        var fields = [
            merchantField, (name: "limit", value: String(query.limit)),
            (name: "offset", value: String(offset)),
        ]
        for filter in query.filters { fields += HaloMapping.fields(filter) }
        let records = try await search(fields, context)
        let next = records.count < query.limit ? nil : String(offset + records.count)
        let details = try records.map { try HaloMapping.details($0, configuration.recordAmounts) }
        let fitting = details.filter { one in query.filters.allSatisfy { HaloMapping.fits(one, $0) } }
        return PaymentDetailsPage(fitting, next: next)
    }

    private func search(
        _ query: [(name: String, value: String)], _ context: LookupContext
    ) async throws -> [HaloRecord] {
        // The description wants a time, a range of amounts and a part of the list in every search.
        let given = Set(query.map(\.name))
        let today = Timestamp(milliseconds: context.now + HaloMapping.dayMilliseconds)?.date.isoText ?? ""
        let whole = [
            (name: "startDate", value: "2000-01-01"), (name: "endDate", value: today), (name: "minAmount", value: "0"),
            (name: "maxAmount", value: HaloMapping.amountMax), (name: "limit", value: "100"),
            (name: "offset", value: "0"),
        ]
        let query = query + whole.filter { !given.contains($0.name) }
        return try await context.exchange { attempt in
            try await wire.read(
                "GET", HaloPath.transactions, query: query, bearer: attempt.access.value, unreadable: "309"
            ) { json in
                guard let items = json?.array else { return nil }
                let read = items.compactMap { HaloRecord($0) }
                return read.count == items.count ? read : nil
            }
        }
    }
}

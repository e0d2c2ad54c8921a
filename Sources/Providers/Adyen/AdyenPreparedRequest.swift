public import PaymentCore
internal import PaymentProviderKit

/// A finished Terminal API request of the merchant's back end, read and checked before anything is sent.
///
/// ```swift
/// let finished = try AdyenPreparedRequest(bytes)
/// let result = try await client.perform(finished)
/// try await backEnd.take(finished.prepared.reply)   // nil where the answer was lost; `result` says what happened
/// ```
public struct AdyenPreparedRequest: Sendable {
    /// Its name in our journal: the message's own, which is not used twice, with the time at which it was made.
    public let attempt: AttemptID
    /// What it asks for: a sale, an authorisation, a refund, or a refund without an original.
    public let operation: PaymentOperation
    /// How much in all, the tip included; nil for all that is left of a payment.
    public let amount: Money?
    /// How much of the amount is a tip that is beside what is requested.
    public let tip: Money?
    /// What the back end calls it.
    public let reference: String
    /// The request itself, and its answer as soon as there is one.
    public let prepared: PreparedRequest
    /// Whether it lets less be approved.
    public let acceptsPartialApproval: Bool

    let header: NexoHeader
    let transaction: String?
    /// The payment that is refunded, by the terminal's name.
    let original: String?

    /// Reads a request.
    ///
    /// - Throws: `invalidRequest`, nothing moved, where it can't be read; `unsupported` where it asks for something
    ///   else than a payment or a reversal.
    public init(_ bytes: [UInt8]) throws(PaymentError) { try self.init(PreparedRequest(bytes)) }

    init(_ prepared: PreparedRequest) throws(PaymentError) {
        guard let message = NexoMessage(AdyenRequestSender.read(prepared.bytes)), !message.isReply,
            message.header.type == "Request", message.body.object != nil
        else { throw Self.refused(.invalidRequest, "is no Terminal API request") }
        (self.prepared, header) = (prepared, message.header)
        let sale = message.body.member("SaleData")
        let name = sale?.member("SaleTransactionID")
        let data = SaleToAcquirerData(sale?.member("SaleToAcquirerData")?.text ?? "")
        transaction = name?.member("TransactionID")?.text
        reference = transaction ?? header.id
        let id = message.header.id
        let made = name?.member("TimeStamp")?.text.flatMap { Timestamp($0)?.milliseconds }
        guard !id.isEmpty, id.count <= NexoHeader.idCharactersMax,
            let attempt = try? AttemptID(made.map { "\(id)-\($0)" } ?? id)
        else { throw Self.refused(.invalidRequest, "has no ServiceID of one to ten letters and digits") }
        self.attempt = attempt
        acceptsPartialApproval = (data["tenderOption"] ?? "").contains("AllowPartialAuthorisation")
        original = message.body.member("OriginalPOITransaction", "POITransactionID")?.member("TransactionID")?.text
        operation = try Self.operation(message, data)
        let amounts = message.body.member("PaymentTransaction", "AmountsReq")
        let isReversal = operation == .refund
        let decimal = isReversal ? message.body.member("ReversedAmount") : amounts?.member("RequestedAmount")
        if isReversal, decimal == nil {
            (amount, tip) = (nil, nil)
            return
        }
        let code = isReversal ? data["currency"] : amounts?.member("Currency")?.text
        guard let text = decimal?.text, let currency = Currency.known(code ?? "") else {
            throw Self.refused(.invalidRequest, "names no amount with its currency")
        }
        let requested = try Money(wireDecimal: text, currency)
        guard operation == .sale || operation == .authorize, let more = amounts?.member("TipAmount")?.text else {
            (amount, tip) = (requested, nil)
            return
        }
        let tip = try Money(wireDecimal: more, currency)
        guard !tip.isNegative else { throw Self.refused(.invalidRequest, "names a tip below zero (\(tip))") }
        (amount, self.tip) = (try requested.adding(tip), tip.isZero ? nil : tip)
    }

    private static func operation(
        _ message: NexoMessage, _ data: SaleToAcquirerData
    ) throws(PaymentError) -> PaymentOperation {
        switch (message.header.category, message.body.member("PaymentData", "PaymentType")?.text ?? "Normal") {
        case (.reversal, _): return .refund
        case (.payment, "Normal"):
            // With either of them nothing is charged until it is captured.
            let holds = data["authorisationType"] == "PreAuth" || data["manualCapture"]?.lowercased() == "true"
            return holds ? .authorize : .sale
        case (.payment, "Refund"): return .unlinkedRefund
        default: throw refused(.unsupported, "asks for something else than a payment, a refund or a reversal")
        }
    }

    /// Makes sure that the application asks for what is in it, and that it goes where it says.
    func check(
        _ operation: PaymentOperation, _ amount: Money, tip: Money? = nil, at terminal: String
    ) throws(PaymentError) {
        guard self.operation == operation else { throw Self.refused(.invalidRequest, "is no \(operation.rawValue)") }
        guard header.poiID == terminal else { throw Self.refused(.invalidRequest, "is for another terminal") }
        if let own = self.amount, own != amount {
            throw Self.refused(.invalidRequest, "is over \(own), and \(amount) was asked for")
        }
        if self.tip ?? .zero(amount.currency) != tip ?? .zero(amount.currency) {
            let (own, asked) = (self.tip.map { "a tip of \($0)" }, tip.map { "a tip of \($0)" })
            throw Self.refused(
                .invalidRequest, "carries \(own ?? "no tip"), and \(asked ?? "no tip") was asked for")
        }
    }

    /// Lets nothing send a finished request again: its name is used up, whatever the terminal did with it.
    static func once<Value>(_ finished: Self?, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let failure as AdyenFailure
            where finished != nil && failure.fault.isRetryable
        {
            let fault = failure.fault
            throw PaymentError(
                fault.code, outcome: .notExecuted, provider: fault.provider,
                detail: "\(fault.detail); a finished request goes out once, so have a new one made")
        }
    }

    private static func refused(_ code: PaymentError.Code, _ what: String) -> PaymentError {
        PaymentError.notExecuted(code, "the finished request \(what)")
    }
}

extension PaymentClient {
    /// Runs a finished Terminal API request under its own name in the journal; the same one twice is one payment.
    ///
    /// - Parameter payment: The payment that a reversal refunds.
    @discardableResult
    public func perform(
        _ finished: AdyenPreparedRequest, of payment: PaymentID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        if finished.operation == .refund, let payment {
            return try await refund(
                payment, of: finished.amount, prepared: finished.prepared, attempt: finished.attempt, timeout: limit)
        }
        guard let amount = finished.amount else {
            throw PaymentError.notExecuted(.invalidRequest, "a reversal needs the payment that it reverses")
        }
        if finished.operation == .unlinkedRefund {
            var request = UnlinkedRefundRequest(amount, to: .reader, reference: finished.reference)
            request.prepared = finished.prepared
            return try await refundUnlinked(request, attempt: finished.attempt, timeout: limit)
        }
        var request = SaleRequest(amount, from: .reader, reference: finished.reference)
        (request.prepared, request.acceptsPartialApproval, request.tip) = (
            finished.prepared, finished.acceptsPartialApproval, finished.tip
        )
        return finished.operation == .authorize
            ? try await authorize(request, attempt: finished.attempt, timeout: limit)
            : try await sale(request, attempt: finished.attempt, timeout: limit)
    }
}

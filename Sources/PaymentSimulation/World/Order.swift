internal import PaymentAbstraction

/// One thing that a till wants done, as its owner has it on paper: it survives the till's program.
struct Order: Sendable {
    let number: Int
    let attempt: AttemptID
    let operation: PaymentOperation
    /// How much; nil for all that is left.
    let amount: Money?
    let source: PaymentSource?
    let reference: String
    /// The payment that it acts on: the attempt that began it.
    let origin: AttemptID?
    /// Which provider its till used.
    let provider: Int
    /// Which part of the reference it pays; empty for the whole.
    var part = ""
    /// How the reference is typed, where that differs from how it is kept.
    var spelling: String?
    /// Whether it has no reference at all.
    var isUnnamed = false
    /// Whether less may be approved.
    var acceptsPartial = false
    /// What a refund is for.
    var reason: String?
    /// How long its caller waits, and whether either provider may take it.
    var limit: Duration?
    /// Whether somebody does it at the provider's own desk, without the journal.
    var isAtDesk = false

    /// Whether one excludes the other while it is active: payments under one reference and part, and refunds or captures of
    /// one amount.
    func excludes(_ other: Order) -> Bool {
        if isAtDesk || other.isAtDesk || isUnnamed || other.isUnnamed { return false }
        if origin == nil { return part.isEmpty || other.part.isEmpty || part == other.part }
        return reason == other.reason
    }

    /// Asks a client for it.
    func call(_ client: PaymentClient) async throws(PaymentError) -> PaymentResult {
        let payment = origin.map { PaymentID($0) }
        switch (operation, amount, source, payment) {
        case (.sale, let amount?, let source?, _):
            return try await client.sale(request(amount, source), attempt: attempt, within: limit)
        case (.authorize, let amount?, let source?, _):
            return try await client.authorize(request(amount, source), attempt: attempt)
        case (.capture, _, _, let payment?):
            return try await client.capture(payment, of: amount, attempt: attempt)
        case (.refund, _, _, let payment?):
            return try await client.refund(payment, of: amount, reference: reason, attempt: attempt)
        case (.unlinkedRefund, let amount?, let source?, let payment?):
            var request = UnlinkedRefundRequest(amount, to: source, reference: reason ?? reference)
            request.payment = payment
            return try await client.refund(unlinked: request, attempt: attempt)
        case (.void, _, _, let payment?): return try await client.void(payment, attempt: attempt)
        case (.adjust, let amount?, _, let payment?):
            return try await client.adjust(payment, to: amount, attempt: attempt)
        case (.tipAdjustment, let amount?, _, let payment?):
            return try await client.adjustTip(payment, to: amount, attempt: attempt)
        default: throw PaymentError.nothingMoved(.invalidRequest, "the simulation has no such call")
        }
    }

    private func request(_ amount: Money, _ source: PaymentSource) -> SaleRequest {
        let order = isUnnamed ? .unreferenced : OrderReference(spelling ?? reference, part: part)
        var request = SaleRequest(amount, from: source, reference: order)
        request.acceptsPartial = acceptsPartial
        request.label = limit == nil ? nil : Self.either
        return request
    }

    /// The word by which the routing lets either provider take a sale.
    static let either = "either"

    /// The same sale under the same id, for another customer.
    func callForAnother(_ client: PaymentClient) async throws(PaymentError) -> PaymentResult {
        guard let amount, let source, origin == nil else {
            throw PaymentError.nothingMoved(.invalidRequest, "the simulation has no such call")
        }
        var request = request(amount, source)
        request.customer = "another customer"
        return operation == .authorize
            ? try await client.authorize(request, attempt: attempt) : try await client.sale(request, attempt: attempt)
    }
}

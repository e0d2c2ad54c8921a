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

    /// Whether one excludes the other while it is active: payments under one reference and part, and refunds or captures of
    /// one amount.
    func excludes(_ other: Order) -> Bool {
        if origin == nil { return part.isEmpty || other.part.isEmpty || part == other.part }
        return operation == other.operation
    }

    /// Asks a client for it.
    func call(_ client: PaymentClient) async throws(PaymentError) -> PaymentResult {
        let payment = origin.map { PaymentID($0) }
        switch (operation, amount, source, payment) {
        case (.sale, let amount?, let source?, _):
            return try await client.sale(request(amount, source), attempt: attempt)
        case (.authorize, let amount?, let source?, _):
            return try await client.authorize(request(amount, source), attempt: attempt)
        case (.capture, _, _, let payment?):
            return try await client.capture(payment, of: amount, attempt: attempt)
        case (.refund, _, _, let payment?):
            return try await client.refund(payment, of: amount, attempt: attempt)
        case (.void, _, _, let payment?): return try await client.void(payment, attempt: attempt)
        case (.adjust, let amount?, _, let payment?):
            return try await client.adjust(payment, to: amount, attempt: attempt)
        case (.tipAdjustment, let amount?, _, let payment?):
            return try await client.adjustTip(payment, to: amount, attempt: attempt)
        default: throw PaymentError.notExecuted(.invalidRequest, "the simulation has no such call")
        }
    }

    private func request(_ amount: Money, _ source: PaymentSource) -> SaleRequest {
        SaleRequest(amount, from: source, reference: OrderReference(reference, part: part))
    }
}

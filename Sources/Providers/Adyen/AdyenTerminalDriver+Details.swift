public import PaymentAbstraction
internal import PaymentBase

extension AdyenTerminalDriver {
    /// What the terminal says about the message that asked for the payment.
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let header = references[AdyenMapping.Name.message].flatMap({ AdyenMapping.header($0) }) else {
            return nil
        }
        switch try await fate(of: header, context) {
        case .answered(let reply): return Self.details(reply, header)
        case .running: return PaymentDetails("InProgress", references: references)
        case .neverSeen, .unclear: return nil
        }
    }

    private static func details(_ reply: PaymentReply, _ header: NexoHeader) -> PaymentDetails {
        var references = AdyenMapping.references(reply)
        references[AdyenMapping.Name.message] = AdyenMapping.note(header)
        let condition = reply.response.condition
        var details = PaymentDetails(condition.isEmpty ? reply.response.result : condition, references: references)
        details.kind = header.category.rawValue
        details.card = AdyenMapping.card(reply)
        if let code = reply.currency, let currency = Currency.known(code), let decimal = reply.authorizedAmount {
            details.amount = try? Money(wireDecimal: decimal.text, currency).believable()
        }
        details.receipt = AdyenReceipts.receipt(reply, details.amount)
        details.at = details.receipt?.at
        details.device = DeviceSummary(header.poiID)
        details.additional = ["saleTransactionID": reply.saleTransactionID ?? ""]
        return details
    }
}

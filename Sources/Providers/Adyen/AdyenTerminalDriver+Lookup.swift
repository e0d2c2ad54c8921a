public import PaymentAbstraction
internal import PaymentBase

extension AdyenTerminalDriver {
    public func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> Sighting {
        let operation = inquiry.record.intent.operation
        guard lookupPlan(for: operation).quietTime != nil, inquiry.note(AdyenMapping.Name.reversing) == nil else {
            return .cannotTell
        }
        if inquiry.note(AdyenMapping.Name.message) == nil {
            // The name is kept before the message leaves; a refund in the back office has none.
            return operation == .refund && isInBackOffice(inquiry) ? .cannotTell : .notSeen
        }
        guard let header = inquiry.note(AdyenMapping.Name.message).flatMap({ AdyenMapping.header($0) }) else {
            return .cannotTell
        }
        switch try await fate(of: header, context) {
        case .answered(let reply):
            do {
                switch operation {
                case .refund: return .found(try AdyenMapping.reversal(reply))
                case .unlinkedRefund:
                    return .found(try AdyenMapping.verdict(reply, asked: inquiry.amount, isRefund: true))
                case .sale, .authorize:
                    return .found(
                        try AdyenMapping.verdict(reply, asked: inquiry.amount).taken(by: header))
                case .capture, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit: return .cannotTell
                }
            } catch AdyenFailure.refused(let response) {
                // The terminal knows the message and did not do it: nothing came of it.
                return ErrorTable.adyen[response.condition]?.delivery == .refused ? .notSeen : .cannotTell
            }
        case .running, .unclear: return .cannotTell
        case .neverSeen: return .notSeen
        }
    }

    private func isInBackOffice(_ inquiry: Inquiry) -> Bool {
        core.configuration.refunds == .backOffice || inquiry.payment?.origin != .sale
    }

    /// What a terminal says about one of our messages.
    func fate(of header: NexoHeader, _ context: LookupContext) async throws -> AdyenFate {
        let answer = try await core.ask(
            .status, ServiceRequests.status(of: header), context, at: header.poiID)
        guard let response = answer.response else { return .unclear }
        switch (response.result, response.condition) {
        case ("Success", _):
            let repeated = answer.body.member("RepeatedMessageResponse")
            guard let inner = NexoHeader(repeated?.member("MessageHeader")), header.isAnswered(by: inner),
                let body = repeated?.member("RepeatedResponseMessageBody")?.member(
                    header.category.rawValue + "Response"), let reply = PaymentReply(body)
            else { return .unclear }
            return .answered(reply)
        case ("Failure", "InProgress"): return .running
        case ("Failure", "NotFound"): return .neverSeen
        default: return .unclear
        }
    }
}

/// What a terminal says about a message.
enum AdyenFate {
    case answered(PaymentReply)
    case running
    case neverSeen
    case unclear
}

public import PaymentAbstraction
internal import PaymentBase

extension AdyenTerminalDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        // Neither the back office nor a phone can be asked, however the configuration reads by now.
        let silent = [AdyenMapping.Name.reversing, AdyenMapping.Name.office, AdyenMapping.Name.phone]
        guard lookupPlan(for: operation) != nil, silent.allSatisfy({ inquiry.note($0) == nil }) else {
            return .cannotTell("The provider does not say.")
        }
        // The name is kept before the message leaves; without one nothing has left.
        guard let note = inquiry.note(AdyenMapping.Name.message) else { return .notFound(seesBack: nil) }
        guard let header = AdyenMapping.header(note), canAsk(header.poiID) else {
            return .cannotTell("The provider does not say.")
        }
        let name = inquiry.note(AdyenMapping.Name.sale) ?? inquiry.record.intent.attempt.text
        switch try await fate(of: header, called: name, context) {
        case .answered(let reply):
            // Another till that calls itself the same may have used the same name for its message.
            if let echoed = reply.saleTransactionID, echoed != name { return .cannotTell("The provider does not say.") }
            do {
                switch operation {
                case .refund: return Self.repeated(try AdyenMapping.reversal(reply))
                case .unlinkedRefund:
                    return Self.repeated(try AdyenMapping.verdict(reply, asked: inquiry.amount, isRefund: true))
                case .sale, .authorize:
                    let said = try AdyenMapping.verdict(reply, asked: inquiry.amount).taken(by: header)
                    let tip = inquiry.record.intent.tip
                    return Self.repeated(AdyenMapping.tipped(said, asked: inquiry.amount, tip: tip))
                case .capture, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit:
                    return .cannotTell("The provider does not say.")
                }
            } catch AdyenFailure.refused(let response) {
                // The terminal knows the message and did not do it: nothing came of it.
                return ErrorTable.adyen[response.condition]?.delivery == .refused
                    ? .notFound(seesBack: nil) : .cannotTell("The provider does not say.")
            }
        case .running, .unclear: return .cannotTell("The provider does not say.")
        case .neverSeen:
            return core.configuration.treatsNotFoundAsProof && isRemembered(inquiry, context)
                ? .notFound(seesBack: Self.memoryMilliseconds) : .cannotTell("The provider does not say.")
        }
    }

    /// How long a terminal remembers a message, by the document (48 hours), less an hour for clocks that differ.
    static var memoryMilliseconds: Int64 { 47 * 3_600_000 }

    /// Whether the terminal would still show the message: *not found* proves nothing about an older one.
    private func isRemembered(_ inquiry: LookupRequest, _ context: LookupContext) -> Bool {
        guard let submitted = inquiry.submittedAt else { return true }
        let (age, isOverflow) = context.now.subtractingReportingOverflow(submitted)
        return !isOverflow && max(age, inquiry.millisecondsSinceSent ?? 0) < Self.memoryMilliseconds
    }

    /// A terminal repeats what it answered then; what the scheme took since, the webhook says.
    private static func repeated(_ verdict: Verdict) -> LookupResult {
        if case .approved(let approval) = verdict { .repeated(approval) } else { .found(verdict) }
    }

    /// On the same network only the one terminal answers; another's *not found* says nothing.
    private func canAsk(_ terminal: String) -> Bool {
        core.configuration.link != .local || terminal == core.configuration.terminal
    }

    /// What a terminal says about one of our messages.
    ///
    /// - Parameter name: What the payment calls itself; where the repeated head names the question, or nothing, it says
    ///   that the repeated body is ours.
    func fate(of header: NexoHeader, called name: String? = nil, _ context: LookupContext) async throws
        -> AdyenTransactionStatus
    {
        let answer = try await core.ask(
            .status, ServiceRequests.status(of: header), context, at: header.poiID)
        guard let response = answer.response else { return .unclear }
        // What is repeated counts, however the answer around it says that it ended.
        if let repeated = answer.body.member("RepeatedMessageResponse") {
            guard let inner = NexoHeader(repeated.member("MessageHeader")),
                let body = repeated.member("RepeatedResponseMessageBody")?.member(
                    header.category.rawValue + "Response"), let reply = PaymentReply(body)
            else { return .unclear }
            if header.isAnswered(by: inner) { return .answered(reply) }
            let isUnnamed = inner.id.isEmpty || inner.id == answer.header.id
            let isOurs = name != nil && reply.saleTransactionID == name
            return isUnnamed && isOurs ? .answered(reply) : .unclear
        }
        switch (response.result, response.condition) {
        case ("Failure", "InProgress"): return .running
        case ("Failure", "NotFound"): return .neverSeen
        default: return .unclear
        }
    }
}

/// What a terminal says about a message.
enum AdyenTransactionStatus {
    case answered(PaymentReply)
    case running
    case neverSeen
    case unclear
}

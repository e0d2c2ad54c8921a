internal import PaymentMobileSDKs
public import PaymentProviderKit

extension AdyenTerminalDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        // Neither the back office nor a phone can be asked, however the configuration reads by now.
        try await lookedUp(
            inquiry, context, silent: [AdyenMapping.Name.reversing, AdyenMapping.Name.office, AdyenMapping.Name.phone])
    }

    /// Asks the terminal about an attempt, unless it has one of the notes that say that nothing can be asked.
    func lookedUp(
        _ inquiry: LookupRequest, _ context: LookupContext, silent: [String]
    ) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        guard lookupPlan(for: operation) != nil, silent.allSatisfy({ inquiry.note($0) == nil }) else {
            return .cannotTell("The provider can't be asked about this operation.")
        }
        // The name is kept before the message leaves; without one nothing has left.
        guard let note = inquiry.note(AdyenMapping.Name.message) else { return .notFound(seesBack: nil) }
        guard let header = AdyenMapping.header(note), canAsk(header.poiID) else {
            return .cannotTell("Only the terminal that took the payment can be asked.")
        }
        let name = inquiry.note(AdyenMapping.Name.sale) ?? inquiry.record.intent.attempt.text
        switch try await fate(of: header, called: name, context) {
        case .answered(let reply):
            // Another till that calls itself the same may have used the same name for its message.
            if let echoed = reply.saleTransactionID, echoed != name {
                return .cannotTell("The terminal answered about another transaction.")
            }
            do {
                switch operation {
                case .refund: return Self.repeated(try AdyenMapping.reversal(reply))
                case .unlinkedRefund:
                    return Self.repeated(try AdyenMapping.verdict(reply, asked: inquiry.amount, isRefund: true))
                case .sale, .authorize:
                    let said = try AdyenMapping.verdict(reply, asked: inquiry.amount).taken(by: header)
                    let tip = inquiry.record.intent.tip
                    return Self.repeated(AdyenMapping.tipped(said, asked: inquiry.amount, tip: tip))
                case .capture, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit, .chargeback:
                    return .cannotTell("The provider can't be asked about this operation.")
                }
            } catch AdyenFailure.refused(let response) {
                // The terminal knows the message and did not do it: nothing came of it. That it never reached its host counts
                // only as its last word, which the client believes after the quiet time.
                let isRefused = ErrorTable.adyen[response.condition]?.delivery == .refused
                return isRefused || response.condition == "UnreachableHost"
                    ? .notFound(seesBack: nil) : .cannotTell("The terminal's answer does not prove what happened.")
            }
        // A customer may stand at it: who says that nothing was executed has to name what the terminal works on.
        case .running: return .cannotTell("The terminal is still busy with it.", shown: [name])
        case .unclear: return .cannotTell("The terminal's answer does not prove what happened.")
        case .neverSeen:
            guard core.configuration.treatsNotFoundAsProof else {
                return .cannotTell("The terminal does not know it, which is no proof by this configuration.")
            }
            return isRemembered(inquiry, context)
                ? .notFound(seesBack: Self.memoryMilliseconds)
                : .cannotTell("The payment is older than the 47 hours for which a terminal is believed.")
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

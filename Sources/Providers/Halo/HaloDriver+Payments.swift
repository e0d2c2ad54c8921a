public import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

extension HaloDriver: SaleDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await submit(CardReadRequest(.purchase, request.amount), context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await submit(CardReadRequest(.refund, request.amount), context)
    }

    /// Reads a card, submits it, and submits the PIN if one is asked for.
    private func submit(_ request: CardReadRequest, _ context: PaymentContext) async throws -> Verdict {
        let installation = try await context.installation()
        var headers: HTTPHeaders = [HaloPath.installation: installation.id]
        headers[HaloPath.correlation] = TimeOrderedID.make(now: context.now, random: tools.random)
        headers[HaloPath.location] = try await locationHeader()
        let read = try await context.read(request)
        if read.isDeclinedByCard {
            return .declined(Decline(.declinedOffline, provider: ProviderMessage(code: "offlineDeclined")))
        }
        let first: HaloAnswer
        switch try await send(read, HaloPath.submit, headers, isPIN: false, context) {
        case .answer(let answer): first = answer
        case .refused(let decline): return .declined(decline)
        }
        guard HaloMapping.wantsPIN(first), let name = first.name, let token = first.pinToken else {
            return try await verdict(first, request.amount, context)
        }
        guard let entered = try? await context.readPIN(token: Secret(token), after: read) else {
            return .declined(HaloMapping.decline(first, .pinRequired))
        }
        try context.note(Self.pinNote, name)
        switch try await send(entered, HaloPath.pin(name), headers, isPIN: true, context) {
        case .answer(let answer): return try await verdict(answer, request.amount, context)
        case .refused(let decline): return .declined(decline)
        }
    }

    private func verdict(_ answer: HaloAnswer, _ asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let verdict = try HaloMapping.verdict(answer, asked, configuration.answerAmounts)
        if case .approved(let approval) = verdict, approval.amount != asked {
            try await expect(approval, called: "transaction", context)
        }
        return verdict
    }

    /// What comes back for a submission.
    private enum Reply {
        case answer(HaloAnswer)
        /// The card was refused in an error's place.
        case refused(Decline)
    }

    private func send(
        _ read: CardReadResult, _ path: String, _ headers: HTTPHeaders, isPIN: Bool, _ context: PaymentContext
    ) async throws -> Reply {
        var members: JSONObject = [
            "merchantReference": .string(context.attempt.text),
            "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()),
        ]
        if let fields = configuration.passthroughFields {
            members["passthroughFields"] = (try? JSONReader().read(Array(fields.utf8))) ?? .string(fields)
        }
        let body = JSON.object(members)
        var attributes = ["isSingleTapAndPin": String(isPIN)]
        context.emit(.transactionSubmissionStarted, attributes)
        let reply: Reply = try await context.exchange(.money) { attempt in
            // Older card data is refused; nothing is sent that can only fail.
            guard context.now - read.at <= Self.tapMilliseconds else { throw ProviderCodeError("PPS-4003") }
            let answer: HaloAnswer
            do {
                answer = try await wire.read(
                    "POST", path, body: body, bearer: attempt.access.value, more: headers, unreadable: "309",
                    as: HaloAnswer.init(wrapped:))
            } catch let refusal as HTTPErrorResponse {
                if isPIN, refusal.status == 409 {
                    throw PaymentError.unknown(.conflict, "it waits for no PIN; an earlier one may have been taken")
                }
                guard refusal.status < 500, let said = HaloAnswer(wrapped: refusal.body) else {
                    return .refused(try HaloMapping.decline(refusal))
                }
                answer = said
            }
            guard answer.reference ?? context.attempt.text == context.attempt.text else {
                throw PaymentError.unknown(.mismatch, "the answer is about another reference")
            }
            return .answer(answer)
        }
        guard case .answer(let answer) = reply else {
            attributes["isApproved"] = "false"
            context.emit(.transactionResponseReceived, attributes)
            return reply
        }
        attributes["isApproved"] = String(answer.type == "Approved")
        if HaloMapping.wantsPIN(answer) {
            (attributes["isSingleTapAndPin"], attributes["originalTransactionId"]) = ("true", answer.name)
        }
        context.emit(.transactionResponseReceived, attributes)
        return reply
    }
}

extension HaloDriver: RefundDriver {
    /// Gives back through the back office, which writes amounts in major units and has a key of its own.
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let key = configuration.backOfficeKey else {
            throw PaymentError.notExecuted(
                .unsupported, "\(identity.id) has no key of the back office; give one, or refund by tap")
        }
        guard let name = request.payment.references["transaction"] else {
            throw PaymentError.notExecuted(.conflict, "the transaction's name is not known")
        }
        let body: JSON = [
            "amount": HaloMapping.office(request.amount, configuration.refundAmounts),
            "refundReference": .string(context.attempt.text),
        ]
        let verdict: Verdict = try await context.exchange(.money) { attempt in
            do {
                let answer = try await wire.read(
                    "POST", HaloPath.refund(name), body: body, bearer: attempt.access.value,
                    more: [HaloPath.officeKey: key.expose()], unreadable: "309", as: HaloAnswer.init(flat:))
                return try HaloMapping.verdict(ofRefund: answer, request.amount)
            } catch let refusal as HTTPErrorResponse { return .declined(try HaloMapping.decline(refusal)) }
        }
        if case .approved(let approval) = verdict { try await expect(approval, called: "refund", context) }
        return verdict
    }

    /// The answer to a refund names no amount, and no document says in which unit it was read; and another amount than the
    /// customer was told has to be beyond doubt: the record says it.
    func expect(
        _ approval: Approval, called kind: String, _ context: PaymentContext
    ) async throws(PaymentError) {
        guard let name = approval.references[kind] else { return }
        let record: HaloRecord
        do { record = try await self.record(name, context.query) } catch {
            throw .unknown(.unreadableReply, "it was accepted, and its record can't be read")
        }
        guard HaloMapping.money(record, configuration.recordAmounts) == approval.amount else {
            throw .unknown(
                .mismatch,
                "the record is about another amount; see the settings refundAmounts and recordAmounts")
        }
    }
}

extension PaymentEvent.Kind {
    /// Card data or a PIN went out.
    static let transactionSubmissionStarted = Self(rawValue: "transactionSubmissionStarted")
    /// The provider answered.
    static let transactionResponseReceived = Self(rawValue: "transactionResponseReceived")
}

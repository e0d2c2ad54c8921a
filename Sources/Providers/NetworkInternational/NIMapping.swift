internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum NIMapping {
    /// Where the provider takes cards on phones.
    static let country = "AE"

    /// How long a token is used that doesn't say how long it lives.
    private static let unsaidSeconds: Int64 = 300

    static func token(_ json: JSON?) throws(PaymentError) -> (token: Secret, milliseconds: Int64) {
        let life = json?["expires_in"]
        let seconds = life?.int64 ?? life?.string.flatMap { Int64($0) } ?? (life == nil ? unsaidSeconds : 0)
        guard let token = json?["access_token"]?.string, !token.isEmpty, (1...31_536_000).contains(seconds)
        else { throw PaymentError.notExecuted(.unreadableReply, "the answer holds no token") }
        return (Secret(token), seconds * 1_000)
    }

    /// When a token is used no more; its life is at most a year.
    static func end(of grant: (token: Secret, milliseconds: Int64), from now: Int64) -> Int64 {
        now.addingReportingOverflow(grant.milliseconds).partialValue
    }

    /// A device token as an application's server gives it: the platform's own answer, or the token alone.
    static func deviceToken(_ given: Secret) throws(PaymentError) -> (token: Secret, milliseconds: Int64) {
        let answer = try? JSONReader().read(Array(given.expose().utf8))
        return answer?.object == nil ? (given, unsaidSeconds * 1_000) : try token(answer)
    }

    /// What a purchase or an authorisation ended with; a word that does not belong to it proves nothing.
    static func verdict(_ payment: NIPayment, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        let references = ["payment": payment.reference, "order": payment.order]
        switch (payment.state, operation) {
        case ("PURCHASED", .sale), ("CAPTURED", .sale), ("AUTHORISED", .authorize):
            guard payment.isSuccess != false, let amount = payment.amount?.money else { throw .unmapped(payment.state) }
            return .approved(Approval(amount, references: references, receipt: receipt(payment)))
        case ("PARTIALLY_AUTHORISED", _):
            // The amount may be what was asked for; the part then stands in the issuer's answer.
            guard payment.isSuccess != false, let part = payment.part?.money ?? payment.amount?.money else {
                throw .unmapped(payment.state)
            }
            var approval = Approval(part, references: references, receipt: receipt(payment))
            approval.isPartial = true
            return .approved(approval)
        case ("FAILED", _), ("DECLINED", _):
            if payment.isSuccess == true { throw .unmapped(payment.state) }
            let code = payment.resultCode ?? ""
            let said = ProviderMessage(code: code, message: payment.resultMessage ?? "")
            return .declined(Decline(.init(issuerResponse: code), provider: said, references: references))
        default: return try open(payment.state, references)
        }
    }

    static let refusals: [String: Decline.Reason] = ["113": .invalidCard, "114": .cardNotSupported]
    /// What the codes of issuers and of the provider mean.
    static let reasons = Decline.Reason.isoResponseCodes.merging(refusals, uniquingKeysWith: { _, own in own })

    /// Two refusals are about the card and not about the request.
    static func decline(_ status: Int, _ said: NIRefusal) -> Decline? {
        guard status < 500, let reason = refusals[said.code] else { return nil }
        return Decline(reason, provider: ProviderMessage(code: said.code, message: said.message))
    }

    /// What an order says about the sale or the authorisation in it.
    static func verdict(_ order: NIOrder, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        var references = ["order": order.reference]
        references["payment"] = order.cards.lazy.compactMap(\.payment).first
        switch (order.state, operation) {
        case ("AUTHORISED", .authorize), ("PARTIALLY_CAPTURED", .authorize), ("PURCHASED", .sale), ("CAPTURED", _),
            ("PARTIALLY_REFUNDED", _), ("REFUNDED", _):
            guard let amount = order.amount?.money, references["payment"] != nil else { throw .unmapped(order.state) }
            return .approved(Approval(amount, references: references, card: card(order)))
        case ("FAILED", _):
            let code = order.result?.code ?? ""
            let said = ProviderMessage(code: code, message: order.result?.message ?? "")
            return .declined(Decline(.init(issuerResponse: code), provider: said, references: references))
        default: return try open(order.state, references)
        }
    }

    /// The states that are neither approved nor declined, in both places.
    private static func open(_ state: String, _ references: PaymentReferences) throws(PaymentError) -> Verdict {
        switch state {
        case "STARTED", "PENDING", "POST_AUTH_REVIEW":
            return .pending(
                Pending(references: references, provider: ProviderMessage(code: state), shouldPoll: false))
        case "REVERSED", "PARTIAL_AUTH_DECLINED", "CANCELLED", "CANCELED":
            return .cancelled(
                Cancellation(
                    cause: .provider, provider: ProviderMessage(code: state), references: references, wasReversed: true)
            )
        default: throw .unmapped(state)
        }
    }

    /// What became of the one capture or refund that is ours.
    static func verdict(
        of movements: ArraySlice<NIMovement>, _ name: String, asked: Money
    ) throws(PaymentError) -> Verdict {
        guard movements.count == 1, let ours = movements.first, let amount = ours.amount?.money, amount == asked else {
            throw PaymentError.unknown(.mismatch, "the answer does not show our \(name)")
        }
        return try verdict(ours.state, name, ours.name, amount)
    }

    /// What the word of a capture, a refund or a void means.
    static func verdict(
        _ word: String, _ name: String, _ reference: String?, _ amount: Money
    ) throws(PaymentError) -> Verdict {
        var references: PaymentReferences = [:]
        if let reference, !reference.isEmpty { references[name] = reference }
        switch word {
        case "SUCCESS": return .approved(Approval(amount, references: references))
        case "REQUESTED" where !references.isEmpty, "PENDING" where !references.isEmpty,
            "SUBMITTED" where !references.isEmpty, "PROCESSING" where !references.isEmpty:
            return .pending(Pending(references: references, provider: ProviderMessage(code: word), shouldPoll: false))
        case "FAILED":
            let said = ProviderMessage(code: word)
            return .declined(Decline(.declinedByProvider, provider: said, references: references))
        default: throw .unmapped(word)
        }
    }

    private static func receipt(_ payment: NIPayment) -> Receipt {
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (payment.authorizationCode, payment.resultCode)
        (receipt.responseText, receipt.retrievalReference) = (payment.resultMessage, payment.retrievalReference)
        receipt.at = payment.at
        var merchant = Receipt.Merchant()
        merchant.merchantID = payment.merchantNumber
        receipt.merchant = merchant
        return receipt
    }
}

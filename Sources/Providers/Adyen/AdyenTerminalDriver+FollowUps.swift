internal import PaymentMobileSDKs
public import PaymentProviderKit

extension AdyenTerminalDriver {
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let body = try AdyenMapping.modification(request.amount, context.attempt, core.configuration)
        return try await core.modify(psp(request).flatMap { CheckoutPath.captures($0) }, body, context)
    }

    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let body = try AdyenMapping.modification(request.amount, context.attempt, core.configuration)
        return try await core.modify(psp(request).flatMap { CheckoutPath.amountUpdates($0) }, body, context)
    }

    /// Cancels what is only held; a payment that was charged is cancelled or refunded, whichever is still possible.
    ///
    /// Without the payment's name in the back office it is cancelled by our own reference.
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        var body = try AdyenMapping.modification(nil, context.attempt, core.configuration)
        guard let psp = psp(request) else {
            body["paymentReference"] = .string(
                request.payment.notes[AdyenMapping.Name.sale] ?? request.payment.id.attempt.text)
            return try await core.modify(CheckoutPath.technicalCancel, body, context)
        }
        let isHeld = request.payment.amounts.captured.isZero
        // Adyen excludes payments that are captured in several parts from reversals.
        let isInParts = request.payment.firstOperation == .authorize && core.configuration.allowsMultipleCaptures
        guard isHeld || !isInParts else {
            throw PaymentError.notExecuted(
                .unsupported,
                "Adyen reverses no payment that is captured in several parts. Refund what was captured; the rest lapses."
            )
        }
        return try await core.modify(
            isHeld ? CheckoutPath.cancels(psp) : CheckoutPath.reversals(psp), body, context)
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let finished = try await finished(request.prepared, .refund, request.amount)
        guard
            finished != nil
                || (core.configuration.refunds == .terminal && request.payment.firstOperation == .sale
                    && request.payment.source != .saved && isKnownToTerminal(request))
        else {
            return try await refundInBackOffice(request, context)
        }
        if let finished {
            let isAll = request.amount == request.payment.amounts.captured
            guard finished.original == request.payment.references[AdyenMapping.Name.transaction],
                finished.amount != nil || isAll
            else {
                throw PaymentError.notExecuted(
                    .invalidRequest, "the finished request is over another payment, or over more of it than is left")
            }
        }
        return try await context.send(finished == nil ? .money : .visible) { _ in
            let terminal = try await core.terminal()
            guard
                let reversal = try AdyenMapping.reversal(
                    request, context.attempt, at: context.now, terminal: terminal, core.configuration.applicationInfo)
            else {
                throw PaymentError.notExecuted(.conflict, "the terminal's name of the payment is not known")
            }
            let message = try await core.prepare(.reversal, reversal.json, finished, context)
            // The terminal repeats what it answered; whether the refund was carried out, a message says.
            return Outgoing(notes: message.notes, names: message.names, canLookUp: false) {
                try await AdyenPreparedRequest.once(finished) {
                    guard let answer = try await core.send(message, finished, context) else {
                        return Verdict.pending(Pending(shouldPoll: true))
                    }
                    guard let reply = PaymentReply(answer.body) else {
                        throw AdyenFailure.unreadable("the answer does not say how it ended")
                    }
                    return try AdyenMapping.reversal(reply)
                }
            }
        }
    }

    private func refundInBackOffice(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        var body = try AdyenMapping.modification(request.amount, context.attempt, core.configuration)
        if let store = core.configuration.store { body["store"] = .string(store) }
        try context.note(AdyenMapping.Name.office, "back office")
        return try await core.modify(psp(request).flatMap { CheckoutPath.refunds($0) }, body, context)
    }

    /// Whether the terminal's name of the payment is known in full; else only the back office can give it back.
    private func isKnownToTerminal(_ request: FollowUpRequest) -> Bool {
        let known = request.payment.references
        let name = known[AdyenMapping.Name.transaction] ?? known[AdyenMapping.Name.tender]
        let isNamed = name != nil && known[AdyenMapping.Name.transactionTime] != nil
        return isNamed || psp(request) == nil
    }

    private func psp(_ request: FollowUpRequest) -> String? { request.payment.references[AdyenMapping.Name.psp] }
}

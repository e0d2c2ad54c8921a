public import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentProviderKit

extension ARISEMobileDriver: SaleDriver {
    /// What the kit's call ended with.
    private typealias End = Result<ARISEPhoneSDK.TTPTransactionResult, ARISEPhoneSDK.Failure>

    /// What the customer pays, as the kit is told.
    private enum Price: Sendable {
        case plain(SDKDecimal)
        case quoted(ARISEPhoneSDK.CalculateAmountResponse, isDebit: Bool)
    }

    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .reader = request.source else { return try await apiDriver.sale(request, context) }
        let profile = try await apiDriver.checkTap(request, context)
        // What would end the kit's call before its card is found out before it, where an error proves something.
        let status = try await context.exchange(.readOnly) { _ in try await kit.ttp.getStatus() }
        guard status == .active else { throw Self.failure(.ttp(.notActive), .performTransaction, .notExecuted) }
        let price = try await price(request, profile, context)
        return try await context.atTerminal {
            let call = watch.calls.begin(context, .init())
            var isCancelled = false
            defer { watch.calls.end(call, isCancelled: isCancelled) }
            let events = try await kit.ttp.eventsStream()
            let verdict = try await context.exchange(.visible) { _ in
                let end = await context.outlasting(Self.callMilliseconds) { await tap(price, events, context) }
                try note(end, context)
                await abortAnswer(after: end, call, context)
                return try judged(end, watch.calls.seen(call) ?? .init(), request.amount)
            }
            if case .cancelled = verdict { isCancelled = true }
            return verdict
        }
    }

    /// The price that was quoted, as the platform makes it now: the kit wants its own answer.
    private func price(
        _ request: SaleRequest, _ profile: ARISEProfile, _ context: PaymentContext
    ) async throws -> Price {
        let places = request.amount.currency.exponent
        func decimal(_ money: Money) throws(PaymentError) -> SDKDecimal {
            if let exact = SDKDecimal(minorUnits: money.minorUnits, places: places) { return exact }
            throw PaymentError.notExecuted(.invalidRequest, "the amount has no decimal text")
        }
        guard let quoted = request.quote, let price = quoted.quote.tenders[quoted.tender] else {
            return .plain(try decimal(request.amount))
        }
        let number = try ARISEMapping.number(of: request.amount.currency).int64
        let currency = number.map { ARISEPhoneSDK.Currency(rawValue: Int($0)) } ?? .usd
        var asked = ARISEPhoneSDK.CalculateAmountRequest(amount: try decimal(price.base), currency: currency)
        asked.percentageOffRate = price.rates["discount"].flatMap { SDKDecimal($0) }
        asked.surchargeRate = price.rates["surcharge"].flatMap { SDKDecimal($0) }
        asked.tipAmount = try price.tip.map { tip throws(PaymentError) in try decimal(tip) }
        if profile.settings?.zeroCost == .dualPricing { asked.useCardPrice = true }
        let wanted = asked
        let said = try await context.exchange(.readOnly) { _ in try await kit.calculateAmount(request: wanted) }
        let isDebit = quoted.tender == .debit
        guard let total = (isDebit ? said.debitCard : said.creditCard)?.totalAmount else {
            throw PaymentError.notExecuted(
                .unsupported, "the kit gives no price for a \(isDebit ? "debit" : "credit") card")
        }
        guard total.minorUnits(places: places) == request.amount.minorUnits else {
            throw PaymentError.notExecuted(.mismatch, "the price is another now; get a new quote")
        }
        return .quoted(said, isDebit: isDebit)
    }

    /// Lets the kit take the card; who leaves doesn't end it, and every event that it gave by then was heard.
    private func tap(
        _ price: Price, _ events: AsyncStream<ARISEPhoneSDK.TTPEvent>, _ context: PaymentContext
    ) async -> End {
        let end = Promise<End>()
        await context.ignoringCancellation {
            let result: End = await watch.listening(to: events) {
                do throws(ARISEPhoneSDK.Failure) {
                    let ttp = await kit.ttp
                    switch price {
                    case .plain(let amount): return .success(try await ttp.performTransaction(amount: amount))
                    case .quoted(let amounts, let isDebit):
                        return .success(
                            try await ttp.performTransaction(calculationResult: amounts, isDebitCard: isDebit))
                    }
                } catch { return .failure(error) }
            }
            end.fulfill(result)
        }
        return await end.value()
    }

    /// Keeps the vendor's own name of the transaction before anything of its result is read, so that it is found by it.
    private func note(_ end: End, _ context: PaymentContext) throws(PaymentError) {
        guard case .success(let result) = end, let id = result.transactionId, !id.isEmpty else { return }
        try context.note(ARISEMapping.transactionKey, id)
    }

    /// Waits a moment for what the kit says to a wish to cancel: its call may end before that.
    private func abortAnswer(after end: End, _ call: Int, _ context: PaymentContext) async {
        if case .success(let result) = end, result.status != .failed { return }
        let last = context.now + Self.abortMilliseconds
        while let seen = watch.calls.seen(call), seen.wantsCancel, !seen.isAborted, context.now < last {
            await context.pause(until: context.now + Self.abortMilliseconds / 20)
        }
    }

    /// What the call's end says, by the outcome tables of the kit and by what was seen of the payment.
    private func judged(
        _ end: End, _ seen: ARISEEventMonitor.Seen, _ asked: Money
    ) throws(PaymentError) -> Verdict {
        switch end {
        case .success(let result): return try judged(result, seen, asked)
        case .failure(let failure):
            if failure == .ttp(.notActive) || failure == .ttp(.sdkNotInitialized) { watch.calls.tell(.notReady) }
            let rule = ARISEPhoneSDK.rule(of: failure, in: .performTransaction)
            switch ARISEPhoneSDK.outcome(of: failure, in: .performTransaction, seen: seen.evidence) {
            case .declined: return .declined(Decline(.declinedOffline, provider: failure.said))
            case .nothingMoved where rule?.cause == .cancelled: return cancelled(seen, failure.said)
            case .nothingMoved: throw PaymentError(rule, .notExecuted, failure.said)
            case .unknown where seen.isCancelled && failure.saysNothing: return cancelled(seen, failure.said)
            case .unknown: throw PaymentError(rule, .unknown, failure.said)
            }
        }
    }

    private func judged(
        _ result: ARISEPhoneSDK.TTPTransactionResult, _ seen: ARISEEventMonitor.Seen, _ asked: Money
    ) throws(PaymentError) -> Verdict {
        let said = ARISETapResult(result)
        let word = result.transactionOutcome?.uppercased()
        var evidence = seen.evidence
        // What the gateway speaks of, or has a name for, was submitted, unless it says itself that it was cancelled.
        if word != nil || result.transactionId != nil, word != "CANCELLED" { evidence.raise(to: .submitted) }
        guard let outcome = ARISEPhoneSDK.outcome(of: result.status, seen: evidence) else {
            guard word == nil || word == "APPROVED" || ARISETapResult.words[word ?? ""] == nil else {
                throw PaymentError.unknown(.mismatch, "the kit says approved, and the gateway something else")
            }
            return try ARISEMapping.verdict(said, asked, reference: nil)
        }
        let message = ProviderMessage(code: result.authorisationResponseCode ?? result.status.rawValue)
        // The kit has no word for what is decided later; the gateway has.
        if word == "PENDING" { return try ARISEMapping.verdict(said, asked, reference: nil) }
        switch outcome {
        case .declined where word == "APPROVED":
            throw PaymentError.unknown(.mismatch, "the kit says declined, and the gateway approved")
        case .declined: return try ARISEMapping.verdict(said, asked, reference: nil)
        case .nothingMoved: return cancelled(seen, message)
        case .unknown
        where seen.isCancelled && result.status == .failed && word == nil && result.transactionId == nil
            && result.authorizationCode == nil && result.authorizedAmount == nil:
            return cancelled(seen, message)
        case .unknown:
            let rule = ARISEPhoneSDK.endings.rule(
                for: result.status.rawValue, in: ARISEPhoneSDK.Call.performTransaction)
            throw PaymentError(rule, .unknown, message)
        }
    }

    private func cancelled(_ seen: ARISEEventMonitor.Seen, _ said: ProviderMessage) -> Verdict {
        .cancelled(Cancellation(cause: seen.wantsCancel ? .merchant : .customer, provider: said))
    }
}

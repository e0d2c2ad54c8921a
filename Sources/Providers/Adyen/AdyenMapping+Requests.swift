internal import PaymentAbstraction
internal import PaymentBase

extension AdyenMapping {
    /// What a terminal is asked for a sale or an authorisation.
    static func payment(
        _ request: SaleRequest, _ attempt: AttemptID, at now: Int64, _ configuration: AdyenConfiguration,
        holds: Bool = false
    ) throws(PaymentError) -> PaymentRequest {
        var data = SaleToAcquirerData()
        data.add("tenderOption", tenderOptions(request, configuration))
        if holds {
            data.add("authorisationType", "PreAuth")
            data.add("manualCapture", "true")
        }
        data.add("store", configuration.store)
        data.add("shopperReference", request.customer)
        data.add("shopperEmail", request.contact?.email?.value)
        data.add("shopperStatement", request.displayText)
        data.add("recurringProcessingModel", recurring(request))
        data.add("metadata.reference", request.reference)
        data.add("metadata.orderNumber", request.orderNumber)
        // Together they are no more than a terminal takes.
        _ = try AdyenAmounts.decimal(request.amount)
        var payment = PaymentRequest(
            transactionID: attempt.text, timestamp: timestamp(now), currency: request.amount.currency.code,
            amount: try AdyenAmounts.decimal(try withoutTip(request.amount, request.tip)))
        payment.tip = try request.tip.map { tip throws(PaymentError) in try AdyenAmounts.decimal(tip) }
        payment.language = request.language.map { String($0.prefix { $0 != "-" }) }
        if request.savesInstrument || request.cardOnFile != nil { payment.tokenRequestedType = "Customer" }
        payment.acquirerData = data
        return payment
    }

    /// What is left of an amount without the tip in it: a terminal charges the tip on top of what it is asked for.
    ///
    /// - Throws: `invalidRequest`, nothing moved, where nothing would be left to ask for.
    static func withoutTip(_ amount: Money, _ tip: Money?) throws(PaymentError) -> Money {
        guard let tip, !tip.isZero else { return amount }
        let left = try amount.subtracting(tip)
        guard !tip.isNegative, left.minorUnits > 0 else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "The tip must be less than the amount, which includes it (got a tip of \(tip) in \(amount)). "
                    + "A terminal takes no payment of a tip alone.")
        }
        return left
    }

    private static func tenderOptions(_ request: SaleRequest, _ configuration: AdyenConfiguration) -> String? {
        var options = configuration.tenderOptions?.split(separator: ",").map(String.init) ?? []
        options.removeAll { $0 == "AllowPartialAuthorisation" }
        if request.acceptsPartialApproval { options.append("AllowPartialAuthorisation") }
        return options.isEmpty ? nil : options.joined(separator: ",")
    }

    static func recurring(_ request: SaleRequest) -> String? {
        switch request.cardOnFile?.kind {
        case .recurring: "Subscription"
        case .customerInitiated: "CardOnFile"
        case .unscheduled: "UnscheduledCardOnFile"
        case nil: request.savesInstrument ? "CardOnFile" : nil
        }
    }

    /// What a terminal is asked for a refund to whatever card is presented.
    static func payment(
        _ request: UnlinkedRefundRequest, _ attempt: AttemptID, at now: Int64, _ configuration: AdyenConfiguration
    ) throws(PaymentError) -> PaymentRequest {
        var payment = PaymentRequest(
            transactionID: attempt.text, timestamp: timestamp(now), currency: request.amount.currency.code,
            amount: try AdyenAmounts.decimal(request.amount))
        payment.isRefund = true
        payment.acquirerData.add("store", configuration.store)
        payment.acquirerData.add("metadata.reference", request.reference)
        return payment
    }

    /// What a terminal is asked for a refund to the original; nil where its name is not known in full.
    static func reversal(
        _ request: FollowUpRequest, _ attempt: AttemptID, at now: Int64, terminal: String
    ) throws(PaymentError) -> ReversalRequest? {
        let known = request.payment.references
        guard let name = known[Name.transaction] ?? known[Name.tender], let time = known[Name.transactionTime] else {
            return nil
        }
        var reversal = ReversalRequest(
            originalID: name, originalTimestamp: time, transactionID: attempt.text, timestamp: timestamp(now))
        if request.amount != request.payment.amounts.captured {
            reversal.amount = try AdyenAmounts.decimal(request.amount)
            reversal.currency = request.amount.currency.code
        }
        if let taker = known[Name.terminal], taker != terminal { reversal.originalPOIID = taker }
        return reversal
    }

    static func timestamp(_ now: Int64) -> String { Timestamp(milliseconds: now)?.text() ?? "" }

    /// The body of a modification in the back office.
    static func modification(
        _ amount: Money?, _ attempt: AttemptID, _ configuration: AdyenConfiguration
    ) throws(PaymentError) -> JSONObject {
        var body: JSONObject = [
            "merchantAccount": .string(configuration.merchant), "reference": .string(attempt.text),
        ]
        if let amount { body["amount"] = try AdyenAmounts.json(amount) }
        return body
    }

    /// A message's name as it is remembered, so that it is found again after a crash.
    static func note(_ header: NexoHeader) -> String {
        "\(header.category.rawValue) \(header.id) \(header.poiID) \(header.saleID)"
    }

    /// A message's name out of what was remembered.
    static func header(_ note: String) -> NexoHeader? {
        let parts = note.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { return nil }
        return NexoHeader(.init(rawValue: parts[0]), id: parts[1], saleID: parts[3], poiID: parts[2])
    }
}

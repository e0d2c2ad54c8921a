internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum AdyenMapping {
    /// What a terminal said about a payment, as a verdict; an unlisted result or condition proves nothing.
    ///
    /// - Throws: ``AdyenFailure`` where it says that nothing was done, or nothing that can be judged.
    static func verdict(_ reply: PaymentReply, asked: Money, isRefund: Bool = false) throws -> Verdict {
        switch reply.response.result {
        case "Success", "Partial":
            return isRefund ? try refund(reply) : try approval(reply, asked: asked)
        case "Failure": return try failure(reply)
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }

    private static func approval(_ reply: PaymentReply, asked: Money) throws -> Verdict {
        let references = references(reply)
        // The back office's name is enough: without the terminal's own it is refunded there.
        guard [Name.transaction, Name.tender, Name.psp].contains(where: { references[$0] != nil }) else {
            throw AdyenFailure.unreadable("the approval does not say what it is called")
        }
        // A tip that no payment has makes the whole answer one that can't be read.
        if let tip = reply.tipAmount { _ = try AdyenAmounts.money(tip, reply.currency, asked: asked.currency) }
        var approval = Approval(try amount(reply, asked: asked), references: references, card: card(reply))
        approval.isPartial = reply.response.result == "Partial"
        approval.isOffline = isOffline(reply)
        guard approval.isOffline || references[Name.psp] != nil else {
            throw AdyenFailure.unreadable("the approval has no name in the back office and is not offline")
        }
        approval.receipt = AdyenReceipts.receipt(reply, approval.amount)
        approval.saved = saved(reply, approval.card)
        return .approved(approval)
    }

    /// The same about a payment that was asked for with a tip: the shopper may have changed the tip at the terminal, or
    /// declined it. An answer whose own parts say something else than what was asked for without the tip stays as it is,
    /// so that the difference is noticed; so does one over more than was asked for that names no tip. Where no tip was
    /// asked for, the terminal may ask for one itself, and its answer says so.
    static func tipped(_ verdict: Verdict, asked: Money, tip: Money?) -> Verdict {
        guard case .approved(var approval) = verdict, !approval.isPartial else { return verdict }
        guard let tip, !tip.isZero else {
            approval.isPartial = approval.receipt?.breakdown.map { $0.base == asked && $0.tip != nil } ?? false
            return .approved(approval)
        }
        guard let least = try? asked.subtracting(tip), approval.amount.currency == least.currency,
            approval.amount.minorUnits >= least.minorUnits,
            approval.receipt?.breakdown.map({ $0.base == least }) ?? (approval.amount.minorUnits <= asked.minorUnits)
        else { return verdict }
        approval.isPartial = approval.amount != asked
        return .approved(approval)
    }

    private static func failure(_ reply: PaymentReply) throws -> Verdict {
        let response = reply.response
        if AdyenDeclineCodes.isDecline(response) {
            let (reason, said) = AdyenDeclineCodes.decline(response)
            var decline = Decline(reason, provider: said, references: references(reply))
            decline.card = card(reply)
            decline.receipt = AdyenReceipts.receipt(reply, nil)
            return .declined(decline)
        }
        if AdyenDeclineCodes.isCancellation(response) {
            let said = ProviderMessage(code: response.condition, message: response.message)
            return .cancelled(
                Cancellation(cause: AdyenDeclineCodes.cause(response), provider: said, references: references(reply)))
        }
        throw AdyenFailure.refused(response)
    }

    /// A refund by card was received, whatever is beside: the acquirer's own code is listed for every answer, so
    /// that it proves nothing. A webhook says what became of it.
    private static func refund(_ reply: PaymentReply) throws -> Verdict {
        guard reply.response.result == "Success" else { throw AdyenFailure.unreadable("a refund in part") }
        let references = references(reply)
        guard references[Name.psp] != nil else {
            throw AdyenFailure.unreadable("the refund was received and has no name to wait for")
        }
        return .pending(received(reply, references))
    }

    /// A refund that was received, with what the answer has for its receipt.
    private static func received(_ reply: PaymentReply, _ references: PaymentReferences) -> Pending {
        var pending = Pending(references: references, provider: acquirer(reply), shouldPoll: false)
        let receipt = AdyenReceipts.receipt(reply, nil)
        if receipt != Receipt() { pending.receipt = receipt }
        return pending
    }

    /// What the acquirer said at once, which is shown and proves nothing; nil where it said nothing.
    private static func acquirer(_ reply: PaymentReply) -> ProviderMessage? {
        reply.response.additional["acquirerResponseCode"].map { ProviderMessage(code: $0) }
    }

    /// What a terminal said about a refund to the original: received, and never more than that.
    static func reversal(_ reply: PaymentReply) throws -> Verdict {
        switch reply.response.result {
        case "Success":
            // Without a name of its own the webhook still carries ours: what it says is believed, but for a refusal, which
            // may be a second copy's. A terminal's names are a tender and, behind a dot, the name that webhooks have.
            let name = reply.poiTransactionID?.split(separator: ".").last.map { String($0) }
            return .pending(received(reply, name.map { [Name.modification: $0] } ?? [:]))
        case "Failure": return try failure(reply)
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }

    /// What the back office answered: received, and never more than that.
    static func verdict(_ reply: ModificationReply?, reference: AttemptID, asked: JSON?) throws -> Verdict {
        guard let reply, reply.isReceived else {
            throw AdyenFailure.unreadable("the answer does not say that the request was received")
        }
        if let units = reply.minorUnits, let due = asked?.member("value")?.whole, units != due {
            throw AdyenFailure.stranger
        }
        if let code = reply.currency, let due = asked?.member("currency")?.text, code != due {
            throw AdyenFailure.stranger
        }
        // A reference may come back shortened.
        if let echoed = reply.reference, echoed.isEmpty || !reference.text.hasPrefix(echoed) {
            throw AdyenFailure.stranger
        }
        return .pending(Pending(references: [Name.modification: reply.pspReference], shouldPoll: false))
    }

    /// The amount that was approved: from the answer's own figure, else from what the payment service adds. Where both
    /// are there and differ, something was added at the terminal, and the webhook says what was charged.
    private static func amount(_ reply: PaymentReply, asked: Money) throws(PaymentError) -> Money {
        let additional = reply.response.additional
        let units = try additional["posAuthAmountValue"].map { text throws(PaymentError) in
            guard let units = Int64(text) else { throw AdyenAmounts.unreadable("the amount beside can't be read") }
            return units
        }
        let code = additional["posAuthAmountCurrency"]
        let charged: Money? = if let units, let code { try AdyenAmounts.money(units, code) } else { nil }
        guard let decimal = reply.authorizedAmount else {
            guard let charged else { throw AdyenAmounts.unreadable("the approval names no amount") }
            return charged
        }
        let said = try AdyenAmounts.money(decimal, reply.currency, asked: asked.currency)
        if let charged, charged.currency == said.currency, charged != said {
            throw PaymentError.unknown(
                .mismatch,
                "the approval names both \(said) and \(charged); see gratuities and surcharge in the terminal's settings"
            )
        }
        return said
    }

    private static func isOffline(_ reply: PaymentReply) -> Bool {
        reply.response.additional["offline"]?.lowercased() == "true"
            || reply.pspReference == nil && reply.isOnline == false
    }

    /// The names under which references and notes are kept.
    enum Name {
        /// What the terminal calls the payment.
        static let transaction = "transaction"
        /// What the terminal calls a payment that the back office has no name for yet; its webhooks carry it.
        static let tender = "tender"
        /// When the terminal made it, which belongs to its name.
        static let transactionTime = "transactionTime"
        /// What the back office calls the payment.
        static let psp = "psp"
        /// What the back office calls a later operation.
        static let modification = "modification"
        /// The terminal that took it.
        static let terminal = "terminal"
        /// The message that asked for it.
        static let message = "message"
        /// What a finished request calls itself, where that is not our own name.
        static let sale = "sale"
        /// The phone that was asked, which can't be asked what became of it.
        static let phone = "phone"
        /// The back office was asked for a refund, which has no message's name.
        static let office = "office"
        /// The payment that is being taken back because only a part was approved.
        static let reversing = "reversing"
        /// Those that one operation alone has.
        static let naming: Set<String> = [tender, psp, modification]
    }

    static func references(_ reply: PaymentReply) -> PaymentReferences {
        var references: PaymentReferences = [:]
        if let time = reply.poiTimestamp { references[Name.transactionTime] = time }
        if let psp = reply.pspReference ?? reply.response.additional["pspReference"], !psp.isEmpty {
            references[Name.psp] = psp
        }
        if let name = reply.poiTransactionID, !name.isEmpty {
            // Without a name of the back office's it is the tender's alone, which a webhook carries later.
            let isWhole = name.utf8.contains(UInt8(ascii: ".")) || references[Name.psp] != nil
            references[isWhole ? Name.transaction : Name.tender] = name
        }
        return references
    }

    static func card(_ reply: PaymentReply) -> CardSummary? {
        let additional = reply.response.additional
        guard reply.card != nil || additional["cardType"] != nil else { return nil }
        var card = CardSummary(
            brand: reply.card?.member("PaymentBrand")?.text ?? additional["paymentMethod"],
            maskedNumber: reply.card?.member("MaskedPan")?.text, last4: nil)
        if card.last4 == nil, let digits = additional["cardSummary"] {
            card = CardSummary(brand: card.brand, last4: digits)
        }
        card.entry = reply.card?.member("EntryMode")?.items.compactMap(\.text).first.map(entry)
        card.expiry = expiry(reply, additional)
        card.funding = additional["fundingSource"]?.lowercased()
        card.issuerCountry = additional["issuerCountry"] ?? reply.card?.member("CardCountryCode")?.text
        card.holder = additional["cardHolderName"].map { PersonalData($0) }
        return card
    }

    private static func entry(_ mode: String) -> String {
        switch mode {
        case "Contactless", "Tapped", "RFID": "contactless"
        case "ICC", "SynchronousICC": "chip"
        case "MagStripe": "swipe"
        case "Keyed", "Manual": "keyed"
        default: mode
        }
    }

    private static func expiry(_ reply: PaymentReply, _ additional: AdditionalResponse) -> String? {
        if let month = additional["expiryMonth"], let year = additional["expiryYear"], year.count >= 2 {
            return (month.count == 1 ? "0" + month : month) + "/" + year.suffix(2)
        }
        guard let short = reply.card?.member("SensitiveCardData", "ExpiryDate")?.text, short.count == 4 else {
            return nil
        }
        return short.prefix(2) + "/" + short.suffix(2)
    }

    private static func saved(_ reply: PaymentReply, _ card: CardSummary?) -> SavedInstrument? {
        let additional = reply.response.additional
        let token =
            reply.card?.member("PaymentToken", "TokenValue")?.text ?? additional["tokenization.storedPaymentMethodId"]
            ?? additional["recurring.recurringDetailReference"]
        guard let token, !token.isEmpty else { return nil }
        let customer =
            additional["tokenization.shopperReference"] ?? additional["recurring.shopperReference"]
            ?? additional["shopperReference"]
        var saved = SavedInstrument(instrument(token, customer), card: card)
        saved.customer = customer
        return saved
    }
}

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
        data.add(configuration.applicationInfo)
        // Together they are no more than a terminal takes.
        _ = try AdyenAmounts.decimal(request.amount)
        var payment = PaymentRequest(
            transactionID: merchantReference(request.reference, attempt, configuration), timestamp: timestamp(now),
            currency: request.amount.currency.code,
            amount: try AdyenAmounts.decimal(try withoutTip(request.amount, request.tip)))
        payment.tip = try request.tip.map { tip throws(PaymentError) in try AdyenAmounts.decimal(tip) }
        payment.language = request.language.map { String($0.prefix { $0 != "-" && $0 != "_" }) }
        if request.savesInstrument || request.cardOnFile != nil { payment.tokenRequestedType = "Customer" }
        payment.acquirerData = data
        return payment
    }

    /// What a payment is called in the Customer Area and in reports: the attempt, or the order before it.
    static func merchantReference(
        _ order: String, _ attempt: AttemptID, _ configuration: AdyenConfiguration
    ) -> String {
        guard configuration.merchantReference == .orderAndAttempt, !order.isEmpty else { return attempt.text }
        let room = merchantReferenceMax - attempt.text.utf8.count - 1
        var cut = order
        while cut.utf8.count > room { cut.removeLast() }
        return "\(cut)~\(attempt.text)"
    }

    /// The attempt in a merchant reference: no attempt's id has the mark that is before it.
    static func attempt(in reference: String) -> String {
        reference.split(separator: "~", omittingEmptySubsequences: false).last.map { String($0) } ?? reference
    }

    /// The longest merchant reference, in characters.
    private static let merchantReferenceMax = 80

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
        payment.acquirerData.add(configuration.applicationInfo)
        return payment
    }

    /// What a terminal is asked for a refund to the original; nil where its name is not known in full.
    static func reversal(
        _ request: FollowUpRequest, _ attempt: AttemptID, at now: Int64, terminal: String,
        _ applicationInfo: AdyenConfiguration.ApplicationInfo
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
        reversal.acquirerData.add(applicationInfo)
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
        var groups = JSONObject()
        for member in configuration.applicationInfo.members {
            groups[member.group] = (groups[member.group] ?? [:]).adding(member.name, .string(member.value))
        }
        if groups.count > 0 { body["applicationInfo"] = .object(groups) }
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

extension AdyenMapping {
    /// An instrument's name together with its customer's, since the back office asks for both.
    static func instrument(_ token: String, _ customer: String?) -> SavedInstrument.ID {
        .init(rawValue: customer.map { "\(token)/\($0)" } ?? token)
    }

    /// What the back office is asked to charge an instrument that it keeps, without the customer being asked anything.
    static func charge(
        _ id: SavedInstrument.ID, _ request: SaleRequest, _ attempt: AttemptID, _ configuration: AdyenConfiguration
    ) throws(PaymentError) -> JSONObject {
        let parts = id.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
        let owner = parts.dropFirst().first
        guard let token = parts.first, let customer = request.customer ?? owner else {
            throw PaymentError.notExecuted(.invalidRequest, "a saved instrument is charged with its customer's name")
        }
        if let owner, owner != customer {
            throw PaymentError.notExecuted(.invalidRequest, "The instrument is not one of this customer's.")
        }
        if request.acceptsPartialApproval || request.prepared != nil {
            throw PaymentError.notExecuted(.unsupported, "a saved instrument is charged in full, by our own request")
        }
        if request.tip.map({ !$0.isZero }) ?? false {
            throw PaymentError.notExecuted(
                .unsupported, "Adyen takes no tip with a saved card. Send the whole amount without one.")
        }
        var body = try modification(request.amount, attempt, configuration)
        body["paymentMethod"] = ["type": "scheme", "storedPaymentMethodId": .string(token)]
        body["shopperReference"] = .string(customer)
        body["shopperInteraction"] = "ContAuth"
        // The description requires it of every payment, though no shopper is sent anywhere without the shopper.
        body["returnUrl"] = .string(configuration.returnURL)
        body.add("recurringProcessingModel", recurring(request) ?? "CardOnFile")
        body.add("shopperEmail", request.contact?.email?.value)
        body.add("shopperStatement", request.displayText)
        body.add("store", configuration.store)
        var metadata: JSONObject = ["reference": .string(request.reference)]
        metadata.add("orderNumber", request.orderNumber)
        body["metadata"] = .object(metadata)
        return body
    }

    /// What the back office said about it; what asks for the customer, or is in no list, proves nothing.
    static func verdict(_ reply: SavedPaymentReply?, _ name: String?, asked: Money? = nil) throws -> Verdict {
        guard let reply else { throw AdyenFailure.unreadable("the answer does not say how it ended") }
        if let name, let echoed = reply.merchantReference, echoed != name { throw AdyenFailure.stranger }
        let names: PaymentReferences = reply.pspReference.isEmpty ? [:] : [Name.psp: reply.pspReference]
        switch reply.result {
        case "Authorised":
            guard !names.isEmpty else { throw AdyenFailure.unreadable("the approval has no name") }
            // The amount may be left out; the back office changes none.
            let said = try reply.minorUnits.flatMap { units in
                try reply.currency.map { try AdyenAmounts.money(units, $0) }
            }
            guard let approved = said ?? (reply.hasAmount ? nil : asked) else {
                throw AdyenFailure.unreadable("the approval names no amount, or half of one")
            }
            var approval = Approval(approved, references: names)
            approval.card = CardSummary(brand: reply.brand, last4: reply.additional["cardSummary"])
            return .approved(approval)
        case "Refused":
            let said = ProviderMessage(code: reply.refusalCode, message: reply.refusalReason)
            if reply.isTriedAgain {
                return .pending(Pending(references: names, provider: said, shouldPoll: false))
            }
            return .declined(
                Decline(AdyenDeclineCodes.office[reply.refusalCode] ?? .unmapped, provider: said, references: names))
        case "Cancelled":
            return .cancelled(
                Cancellation(cause: .provider, provider: ProviderMessage(code: reply.result), references: names))
        case "Received", "Pending":
            guard !names.isEmpty else { throw AdyenFailure.unreadable("it has no name to wait for") }
            return .pending(Pending(references: names, shouldPoll: false))
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }
}

/// The provider's own minor units, which differ from the standard's for some currencies.
enum AdyenAmounts {
    /// Currencies without decimals at this provider.
    static let without: Set<String> = [
        "CVE", "DJF", "GNF", "IDR", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    /// Currencies with three decimals; all others have two.
    static let three: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// What differs from the standard.
    static let exponents: CurrencyExponents = {
        var differences: [Currency: UInt8] = [:]
        for currency in Currency.allCases {
            let own: UInt8 = without.contains(currency.code) ? 0 : three.contains(currency.code) ? 3 : 2
            if Int(own) != currency.exponent { differences[currency] = own }
        }
        return CurrencyExponents(differences)
    }()

    /// The most that a terminal takes, in whole units.
    static let wholeUnitsMax: Int64 = 99_999_999

    /// An amount as terminals have it: major units, exactly.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the provider's minor units can't hold it.
    static func decimal(_ money: Money) throws(PaymentError) -> JSONNumber {
        _ = try exponents.minorUnits(money)
        let number = JSONNumber(units: money.minorUnits, places: money.currency.exponent)
        let digits = Substring(number.text.utf8.prefix { $0 != UInt8(ascii: ".") })
        guard let whole = Int64(digits), whole <= wholeUnitsMax else {
            throw PaymentError.notExecuted(
                .invalidRequest, "terminals take no more than \(wholeUnitsMax) whole units, not \(money)")
        }
        return number
    }

    /// An amount as the back office has it.
    static func json(_ money: Money) throws(PaymentError) -> JSON {
        [
            "currency": .string(money.currency.code),
            "value": .number(JSONNumber(try exponents.minorUnits(money))),
        ]
    }

    /// An amount of the provider's minor units, if a payment can be over it.
    static func money(_ minorUnits: Int64, _ code: String) throws(PaymentError) -> Money {
        guard let currency = Currency.known(code) else { throw unreadable("the answer names no currency") }
        return try exponents.money(minorUnits: minorUnits, currency).believable()
    }

    /// An amount in major units as a terminal wrote it, if a payment can be over it; where it names no currency, the one
    /// that was asked.
    static func money(_ decimal: JSONNumber, _ code: String?, asked: Currency) throws(PaymentError) -> Money {
        guard let currency = code.map({ Currency.known($0) }) ?? asked else {
            throw unreadable("the answer names an unknown currency")
        }
        return try Money(wireDecimal: decimal.text, currency).believable()
    }

    static func unreadable(_ what: String) -> PaymentError {
        PaymentError.unknown(.unreadableReply, what)
    }
}

/// Receipts out of a terminal's reply: as fields and as lines.
enum AdyenReceipts {
    /// Everything that belongs on a receipt.
    static func receipt(_ reply: PaymentReply, _ amount: Money?) -> Receipt {
        let additional = reply.response.additional
        var receipt = Receipt()
        receipt.authorizationCode =
            reply.acquirer?.member("ApprovalCode")?.text ?? additional["authCode"] ?? additional["offlineAuthCode"]
        receipt.responseCode = additional["acquirerResponseCode"]
        receipt.responseText = reply.response.message.isEmpty ? nil : reply.response.message
        receipt.retrievalReference = additional["transactionReferenceNumber"]
        receipt.at = reply.poiTimestamp.flatMap { Timestamp($0)?.milliseconds }
        receipt.verification = reply.authentication.first.map(verification)
        receipt.signatureRequired = reply.receipts.contains { $0.member("RequiredSignatureFlag")?.truth == true }
        receipt.add(tags(additional))
        receipt.merchant = merchant(reply, additional)
        if let amount { receipt.breakdown = breakdown(reply, amount) }
        receipt.lines = reply.receipts.flatMap(lines)
        return receipt
    }

    private static func verification(_ method: String) -> String {
        switch method {
        case "OnlinePIN", "OfflinePIN": "pin"
        case "SignatureCapture", "PaperSignature": "signature"
        case "Bypass": "none"
        default: method
        }
    }

    /// The chip's data as far as it is named.
    private static func tags(_ additional: AdditionalResponse) -> [Receipt.EMVTag] {
        let named = [
            ("AID", "4F"), ("applicationLabel", "50"), ("applicationPreferredName", "9F12"), ("tc", "9F26"),
            ("cardHolderVerificationMethodResults", "9F34"),
        ]
        return named.compactMap { name, tag in additional[name].map { Receipt.EMVTag(tag, $0) } }
    }

    private static func merchant(_ reply: PaymentReply, _ additional: AdditionalResponse) -> Receipt.Merchant? {
        var merchant = Receipt.Merchant()
        merchant.merchantID = additional["mid"] ?? reply.acquirer?.member("MerchantID")?.text
        merchant.terminalID = additional["tid"] ?? reply.acquirer?.member("AcquirerPOIID")?.text
        return merchant == Receipt.Merchant() ? nil : merchant
    }

    private static func breakdown(_ reply: PaymentReply, _ total: Money) -> Quote.Breakdown? {
        guard let tip = reply.tipAmount, let money = try? AdyenAmounts.money(tip, nil, asked: total.currency),
            !money.isZero, let base = try? total.subtracting(money), !base.isNegative
        else { return nil }
        var breakdown = Quote.Breakdown(base: base, total: total)
        breakdown.tip = money
        return breakdown
    }

    /// The lines of one receipt; each text is a row of pairs.
    private static func lines(_ receipt: JSON) -> [Receipt.Line] {
        let copy: Receipt.Line.Copy? =
            switch receipt.member("DocumentQualifier")?.text {
            case "CashierReceipt": .merchant
            case "CustomerReceipt", "SaleReceipt": .customer
            default: nil
            }
        guard let copy else { return [] }
        return (receipt.member("OutputContent", "OutputText")?.items ?? []).compactMap { line in
            guard let text = line.member("Text")?.text else { return nil }
            let pairs = AdditionalResponse(text)
            return Receipt.Line(
                copy, pairs["name"] ?? "", value: pairs["value"], key: pairs["key"],
                isBold: line.member("CharacterStyle")?.text == "Bold")
        }
    }
}

internal import PaymentBase
internal import PaymentTransport

/// How the simulated provider behaves under one reading of the documents; what it leaves alone is as usual.
struct AdyenReading: Sendable {
    /// A question about a message, with how often it was asked before.
    struct Question {
        let key: String
        let earlier: Int
        let header: JSONObject
    }

    /// What a terminal puts on top of a payment's amount, in minor units of every currency.
    var extra: Int64 = 0
    /// What becomes of a tip that the till sends: how much is charged on top, and how much the answer names; of none the
    /// answer names nothing.
    var tip: @Sendable (Int64) -> (charged: Int64, named: Int64) = { ($0, $0) }
    /// What a terminal's answer to a payment becomes, before it is remembered and given.
    var payment: @Sendable (JSON) -> JSON = { $0 }
    /// The same for a refund to whatever card is presented.
    var cardRefund: @Sendable (JSON) -> JSON = { $0 }
    /// What the answer to a refund at the terminal becomes.
    var reversal: @Sendable (JSON) -> JSON = { $0 }
    /// What a terminal says about another message.
    var status: @Sendable (JSON, Question) -> JSON = { said, _ in said }
    /// Whether a terminal learns that a payment is to end: by how often it was asked so before.
    var hearsAbort: @Sendable (Int) -> Bool = { _ in true }
    /// Whether a phone answers a question about another message.
    var phoneAnswers = false
    /// What is answered to who ends a payment; nil for an empty answer.
    var abort: @Sendable (NexoRequest, String) -> SimulatorResponse? = { _, _ in nil }
    /// What the cloud answers where it doesn't wait for the terminal.
    var taken: SimulatorResponse?
    /// What the back office answers; `isRepeat` says that the key came before.
    var office: @Sendable (String, _ isRepeat: Bool, JSON, Int) -> (JSON, Int) = { _, _, said, status in (said, status)
    }
    /// How one more try of a stored card that was refused ends (Auto Rescue); nil for no further try.
    var rescues: Bool?
    /// What one item of a webhook becomes before it is signed; nil for one that is not sent.
    var item: @Sendable (JSON) -> JSON? = { $0 }
    /// What is sent beside or instead of one signed item.
    var items: @Sendable ([JSON]) -> [[JSON]] = { [$0] }

    init(_ build: (inout AdyenReading) -> Void = { _ in }) { build(&self) }

    /// What is put on top of an amount; nothing where nothing would be left.
    func added(to units: Int64) -> Int64 { units + extra > 0 ? extra : 0 }

    /// One of payments alone.
    static func payment(_ change: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading { $0.payment = change }
    }

    /// Every reading that can be played, with what is expected of an adapter.
    static let played: [String: (word: BehaviorVariant.Expectation, reading: AdyenReading)] =
        payments.merging(terminals) { one, _ in one }.merging(offices) { one, _ in one }
}

extension AdyenSimulator: VariantProvider {
    public static let readings: [BehaviorVariant] = AdyenReading.list.split(separator: "\n").map { line in
        let parts = line.split(separator: "|", maxSplits: 2).map(String.init)
        let (isUsual, name) = (parts[1].hasPrefix("*"), parts[1].drop { $0 == "*" })
        let word = AdyenReading.played["\(parts[0]).\(name)"]?.word
        return BehaviorVariant(place: "adyen.\(parts[0])", String(name), parts[2], isUsual: isUsual, word)
    }

    public func play(_ reading: String) -> Bool {
        guard let known = Self.readings.first(where: { $0.id == reading }) else { return false }
        if known.isUsual {
            state.withLock { $0.reading = AdyenReading() }
            return true
        }
        guard let played = AdyenReading.played[String(reading.dropFirst(6))] else { return false }
        state.withLock { $0.reading = played.reading }
        return true
    }
}

/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
extension AdyenReading {
    static let list = #"""
        tip|*as-asked|nothing is added to the amount
        tip|asked-on-terminal|terminal set up to ask: AuthorizedAmount = asked + tip, TipAmount = tip
        tip|beside-the-amount|AuthorizedAmount stays the asked one, TipAmount = tip, posAuthAmountValue and the \#
        webhook hold the sum
        tip.sent|*on-top|RequestedAmount is without the tip; both are charged, AuthorizedAmount is the sum
        tip.sent|inside|RequestedAmount holds the TipAmount that stands beside it, and it alone is charged
        tip.sent|declined|the shopper declines the tip: RequestedAmount alone is charged, and the answer names no tip
        tip.sent|raised|the shopper gives twice the tip: AuthorizedAmount and TipAmount say so
        surcharge|*none|no surcharge
        surcharge|by-configuration|AuthorizedAmount = asked + surcharge, only AdditionalResponse says why
        surcharge|not-in-amount|AuthorizedAmount = asked; surcharge beside it and in the webhook
        webhook-amount|*same-as-reply|AUTHORISATION carries the reply's amount
        webhook-amount|larger|AUTHORISATION amount is larger than the reply's, extraCosts say why
        webhook-amount|smaller|smaller (partial approval that the reply called Success)
        status-memory|*48-hours|remembers every message for 48 h
        status-memory|never-found|forgot it (restart, replaced terminal, other SaleID, cleared queue): NotFound \#
        although it was charged
        status-memory|last-only|remembers only the last transaction
        capture-of-a-sale|*at-once|a sale is captured when approved
        capture-of-a-sale|delayed|captured days later; CAPTURE_FAILED with originalReference = the sale may follow
        capture-of-a-sale|account-manual|account captures by hand: the sale is only held and expires (EXPIRE)
        expire|*never|holds wait for ever
        expire|expires|EXPIRE success=true for what was not captured
        expire|part|EXPIRE for the rest after a partial capture
        offline.declined-later|*forwarded-approved|forwarding ends in AUTHORISATION true
        offline.declined-later|declined-on-forward|AUTHORISATION false for an offline approval
        offline.declined-later|lost|data lost (passcode removed, app deleted): no webhook ever
        service-id.repeated|*done-again|forgets the first and charges again
        service-id.repeated|answered-again|answers from memory
        service-id.repeated|rejected|Reject event or Failure/NotAllowed/InProgress, first one stands
        cancelled-then-authorised|*nothing-at-host|Cancel/Aborted/UnreachableHost: no authorisation exists
        cancelled-then-authorised|host-approved-first|AUTHORISATION true arrives for it, then \#
        TECHNICAL_CANCEL/CANCELLATION true
        cancelled-then-authorised|host-approved-stays|AUTHORISATION true and no cancel
        dcc|*merchants-currency|AmountsResp in the asked currency, nothing beside
        dcc|beside-the-amount|the same with CurrencyConversion / dcc.* beside
        dcc|amount-in-shoppers-currency|AmountsResp and posAuthAmount* in the card's currency, posOriginalAmount* \#
        in ours
        partial|*called-partial|Result Partial, AuthorizedAmount < asked
        partial|called-success|Result Success with AuthorizedAmount < asked
        partial|unasked|Partial although the request did not allow it (account setting)
        reversal.before-capture|*always-refund|CANCEL_OR_REFUND action refund
        reversal.before-capture|cancel-if-uncaptured|same-day reversal is a cancel of the whole authorisation, \#
        also when ReversedAmount is a part
        reversal.before-capture|part-refused|partial reversal of an uncaptured payment fails by webhook
        reversal.full-after-part|*rest|without ReversedAmount the rest goes back
        reversal.full-after-part|whole|without ReversedAmount the whole original is asked and refused by webhook
        cardrefund.acquirer-code|*only-when-final|present only when synchronous and approved
        cardrefund.acquirer-code|acquirer-code-always|present although only received
        cardrefund.acquirer-code|declined-code|present with a declining value beside Result Success
        attestation|*thrown|kit refuses before an answer
        attestation|refusal-inside-response|PaymentResponse Failure, ErrorCondition NotAllowed/UnavailableService,\#
         code in AdditionalResponse message/errorCode
        attestation|no-saledata|the same without SaleData/POIData
        phone.status|*cannot-be-asked|no TransactionStatus on phones
        phone.status|answers|performTransaction/diagnosis takes a TransactionStatus message
        saved.result|*authorised-with-amount|Authorised with amount
        saved.result|received|Received/Pending without amount, AUTHORISATION later
        saved.result|no-amount|Authorised without amount
        saved.result|partially-authorised|PartiallyAuthorised
        saved.result|error-word|Error
        saved.result|asks-the-shopper|RedirectShopper/ChallengeShopper/IdentifyShopper
        saved.result|tried-again|Auto Rescue: Refused with retry.rescueScheduled true, AUTHORISATION true days later
        saved.result|tried-again-in-vain|the same, and at last AUTHORISATION false with rescueScheduled false
        saved.return-url|not-needed|ContAuth works without
        saved.return-url|*return-url-needed|422, field required
        idempotency|*same-answer|same key, same answer
        idempotency|repeat-704|422 errorCode 704 while/after the first
        idempotency|repeat-409|409
        idempotency|transient-error|header transient-error: true, same key may be sent again
        modification.echo|*all-echoed|amount, reference, merchantAccount echoed
        modification.echo|nothing-echoed|only status and pspReference
        modification.echo|reference-cut|reference shortened or changed
        adjust.word|*received|received, webhook later
        adjust.word|paid-at-once|authorised at once
        adjust.word|refused|refused at once
        modification.refused-at-once|*received-then-false|too much is received and refused by webhook
        modification.refused-at-once|refused-at-once|422 at once
        poidata|only-on-success|failures carry none, sometimes no SaleData (against the description)
        poidata|*on-failures|always there, also on failures
        poidata|missing|absent on a success
        poidata|no-time|POITransactionID without TimeStamp
        poidata|time-in-local-zone|TimeStamp with +02:00
        receipt|*two|cashier's and customer's
        receipt|missing|none (terminal prints)
        receipt|once-only|not in the repeated answer
        additional.form|*pairs|k=v pairs
        additional.form|base64-json|Base64 of JSON with additionalData, message, store
        additional.form|missing|absent
        amounts.place|*amountsresp|AmountsResp and posAuthAmount*
        amounts.place|only-beside|only posAuthAmount*
        amounts.place|none|neither
        amounts.place|no-currency|AmountsResp without Currency
        amounts.place|as-text|number as text
        amounts.disagree|*agree|AuthorizedAmount = posAuthAmountValue
        amounts.disagree|amount-disagrees|they differ
        psp.place|*three-places|dotted name, pspReference pair, AcquirerTransactionID
        psp.place|only-in-name|only in the dotted name
        psp.place|only-in-acquirer|only AcquirerTransactionID
        saledata|*echoed|SaleTransactionID echoed
        saledata|not-echoed|absent
        decline.form|*condition-and-result|ErrorCondition + PaymentResult
        decline.form|no-result|without PaymentResult
        decline.form|no-condition|Failure without ErrorCondition
        decline.form|word-unlisted|ErrorCondition outside the list
        result.case|*as-listed|Success
        result.case|other-case|success / SUCCESS
        busy|*failure-busy|PaymentResponse Failure/Busy
        busy|as-rejection|Reject event message=Busy
        busy|called-in-progress|Failure/InProgress
        busy|http-409|HTTP error of the cloud
        status.race|*found-at-once|known from the first question
        status.race|not-found-at-first|NotFound once, then found
        status.long|*short|InProgress for seconds
        status.long|in-progress-for-long|InProgress for minutes (signature, PIN, slow host)
        status.long|for-ever|InProgress for good (hung terminal)
        status.busy|*in-progress|InProgress
        status.busy|busy-while-running|Busy for the same message
        status.repeat|*whole|header of the original, whole body
        status.repeat|no-repeat|Success without RepeatedMessageResponse
        status.repeat|repeat-head-of-status|header carries the status message's ServiceID
        status.repeat|repeat-head-without-id|header without ServiceID
        status.repeat|outer-as-inner|outer Result repeats the inner failure
        status.saleid|*any-till|any SaleID may ask
        status.saleid|same-till-only|another SaleID gets NotFound
        abort.answer|*empty-200|empty body
        abort.answer|answered-by-message|AbortResponse
        abort.answer|text-ok|plain ok
        abort.answer|rejected|Reject event: not delivered or no answer
        abort.effect|*before-card|works until the card is in
        abort.effect|lost|ignored
        abort.effect|lost-once|first one ignored
        abort.effect|takes-seconds|payment ends seconds later
        abort.effect|until-approved|works until approved, also with the card in
        cancel.word|*aborted|Aborted for the till
        cancel.word|called-cancel|Cancel + 104
        cancel.word|timeout-126|Cancel/Refusal + '126 Shopper did not present card'
        reject.text|*four-known-texts|listed texts
        reject.text|other-language-or-case|other words, other escapes
        reject.text|with-rejected-message|RejectedMessage (mandatory for Reject in OA) of another exchange
        cloud.http|*reject-event|200 with Reject
        cloud.http|http-4xx-5xx|404/408/422/504 for an unreachable or unknown terminal
        async.answer|*ok-text|ok
        async.answer|empty-body|empty 200
        async.answer|status-202|202
        async.answer|event-url|real answer POSTed to the event URL, unsigned
        reversal.answer|*psp-and-decimal|TransactionID = psp + C, decimal amount
        reversal.answer|amount-in-minor-units|ReversedAmount 10100
        reversal.answer|dotted-name|tender.psp
        reversal.answer|no-poidata|without POIData
        reversal.partial-words|*notallowed|too much = NotAllowed
        reversal.partial-words|success-then-false|Success, then CANCEL_OR_REFUND false
        session.token|*24-hours|one token, one session, 24 h assumed
        session.token|per-transaction|kit asks register(with:) again at any time
        session.token|token-once|a setup token opens one session only
        session.token|other-installation|installationId changes at re-registration
        session.token|softpos-v3|only /auth/certificate
        session.answer|*status-201|201
        session.answer|status-200|200
        session.answer|no-installation|without installationId
        webhook.delivery|*once-in-order|one item, in order
        webhook.delivery|twice|twice
        webhook.delivery|newest-first|REFUND_FAILED before REFUND …
        webhook.delivery|all-in-one|many items in one call
        webhook.delivery|with-strangers|REPORT_AVAILABLE etc. between
        webhook.delivery|none|never
        webhook.before-reply|*after|after the reply
        webhook.before-reply|before-reply|before the terminal's or Checkout's answer
        webhook.form|*text-success|"true"
        webhook.form|success-as-truth-value|true
        webhook.form|empty-original|originalReference ""
        webhook.form|no-time|eventDate missing
        webhook.form|local-time|+02:00
        webhook.form|body-signed|header HmacSignature over the body
        webhook.terminal-name|uniqueTerminalId|an older name that no description has
        webhook.terminal-name|*terminalId|the published name
        webhook.terminal-name|no-terminal-names|neither, no tenderReference
        webhook.merchant-reference|*ours|SaleTransactionID.TransactionID
        webhook.merchant-reference|cut-to-80|shortened
        webhook.merchant-reference|changed-case|changed
        webhook.retried-card|*one|one item
        webhook.retried-card|false-then-true|shopper takes another card
        webhook.retried-card|true-then-false|late false of the first card
        refund.outside|*ours-only|only our refunds
        refund.outside|by-a-person|REFUND/CANCELLATION with our merchantReference, not ours
        chargeback|*none|none
        chargeback|lost|CHARGEBACK, SECOND_CHARGEBACK; reversed later
        clock|*same|same clock
        clock|behind|an hour behind
        clock|ahead|an hour ahead
        card.form|*text-056|text
        card.form|types-of-the-description|integer 56
        card.form|entry-not-a-list|text
        card.form|missing|no instrument data
        expiry.of-key|*for-ever|keys are kept
        expiry.of-key|31-days|forgotten after 31 days
        expiry.of-key|per-region|another region does it again
        capture.rest|*rest-released|partial capture releases the rest
        capture.rest|rest-stays|multiple partial captures enabled
        unit-exponents|*adyen-list|CLP 2, ISK 2, IDR 0, CVE 0
        unit-exponents|iso|CLP 0, ISK 0 …
        connected-devices|*all|one list
        connected-devices|per-store|only with store=
        connected-devices|after-reboot-missing|terminal absent while asleep
        """#
}

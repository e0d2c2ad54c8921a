internal import PaymentProviderKit

/// What this adapter takes for granted about the provider, place by place of its documents.
enum AdyenAssumptions {
    static let all = ProviderAssumption.list(
        "adyen",
        """
        tip|as-asked|gratuities (terminal settings)|in the Customer Area see the terminal's gratuities; pay with a\
         tip and compare the approved amount
        tip.sent|on-top|-|on a test terminal sell 12.00 with a tip of 2.00: 12.00 is approved, and RequestedAmount is 10.00
        surcharge|none|surcharge (terminal settings)|in the Customer Area see the store's surcharge; pay with a \
        card that it applies to
        webhook-amount|same-as-reply|-|compare the AUTHORISATION of a tipped payment with the terminal's answer
        status-memory|48-hours|trustsNotFound|restart the terminal after a payment and ask for its status
        capture-of-a-sale|at-once|capture (account)|in the Customer Area see the capture settings; a sale under \
        delayed capture shows it
        expire|never|-|let a test authorisation expire and wait for its EXPIRE
        offline.declined-later|forwarded-approved|-|take an offline payment with a test card that is declined when\
         it is forwarded
        service-id.repeated|done-again|-|send one PaymentRequest twice under one ServiceID on a test terminal
        cancelled-then-authorised|nothing-at-host|-|cancel while the host is asked, and look for an AUTHORISATION \
        afterwards
        dcc|merchants-currency|dcc (terminal settings)|pay with a foreign test card and take the conversion
        partial|called-partial|tenderOptions|pay 1.39 with AllowPartialAuthorisation among the options
        reversal.before-capture|always-refund|refunds|reverse a part of a payment on the same day and read action \
        in CANCEL_OR_REFUND
        reversal.full-after-part|rest|-|give a part back, then the rest without naming an amount
        cardrefund.acquirer-code|only-when-final|-|refund to a card and see whether a REFUND_WITH_DATA follows an \
        answer with acquirerResponseCode
        attestation|thrown|-|start the application under a debugger and look at what performTransaction gives
        phone.status|cannot-be-asked|phoneStatus|send a TransactionStatusRequest through the phone's kit
        saved.result|authorised-with-amount|-|charge a saved card of each test brand and note the resultCode; ask \
        whether Auto Rescue is on
        saved.return-url|return-url-needed|returnUrl|charge a saved card in the test account
        idempotency|same-answer|-|send one request twice under one key, once while the first is under way
        modification.echo|all-echoed|-|capture with a reference of eighty characters and compare the echo
        adjust.word|received|-|adjust an authorisation in the test account and read status
        modification.refused-at-once|received-then-false|-|capture more than is held
        poidata|on-failures|refunds|read the answers to a declined and to a cancelled payment
        receipt|two|-|pay with and without PaymentDataAndReceipts in the terminal's settings
        additional.form|pairs|-|compare AdditionalResponse under both formats that the account can be set to
        amounts.place|amountsresp|-|read AmountsResp in the answers of every terminal model in use
        amounts.disagree|agree|-|compare AuthorizedAmount with posAuthAmountValue over a day
        psp.place|three-places|-|look for the PSP reference in POITransactionID, AdditionalResponse and \
        AcquirerTransactionID
        saledata|echoed|-|read SaleData in the answers of every terminal model in use
        decline.form|condition-and-result|-|pay with every test amount that is declined
        result.case|as-listed|-|read Result in the answers of every terminal model in use
        busy|failure-busy|-|send a second payment while the first waits for a card
        status.race|found-at-once|-|ask for the status within the same second as the payment
        status.long|short|-|leave the terminal at the signature and ask for the status
        status.busy|in-progress|-|ask for the status of a payment that waits for a card
        status.repeat|whole|-|ask for the status of a finished payment and read RepeatedMessageResponse
        status.saleid|any-till|saleID|ask for a payment's status under another SaleID
        abort.answer|empty-200|-|abort a payment and read the answer
        abort.effect|before-card|-|abort before and after the card is in
        cancel.word|aborted|-|abort, press cancel, and let the time run out; compare the conditions
        reject.text|four-known-texts|-|take the terminal off the network and send a payment
        cloud.http|reject-event|-|send a payment to a terminal that does not exist
        async.answer|ok-text|link|send an asynchronous payment and read the first answer
        reversal.answer|psp-and-decimal|refunds|read the answer to a reversal
        reversal.partial-words|notallowed|refunds|reverse more than was paid
        session.token|24-hours|-|open two sessions with one setup token
        session.answer|status-201|-|read the answer of /sessions
        webhook.delivery|once-in-order|-|look at the webhook log in the Customer Area
        webhook.before-reply|after|-|compare the time of AUTHORISATION with that of the answer
        webhook.form|text-success|webhookKey|send a test webhook of each kind from the Customer Area
        webhook.terminal-name|terminalId|-|read additionalData of a terminal's AUTHORISATION
        webhook.merchant-reference|ours|-|pay with a reference of eighty characters and read it in the webhook
        webhook.retried-card|one|-|pay with a card that is declined and then with another under one request
        refund.outside|ours-only|-|refund a payment in the Customer Area
        chargeback|none|-|ask for a test chargeback
        clock|same|-|compare the terminal's TimeStamp with the time
        card.form|text-056|-|read CardCountryCode and EntryMode of every terminal model in use
        expiry.of-key|for-ever|-|send one request again under its key after thirty-two days
        capture.rest|rest-released|capturesSeveral|see multiple partial captures in the Customer Area
        unit-exponents|adyen-list|-|pay 1 CLP, ISK, IDR and CVE and compare both amounts
        connected-devices|all|store|list the devices with and without a store, and after a restart
        """)
}

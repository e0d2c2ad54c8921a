/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum HaloReadingList {
    static let text = #"""
        search.silently-empty|*1|everything under the reference is found
        search.silently-empty|2|without dates only today is searched
        search.silently-empty|3|400 without dates/limit
        search.silently-empty|4|merchant wants Halo's own id: [] for ours
        search.silently-empty|5|only what this token's user made
        search.silently-empty|6|an index that lags for minutes
        record.amount-unit|*1|minor units as text
        record.amount-unit|2|major units as text "100"
        record.amount-unit|3|major with decimals "100.01"
        record.amount-unit|4|a number
        record.numbers|*1|words
        record.numbers|2|numbers whose list is not public
        record.numbers|3|words in the list, numbers in one record
        acknowledge|*1|no acknowledgement
        acknowledge|2|optional
        acknowledge|3|without it the payment is voided after a while
        refund.amount-unit|*1|major units 5 = 5.00
        refund.amount-unit|2|minor units 5 = 0.05
        refund.amount-unit|3|text
        refund.repeat|*1|refused with 213
        refund.repeat|2|given back twice
        refund.repeat|3|213 for any second refund of a transaction, parts too
        refund.repeat|4|the first answer again
        refund.searchable|*1|under refundReference as merchantTransactionReference
        refund.searchable|2|only under the original
        refund.searchable|3|not in the list
        submit.no-amount|*1|all three
        submit.no-amount|2|none of them
        submit.no-amount|3|only on approval
        submit.amount-unit|*1|minor
        submit.amount-unit|2|major 15 or 15.00
        partial-approval|*1|never
        partial-approval|2|Approved with iso 10 and the smaller amount
        partial-approval|3|Approved with iso 10 and no amount
        indeterminate.end|*1|settled later either way
        indeterminate.end|2|ends Voided
        indeterminate.end|3|stays Indeterminate for ever
        indeterminate.end|4|ends Approved without notice
        unable-to-go-online|*1|pending
        unable-to-go-online|2|final, nothing moved
        reference.duplicate|*1|400 with 124
        reference.duplicate|2|200 wrapper Declined 124
        reference.duplicate|3|409
        reference.duplicate|4|the first answer again
        reference.duplicate|5|executed again
        pin.new-id|*1|same record
        pin.new-id|2|a second record under the same merchantReference
        pin.new-id|3|merchantReference gets a suffix
        pin.flag|*1|flag and 65
        pin.flag|2|flag with another code (209, iso 65)
        pin.flag|3|65 without the flag
        pin.token|*1|always
        pin.token|2|only Mastercard; Visa has none
        pin.token|3|empty text
        pin.wrong|*1|final, new tap
        pin.wrong|2|another PIN may follow
        pin.conflict|*1|not waiting any more, declined
        pin.conflict|2|already approved by the first PIN
        passthrough|*1|not needed
        passthrough|2|400/104 without
        passthrough|3|wanted as passthroughFields
        passthrough|4|as text inside JSON
        location.required|*1|optional
        location.required|2|400/403 without X-Location
        location.required|3|checked against the terminal's country
        location.form|*1|metres;lon;lat
        location.form|2|lat;lon
        location.form|3|decimal comma refused
        installation-id|*1|any UUID
        installation-id|2|must be registered before
        installation-id|3|new UUID needs attestation
        tap-age|*1|60 s by the server's clock
        tap-age|2|by the blob's own time
        tap-age|3|PPS-4003 as code
        tap-age|4|"Request Expired" as message only
        tap-age|5|after approval was sent
        status.500|*1|nothing was done
        status.500|2|done, the answer failed
        status.500|3|done, voided later
        status.codes|*1|200/201
        status.codes|2|200 for all
        status.codes|3|402/409 with the wrapper
        voided.who|*1|by the provider
        voided.who|2|by the merchant portal
        voided.who|3|after an approval was told
        response-code.form|*1|"00"
        response-code.form|2|0
        response-code.form|3|"0"
        response-code.form|4|missing
        jwt.algorithm|*1|RS256
        jwt.algorithm|2|RS512
        jwt.algorithm|3|by tenant
        jwt.audience|*1|host
        jwt.audience|2|with scheme
        jwt.audience|3|a list
        jwt.audience|4|none
        jwt.life|*1|seconds
        jwt.life|2|milliseconds
        jwt.life|3|none
        proximity.members|*1|token, expiresAt, issuedAt, jwtId
        proximity.members|2|epoch numbers
        proximity.members|3|no expiresAt
        proximity.members|4|{"token":{…}}
        proximity.500|*1|500 with error
        proximity.500|2|403 right missing
        refund.key|*1|x-api-key beside Bearer
        refund.key|2|x-api-key alone
        refund.key|3|Bearer alone
        refund.window|*1|any time
        refund.window|2|only after settlement
        refund.window|3|212 after n days
        refund.window|4|before settlement it is a void of the whole
        webhook.amount|*1|minor
        webhook.amount|2|major
        webhook.amount|3|none
        webhook.subject|*1|haloReference too
        webhook.subject|2|only id
        webhook.subject|3|merchantReference null
        reference.limits|*1|64
        reference.limits|2|255
        reference.limits|3|letters and digits only
        reference.limits|4|unique per user or per day
        code-spelling|*1|CAPITALS
        code-spelling|2|lowerCamel
        code-spelling|3|numbers as text
        approved-at|*1|the device's clock
        approved-at|2|createdAt of the record
        approved-at|3|receiptData date and time, local
        void.endpoint|*1|none
        void.endpoint|2|DELETE of the processor
        currency.one|*1|any
        currency.one|2|the merchant's own
        list.filters|*1|minor units
        list.filters|2|major units
        list.filters|3|dates in UTC
        list.filters|4|dates in South African time
        devices.path|*1|GET /devices
        devices.path|2|404
        """#
}

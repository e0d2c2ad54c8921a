internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider.
struct ARISERules: ReadingRules {
    /// A payment that fails inside has charged the card all the same.
    var chargesWhatFails = false
    /// A rate of nought counts as none said: the merchant's own is added.
    var takesNoughtForNothing = false
    /// The amount of a sale holds the tip.
    var tipIsInside = false
    /// A part that is approved has a word of its own.
    var namesParts = true
}

typealias ARISEReading = ProviderReading<ARISESimulator.State>

extension ARISESimulator: VariantProvider {
    public static let readings = listed("arise", ARISEReadingList.text)

    public func play(_ reading: String) -> Bool { begin(reading, of: Self.readings, "arise") }

    static let played: [String: PlayedReading<State>] = ARISEReadings.money.merging(ARISEReadings.forms) { one, _ in one
    }
    .merging(ARISEReadings.doors) { one, _ in one }
}

/// What the simulated provider plays; here what touches money and the state of transactions.
enum ARISEReadings {
    static let money: [String: PlayedReading<ARISESimulator.State>] = [
        // What the SDK does is played by the simulated SDK; the platform behind it is as usual.
        "sdk.cancel/2": (.works, rule { _ in }), "sdk.cancel/3": (.works, rule { _ in }),
        "sdk.tenders/2": (.works, rule { _ in }), "sdk.events/2": (.works, rule { _ in }),
        "failed.may-have-charged/3": (.unknown, rule { $0.chargesWhatFails = true }),
        "surcharge-rate.zero/2": (.unknown, rule { $0.takesNoughtForNothing = true }),
        "sale.amount-includes-tip/2": (.unknown, rule { $0.tipIsInside = true }),
        "approval.less-than-asked/2": (.unknown, rule { $0.namesParts = false }),
        "order-number.server-made/2": (.stopsOrOpen("referenceEcho"), orderNumbers { _ in "1000042" }),
        "order-number.server-made/3": (.works, orderNumbers { _ in nil }),
        "order-number.server-made/4": (.works, orderNumbers { .string($0.uppercased()) }),
        "tap.external-reference/2": (
            .stopsOrOpen("referenceEcho"), taps { $0.putting("gateway-7", at: "externalReferenceID") }
        ),
        "tap.transaction-id/2": (.works, taps { processorNamed($0) }),
        "tap.transaction-id/3": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    exchange.gets("/pay-api/v1/transactions/processor-")
                        ? ARISESimulator.invalid("'Id' is no UUID.") : nil
                }
                $0.answer = taps { processorNamed($0) }.answer
            }
        ),
        "ach.first-state/2": (.unknown, scheduledDebits()),
        "tap.external-reference/3": (.works, taps { $0.without("externalReferenceID") }),
        "double.dust/2": (.works, amounts { number in .number(number.dusty) }),
        "double.dust/3": (.works, amounts { .string($0.text) }),
        "double.dust/4": (
            .works, amounts { number in .number(number.int64.map { JSONNumber($0) } ?? number) }
        ),
        "tap.outcome-words/3": (
            .unknown,
            taps { tap in
                tap.changing("transactionOutcome") { $0?.string == "APPROVED" ? "FAILED" : $0 }
            }
        ),
        "tap.outcome-words/5": (
            .works, taps { tap in tap.changing("transactionOutcome") { $0?.string == "APPROVED" ? "Approved" : $0 } }
        ),
        "tap.authorized-amount-unit/2": (
            .works, taps { tap in tap.changing("authorizedAmount") { cents($0, width: 0) } }
        ),
        "tap.authorized-amount-unit/3": (
            .works, taps { tap in tap.changing("authorizedAmount") { cents($0, width: 12) } }
        ),
        "tap.authorized-amount-unit/4": (
            .unknown, taps { tap in tap.changing("authorizedAmount") { $0?.string.map { .string("$" + $0) } } }
        ),
        "available-operations.null/2": (.unknown, offers { _ in nil }),
        "available-operations.null/3": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    if exchange.isDetails { said = said.without("availableOperations") }
                }
            }
        ),
        "available-amount.null/2": (
            .unknown, offers { .array(($0.array ?? []).map { $0.putting(.null, at: "availableAmount") }) }
        ),
        "follow-up.no-receipt/2": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    if isFollowUp(exchange) { said = said.putting(.null, at: "transactionReceipt") }
                }
            }
        ),
        "refund.state-after-part/2": (
            .works,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.isDetails, said["status"]?.string == "Settled",
                        let left = said["availableOperations"]?[0]?["availableAmount"]?.number,
                        let total = said["amount"]?["totalAmount"]?.number, left != total
                    else { return }
                    said = said.putting("Refunded", at: "status").putting(4, at: "statusId")
                }
            }
        ),
        "void.state-after/2": (
            .works,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.isDetails, said["status"]?.string == "Voided" else { return }
                    said = said.putting("Cancelled", at: "status").without("statusId")
                }
            }
        ),
    ]

    // MARK: How they are made

    static func rule(_ change: (inout ARISERules) -> Void) -> ARISEReading { ARISEReading { change(&$0.rules) } }

    @Sendable static func isFollowUp(_ exchange: ReadingExchange) -> Bool {
        ["/capture", "/void", "/return", "/tip-adjustment"].contains { exchange.posts("/transactions" + $0) }
    }

    /// What becomes of the order number wherever it is.
    private static func orderNumbers(_ change: @escaping @Sendable (String) -> JSON?) -> ARISEReading {
        @Sendable func changed(_ json: JSON) -> JSON {
            json.changing("orderNumber") { old in old?.string.flatMap(change) }
                .changing("transactionReceipt") { receipt in
                    receipt?.changing("orderNumber") { old in old?.string.flatMap(change) }
                }
        }
        return ARISEReading { $0.answer = { _, said, _ in if said["items"] == nil { said = changed(said) } } }
    }

    /// What the answer to a tap becomes.
    private static func taps(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in if said["transactionOutcome"] != nil { said = change(said) } }
        }
    }

    /// A tap under the name that the payment processor has for it.
    private static func processorNamed(_ tap: JSON) -> JSON {
        tap.changing("transactionId") { $0?.string.map { .string("processor-\($0)") } }
    }

    /// A bank debit is on its way until it is settled.
    private static func scheduledDebits() -> ARISEReading {
        @Sendable func changed(_ json: JSON) -> JSON {
            let type = json["typeId"]?.int64 ?? json["operationTypeId"]?.int64
            guard type == 11, json["status"]?.string == "Captured" else { return json }
            return json.putting("Scheduled", at: "status").putting(21, at: "statusId")
        }
        return ARISEReading {
            $0.answer = { _, said, _ in
                said = changed(said).changing("items") { list in list?.array.map { .array($0.map(changed)) } ?? list }
            }
        }
    }

    /// How amounts are written in every answer about a transaction.
    private static func amounts(_ change: @escaping @Sendable (JSONNumber) -> JSON) -> ARISEReading {
        let names: Set<String> = ["processedAmount", "totalAmount", "availableAmount", "tipAmount"]
        return ARISEReading {
            $0.answer = { _, said, _ in
                said = ReplyFalsifier.changing(names, in: said) { $0.number.map(change) }
            }
        }
    }

    /// What a transaction offers, everywhere.
    private static func offers(_ change: @escaping @Sendable (JSON) -> JSON?) -> ARISEReading {
        @Sendable func changed(_ json: JSON) -> JSON { json.changing("availableOperations") { $0.flatMap(change) } }
        return ARISEReading {
            $0.answer = { _, said, _ in
                said = changed(said).changing("transactionReceipt") { $0.map(changed) }
                    .changing("items") { list in list?.array.map { .array($0.map(changed)) } ?? list }
            }
        }
    }

    /// An amount in major units as its smallest ones, with noughts before them.
    private static func cents(_ json: JSON?, width: Int) -> JSON? {
        guard let units = json?.string.flatMap({ try? JSONNumber($0) })?.scaled(places: 2) else { return json }
        let text = String(units)
        return .string(String(repeating: "0", count: max(0, width - text.count)) + text)
    }
}

extension JSONNumber {
    /// The same as a binary number may be written: a hair too much.
    fileprivate var dusty: JSONNumber {
        let point = text.contains(".") ? text : text + ".0"
        let digits = point.split(separator: ".")[1].count
        return (try? JSONNumber(point + String(repeating: "0", count: max(0, 14 - digits)) + "1")) ?? self
    }
}

extension ReadingExchange {
    /// Whether everything about one transaction is read.
    var isDetails: Bool {
        gets("/pay-api/v1/transactions/") && !path.hasSuffix("/calculate-amount")
    }
}

/// Readings of words and numbers, of lists, and of what has to be there before anything is done.
extension ARISEReadings {
    static let forms: [String: PlayedReading<ARISESimulator.State>] = [
        "currency.id/2": (.works, named(["currencyId"]) { _ in 840 }),
        "currency.id/4": (.works, named(["currencyId"]) { _ in .null }),
        "status.spelling/2": (.works, named(["status"]) { $0.string.map { .string($0.lowercased()) } }),
        "status.spelling/3": (
            .works, named(["status"]) { $0.string == "PartiallyAuthorized" ? "Partially Authorized" : $0 }
        ),
        "status.spelling/4": (
            .unknown,
            named(["status"]) { $0.string == "Captured" ? "Approved" : $0 }
        ),
        "status.spelling/5": (.works, named(["status"]) { _ in .null }),
        "details.code/2": (.works, code { $0 == "Approve" ? "Approved" : .string($0) }),
        "details.code/3": (.works, code { $0 == "Approve" ? "00" : .string($0) }),
        "details.code/4": (.works, code { $0 == "Approve" ? 0 : $0 == "Decline" ? 1 : 2 }),
        "decline.http/2": (.works, declined(402)), "decline.http/3": (.unknown, declined(400)),
        "list.declined-amount/2": (
            .works, items { $0["status"]?.string == "Declined" ? $0.putting(0, at: "totalAmount") : $0 }
        ),
        "list.declined-amount/3": (
            .works, items { $0["status"]?.string == "Declined" ? $0.without("totalAmount") : $0 }
        ),
        "list.scope/3": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.gets("/pay-api/v1/transactions"), !exchange.isDetails else { return }
                    said = said.changing("items") { list in
                        .array(
                            (list?.array ?? []).filter { item in
                                let at = item["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
                                return at.map { exchange.now - $0 > 300_000 } ?? true
                            })
                    }
                }
            }
        ),
        "dates.zone/2": (
            .unknown,
            named(["date", "transactionDateTime"]) { time in
                time.string.flatMap { Timestamp($0)?.milliseconds }
                    .flatMap { Timestamp(milliseconds: $0 - 5 * 3_600_000)?.text() }
                    .map { .string(String($0.dropLast())) } ?? time
            }
        ),
        "oauth.refresh/3": (.works, tokens { $0.without("refresh_token") }),
        "oauth.refresh/4": (.works, tokens { $0.changing("expires_in") { $0?.number.map { .string($0.text) } } }),
        "permissions.words/2": (.works, permissions { .string(names.indices.contains($0) ? names[$0] : "\($0)") }),
        "permissions.words/3": (.works, permissions { .string(String($0)) }),
        "permissions.words/4": (
            .works, permissions { ["id": .number(JSONNumber(Int64($0))), "name": "x", "enabled": true] }
        ),
    ]

    static let doors: [String: PlayedReading<ARISESimulator.State>] = [
        "permissions.needs-version/2": (.works, wantsVersion(400)),
        "permissions.needs-version/3": (.works, wantsVersion(406)),
        "ach-refund.whole-only/3": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    let isRefund = exchange.path.contains("/ach/") && exchange.path.hasSuffix("/refund")
                    return isRefund && exchange.body != nil ? ARISESimulator.invalid("no body is taken") : nil
                }
            }
        ),
        "conflict.status/2": (
            .works, ARISEReading { $0.answer = { _, _, status in if status == 409 { status = 400 } } }
        ),
        "activate.body/2": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/tap-to-pay/activate"), exchange.body != nil else { return nil }
                    return .reply(ARISESimulator.refusal(415, "", "", "no body is taken"))
                }
            }
        ),
        "oauth.client-auth/2": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/oauth2/token"), exchange.headers["Authorization"] == nil else { return nil }
                    return .json(["error": "invalid_client"], status: 401)
                }
            }
        ),
    ]

    /// The names of the permissions by their numbers.
    private static let names = """
        posStartTransaction posGetTransactions posGetTransactionDetails posCancelTransaction posPrintReceipt
        getTerminalList getTerminalInformation ecommerceAuth ecommerceSale ecommerceCapture ecommerceVoid
        ecommerceRefund ecommerceRefundWithoutReference achDebit achCredit achVoid achHold achUnhold listTransactions
        getTransactionDetails calculateTransactionAmount submitTipAdjustment getSettlementBatches
        submitBatchForSettlement sendReceiptBySms listCustomers getCustomerDetails manageCustomers hostedInvoices
        hostedQuickPayment hostedSubscriptions hostedWebComponents hostedWooCommerce featureTapToPayOnMobile
        generalPing generalStatus generalConfigurations
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static func named(_ names: Set<String>, _ change: @escaping @Sendable (JSON) -> JSON?) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, status in
                guard status == 200, exchange.path.contains("/transactions") else { return }
                said = ReplyFalsifier.changing(names, in: said, change)
            }
        }
    }

    private static func code(_ change: @escaping @Sendable (String) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in
                guard said["details"]?.object != nil else { return }
                said = said.changing("details", "code") { $0?.string.map(change) }
            }
        }
    }

    private static func items(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in
                said = said.changing("items") { list in list?.array.map { .array($0.map(change)) } ?? list }
            }
        }
    }

    private static func declined(_ refusal: Int) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, status in
                guard exchange.method == "POST", said["status"]?.string == "Declined" else { return }
                status = refusal
                if refusal == 400 {
                    said = [
                        "details": "declined", "statusCode": 400, "source": "Transactions",
                        "exceptionType": "ValidationException", "errorCode": "V0000", "errors": [:],
                    ]
                }
            }
        }
    }

    private static func tokens(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading { $0.answer = { _, said, _ in if said["access_token"] != nil { said = change(said) } } }
    }

    private static func permissions(_ change: @escaping @Sendable (Int) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, _ in
                guard exchange.gets("/api/available-api-permissions") else { return }
                said = said.changing("permissions") { list in
                    .array((list?.array ?? []).compactMap { $0.int64.map { change(Int($0)) } })
                }
            }
        }
    }

    private static func wantsVersion(_ status: Int) -> ARISEReading {
        ARISEReading {
            $0.instead = { exchange, _ in
                guard exchange.gets("/api/available-api-permissions"), exchange.headers["x-api-version"] != "1.0" else {
                    return nil
                }
                return .reply(ARISESimulator.refusal(status, "V0000", "ValidationException", "API version is required"))
            }
        }
    }
}

/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum ARISEReadingList {
    static let text = #"""
        ach-refund.whole-only|1|amount in the body is obeyed
        ach-refund.whole-only|*2|the body is ignored: the whole debit goes back
        ach-refund.whole-only|3|a body is refused (400/415)
        failed.may-have-charged|*1|failed inside, no money
        failed.may-have-charged|2|failed after the network approved; reversed later
        failed.may-have-charged|3|failed after the network approved, money moved
        surcharge-rate.zero|*1|0 means no surcharge
        surcharge-rate.zero|2|0 counts as empty: the merchant's default rate is added
        surcharge-rate.zero|3|0 is refused (range from 0.01)
        sale.amount-includes-tip|*1|amount is without the tip, the tip is added
        sale.amount-includes-tip|2|amount is the total, tipAmount says which part is the tip
        sale.amount-includes-tip|3|the tip is refused when tips are off (S1337)
        void.partial-capture|*1|undoes everything, a later tip too
        void.partial-capture|2|undoes the capture, the hold stands again
        void.partial-capture|3|undoes only what is uncaptured
        capture.too-much|*1|≤ the hold, once; the rest is released
        capture.too-much|2|several captures until the hold is used up
        capture.too-much|3|more than the hold (tips) up to a percentage
        tap.amount-parts|*1|amount alone is charged, the parts are only printed
        tap.amount-parts|2|amount + tip is charged
        tap.amount-parts|3|subTotal − discount + tip + surcharge is charged, amount must agree
        order-number.server-made|*1|our referenceId
        order-number.server-made|2|a number made by ARISE
        order-number.server-made|3|absent or null
        order-number.server-made|4|our reference cut or in capitals
        permissions.words|*1|numbers
        permissions.words|2|camelCase names
        permissions.words|3|numbers as text
        permissions.words|4|objects {id,name,enabled}
        double.dust|*1|two decimals
        double.dust|2|binary dust: 40.109999999999999
        double.dust|3|a text "40.11"
        double.dust|4|no decimals: 40
        approval.less-than-asked|*1|status 7 with the smaller amount
        approval.less-than-asked|2|status Captured/Authorized with the smaller amount
        approval.less-than-asked|3|declined instead
        refund.unsettled|*1|409 before settlement
        refund.unsettled|2|done as a void of the whole
        refund.unsettled|3|accepted, carried out with the batch (Pending)
        refund.unsettled|4|done at once, in part
        tap.outcome-words|*1|APPROVED, DECLINED, PENDING
        tap.outcome-words|2|FAILED with no money
        tap.outcome-words|3|FAILED after approval
        tap.outcome-words|4|CANCELLED
        tap.outcome-words|5|Approved (mixed case), SUCCESS
        tap.authorized-amount-unit|*1|major units "12.00"
        tap.authorized-amount-unit|2|minor units "1200"
        tap.authorized-amount-unit|3|twelve digits "000000001200" (EMV 9F02)
        tap.authorized-amount-unit|4|with a sign or commas "$1,200.00"
        avs.deny|*1|declined at once
        avs.deny|2|approved, then voided by ARISE within the same answer
        avs.deny|3|approved, the merchant has to void
        duplicate.rule|*1|no rule
        duplicate.rule|2|400 IsDuplicate for the same merchant, amount, type, last four within minutes
        duplicate.rule|3|the rule looks at referenceId too
        duplicate.rule|4|200 with the first transaction
        permissions.needs-version|*1|answered without a version
        permissions.needs-version|2|400 without x-api-version: 1.0
        permissions.needs-version|3|406
        tap.path|*1|POST …/transactions/tap-to-pay
        tap.path|2|404: only the vendor's own kit sends taps
        tap.path|3|sale with cardDataSource 5 and emvTags
        tap.path|4|another path or members
        ach.required-members|1|not needed
        ach.required-members|*2|400 without secCode/requesterIpAddress
        ach.required-members|3|400 also without address and contact
        unlinked-refund.debit-flag|1|not needed
        unlinked-refund.debit-flag|*2|400 without debit
        unlinked-refund.debit-flag|3|missing counts as credit
        ach.unknown-members|*1|ignored
        ach.unknown-members|2|400 for unknown members (v2 rule)
        ach.unknown-members|3|referenceId kept and echoed
        ach.first-state|*1|a debit is Captured at once
        ach.first-state|2|Scheduled until it is settled
        bank.processor|*1|one default for cards and ACH
        bank.processor|2|ACH has a processor of its own; the card default is refused
        currency.id|*1|1
        currency.id|2|840
        currency.id|3|both, by place
        currency.id|4|absent
        status.spelling|*1|PascalCase
        status.spelling|2|lower case
        status.spelling|3|with spaces "Partially Authorized"
        status.spelling|4|Approved for a sale
        status.spelling|5|only the number
        status.ach-numbers|*1|words without numbers
        status.ach-numbers|2|numbers 22, 23, 25, 26, 27 beside the words
        status.ach-numbers|3|only numbers
        answer.casing|*1|camelCase
        answer.casing|2|PascalCase in errors only
        answer.casing|3|PascalCase in answers too
        available-operations.null|*1|always a list
        available-operations.null|2|null or missing
        available-operations.null|3|only in the list, not in details
        available-amount.null|*1|always an amount
        available-amount.null|2|null for void and refund
        available-amount.null|3|0 for what is not partial
        billing.state-text|*1|stateName is taken
        billing.state-text|2|400 for stateName; stateId needed
        billing.state-text|3|both needed
        activate.terms-first|*1|register, activate, then terms
        activate.terms-first|2|terms first; activate before is 400/403
        activate.terms-first|3|the reader token is refused until active, so terms can't be shown first
        activate.status|*1|3 at once
        activate.status|2|1 Requested, later 2 Approved by staff
        activate.status|3|4 Denied
        activate.body|*1|{} is taken
        activate.body|2|no body and no type wanted (415)
        host.renamed|*1|old hosts answer
        host.renamed|2|redirect 307/308
        host.renamed|3|gone
        host.renamed|4|a prefix /isv-api
        oauth.client-auth|*1|id and secret in the form
        oauth.client-auth|2|HTTP Basic only
        oauth.client-auth|3|scope needed/refused
        oauth.refresh|*1|refresh token rotates
        oauth.refresh|2|same token again
        oauth.refresh|3|none given
        oauth.refresh|4|expires_in as text
        dates.zone|*1|UTC with Z
        dates.zone|2|local of the merchant without a zone
        dates.zone|3|seven digits and an offset
        dates.zone|4|US text
        list.page-base|*1|0
        list.page-base|2|1 (0 is the first too)
        list.page-base|3|1 (0 is refused)
        list.scope|*1|every channel, newest first
        list.scope|2|only what this token made
        list.scope|3|a delay of minutes
        list.scope|4|only open batches
        list.declined-amount|*1|the asked amount
        list.declined-amount|2|0
        list.declined-amount|3|absent
        reference.limit|*1|36
        reference.limit|2|100
        reference.limit|3|must be unique for ever
        follow-up.no-receipt|*1|a receipt with amounts
        follow-up.no-receipt|2|null
        follow-up.no-receipt|3|the original's receipt with its old total
        follow-up.new-transaction|*1|the record changes in place
        follow-up.new-transaction|2|capture/void gets its own id; later refunds name the capture
        follow-up.new-transaction|3|refund answers with the original's id
        refund.state-after-part|*1|Settled, less available
        refund.state-after-part|2|Refunded although a part is left
        refund.state-after-part|3|PartiallyRefunded
        void.state-after|*1|Voided
        void.state-after|2|Cancelled
        void.state-after|3|a second record of type 4
        decline.http|*1|200 with 91
        decline.http|2|402
        decline.http|3|400 with V0000
        decline.http|4|200 with details.code Error
        details.code|*1|Approve
        details.code|2|Approved
        details.code|3|host code "00"
        details.code|4|number 0–2
        hold.lapse|*1|Voided after 7 × 24 h
        hold.lapse|2|stays Authorized; capture then declined
        hold.lapse|3|other days by scheme
        hold.lapse|4|Cancelled/Declined
        settle.moment|*1|all slots of the default processor
        settle.moment|2|one batch per processor
        settle.moment|3|only by hand
        settle.moment|4|next business day
        rates.receipt-unit|*1|percent everywhere
        rates.receipt-unit|2|fractions in receipts, percent elsewhere
        rates.receipt-unit|3|fractions everywhere
        quote.rate-unit|*1|5.0 is 5 %
        quote.rate-unit|2|0.05 is 5 %
        quote.surcharge-base|*1|of the amount before the percentage off
        quote.surcharge-base|2|after it
        quote.surcharge-base|3|with the tip
        use-card-price|*1|needed in dual pricing, refused elsewhere
        use-card-price|2|ignored elsewhere
        use-card-price|3|needed on holds and refunds too
        saved-card.customer|*1|paymentMethodId alone
        saved-card.customer|2|customerId too
        saved-card.customer|3|customerInitiatedTransaction must be sent
        keyed.data-source|*1|7
        keyed.data-source|2|1
        keyed.data-source|3|7 refused without a terminal
        keyed.initiator|*1|absent is customer-initiated
        keyed.initiator|2|absent is merchant-initiated
        keyed.initiator|3|required
        tip-adjust.answer|*1|new tip in the receipt
        tip-adjust.answer|2|no receipt
        tip-adjust.answer|3|allowed on Authorized too
        tip-adjust.answer|4|the tip is added to the old one
        webhook.subject|*1|a refund has its own id
        webhook.subject|2|the original's id
        webhook.subject|3|no webhooks on v1
        tap.transaction-id|*1|the platform's own name
        tap.transaction-id|2|the payment processor's name, which the platform doesn't know
        tap.transaction-id|3|the payment processor's name, which the platform refuses as malformed (400)
        sdk.cancel|*1|a result whose status is cancelled
        sdk.cancel|2|a result whose status is failed
        sdk.cancel|3|transactionFailed without a code is thrown
        sdk.tenders|*1|a price for each of the four tenders
        sdk.tenders|2|none for a bank account, as for a merchant without bank debits
        sdk.events|*1|a stream of events before the reader is prepared
        sdk.events|2|the stream is refused until the reader is prepared
        tap.external-reference|*1|our reference
        tap.external-reference|2|the gateway's order id
        tap.external-reference|3|absent
        tap.date-format|*1|ISO 8601
        tap.date-format|2|the pattern in authorizedDateFormat
        tap.date-format|3|milliseconds
        rate-limit.form|*1|429 with Retry-After
        rate-limit.form|2|503
        rate-limit.form|3|429 after it was done
        conflict.status|*1|409
        conflict.status|2|400
        conflict.status|3|404 for another merchant's
        """#
}

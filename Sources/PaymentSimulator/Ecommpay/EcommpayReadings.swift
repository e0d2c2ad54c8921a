internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider, and in what it reports.
struct EcommpayRules: ReadingRules {
    /// The callbacks that are sent for one, before they are signed.
    var callbacks: @Sendable (JSON) -> [JSON] = { [$0] }
    /// What is paid of what a sale asks for.
    var paid: @Sendable (Int64) -> Int64 = { $0 }
    /// Holds are approved in part, too.
    var holdsParts = false
    /// The amount of a cancellation is what stays held.
    var cancelNamesRest = false
    /// The status shows what a payment waits for, too.
    var showsSteps = false
    /// Which parameter of a page says whether to hold.
    var holdName = "operation_type"
    /// A card that is declined does not end a page.
    var pageTakesOtherCards = false
    /// How customers pay on a page.
    var pageMethod = "card"
    /// A beginning with a mistake is accepted, and its request alone says later that it was not registered.
    var refusesLater = false
    /// A token is charged with its card's security code only.
    var wantsTokenCode = false
    /// The list of saved accounts wants the payment method.
    var wantsMethod = true
    /// After how long a declined debit is tried again on the provider's own, in milliseconds; nil for never.
    var retriesAfter: Int64?
}

typealias EcommpayReading = ProviderReading<EcommpaySimulator.State>

extension EcommpaySimulator: VariantProvider {
    public static let readings = listed("ecommpay", EcommpayReadingList.text)

    public func play(_ reading: String) -> Bool { begin(reading, of: Self.readings, "ecommpay") }

    static let played: [String: PlayedReading<State>] =
        EcommpayReadings.money.merging(EcommpayReadings.forms) { one, _ in one }
        .merging(EcommpayReadings.answers) { one, _ in one }
}

/// What the simulated provider plays; here what touches money.
enum EcommpayReadings {
    static let money: [String: PlayedReading<EcommpaySimulator.State>] = [
        "hold.limit.captured-by-company": (
            .works,
            limit { state, payment, now in
                EcommpaySimulator.take(&payment, payment.amounts.held, "", &state, now)
                return "capture"
            }
        ),
        "hold.limit.released-by-company": (
            .works,
            limit { state, payment, now in
                payment.amounts.void(.init("limit", by: "", at: now), &state.ledger)
                payment.status = "canceled"
                return "cancel"
            }
        ),
        "amount.changed.changed-by-customer": (.unknown, rule { $0.paid = { $0 > 1_000 ? $0 - 100 : $0 } }),
        "gate.step.in-status": (.works, rule { $0.showsSteps = true }),
        "page.operation.card-operation-type": (.unknown, rule { $0.holdName = "card_operation_type" }),
        "page.again.other-card": (.works, rule { $0.pageTakesOtherCards = true }),
        "page.method.apple-pay": (.works, rule { $0.pageMethod = "applepay" }),
        "page.method.google-pay": (.works, rule { $0.pageMethod = "googlepay" }),
        "page.method.other": (.unknown, rule { $0.pageMethod = "online-banking" }),
        "gate.refusal.by-request": (.works, rule { $0.refusesLater = true }),
        "gate.token-code.code-needed": (.works, rule { $0.wantsTokenCode = true }),
        "debit.retries.retried-by-company": (.works, rule { $0.retriesAfter = 600_000 }),
        "cancel.amount.amount-is-what-stays": (.unknown, rule { $0.cancelNamesRest = true }),
        "partial.called-success": (
            .works, reports { $0.changing("payment", "status") { $0?.string == "partially paid" ? "success" : $0 } }
        ),
        "partial.of-a-hold": (.works, rule { $0.holdsParts = true }),
        "refusal.place.accepted-and-never-told": (
            .unknown,
            EcommpayReading {
                $0.answer = { exchange, said, status in
                    guard isChange(exchange), status == 400, let id = exchange.body?["general"]?["payment_id"] else {
                        return
                    }
                    (said, status) = (acknowledgement(id), 200)
                }
            }
        ),
        "repeat.first-answer-again": (
            .works,
            EcommpayReading {
                $0.answer = { exchange, said, status in
                    guard isRepeat(said), let id = exchange.body?["general"]?["payment_id"] else { return }
                    (said, status) = (acknowledgement(id), 200)
                }
            }
        ),
        "repeat.status-409": (
            .works, EcommpayReading { $0.answer = { _, said, status in if isRepeat(said) { status = 409 } } }
        ),
        "repeat.code-as-number": (
            .works, EcommpayReading { $0.answer = { _, said, _ in if isRepeat(said) { said = numbered(said) } } }
        ),
        // A pushed decline is looked up, and stays unknown while the provider does not show it yet.
        "status.ten-seconds.not-before-ten-seconds": (.unknown, early(3_061)),
        "status.ten-seconds.3062-between": (.unknown, early(3_062)),
        "status.operations.operations-newest-first": (
            .works, reports { $0.changing("operations") { list in list?.array.map { .array($0.reversed()) } ?? list } }
        ),
        "status.operations.paged": (
            .unknown, reports { $0.changing("operations") { list in list?.array.map { .array($0.suffix(1)) } ?? list } }
        ),
        "status.signature.unsigned": (
            .stopsOrOpen("signed by the provider"),
            EcommpayReading {
                $0.answer = { exchange, said, _ in
                    if exchange.posts("/payment/status") { said = said.without("signature") }
                }
            }
        ),
        "sum.meaning.never-shrinks": (
            .works,
            reports { report in
                let first = (report["operations"]?[0] ?? report["operation"])?["sum_initial"]
                return report.changing("payment", "sum") { first ?? $0 }
            }
        ),
        "sum.meaning.missing-when-nothing-left": (
            .works,
            reports { $0.changing("payment", "sum") { sum in sum?["amount"]?.int64 == 0 ? nil : sum } }
        ),
        "sum.meaning.missing": (.works, reports { $0.without("payment", "sum") }),
        "sum.operation.called-sum-in-operations": (
            .works,
            operations { one in
                guard let sum = one["sum_initial"] else { return one }
                return one.without("sum_initial").without("sum_converted").adding("sum", sum)
            }
        ),
        "sum.operation.original-missing-in-operations": (.unknown, operations { $0.without("sum_initial") }),
        "sum.operation.converted-differs": (
            .works, operations { $0.changing("sum_converted") { _ in ["amount": 1_234, "currency": "GBP"] } }
        ),
        "refund.type.always-refund": (
            .works, operations { $0.changing("type") { $0?.string == "reversal" ? "refund" : $0 } }
        ),
        "refund.type.parts-are-reversals": (
            .works, operations { $0.changing("type") { $0?.string == "refund" ? "reversal" : $0 } }
        ),
        "refund.payment-word.payment-word-while-pending": (.works, whilePending("processing")),
        "refund.payment-word.word-refund-processing": (.works, whilePending("refund processing")),
        "chargeback.3288": (
            .stopsOrOpen("support"),
            EcommpayReading {
                $0.instead = { exchange, _ in
                    exchange.posts("/refund") ? EcommpaySimulator.refuse(400, "3288", "Disputed") : nil
                }
            }
        ),
        "hold.increment.limited": (
            // A copy of an increment that was taken may be refused like this, too: it is open until a person decides.
            .unknown,
            EcommpayReading {
                $0.instead = { exchange, _ in
                    exchange.posts("/incremental") ? EcommpaySimulator.refuse(400, "3125", "Above the limit") : nil
                }
            }
        ),
        "hold.after-part.partially-reversed": (
            .unknown,
            reports { report in
                let isLess = report["operations"]?.array?.contains { $0["type"]?.string == "cancel" } ?? false
                return report.changing("payment", "status") {
                    isLess && $0?.string == "awaiting capture" ? "partially reversed" : $0
                }
            }
        ),
        "hold.after-part.sum-unchanged": (
            .works,
            reports { report in
                guard report["payment"]?["status"]?.string == "awaiting capture" else { return report }
                let first = report["operations"]?[0]?["sum_initial"]
                return report.changing("payment", "sum") { first ?? $0 }
            }
        ),
    ]

    // MARK: How they are made

    static func rule(_ change: (inout EcommpayRules) -> Void) -> EcommpayReading {
        EcommpayReading { change(&$0.rules) }
    }

    /// What each report becomes, in answers and in callbacks.
    static func reports(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.rules.callbacks = { [$0["payment"] == nil ? $0 : change($0)] }
            $0.answer = { exchange, said, status in
                let isReport = exchange.posts("/payment/status") || exchange.posts("/msdk/v1/status")
                if isReport, status == 200, said["payment"] != nil { said = change(said) }
            }
        }
    }

    /// What each operation becomes, in answers and in callbacks.
    static func operations(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        reports { report in
            report.changing("operation") { $0.map(change) }
                .changing("operations") { list in list?.array.map { .array($0.map(change)) } ?? list }
        }
    }

    /// What is sent for one callback.
    static func callbacks(_ change: @escaping @Sendable (JSON) -> [JSON]) -> EcommpayReading {
        rule { $0.callbacks = { $0["payment"] == nil ? [$0] : change($0) } }
    }

    /// Before the next question about a hold, the provider has ended it on its own.
    private static func limit(
        _ end: @escaping @Sendable (inout EcommpaySimulator.State, inout EcommpaySimulator.Payment, Int64) -> String
    ) -> EcommpayReading {
        EcommpayReading {
            $0.instead = { exchange, state in
                guard exchange.posts("/v2/payment/status"),
                    let id = exchange.body?["general"]?["payment_id"]?.string, var payment = state.payments[id],
                    payment.status == "awaiting capture", payment.operations.count == 1
                else { return nil }
                let units = payment.amounts.held
                let type = end(&state, &payment, exchange.now)
                payment.operations.append(
                    EcommpaySimulator.Operation(
                        id: EcommpaySimulator.number(&state), type: type, status: "success", units: units,
                        request: "limit-\(payment.id)", at: exchange.now, code: "0"))
                state.payments[id] = payment
                return nil
            }
        }
    }

    /// For ten seconds nothing is known of a payment.
    private static func early(_ code: Int64) -> EcommpayReading {
        EcommpayReading {
            $0.instead = { exchange, state in
                guard exchange.posts("/v2/payment/status"),
                    let id = exchange.body?["general"]?["payment_id"]?.string, let payment = state.payments[id],
                    exchange.now - payment.createdAt < 10_000
                else { return nil }
                return .json(
                    state.seal.sign([
                        "project_id": .number(JSONNumber(state.rules.project)),
                        "payment": ["id": .string(id), "status": "error"], "operations": [],
                        "errors": [["code": .whole(code), "message": "not yet"]],
                    ]))
            }
        }
    }

    private static func whilePending(_ word: String) -> EcommpayReading {
        reports { report in
            let list = report["operations"]?.array ?? report["operation"].map { [$0] } ?? []
            let isOpen = list.contains { one in
                ["refund", "reversal"].contains(one["type"]?.string ?? "")
                    && one["status"]?.string == "external processing"
            }
            return isOpen ? report.putting(.string(word), at: "payment", "status") : report
        }
    }

    @Sendable static func isChange(_ exchange: ReadingExchange) -> Bool {
        ["/capture", "/cancel", "/refund", "/incremental", "/recurring"].contains { exchange.posts($0) }
    }

    @Sendable private static func isRepeat(_ said: JSON) -> Bool {
        ["3041", "3230"].contains(said["code"]?.string ?? "")
    }

    @Sendable private static func acknowledgement(_ payment: JSON) -> JSON {
        ["status": "success", "request_id": "request-again", "project_id": 1_234, "payment_id": payment]
    }

    @Sendable static func numbered(_ json: JSON) -> JSON {
        json.changing("code") { code in
            code?.string.flatMap { try? JSONNumber($0) }.map { .number($0) } ?? code
        }
    }
}

/// Readings of names, times and words, of callbacks, and of what is beside payments.
extension EcommpayReadings {
    static let forms: [String: PlayedReading<EcommpaySimulator.State>] = [
        "clock.behind": (.unknown, times { shifted($0, by: -3_600_000) }),
        "clock.ahead": (.works, times { shifted($0, by: 3_600_000) }),
        "time.zone.time-in-another-zone": (.unknown, times { String($0.dropLast(5)) + "+0300" }),
        "time.zone.time-without-zone": (.works, times { String($0.dropLast(5)) }),
        "refund-name.in-operation": (
            .works,
            reports { report in
                guard let name = report["payment"]?["merchant_refund_id"] else { return report }
                let bare = report.without("payment", "merchant_refund_id")
                if bare["operation"] != nil { return bare.putting(name, at: "operation", "merchant_refund_id") }
                guard var list = bare["operations"]?.array, let last = list.popLast() else { return bare }
                return bare.putting(.array(list + [last.adding("merchant_refund_id", name)]), at: "operations")
            }
        ),
        "refund-name.nowhere": (.unknown, reports { $0.without("payment", "merchant_refund_id") }),
        "names.neither.missing-in-operations": (.unknown, operations { $0.without("request_id") }),
        "names.neither.neither": (
            .unknown,
            reports { report in
                let bare = report.without("payment", "merchant_refund_id").without("operation", "request_id")
                return bare.changing("operations") { list in
                    list?.array.map { .array($0.map { $0.without("request_id") }) } ?? list
                }
            }
        ),
        "status.unknown-form.unknown-as-400": (.works, unknown(400)),
        "status.unknown-form.unknown-as-404": (.works, unknown(404)),
        "ack.no-request-id": (.unknown, acks { $0.without("request_id") }),
        "ack.no-payment-id": (.works, acks { $0.without("payment_id") }),
        "ack.with-code-and-message": (.works, acks { $0.adding("code", "").adding("message", "") }),
        "word.cancelled": (.works, words { $0 == "canceled" ? "cancelled" : $0 }),
        "word.unlisted": (.unknown, words { $0 == "success" ? "finished" : $0 }),
        "word.other-case": (.unknown, words { $0 == "success" ? "Success" : $0 }),
        "callback.delivery.twice": (.works, callbacks { [$0, $0] }),
        "callback.delivery.none": (.unknown, callbacks { _ in [] }),
        "callback.members.no-project": (.works, callbacks { [$0.without("project_id")] }),
        "callback.members.no-sum": (.works, callbacks { [$0.without("payment", "sum")] }),
        "callback.members.no-operation": (.unknown, callbacks { [$0.without("operation")] }),
        "callback.members.payment-word-only": (.unknown, callbacks { [$0.without("operation", "status")] }),
        "callback.members.no-request-id": (.unknown, callbacks { [$0.without("operation", "request_id")] }),
        "callback.members.no-date": (
            .works, callbacks { [$0.without("operation", "date").without("payment", "date")] }
        ),
        "code.form.code-as-number": (.works, operations(numbered)),
        "code.form.no-code": (.works, operations { $0.without("code") }),
        "ids.form.ids-as-text": (
            .works, operations { $0.changing("id") { id in id?.number.map { .string($0.text) } ?? id } }
        ),
        "account.no-account": (.works, reports { $0.without("account") }),
        "account.without-expiry": (
            .works, reports { $0.without("account", "expiry_month").without("account", "expiry_year") }
        ),
        "saved-by-sale.next-session": (.works, reports { $0.without("account", "id") }),
    ]

    static let answers: [String: PlayedReading<EcommpaySimulator.State>] = [
        "list.payment-method.not-needed": (.works, rule { $0.wantsMethod = false }),
        "list.none.empty-object": (
            .works, lists { $0["accounts"]?.array?.isEmpty == true ? $0.without("accounts") : $0 }
        ),
        "list.none.none-as-3241": (
            .works,
            EcommpayReading {
                $0.answer = { exchange, said, status in
                    guard exchange.posts("/saved_account/list"), said["accounts"]?.array?.isEmpty == true else {
                        return
                    }
                    (said, status) = (["status": "error", "code": "3241", "message": "Customer not found"], 400)
                }
            }
        ),
        "list.tokens.tokens-masked": (
            .unknown,
            accounts { $0.changing("token") { $0?.string.map { .string($0.prefix(4) + "****" + $0.suffix(4)) } } }
        ),
        "list.tokens.tokens-missing": (.unknown, accounts { $0.without("token") }),
        "list.order.newest-first": (
            .works, lists { $0.changing("accounts") { .array(($0?.array ?? []).reversed()) } }
        ),
        "delete.answer.status-only": (.works, deleted { $0.without("message") }),
        "delete.answer.other-word": (.works, deleted { $0.putting("deleted", at: "status") }),
    ]

    /// What becomes of each time that a report names.
    private static func times(_ change: @escaping @Sendable (String) -> String) -> EcommpayReading {
        reports { report in
            ReplyFalsifier.changing(["date", "created_date"], in: report) { $0.string.map { .string(change($0)) } }
        }
    }

    @Sendable private static func shifted(_ time: String, by milliseconds: Int64) -> String {
        guard let at = Timestamp(time)?.milliseconds else { return time }
        return EcommpaySimulator.time(at + milliseconds).string ?? time
    }

    /// What becomes of each word about a payment or an operation.
    private static func words(_ change: @escaping @Sendable (String) -> String) -> EcommpayReading {
        reports { report in
            ReplyFalsifier.changing(["status"], in: report) { $0.string.map { .string(change($0)) } }
        }
    }

    private static func unknown(_ refusal: Int) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                guard exchange.posts("/v2/payment/status"), said["payment"]?["status"]?.string == "error" else {
                    return
                }
                (said, status) = (["errors": said["errors"] ?? [], "status": "error", "code": "3061"], refusal)
            }
        }
    }

    private static func acks(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in if isChange(exchange), status == 200 { said = change(said) } }
        }
    }

    private static func lists(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/saved_account/list"), status == 200 { said = change(said) }
            }
        }
    }

    private static func accounts(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        lists { $0.changing("accounts") { .array(($0?.array ?? []).map(change)) } }
    }

    private static func deleted(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/saved_account/delete"), status == 200 { said = change(said) }
            }
        }
    }
}

/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum EcommpayReadingList {
    static let text = #"""
        hold.limit|*never|holds wait for ever
        hold.limit|captured-by-company|an operation capture that was not asked for, then a callback
        hold.limit|released-by-company|an operation cancel, then a callback
        amount.changed|*as-asked|paid = asked
        amount.changed|changed-by-customer|success with another sum
        amount.changed|held-for-a-person|intermediate word until support decides
        amount.changed|declined|declined
        clock|*same|same clock
        clock|behind|an hour behind ours
        clock|ahead|an hour ahead
        time.zone|*plus-0000|+0000
        time.zone|time-in-another-zone|+0300 with the same wall time
        time.zone|time-without-zone|no zone
        refund-name|in-operation|each operation has merchant_refund_id (our simulator alone)
        refund-name|*in-payment|payment.merchant_refund_id of the latest
        refund-name|nowhere|not shown in status and callbacks
        names.neither|*request-id|operations carry request_id
        names.neither|missing-in-operations|not
        names.neither|neither|neither request_id nor merchant_refund_id
        cancel.amount|*amount-is-what-goes|payment.amount = released
        cancel.amount|amount-is-what-stays|payment.amount = new hold
        partial|*partially-paid|status partially paid, sum_initial = part
        partial|called-success|success with less
        partial|of-a-hold|awaiting capture with less than asked
        debit.retries|*once|declined is declined
        debit.retries|retried-by-company|decline with next_retry_exists true, success hours later under the same or \#
        another operation
        debit.retries|stopped|after retry_stop
        refusal.place|*http-400|400 with code
        refusal.place|accepted-and-told-later|200 success, then a callback/operation with decline and code
        refusal.place|accepted-and-never-told|200 success, no operation
        list.payment-method|not-needed|no payment_method
        list.payment-method|*payment-method-needed|400 2004 without it
        debit.customer|optional|customer optional
        debit.customer|*customer-needed|400 2004
        status.ten-seconds|*at-once|known at once
        status.ten-seconds|not-before-ten-seconds|error/3061 for the first 10 s
        status.ten-seconds|3062-between|3062 for a while
        status.unknown-form|*200-error-3061|200 with status error
        status.unknown-form|unknown-as-400|400 with errors list
        status.unknown-form|unknown-as-404|404
        status.operations|*oldest-first|oldest first
        status.operations|operations-newest-first|newest first
        status.operations|operations-later|empty for a while
        status.operations|paged|only the latest N
        status.signature|*signed|signed
        status.signature|unsigned|not signed
        status.signature|byte-order|signed in another order (W61-W64)
        sum.meaning|*what-is-left|payment.sum shrinks with refunds
        sum.meaning|never-shrinks|original amount
        sum.meaning|missing-when-nothing-left|absent at zero (GA: amount >= 1)
        sum.meaning|missing|absent
        sum.operation|*sum-initial|sum_initial
        sum.operation|called-sum-in-operations|sum
        sum.operation|original-missing-in-operations|absent
        sum.operation|converted-differs|sum_converted in another currency
        refund.type|*by-timing|reversal before clearing, else refund
        refund.type|always-refund|refund
        refund.type|parts-are-reversals|reversal for parts too
        refund.payment-word|*unchanged|payment keeps its word while a refund is pending
        refund.payment-word|payment-word-while-pending|processing
        refund.payment-word|word-refund-processing|refund processing / reversal processing
        refund.back|*own-operation|operation refund reverse with the same name
        refund.back|status-changes|the refund's own status becomes decline later
        refund.back|silent|only in the dashboard
        refund.outside|*ours-only|only ours
        refund.outside|by-a-person|refund without our name
        repeat|*error-3041-3230|400 with code
        repeat|first-answer-again|200 again
        repeat|status-409|409
        repeat|code-as-number|number
        repeat.other-amount|*refused|3041 whatever the amount
        repeat.other-amount|compared|other amount under the same id is another error
        id.reuse|*reusable|same id again
        id.reuse|used-up|3041 for ever
        ack|*whole|status, request_id, project_id, payment_id
        ack|no-request-id|without
        ack|no-payment-id|without
        ack|with-code-and-message|code "", message ""
        word|*canceled|canceled
        word|cancelled|cancelled
        word|unlisted|a word in no list
        word|other-case|Success
        word.lag|*together|payment and operation change together
        word.lag|operation-lags|operation still processing
        word.lag|payment-lags|payment still processing
        hold.after-part|*stays|awaiting capture after a part was released
        hold.after-part|partially-reversed|partially reversed / canceled
        hold.after-part|sum-unchanged|payment.sum stays the first hold
        hold.increment|*taken|any increment
        hold.increment|limited|decline above 15 per cent or for other cards
        customer.ip|*session-knows|the session's own connection
        customer.ip|asked-in-gate|required by the Gate
        list.none|empty-object|{} unsigned members (our simulator alone)
        list.none|*none-as-empty-list|accounts []
        list.none|none-as-3241|400 3241
        list.tokens|*whole|whole token
        list.tokens|tokens-masked|middle left out
        list.tokens|tokens-missing|absent
        list.order|*by-id|by id
        list.order|newest-first|newest first
        list.order|paged|only the first N
        token.again|*same-token|one token for a card of a customer
        token.again|new-token|another one each time
        delete.answer|status-only|status success
        delete.answer|*with-message-only|with message
        delete.answer|other-word|another word
        callback.delivery|*once-in-order|once
        callback.delivery|twice|twice
        callback.delivery|newest-first|newest first
        callback.delivery|none|never (force_disable, firewall)
        callback.delivery|for-eleven-days|again and again
        callback.before-answer|*after|after the answer
        callback.before-answer|before-answer|before the ack
        callback.members|*full|all members
        callback.members|no-project|without project_id
        callback.members|no-sum|without sum
        callback.members|no-operation|payment alone
        callback.members|payment-word-only|operation without status
        callback.members|no-request-id|without request_id
        callback.members|no-date|without date
        callback.members|signature-in-general|signature in general
        code.form|*text|"10105"
        code.form|code-as-number|10105
        code.form|no-code|absent
        ids.form|*numbers|numbers beyond 2^53
        ids.form|ids-as-text|text
        account|*shown|shown
        account|no-account|absent
        account|without-expiry|no expiry_month/year (GA)
        description|ours|as our simulator
        description|*with-missing-members-of-the-description|as described
        saved-by-sale|*in-report|account.id in the report
        saved-by-sale|next-session|only in accounts of the next session
        verification|*zero|0
        verification|one-unit-and-back|charged 1 and reversed
        verification|minimum|refused below a minimum
        challenge.timeout|*declined|declined after 30 min
        challenge.timeout|succeeds-late|bank answers after the customer left
        cascade|*new-operation|second operation beside the declined one
        cascade|same-operation|one operation changes
        cascade|second-charge|first provider's success arrives late too
        session-wire|*ours|/msdk/v1 as we made it
        session-wire|other-paths|sessionPath
        session-wire|page-only|Payment Page link and callbacks only
        method.segment|*by-method|/payment/applepay/refund
        method.segment|method-less|/payment/refund
        method.segment|card-for-all|/payment/card/refund
        chargeback|*never-told|no signed callback; if switched on, a list once a day, without a signature and only once
        chargeback|3288|refund refused while disputed
        exponents|*iso|ISO 4217
        exponents|plugins|KWD as 2 decimals
        gate.step|*in-callback|a step of a payment is reported by a callback alone (D gate-payment-3ds-formats-extended)
        gate.step|in-status|the status shows it, too
        gate.token-code|*optional|a token is charged without its card's code (GA: cvv optional)
        gate.token-code|code-needed|400 3141 without it
        gate.customer|*any-name|customer.id may be a name that was never seen before
        gate.customer|known-names-only|400 without a customer who was named before
        gate.refusal|*at-once|a beginning with a mistake is refused at once
        gate.refusal|by-request|it is accepted, the payment is 3061 for ever, and its request says error with the code
        page.method|*card|the customer pays on the page by card
        page.method|apple-pay|by Apple Pay: the status says etoken, and later changes go to /payment/applepay
        page.method|google-pay|by Google Pay: etoken-google, and /payment/googlepay
        page.method|other|by another method, for which /payment/refund alone is published
        page.expiry|*best-before|a page is not paid after best_before, by the provider's clock
        page.expiry|longer|it is: a payment that was begun before may end after it
        page.again|*over|a card that is declined ends the page: its link is paid no more
        page.again|other-card|the customer may try another card under the same link
        page.operation|*operation-type|operation_type says whether to hold
        page.operation|card-operation-type|card_operation_type does, the older name
        """#
}

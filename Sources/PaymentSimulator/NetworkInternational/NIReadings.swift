internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider.
struct NIRules: ReadingRules {
    /// What a void undoes.
    enum Voids {
        /// Everything, captured money too.
        case everything
        /// What was not captured yet; the same word is said of what was.
        case uncaptured
        /// Nothing where anything was captured.
        case uncapturedOnly
        /// No purchase.
        case holdsOnly
    }

    /// What becomes of a refund before the settlement.
    enum Unsettled {
        /// It is refused.
        case refused
        /// It waits for the settlement.
        case waits
        /// It is done at once.
        case done
        /// All of the payment is undone.
        case voided
    }

    var voids = Voids.everything
    var unsettled = Unsettled.refused
    /// Half of what is tapped is approved.
    var approvesHalf = false
    /// Webhooks carry the header that was agreed on.
    var signsWebhooks = true
}

typealias NIReading = ProviderReading<NISimulator.State>

extension NISimulator: VariantProvider {
    public static let readings = listed("ni", NIReadingList.text)

    public func play(_ reading: String) -> Bool { begin(reading, of: Self.readings, "ni") }

    static let played: [String: PlayedReading<State>] = NIReadings.money.merging(NIReadings.forms) { one, _ in one }
        .merging(NIReadings.doors) { one, _ in one }
}

/// What the simulated provider plays; here what touches money and the state of orders.
enum NIReadings {
    static let money: [String: PlayedReading<NISimulator.State>] = [
        // What the SDK does is played by the simulated SDK; the platform behind it is as usual.
        "sdk.session/2": (.works, rule { _ in }),
        "void.scope/2": (.unknown, rule { $0.voids = .uncaptured }),
        "void.scope/3": (.unknown, rule { $0.voids = .uncapturedOnly }),
        "void.scope/4": (.unknown, rule { $0.voids = .holdsOnly }),
        "exponent.wire/2": (
            .stopsOrOpen("currencies"),
            orders { order in
                ReplyFalsifier.changing(["minorUnit"], in: order) { _ in 2 }
            }
        ),
        "exponent.wire/3": (
            .stopsOrOpen("currencies"),
            orders { order in
                ["authorised", "refunded", "captured", "net", "pending"].reduce(order) {
                    $0.without("paymentInfo", $1, "minorUnit")
                }
            }
        ),
        "refund.same-day/2": (.works, rule { $0.unsettled = .waits }),
        "refund.same-day/3": (.works, rule { $0.unsettled = .done }),
        "refund.same-day/4": (.unknown, rule { $0.unsettled = .voided }),
        "refund.success-meaning/3": (
            .works,
            NIReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.posts("/actions/refund"), said["status"]?.string == "REQUESTED" else { return }
                    said = said.putting("SUBMITTED", at: "status")
                }
            }
        ),
        "partial-auth.amount/2": (
            .unknown,
            NIReading {
                $0.rules.approvesHalf = true
                $0.answer = { exchange, said, _ in
                    guard isPayment(exchange), isApproved(said), let part = said["amount"],
                        let units = part["value"]?.int64, exchange.asked != units
                    else { return }
                    said = said.putting("PARTIALLY_AUTHORISED", at: "state")
                        .putting(.number(JSONNumber(units * 2)), at: "amount", "value")
                        .putting(part, at: "authResponse", "partialAmount")
                }
            }
        ),
        "partial-auth.amount/3": (
            .unknown,
            NIReading {
                $0.rules.approvesHalf = true
                $0.answer = { exchange, said, _ in
                    guard isPayment(exchange), isApproved(said), exchange.asked != said["amount"]?["value"]?.int64
                    else { return }
                    said = said.putting("PARTIALLY_AUTHORISED", at: "state")
                }
            }
        ),
        "capture.list-in-answer/2": (
            .works, captures { list in Array(list.suffix(1)) }
        ),
        "capture.list-in-answer/3": (.works, captures { $0.reversed() }),
        "capture.list-in-answer/4": (
            .unknown, captures { list in list.map { $0.putting(200, at: "amount", "value") } }
        ),
        "capture-status.purchase/2": (.works, states { word, _ in word == "PURCHASED" ? "CAPTURED" : word }),
        "capture-status.purchase/3": (.works, states { word, _ in word == "PURCHASED" ? nil : word }),
        "capture-status.purchase/4": (.works, states { word, _ in word == "PURCHASED" ? "NOT_CAPTURED" : word }),
        "capture-status.authorised/2": (.works, states { word, _ in word == "AUTHORISED" ? "NOT_CAPTURED" : word }),
        "capture-status.authorised/3": (.works, states { word, _ in word == "AUTHORISED" ? nil : word }),
        "capture-status.after-void/2": (.works, states { word, _ in word == "REVERSED" ? "CANCELLED" : word }),
        "capture-status.after-void/3": (
            .works,
            states { word, order in
                word == "REVERSED" ? order["action"]?.string == "AUTH" ? "AUTHORISED" : "PURCHASED" : word
            }
        ),
        "capture-status.after-void/4": (.unknown, states { word, _ in word == "REVERSED" ? nil : word }),
        "capture-status.after-refund/2": (
            .works,
            states { word, order in
                guard word.hasSuffix("REFUNDED") else { return word }
                return order["action"]?.string == "AUTH" ? "CAPTURED" : "PURCHASED"
            }
        ),
        "capture-status.after-refund/3": (
            .unknown, states { word, _ in word == "PARTIALLY_REFUNDED" ? "REFUNDED_IN_PART" : word }
        ),
        "order.list-incomplete/2": (.works, movements { Array($0.suffix(1)) }),
        "order.list-incomplete/3": (
            .unknown, movements { $0.filter { $0["action"]?.string == "VOID_CAPTURE" } }
        ),
        "order.movements-missing/2": (
            .works, orders { $0.changing("capturesNRefunds") { $0?.array?.isEmpty == true ? nil : $0 } }
        ),
        "order.tid-missing/2": (.works, orders { $0.putting(.null, at: "tid") }),
        "order.tid-missing/3": (.unknown, orders { $0.putting("VT000001", at: "tid") }),
        "refund.payload-reference/2": (.unknown, named { order, _ in order["reference"] }),
        "refund.payload-reference/3": (
            .unknown, named { order, _ in order["paymentCards"]?[0]?["paymentReference"] }
        ),
        "refund.id-unknown-elsewhere/2": (
            .unknown, named { _, name in name.string.map { .string("0" + $0.dropFirst(4)) } }
        ),
        "purchase.word/2": (.works, purchases("CAPTURED")), "purchase.word/3": (.unknown, purchases("AUTHORISED")),
        "purchase.word/4": (.unknown, purchases("SUCCESS")),
        "review/2": (
            .works,
            NIReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["state", "captureStatus"], in: said) {
                        $0.string == "PENDING" ? "POST_AUTH_REVIEW" : nil
                    }
                }
            }
        ),
    ]

    // MARK: How they are made

    static func rule(_ change: (inout NIRules) -> Void) -> NIReading { NIReading { change(&$0.rules) } }

    @Sendable static func isPayment(_ exchange: ReadingExchange) -> Bool {
        exchange.posts("/card/purchase") || exchange.posts("/card/authorise")
    }

    @Sendable static func isApproved(_ said: JSON) -> Bool {
        ["PURCHASED", "AUTHORISED"].contains(said["state"]?.string ?? "")
    }

    /// What the report of an order becomes.
    static func orders(_ change: @escaping @Sendable (JSON) -> JSON) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, status in
                if exchange.gets("/softpos/reporting/orders/"), status == 200 { said = change(said) }
            }
        }
    }

    /// The word for an order's state, by the usual one and the order; nil leaves it out.
    private static func states(_ word: @escaping @Sendable (String, JSON) -> String?) -> NIReading {
        orders { order in
            order.changing("captureStatus") { usual in
                word(usual?.string ?? "", order).map { .string($0) }
            }
        }
    }

    private static func movements(_ change: @escaping @Sendable ([JSON]) -> [JSON]) -> NIReading {
        orders { $0.changing("capturesNRefunds") { .array(change($0?.array ?? [])) } }
    }

    /// What refunds are called in the report of an order.
    private static func named(_ name: @escaping @Sendable (JSON, JSON) -> JSON?) -> NIReading {
        orders { order in
            order.changing("capturesNRefunds") { list in
                .array(
                    (list?.array ?? []).map { one in
                        guard one["eventGroupType"]?.string?.hasSuffix("REFUND") == true else { return one }
                        return one.changing("payload", "reference") { usual in usual.flatMap { name(order, $0) } }
                    })
            }
        }
    }

    /// The captures in the answer to one.
    private static func captures(_ change: @escaping @Sendable ([JSON]) -> [JSON]) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, _ in
                guard exchange.posts("/capture") else { return }
                said = said.changing("_embedded", "cnp:capture") { list in
                    list?.array.map { .array(change($0)) } ?? list
                }
            }
        }
    }

    /// The word of a purchase that went well, in the answer to it.
    private static func purchases(_ word: JSON) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, _ in
                guard exchange.posts("/card/purchase"), isApproved(said) else { return }
                said = said.putting(word, at: "state")
            }
        }
    }
}

extension ReadingExchange {
    /// What the reader has read.
    fileprivate var asked: Int64? { TapPayload(body?["payment"]?.string)?.amount.minorUnits }
}

/// Readings of lists, of forms, and of what has to be there before anything is done.
extension NIReadings {
    static let forms: [String: PlayedReading<NISimulator.State>] = [
        "list.reference/2": (
            .unknown, items { $0.changing("reference") { $0?.string.map { .string("payment-" + $0) } } }
        ),
        "list.order/2": (.works, list { $0.reversed() }),
        "list.delay/2": (.unknown, list { _ in [] }),
        "list.time-zone/2": (
            .unknown,
            items { item in
                item.changing("createdDateTime") { time in
                    time?.string.flatMap { Timestamp($0)?.milliseconds }
                        .map { .string(NISimulator.time($0 + 4 * 3_600_000)) } ?? time
                }
            }
        ),
        "list.amounts/2": (
            .works,
            items { $0.changing("amount") { text in number(text) }.changing("refundedAmount") { text in number(text) } }
        ),
        "list.amounts/3": (
            .unknown,
            items { $0.changing("amount") { text in text?.string.map { .string($0.replacing(".", with: "")) } } }
        ),
        "list.amounts/4": (
            .unknown, items { $0.changing("amount") { text in text?.string.map { .string("AED " + $0) } } }
        ),
        "list.actions/3": (
            .works, items { $0.changing("action") { $0?.string == "PURCHASE" ? "SALE" : $0 } }
        ),
        "decline.shape/2": (
            .works,
            payments { said, status in
                guard said["state"]?.string == "FAILED" else { return }
                (said, status) = (["errors": [["errorCode": "113", "message": "Declined"]]], 422)
            }
        ),
        "decline.shape/3": (
            .works, payments { said, _ in said = said.changing("state") { $0?.string == "FAILED" ? "DECLINED" : $0 } }
        ),
        "decline.shape/4": (
            .works,
            payments { said, _ in
                if said["state"]?.string == "FAILED" { said = said.putting(.null, at: "authResponse") }
            }
        ),
        "decline.shape/5": (
            .unknown,
            payments { said, _ in if isApproved(said) { said = said.putting(false, at: "authResponse", "success") } }
        ),
        "error-codes.on-wire/2": (.works, errors { _ in "validationFailed" }),
        "error-codes.on-wire/3": (.works, errors { number($0) }),
        "error-codes.on-wire/4": (
            .works, NIReading { $0.answer = { _, said, status in if status >= 400 { said = ["message": "refused"] } } }
        ),
        "amount.number-form/2": (
            .works,
            NIReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["value"], in: said) { value in
                        value.int64.flatMap { try? JSONNumber("\($0).0") }.map { .number($0) }
                    }
                }
            }
        ),
        "amount.number-form/3": (
            .works,
            NIReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["value"], in: said) { $0.int64.map { .string(String($0)) } }
                }
            }
        ),
        "capture.amount-top/2": (.works, captureTop(7_700)), "capture.amount-top/3": (.works, captureTop(1)),
        "webhook.softpos/2": (.unknown, NIReading { $0.message = { _ in nil } }),
        "webhook.softpos/3": (.unknown, NIReading { $0.message = { ["event": $0["eventName"] ?? ""] } }),
        "webhook.softpos/4": (.unknown, rule { $0.signsWebhooks = false }),
    ]

    static let doors: [String: PlayedReading<NISimulator.State>] = [
        "auth.scheme/2": (
            .stopsOrOpen("scheme"),
            NIReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/auth/access-token"),
                        exchange.headers["Authorization"]?.hasPrefix("Basic ") != true
                    else { return nil }
                    return NISimulator.refuse(401, "111", "Basic is wanted")
                }
            }
        ),
        "auth.scheme/3": (
            .works,
            NIReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/auth/access-token"),
                        exchange.headers["Authorization"]?.hasPrefix("Bearer ") != true
                    else { return nil }
                    return NISimulator.refuse(401, "111", "Bearer is wanted")
                }
            }
        ),
        "auth.life/2": (.works, tokens { $0.putting(300, at: "expires_in") }),
        "auth.life/3": (.works, tokens { $0.changing("expires_in") { $0?.number.map { .string($0.text) } } }),
        "auth.life/4": (.works, tokens { $0.without("expires_in") }),
        "currencies.uae/2": (.stopsOrOpen("currencies"), takesOnly(["AED"])),
        "currencies.uae/3": (.stopsOrOpen("currencies"), takesOnly(["AED", "USD"])),
        "base-path/2": (
            .stopsOrOpen("basePath"),
            NIReading {
                $0.instead = { exchange, _ in
                    exchange.path.hasPrefix("/softpos/") ? NISimulator.refuse(404, "", "there is nothing here") : nil
                }
            }
        ),
    ]

    @Sendable private static func number(_ json: JSON?) -> JSON? {
        json?.string.flatMap { try? JSONNumber($0) }.map { .number($0) } ?? json
    }

    private static func list(_ change: @escaping @Sendable ([JSON]) -> [JSON]) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, _ in
                guard exchange.gets("/softpos/reporting/payments") else { return }
                said = said.changing("items") { .array(change($0?.array ?? [])) }
            }
        }
    }

    private static func items(_ change: @escaping @Sendable (JSON) -> JSON) -> NIReading { list { $0.map(change) } }

    private static func payments(_ change: @escaping @Sendable (inout JSON, inout Int) -> Void) -> NIReading {
        NIReading { $0.answer = { exchange, said, status in if isPayment(exchange) { change(&said, &status) } } }
    }

    private static func errors(_ change: @escaping @Sendable (JSON?) -> JSON?) -> NIReading {
        NIReading {
            $0.answer = { _, said, _ in
                said = said.changing("errors") { list in
                    list?.array.map { .array($0.map { $0.changing("errorCode", to: change) }) } ?? list
                }
            }
        }
    }

    private static func captureTop(_ units: Int64) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, status in
                guard exchange.posts("/capture"), status == 200 else { return }
                said = said.putting(.number(JSONNumber(units)), at: "amount", "value")
            }
        }
    }

    private static func tokens(_ change: @escaping @Sendable (JSON) -> JSON) -> NIReading {
        NIReading { $0.answer = { _, said, _ in if said["access_token"] != nil { said = change(said) } } }
    }

    private static func takesOnly(_ currencies: Set<String>) -> NIReading {
        NIReading {
            $0.instead = { exchange, _ in
                guard isPayment(exchange), let tap = TapPayload(exchange.body?["payment"]?.string),
                    !currencies.contains(tap.amount.currency)
                else { return nil }
                return NISimulator.refuse(400, "202", "the currency is not taken")
            }
        }
    }
}

/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum NIReadingList {
    static let text = #"""
        void.scope|*1|everything goes back, captured money too
        void.scope|2|only the uncaptured rest is released
        void.scope|3|refused once anything is captured
        void.scope|4|a purchase can't be voided at all, only refunded
        exponent.wire|*1|ISO 4217 digits
        exponent.wire|2|two digits for every currency
        exponent.wire|3|ISO, but minorUnit missing
        refund.same-day|*1|119 until midnight of Dubai
        refund.same-day|2|accepted REQUESTED, carried out at midnight
        refund.same-day|3|SUCCESS at once
        refund.same-day|4|done as a void of the whole
        refund.success-meaning|*1|SUCCESS is money
        refund.success-meaning|2|SUCCESS is only accepted; may fail at settlement
        refund.success-meaning|3|PENDING, SUBMITTED, PROCESSING
        partial-auth.amount|*1|not for taps
        partial-auth.amount|2|state PARTIALLY_AUTHORISED, amount is what was asked, partialAmount what was approved
        partial-auth.amount|3|amount is already the part
        partial-auth.amount|4|waits for a yes or no
        purchase.body|*1|as authorise: language, locale, tid, payment
        purchase.body|2|with amount and currency too
        purchase.body|3|with generalCardData/paymentCardData
        purchase.body|4|payment is an object
        capture.list-in-answer|*1|all captures, oldest first
        capture.list-in-answer|2|only the new one
        capture.list-in-answer|3|newest first
        capture.list-in-answer|4|the list is illustrative: amounts differ from the asked one
        capture-status.purchase|*1|PURCHASED
        capture-status.purchase|2|CAPTURED
        capture-status.purchase|3|null or missing
        capture-status.purchase|4|NOT_CAPTURED or FULLY_CAPTURED
        capture-status.authorised|*1|AUTHORISED
        capture-status.authorised|2|NOT_CAPTURED
        capture-status.authorised|3|null until the first capture
        capture-status.after-void|*1|REVERSED
        capture-status.after-void|2|CANCELLED
        capture-status.after-void|3|stays; only status CLOSED and paymentInfo 0
        capture-status.after-void|4|null
        capture-status.after-refund|*1|REFUNDED/PARTIALLY_REFUNDED
        capture-status.after-refund|2|stays CAPTURED/PURCHASED
        capture-status.after-refund|3|a word of its own per part
        order.list-incomplete|*1|every capture and refund
        order.list-incomplete|2|only the last
        order.list-incomplete|3|only what can still be undone (VOID_CAPTURE)
        order.list-incomplete|4|FULL and PARTIAL under other group words
        refund.payload-reference|*1|the refundId
        refund.payload-reference|2|the order's reference, for every movement
        refund.payload-reference|3|the payment's reference
        refund.id-unknown-elsewhere|*1|stands in the order
        refund.id-unknown-elsewhere|2|stands nowhere else
        list.reference|*1|the order's reference
        list.reference|2|the payment's reference
        list.reference|3|a number of its own; the order is found by another member
        list.order|*1|newest first
        list.order|2|oldest first
        list.order|3|by last change
        list.delay|*1|at once
        list.delay|2|after minutes
        list.delay|3|after settlement
        list.time-zone|*1|UTC
        list.time-zone|2|Dubai time with Z or without zone
        list.time-zone|3|UTC to the second
        list.amounts|*1|text "100.00"
        list.amounts|2|number 100.0
        list.amounts|3|minor units 10000
        list.amounts|4|with commas or a currency sign
        list.actions|*1|one line per payment
        list.actions|2|lines for captures, refunds and voids too
        list.actions|3|SALE for PURCHASE
        order.movements-missing|*1|always a list
        order.movements-missing|2|missing or null while there is none
        list.offset|*1|index
        list.offset|2|page number
        list.offset|3|limit at most 20/50
        order.tid-missing|*1|tid in the order
        order.tid-missing|2|null
        order.tid-missing|3|the virtual terminal's code
        decline.shape|*1|200 FAILED with resultCode
        decline.shape|2|4xx with errorCode 113/114
        decline.shape|3|200 DECLINED
        decline.shape|4|authResponse null
        decline.shape|5|success false beside AUTHORISED
        error-codes.on-wire|*1|kit numbers as text
        error-codes.on-wire|2|platform words
        error-codes.on-wire|3|numbers as JSON numbers
        error-codes.on-wire|4|errors missing, only message
        auth.scheme|*1|both
        auth.scheme|2|only Basic
        auth.scheme|3|only Bearer
        auth.life|*1|28800
        auth.life|2|300
        auth.life|3|as text
        auth.life|4|missing
        device-token.which-service|*1|the access token of step 1
        device-token.which-service|2|a token of another system
        device-token.bound|*1|409 with 115
        device-token.bound|2|400/403 with another code
        device-token.bound|3|the old device is thrown out
        device-token.bound|4|unbind needs a token that a new install can't get
        currencies.uae|*1|every currency
        currencies.uae|2|AED only: 202/400
        currencies.uae|3|AED and USD
        amount.number-form|*1|2500
        amount.number-form|2|2500.0
        amount.number-form|3|"2500"
        reader-token|*1|one per currency, 48 h
        reader-token|2|any currency
        reader-token|3|shorter life, no date
        reader-token|4|a device not in SoftPOS: 112/403
        same-blob-twice|*1|charged twice
        same-blob-twice|2|refused the second time
        same-blob-twice|3|the first answer again
        purchase.word|*1|PURCHASED
        purchase.word|2|CAPTURED
        purchase.word|3|AUTHORISED for a purchase, captured later
        purchase.word|4|SUCCESS
        capture.amount-top|*1|the hold
        capture.amount-top|2|the captured sum
        capture.amount-top|3|the asked part
        hold.lapse|*1|held for ever
        hold.lapse|2|released by the issuer after days, order unchanged
        hold.lapse|3|order CLOSED
        settlement.cut-off|*1|00:00 Asia/Dubai
        settlement.cut-off|2|the acquirer's own hour
        settlement.cut-off|3|24 h after
        review|*1|none
        review|2|pending, then accepted
        review|3|pending, then reversed
        webhook.softpos|*1|same message for SoftPOS
        webhook.softpos|2|none
        webhook.softpos|3|another shape
        webhook.softpos|4|no header set
        media-types|*1|vnd types needed
        media-types|2|with charset or other version
        media-types|3|Accept needed too
        base-path|*1|once
        base-path|2|in host and path
        dry-run|*1|nothing is sent
        dry-run|2|sent and marked
        sdk.session|*1|a prepared reader serves payment after payment
        sdk.session|2|its session is gone after each payment, as after a trip to the background
        unbind.answer|*1|204
        unbind.answer|2|200
        unbind.answer|3|404 when not bound
        void-and-refund.body|*1|{amount} and {}
        void-and-refund.body|2|{amount:"12550",currencyCode}
        void-and-refund.body|3|no body
        void-and-refund.body|4|PUT
        """#
}

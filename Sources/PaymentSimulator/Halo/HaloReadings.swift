internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider.
struct HaloRules: ReadingRules {
    /// Half of what is tapped is approved, with the issuer's code for that.
    var approvesHalf = false
    /// A PIN makes a record of its own beside that of its tap.
    var recordsPINApart = false
    /// After a wrong PIN another one may follow.
    var takesSecondPIN = false
    /// The back office counts in the currency's smallest unit.
    var refundsInMinorUnits = false
    /// A refund that comes again is done again.
    var refundsAgain = false
    /// Whatever part is asked for, all goes back.
    var refundsWhole = false
    /// No search finds anything.
    var findsNothing = false
    /// Searches compare amounts in major units.
    var filtersInMajorUnits = false
}

typealias HaloReading = ProviderReading<HaloSimulator.State>

extension HaloSimulator: VariantProvider {
    public static let readings = listed("halo", HaloReadingList.text)

    public func play(_ reading: String) -> Bool { begin(reading, of: Self.readings, "halo") }

    static let played: [String: PlayedReading<State>] =
        HaloReadings.money.merging(HaloReadings.answers) { one, _ in one }.merging(HaloReadings.doors) { one, _ in one }
}

/// What the simulated provider plays; here what touches money, or what is found of it.
enum HaloReadings {
    static let money: [String: PlayedReading<HaloSimulator.State>] = [
        "search.silently-empty/2": (.works, onlyToday), "search.silently-empty/3": (.works, wantsDates),
        "search.silently-empty/4": (.unknown, rule { $0.findsNothing = true }),
        "search.silently-empty/6": (.unknown, late), "record.amount-unit/2": (.works, amounts(places: 0)),
        "record.amount-unit/3": (.works, amounts(places: 2)),
        "record.amount-unit/4": (.works, records { $0.changing("amount") { number($0) } }),
        "record.numbers/2": (.unknown, records(numbered)),
        "record.numbers/3": (
            .unknown,
            HaloReading {
                $0.answer = { exchange, said, _ in
                    if exchange.gets("/transactions/") { said = numbered(said) }
                }
            }
        ),
        "refund.amount-unit/2": (.stopsOrOpen("refundAmounts"), rule { $0.refundsInMinorUnits = true }),
        "refund.amount-unit/3": (
            .stopsOrOpen("refundAmounts"),
            refusing { $0.posts("/refund") && $0.body?["amount"]?.string == nil }
        ),
        "refund.repeat/2": (.works, rule { $0.refundsAgain = true }),
        "refund.repeat/3": (
            .unknown,
            HaloReading {
                $0.instead = { exchange, state in
                    guard exchange.posts("/refund"), let name = exchange.name,
                        !state.records.named("refund of \(name)").isEmpty
                    else { return nil }
                    return HaloSimulator.refuse(409, 213, "refund already processed")
                }
            }
        ),
        "refund.repeat/4": (
            .works,
            HaloReading {
                $0.instead = { exchange, state in
                    guard exchange.posts("/refund"), let reference = exchange.body?["refundReference"]?.string
                    else { return nil }
                    return state.record(of: reference).map { HaloSimulator.flat($0) }
                }
            }
        ),
        "refund.searchable/2": (.unknown, refundsFound(byReference: false)),
        "refund.searchable/3": (.unknown, refundsFound(byReference: nil)),
        "refund.window/2": (
            .stopsOrOpen("too late"),
            HaloReading {
                $0.instead = { exchange, _ in
                    exchange.posts("/refund") ? HaloSimulator.refuse(400, 212, "not now") : nil
                }
            }
        ),
        "refund.window/4": (.unknown, rule { $0.refundsWhole = true }),
        "submit.no-amount/2": (.works, taps(without: ["amount", "currency", "merchantReference"]) { _ in true }),
        "submit.no-amount/3": (
            .works,
            taps(without: ["amount", "currency", "merchantReference"]) { $0["type"]?.string != "Approved" }
        ),
        "submit.amount-unit/2": (.works, taps { $0.changing("amount") { major($0, places: 2) } }),
        "partial-approval/2": (.unknown, rule { $0.approvesHalf = true }),
        "partial-approval/3": (
            .unknown,
            HaloReading {
                $0.rules.approvesHalf = true
                $0.answer = taps { $0.without("amount") }.answer
            }
        ),
        "indeterminate.end/3": (.unknown, HaloReading { $0.message = { _ in nil } }),
        "unable-to-go-online/2": (
            .unknown,
            HaloReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["type", "transactionDispositionId"], in: said) {
                        $0.string == "Indeterminate" ? "UnableToGoOnline" : nil
                    }
                }
            }
        ),
        "reference.duplicate/2": (.unknown, duplicate { _ in .json(said(again), status: 200) }),
        "reference.duplicate/3": (
            .works, duplicate { _ in HaloSimulator.refuse(409, 124, "duplicate merchant reference") }
        ),
        "reference.duplicate/4": (.works, duplicate { .json(HaloSimulator.wrapped($0)) }),
        "pin.new-id/2": (.works, rule { $0.recordsPINApart = true }),
        "pin.new-id/3": (
            .unknown,
            HaloReading {
                $0.rules.recordsPINApart = true
                $0.answer = { exchange, said, _ in
                    guard exchange.gets("/transactions"), case .array(let records) = said else { return }
                    // Behind a suffix, only the tap that asked for the PIN is found.
                    let taps = records.filter { $0["responseCode"]?.string == "65" }
                    if !taps.isEmpty { said = .array(taps) }
                }
            }
        ),
        "pin.flag/2": (
            .works,
            taps { answer in
                answer["isSingleTapAndPin"]?.bool == true ? answer.putting(209, at: "errorCode") : answer
            }
        ),
        "pin.flag/3": (.works, taps { $0.without("isSingleTapAndPin") }),
        "pin.token/2": (.works, taps { $0["cardScheme"]?.string == "VISA" ? $0.without("pinToken") : $0 }),
        "pin.token/3": (.works, taps { $0.putting("", at: "pinToken") }),
        "pin.wrong/2": (.works, rule { $0.takesSecondPIN = true }),
        "status.500/2": (
            .works,
            HaloReading {
                $0.answer = { exchange, said, status in
                    guard exchange.posts("/transactions/apple"), status == 200 else { return }
                    (said, status) = (["error": "Internal server error"], 500)
                }
            }
        ),
    ]

    // MARK: How they are made

    static func rule(_ change: (inout HaloRules) -> Void) -> HaloReading { HaloReading { change(&$0.rules) } }

    /// What a tap's or a PIN's answer becomes inside its wrapper.
    static func taps(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { _, said, _ in
                said = said.changing("onlineAuthorizationResponse") { $0.map(change) }
            }
        }
    }

    private static func taps(
        without names: [String], where isMeant: @escaping @Sendable (JSON) -> Bool
    ) -> HaloReading {
        taps { answer in
            guard isMeant(answer) else { return answer }
            return names.reduce(answer) { $0.without($1) }
        }
    }

    /// What each record becomes, in a list and alone.
    static func records(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { exchange, said, status in
                guard exchange.gets("/transactions"), status == 200 else { return }
                if case .array(let records) = said { said = .array(records.map(change)) } else { said = change(said) }
            }
        }
    }

    /// What of each list is shown.
    private static func lists(_ isShown: @escaping @Sendable (JSON, ReadingExchange) -> Bool) -> HaloReading {
        HaloReading {
            $0.answer = { exchange, said, _ in
                guard exchange.gets("/transactions"), case .array(let records) = said else { return }
                said = .array(records.filter { isShown($0, exchange) })
            }
        }
    }

    /// A request that is refused as not valid.
    static func refusing(_ isMeant: @escaping @Sendable (ReadingExchange) -> Bool) -> HaloReading {
        HaloReading {
            $0.instead = { exchange, _ in
                isMeant(exchange) ? HaloSimulator.refuse(400, 104, "invalid request") : nil
            }
        }
    }

    private static func duplicate(
        _ answer: @escaping @Sendable (HaloSimulator.Record) -> SimulatorResponse
    ) -> HaloReading {
        HaloReading {
            $0.instead = { exchange, state in
                guard exchange.posts("/transactions/apple"),
                    let reference = exchange.body?["merchantReference"]?.string
                else { return nil }
                return state.record(of: reference).map(answer)
            }
        }
    }

    private static let again: JSON = [
        "type": "Declined", "errorCode": 124, "isoResponseCode": "", "errorMessage": "Duplicate reference",
        "haloReference": "", "tags": [],
    ]

    private static func said(_ answer: JSON) -> JSON { ["onlineAuthorizationResponse": answer] }

    private static let onlyToday = lists { record, exchange in
        if exchange.query("startDate") != nil { return true }
        return day(record) == Timestamp(milliseconds: exchange.now)?.date.isoText
    }

    private static func day(_ record: JSON) -> String? { record["createdAt"]?.string.map { String($0.prefix(10)) } }

    private static let wantsDates = refusing { exchange in
        exchange.method == "GET" && exchange.path == "/transactions"
            && ["startDate", "endDate", "limit", "offset"].contains { exchange.query($0) == nil }
    }

    private static let late = lists { record, exchange in
        let at = record["createdAt"]?.string.flatMap { Timestamp($0)?.milliseconds }
        return at.map { exchange.now - $0 >= 300_000 } ?? false
    }

    /// Refunds under the name of what they refund from, or not in any list.
    private static func refundsFound(byReference isShown: Bool?) -> HaloReading {
        lists { record, exchange in
            record["originalTransactionId"]?.string == nil
                || isShown != nil && exchange.query("merchantReference") == nil
        }
    }

    private static func amounts(places: Int) -> HaloReading {
        records { $0.changing("amount") { major($0, places: places) } }
    }

    /// Minor units of two decimals in major units: all their decimals, or as few as they need.
    private static func major(_ json: JSON?, places: Int) -> JSON? {
        guard let units = json?.int64 ?? json?.string.flatMap({ Int64($0) }) else { return json }
        let text = JSONNumber(units: units, places: 2).text
        let short = units % 100 == 0 && places == 0 ? String(units / 100) : text
        return json?.string == nil ? (try? JSONNumber(short)).map { .number($0) } : .string(short)
    }

    private static func number(_ json: JSON?) -> JSON? {
        json?.string.flatMap { try? JSONNumber($0) }.map { .number($0) } ?? json
    }

    @Sendable private static func numbered(_ record: JSON) -> JSON {
        let words = ["Approved", "Declined", "DeclinedOffline", "Voided", "Indeterminate"]
        let place = record["transactionDispositionId"]?.string.flatMap { words.firstIndex(of: $0) } ?? 9
        return record.putting(.number(JSONNumber(Int64(place))), at: "transactionDispositionId")
            .putting(10, at: "transactionstatusId").putting(1, at: "transactionTypeId")
            .changing("responseCode") { number($0) }
    }
}

extension ReadingExchange {
    /// What is behind `/transactions/` in the path.
    fileprivate var name: String? {
        let pieces = path.split(separator: "/")
        return pieces.count > 2 ? String(pieces[1]) : nil
    }
}

/// Readings of forms, and of what has to be there before anything is done.
extension HaloReadings {
    static let answers: [String: PlayedReading<HaloSimulator.State>] = [
        "status.codes/2": (.works, HaloReading { $0.answer = { _, _, status in if status == 201 { status = 200 } } }),
        "status.codes/3": (
            .works,
            HaloReading {
                $0.answer = { _, said, status in
                    guard let answer = said["onlineAuthorizationResponse"], status == 201 else { return }
                    status = answer["type"]?.string == "Approved" ? 200 : 402
                }
            }
        ),
        "response-code.form/2": (.works, responseCode { .number(JSONNumber(Int64($0) ?? 0)) }),
        "response-code.form/3": (.works, responseCode { .string(String(Int64($0) ?? 0)) }),
        "response-code.form/4": (.works, responseCode { _ in nil }),
        "webhook.amount/2": (.works, HaloReading { $0.message = { $0.changing("amount") { _ in "15.50" } } }),
        "webhook.amount/3": (.works, HaloReading { $0.message = { $0.without("amount") } }),
        "webhook.subject/2": (.works, HaloReading { $0.message = { $0.without("haloReference") } }),
        "webhook.subject/3": (.works, HaloReading { $0.message = { $0.putting(.null, at: "merchantReference") } }),
        "code-spelling/3": (
            .works,
            HaloReading {
                $0.answer = { _, said, _ in
                    said = said.changing("errorCode") { code in code?.number.map { .string($0.text) } ?? code }
                }
            }
        ),
        "tap-age/3": (.works, expired { $0.without("message") }),
        "tap-age/4": (.works, expired { $0.without("errorCode") }),
        "list.filters/2": (.works, rule { $0.filtersInMajorUnits = true }),
        "proximity.members/2": (
            .works,
            readerToken { token in
                ["expiresAt", "issuedAt"].reduce(token) { said, name in
                    said.changing(name) { time in
                        time?.string.flatMap { Timestamp($0)?.milliseconds }
                            .map { .number(JSONNumber($0 / 1_000)) } ?? time
                    }
                }
            }
        ),
        "proximity.members/3": (.works, readerToken { $0.without("expiresAt") }),
        "proximity.members/4": (.works, readerToken { ["token": $0] }),
    ]

    static let doors: [String: PlayedReading<HaloSimulator.State>] = [
        "passthrough/2": (.stopsOrOpen("passthroughFields"), wantsFields { $0 == nil }),
        "passthrough/3": (.stopsOrOpen("passthroughFields"), wantsFields { $0?.object == nil }),
        "passthrough/4": (.stopsOrOpen("passthroughFields"), wantsFields { $0?.string == nil }),
        "location.required/2": (
            .stopsOrOpen("location"),
            refusing { $0.posts("/transactions/apple") && $0.headers["X-Location"] == nil }
        ),
        "installation-id/2": (.stopsOrOpen("register"), tapsRefused(400, 136, "unknown installation")),
        "jwt.algorithm/2": (.stops("algorithm"), allRefused(401, 126, "signing algorithm")),
        "refund.key/2": (
            .stopsOrOpen("officeKey"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/refund"), exchange.headers["Authorization"] != nil else { return nil }
                    return HaloSimulator.refuse(401, 102, "one access at a time")
                }
            }
        ),
        "refund.key/3": (
            .stopsOrOpen("officeKey"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/refund"), exchange.headers["x-api-key"] != nil else { return nil }
                    return HaloSimulator.refuse(401, 102, "no key is taken here")
                }
            }
        ),
        "proximity.500/2": (
            .works,
            HaloReading {
                $0.instead = { exchange, _ in
                    exchange.posts("/proximity-token") ? HaloSimulator.refuse(403, 101, "missing right") : nil
                }
            }
        ),
        "currency.one/2": (
            .stops("currencies"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/transactions/apple"),
                        let tap = TapPayload(exchange.body?["paymentCardData"]?.string), tap.amount.currency != "ZAR"
                    else { return nil }
                    return HaloSimulator.refuse(400, 302, "invalid currency")
                }
            }
        ),
        "devices.path/2": (
            .works,
            HaloReading {
                $0.instead = { exchange, _ in
                    exchange.gets("/devices") ? HaloSimulator.refuse(404, 122, "nothing here") : nil
                }
            }
        ),
    ]

    private static func responseCode(_ change: @escaping @Sendable (String) -> JSON?) -> HaloReading {
        HaloReading {
            $0.answer = { _, said, _ in
                said = said.changing("onlineAuthorizationResponse") { answer in
                    answer?.changing("isoResponseCode") { $0?.string.flatMap { $0.isEmpty ? nil : change($0) } }
                }
                guard case .array(let records) = said else { return }
                said = .array(records.map { $0.changing("responseCode") { $0?.string.flatMap(change) } })
            }
        }
    }

    private static func expired(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { _, said, _ in
                if said["message"]?.string == "Request Expired" { said = change(said) }
            }
        }
    }

    private static func readerToken(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/proximity-token"), status == 200 { said = change(said) }
            }
        }
    }

    private static func wantsFields(_ isMissing: @escaping @Sendable (JSON?) -> Bool) -> HaloReading {
        refusing { $0.posts("/transactions/apple") && isMissing($0.body?["passthroughFields"]) }
    }

    private static func tapsRefused(_ status: Int, _ code: Int64, _ message: String) -> HaloReading {
        HaloReading {
            $0.instead = { exchange, _ in
                exchange.posts("/transactions/apple") ? HaloSimulator.refuse(status, code, message) : nil
            }
        }
    }

    private static func allRefused(_ status: Int, _ code: Int64, _ message: String) -> HaloReading {
        HaloReading { $0.instead = { _, _ in HaloSimulator.refuse(status, code, message) } }
    }
}

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
        refund.repeat|2|refunded twice
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
        voided.who|3|after an approval was reported
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

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

    /// Refunds under the name of what they give back from, or not in any list.
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
    /// What stands behind `/transactions/` in the path.
    fileprivate var name: String? {
        let pieces = path.split(separator: "/")
        return pieces.count > 2 ? String(pieces[1]) : nil
    }
}

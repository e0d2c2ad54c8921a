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

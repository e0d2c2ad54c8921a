internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider, and in what it tells.
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
    var pageGoesOn = false
    /// A token is charged with its card's security code only.
    var wantsTokenCode = false
    /// The list of saved accounts wants the payment method.
    var wantsMethod = true
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
        "page.again.other-card": (.works, rule { $0.pageGoesOn = true }),
        "gate.token-code.code-needed": (.works, rule { $0.wantsTokenCode = true }),
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

    /// Before anybody asks about a hold again, the provider has ended it by itself.
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

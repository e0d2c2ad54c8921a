internal import PaymentBase
internal import PaymentTransport

extension NISimulator {
    /// A purchase or an authorisation: everything about the money is in what the reader handed over.
    static func pay(call: SimulatorRequest, _ state: inout State, action: String) -> SimulatorResponse {
        guard let terminal = call.json?["tid"]?.string, terminal == grant(call, state)?.terminal else {
            return refuse(400, "115", "the terminal is not the token's")
        }
        guard let tap = TapPayload(call.json?["payment"]?.string), tap.purpose == "purchase" else {
            return refuse(400, "510", "the card's data could not be read")
        }
        let units = tap.amount.minorUnits
        guard units > 0 else { return refuse(400, "203", "the amount is not valid") }
        guard units <= amountMax else { return refuse(422, "118", "the amount is above the limit") }
        guard ["VISA", "MASTERCARD"].contains(tap.scheme) else { return refuse(422, "114", "the scheme is not taken") }
        guard state.orders.count < ordersMax else { return refuse(503, "", "no more orders are kept") }
        let script = TestAmount(minorUnits: units)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.busyOnce.insert(tap.number + String(units) + call.attemptLabel).inserted {
            return busy
        }
        var order = Order()
        order.amounts = SimulatedPayment(name: number("order-", &state), currency: tap.amount.currency)
        (order.payment, order.action, order.units) = (number("payment-", &state), action, units)
        (order.createdAt, order.terminal, order.label) = (call.now, terminal, call.attemptLabel)
        (order.maskedNumber, order.scheme) = (tap.maskedNumber, tap.scheme)
        if let code = decline(tap, script, state) {
            (order.state, order.resultCode) = ("FAILED", code)
        } else if script == .pends {
            order.state = "PENDING"
        } else {
            charge(&order, &state, call.now)
        }
        state.orders.keep(order)
        return disturbed(script, answer(order, state))
    }

    private static var busy: SimulatorResponse {
        guard case .reply(var response) = refuse(429, "", "too many requests") else { return .closed }
        response.headers["Retry-After"] = "1"
        return .reply(response)
    }

    private static func decline(_ tap: TapPayload, _ script: TestAmount?, _ state: State) -> String? {
        if let code = script?.declineCode ?? state.cards[tap.number] { return code }
        if let pin = tap.pin { return pin == tap.expectedPIN ? nil : "55" }
        return script == .asksPIN ? "65" : nil
    }

    static func charge(_ order: inout Order, _ state: inout State, _ now: Int64) {
        let isPurchase = order.action == "PURCHASE"
        order.state = isPurchase ? "PURCHASED" : "AUTHORISED"
        if state.play.approvesHalf, order.units % 2 == 0 { order.units /= 2 }
        order.amounts.charge(
            order.units, holds: !isPurchase, .init(order.action, by: order.label, entry: "reader", at: now),
            &state.ledger)
    }

    private static func disturbed(_ script: TestAmount?, _ reply: JSON) -> SimulatorResponse {
        guard let script else { return .json(reply) }
        return script.disturb(
            reply, broken: refuse(500, "", "something broke"), word: { $0.adding("state", "TELEPORTED") },
            amount: { ReplyFalsifier.changing(["value"], in: $0, ReplyFalsifier.larger) })
    }

    /// The answer to a purchase, an authorisation or a capture.
    static func answer(_ order: Order, _ state: State) -> JSON {
        var body: JSON = [
            "reference": .string(order.payment), "state": .string(order.state),
            "updateDateTime": .string(time(order.createdAt)), "amount": money(order.units, order.currency),
            "outletId": .string(state.rules.outlet), "orderReference": .string(order.reference),
        ]
        if order.state != "PENDING" {
            let isGood = order.resultCode == "00"
            body = body.adding(
                "authResponse",
                [
                    "authorizationCode": isGood ? .string(String(order.payment.suffix(6))) : .null,
                    "success": .bool(isGood), "resultCode": .string(order.resultCode),
                    "resultMessage": isGood ? "Successful approval/completion" : "Declined",
                    "mid": "434334344242",
                ])
        }
        return body
    }

    // MARK: On an order

    static func capture(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]], order.payment == call["payment"] else { return unknownOrder }
        guard let units = amount(call, order) else { return refuse(400, "203", "the amount is not valid") }
        let pending = order.moves.filter { $0.kind == "capture" && $0.state == "REQUESTED" }.reduce(0) { $0 + $1.units }
        guard ["AUTHORISED", "PARTIALLY_CAPTURED"].contains(order.state) else {
            return refuse(409, "116", "the order can't be captured")
        }
        guard units <= order.amounts.held - pending else { return refuse(422, "203", "not that much is held") }
        move("capture", units, call, &order, &state)
        let list = order.moves.filter { $0.kind == "capture" }.map { move -> JSON in
            [
                "amount": money(move.units, order.currency), "createdTime": .string(move.name),
                "state": .string(move.state),
            ]
        }
        let reply: JSON = [
            "reference": .string(order.payment), "state": .string(order.state),
            "amount": money(order.units, order.currency), "orderReference": .string(order.reference),
            "_embedded": ["cnp:capture": .array(list)],
        ]
        return .json(reply)
    }

    static func refund(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]] else { return unknownOrder }
        guard let units = amount(call, order) else { return refuse(400, "203", "the amount is not valid") }
        guard order.amounts.captured > 0, order.state != "REVERSED" else {
            return refuse(409, "116", "nothing was charged")
        }
        let pending = order.moves.filter { $0.kind == "refund" && $0.state == "REQUESTED" }.reduce(0) { $0 + $1.units }
        guard units <= order.amounts.refundable - pending else {
            return refuse(422, "203", "not that much is left")
        }
        let isSettled = isSettled(order, state, call.now)
        guard isSettled || state.play.unsettled != .refused else {
            return refuse(409, "119", "it is not settled; void it")
        }
        if !isSettled, state.play.unsettled == .voided {
            move("void", order.amounts.held + order.amounts.captured, call, &order, &state)
            return .json(["refundId": .string(order.moves.last?.name ?? ""), "status": "SUCCESS"])
        }
        move("refund", units, waits: !isSettled && state.play.unsettled == .waits, call, &order, &state)
        let done = order.moves.last
        return .json(["refundId": .string(done?.name ?? ""), "status": .string(done?.state ?? "FAILED")])
    }

    static func cancel(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]] else { return unknownOrder }
        guard ["AUTHORISED", "PARTIALLY_CAPTURED", "CAPTURED", "PURCHASED"].contains(order.state) else {
            return refuse(409, "116", "the order can't be voided")
        }
        let isUnderWay = order.moves.contains { $0.state == "REQUESTED" }
        guard order.amounts.refunded == 0, !isUnderWay,
            order.amounts.captured == 0 || !isSettled(order, state, call.now)
        else {
            return refuse(409, "119", "it is settled or was refunded")
        }
        if order.amounts.captured > 0, state.play.voids != .everything {
            if state.play.voids == .uncaptured {
                order.amounts.release(at: call.now, &state.ledger)
                state.orders.keep(order)
                return .json(["voidId": .string(number("vld_", &state)), "status": "SUCCESS"])
            }
            if order.action == "PURCHASE" || state.play.voids == .uncapturedOnly {
                return refuse(409, "119", "it was captured; refund it")
            }
        }
        move("void", order.amounts.held + order.amounts.captured, call, &order, &state)
        return .json(["voidId": .string(order.moves.last?.name ?? ""), "status": "SUCCESS"])
    }

    /// Whether what was charged is settled: the midnight of Dubai after the last charge has passed.
    static func isSettled(_ order: Order, _ state: State, _ now: Int64) -> Bool {
        let charged = order.moves.last { $0.kind == "capture" && $0.state == "SUCCESS" }?.at ?? order.createdAt
        return charged <= state.settledUntil || now >= cutOff(after: charged)
    }

    private static func amount(_ call: SimulatorRequest, _ order: Order) -> Int64? {
        guard call.json?["amount"]?["currencyCode"]?.string == order.currency,
            let units = call.json?["amount"]?["value"]?.int64, units > 0
        else { return nil }
        return units
    }

    private static func move(
        _ kind: String, _ units: Int64, waits: Bool = false, _ call: SimulatorRequest, _ order: inout Order,
        _ state: inout State
    ) {
        let isPending = waits || TestAmount(minorUnits: units) == .pends && kind != "void"
        let name = kind == "capture" ? freshTime(order, call.now) : number(kind == "refund" ? "rfn_" : "vld_", &state)
        order.moves.append(
            Move(
                name: name, kind: kind, units: units, at: call.now, state: isPending ? "REQUESTED" : "SUCCESS",
                label: call.attemptLabel))
        if !isPending { apply(kind, units, call.attemptLabel, &order, &state, call.now) }
        state.orders.keep(order)
    }

    /// A moment that no capture of the order has yet.
    private static func freshTime(_ order: Order, _ now: Int64) -> String {
        var instant = now
        while order.moves.contains(where: { $0.name == time(instant) }) { instant += 1 }
        return time(instant)
    }

    /// The one place where the money of an order moves after it was made.
    static func apply(
        _ kind: String, _ units: Int64, _ label: String, _ order: inout Order, _ state: inout State, _ now: Int64
    ) {
        let reason = SimulatedPayment.Reason(kind, by: label, at: now)
        switch kind {
        case "capture":
            order.amounts.capture(units, reason, &state.ledger)
            order.state = order.amounts.held == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED"
        case "refund":
            order.amounts.refund(units, reason, &state.ledger)
            order.state = order.amounts.refundable == 0 ? "REFUNDED" : "PARTIALLY_REFUNDED"
        default:
            order.amounts.void(reason, &state.ledger)
            order.state = "REVERSED"
        }
    }

    static func money(_ units: Int64, _ currency: String) -> JSON {
        ["currencyCode": .string(currency), "value": .number(JSONNumber(units))]
    }

    static func time(_ instant: Int64) -> String { Timestamp(milliseconds: instant)?.text() ?? "" }
}

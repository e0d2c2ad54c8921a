internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// The provider's paths; the card-present ones are relative to the base path.
enum NIPath {
    static let accessToken = "/identity/auth/access-token"
    static func deviceToken(_ outlet: String) -> String { "/identity/outlets/\(outlet.pathPiece)/devices/auth" }
    static let readerToken = "/payment-card-reader-token"
    static let purchase = "/payment/card/purchase"
    static let authorise = "/payment/card/authorise"
    static let payments = "/reporting/payments"
    static func order(_ order: String) -> String { "/reporting/orders/\(order.pathPiece)" }
    static func capture(_ order: String, _ payment: String) -> String {
        "/payment/card/orders/\(order.pathPiece)/payments/\(payment.pathPiece)/capture"
    }
    static func refund(_ order: String) -> String { "/payment/card/orders/\(order.pathPiece)/actions/refund" }
    static func cancel(_ order: String) -> String { "/payment/card/orders/\(order.pathPiece)/actions/cancel" }
    static func unbind(_ outlet: String, _ terminal: String) -> String {
        "/outlets/\(outlet.pathPiece)/devices/tids/\(terminal.pathPiece)/unbind"
    }

    /// The media types of the two APIs.
    static let identityType = "application/vnd.ni-identity.v1+json"
    static let softposType = "application/vnd.ni-softpos.v1+json"
}

/// What the provider answers to a refund (`refundId`) or a void (`voidId`).
struct NIAction {
    let name: String?
    let status: String

    init?(_ json: JSON?, name: String) {
        guard let status = json?["status"]?.string else { return nil }
        (self.status, self.name) = (status, json?[name]?.string)
    }
}

/// An amount in minor units with its currency; `minorUnit` is only in order details.
struct NIAmount {
    let value: Int64
    let currencyCode: String
    let minorUnit: Int64?

    init?(_ json: JSON?) {
        let number = json?["value"]?.number ?? json?["value"]?.string.flatMap { try? JSONNumber($0) }
        guard let number, let code = json?["currencyCode"]?.string else { return nil }
        // What is no whole number of minor units, or too large for one, is an amount that can't be believed.
        (value, currencyCode, minorUnit) = (number.int64 ?? .min, code, json?["minorUnit"]?.int64)
    }

    /// Takes the kit's amount.
    init(_ amount: NIPhoneSDK.Amount) {
        (value, currencyCode, minorUnit) = (amount.value, amount.currencyCode, nil)
    }

    /// The amount here; an exponent other than ours would make it another one, and what no payment has is none.
    var money: Money? {
        guard let currency = Currency.known(currencyCode), isBelievable else { return nil }
        if let minorUnit, minorUnit != Int64(currency.exponent) { return nil }
        return Money(minorUnits: value, currency)
    }

    /// Whether a payment can be over so many minor units.
    var isBelievable: Bool { (0...Money.believableMinorUnitsMax).contains(value) }

    /// Whether the provider counts this currency as we do: where it has other decimals, or doesn't say for one that
    /// hasn't two, what it calls an amount may be another one.
    var hasOurDecimals: Bool {
        guard let currency = Currency.known(currencyCode) else { return false }
        return minorUnit.map { $0 == Int64(currency.exponent) } ?? (currency.exponent == 2)
    }

    static func json(_ money: Money) -> JSON {
        ["currencyCode": .string(money.currency.code), "value": .number(JSONNumber(money.minorUnits))]
    }
}

/// Everything that the provider says about one order.
struct NIOrder {
    /// One card that paid.
    struct Card {
        let payment: String?
        let scheme: String?
        let maskedNumber: String?
        let expiry: String?
        let holder: String?
    }

    let reference: String
    let action: String
    let status: String
    /// Whether a word says the state of the payment in it, rather than its amounts alone.
    let hasWord: Bool
    /// The state of the payment in it.
    let state: String
    let amount: NIAmount?
    let at: Int64?
    let channel: String?
    let outlet: String?
    let outletName: String?
    let terminal: String?
    let device: JSON?
    let cards: [Card]
    /// The five running amounts, by name.
    let info: [String: NIAmount]
    let movements: [NIMovement]
    let events: [JSON]

    /// Reads an answer; nil when what proves anything is missing, or when it names an amount that no order has.
    init?(_ json: JSON?) {
        guard let json, let reference = json["reference"]?.string, let action = json["action"]?.string,
            json["captureStatus"] != nil || json["paymentInfo"] != nil
        else { return nil }
        // While there was no movement, the list may be missing.
        let list = json["capturesNRefunds"]
        guard list == nil || list == .null || list?.array != nil else { return nil }
        let movements = list?.array ?? []
        (self.reference, self.action) = (reference, action)
        (status, amount) = (json["status"]?.string ?? "", NIAmount(json["amount"]))
        at = json["createDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        (channel, outlet, outletName) = (
            json["channel"]?.string, json["outletId"]?.string, json["outletName"]?.string
        )
        (terminal, device) = (json["tid"]?.string, json["device"])
        cards = (json["paymentCards"]?.array ?? []).map { card in
            Card(
                payment: card["paymentReference"]?.string, scheme: card["cardScheme"]?.string,
                maskedNumber: card["maskedPanNumber"]?.string, expiry: card["expiry"]?.string,
                holder: card["cardholderName"]?.string)
        }
        var info: [String: NIAmount] = [:]
        for member in json["paymentInfo"]?.object?.members ?? [] { info[member.key] = NIAmount(member.value) }
        self.info = info
        hasWord = json["captureStatus"]?.string?.isEmpty == false
        state = Self.state(json["captureStatus"]?.string ?? "", action, info)
        self.movements = NIMovement.inOrder(movements.map { NIMovement(event: $0) })
        events = json["_embedded"]?["events"]?.array ?? []
        // The net amount is only shown, and may be below zero.
        let amounts = [amount] + info.filter { $0.key != "net" }.map(\.value) + self.movements.map(\.amount)
        guard amounts.allSatisfy({ $0?.isBelievable ?? true }) else { return nil }
    }

    /// Words that say nothing of what the amounts don't say, and that are where documents leave the state open.
    private static let vague: Set<String> = ["", "NOT_CAPTURED", "FULLY_CAPTURED"]

    /// The state of the payment: by its word, else by what was held, charged and refunded. Where nothing is held or
    /// charged any more, a word of before counts for nothing.
    private static func state(_ word: String, _ action: String, _ info: [String: NIAmount]) -> String {
        guard let authorised = info["authorised"]?.value, let captured = info["captured"]?.value,
            let refunded = info["refunded"]?.value
        else { return word }
        let isDone = ["AUTHORISED", "PARTIALLY_CAPTURED", "CAPTURED", "PURCHASED"].contains(word)
        if isDone, authorised == 0, captured == 0, refunded == 0 { return "REVERSED" }
        guard vague.contains(word) else { return word }
        let pending = info["pending"]?.value ?? 0
        return switch (captured > 0, refunded > 0) {
        case (true, true): refunded >= captured ? "REFUNDED" : "PARTIALLY_REFUNDED"
        case (true, false): action == "PURCHASE" ? "PURCHASED" : pending > 0 ? "PARTIALLY_CAPTURED" : "CAPTURED"
        case (false, _): action == "AUTH" && authorised > 0 ? "AUTHORISED" : word
        }
    }

    /// Whether NI says that the order is reversed or cancelled, or shows no authorized, captured or pending amount.
    /// The second is also true of an order that never had an amount.
    var isUndone: Bool {
        ["REVERSED", "CANCELLED", "CANCELED"].contains(state)
            || info["authorised"]?.value == 0 && info["captured"]?.value == 0 && info["pending"]?.value ?? 0 == 0
    }

    /// What was charged and refunded so far.
    var totals: (captured: Int64, refunded: Int64)? {
        info["captured"].flatMap { captured in info["refunded"].map { (captured.value, $0.value) } }
    }

    /// What our own movement has changed against another look at the order, where exactly one thing has: its kind
    /// and how much; nil where nothing has.
    func change(since before: (captured: Int64, refunded: Int64)) -> (kind: String, units: Int64)? {
        guard let captured = info["captured"]?.value, let refunded = info["refunded"]?.value else { return nil }
        let charged = captured.subtractingReportingOverflow(before.captured)
        let back = refunded.subtractingReportingOverflow(before.refunded)
        // The earlier look may have noted amounts that no order has; they show no capture and no refund.
        if charged.overflow || back.overflow { return ("both", 0) }
        switch (charged.partialValue, back.partialValue) {
        case (0, 0): return nil
        case (let units, 0): return ("capture", units)
        case (0, let units): return ("refund", units)
        case (_, _): return ("both", 0)
        }
    }

    var captures: [NIMovement] { movements.filter(\.isCapture) }
    var refunds: [NIMovement] { movements.filter(\.isRefund) }

    /// What the issuer said last, where the log of events has it.
    var result: (code: String, message: String)? {
        let payload = events.last { $0["payload"]?["resultCode"]?.string != nil }?["payload"]
        return payload?["resultCode"]?.string.map { ($0, payload?["resultMessage"]?.string ?? "") }
    }
}

/// What the provider answers to a purchase, an authorisation or a capture.
struct NIPayment {
    let reference: String
    let order: String
    let state: String
    let outlet: String?
    let amount: NIAmount?
    /// The part that the issuer approved, where it says one.
    let part: NIAmount?
    let at: Int64?
    let isSuccess: Bool?
    let authorizationCode: String?
    let resultCode: String?
    let resultMessage: String?
    let retrievalReference: String?
    let merchantNumber: String?
    /// The captures so far; nil where the answer has no such list.
    let captures: [NIMovement]?

    /// Whether only a part was approved.
    var isPartial: Bool { state == "PARTIALLY_AUTHORISED" }
    /// Whether nothing was approved.
    var isFailed: Bool { state == "FAILED" || state == "DECLINED" }

    /// Reads an answer; nil when it says nothing about a payment, or names an amount that no payment has.
    init?(_ json: JSON?) {
        guard let json, let state = json["state"]?.string, let reference = json["reference"]?.string,
            let order = json["orderReference"]?.string
        else { return nil }
        (self.state, self.reference, self.order) = (state, reference, order)
        (outlet, amount) = (json["outletId"]?.string, NIAmount(json["amount"]))
        at = json["updateDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        let answer = json["authResponse"]
        part = NIAmount(answer?["partialAmount"])
        isSuccess = answer?["success"]?.bool
        (authorizationCode, resultCode) = (answer?["authorizationCode"]?.string, answer?["resultCode"]?.string)
        (resultMessage, retrievalReference) = (answer?["resultMessage"]?.string, answer?["rrn"]?.string)
        merchantNumber = answer?["mid"]?.string
        captures = json["_embedded"]?["cnp:capture"]?.array.map { list in
            NIMovement.inOrder(list.map { NIMovement(capture: $0) })
        }
        let amounts = [amount, part] + (captures ?? []).map(\.amount)
        guard amounts.allSatisfy({ $0?.isBelievable ?? true }) else { return nil }
    }

    /// Takes the kit's answer, which has the same members.
    init(_ answer: NIPhoneSDK.PaymentResponse) {
        (state, reference, order) = (answer.state, answer.reference, answer.orderReference)
        (outlet, amount) = (answer.outletId, answer.amount.map { NIAmount($0) })
        at = answer.updateDateTime.flatMap { Timestamp($0)?.milliseconds }
        let said = answer.authResponse
        (isSuccess, authorizationCode, resultCode) = (said?.success, said?.authorizationCode, said?.resultCode)
        (resultMessage, merchantNumber) = (said?.resultMessage, said?.mid)
        (part, retrievalReference, captures) = (nil, nil, nil)
    }
}

/// One capture or refund, in the list of a capture's answer or of order details.
struct NIMovement {
    /// `FULL_CAPTURE`, `PARTIAL_REFUND` and so on; empty in a capture's answer.
    let group: String
    /// What the provider calls it: a refund by its own name, a capture by the moment when it was made.
    let name: String
    let amount: NIAmount?
    let state: String
    let at: Int64?
    /// What may follow, in the provider's word.
    let action: String?

    /// An item of `cnp:capture`.
    init(capture json: JSON) {
        (group, amount) = ("", NIAmount(json["amount"]))
        (name, state) = (json["createdTime"]?.string ?? "", json["state"]?.string ?? "")
        at = Timestamp(name)?.milliseconds
        action = nil
    }

    /// An item of `capturesNRefunds`.
    init(event json: JSON) {
        group = json["eventGroupType"]?.string ?? ""
        let time = json["timestamp"]?.string ?? ""
        name = group.hasSuffix("REFUND") ? json["payload"]?["reference"]?.string ?? "" : time
        amount = NIAmount(json["payload"]?["amount"])
        (state, action) = (json["status"]?.string ?? "", json["action"]?.string)
        at = Timestamp(time)?.milliseconds
    }

    /// The oldest first, in whatever order the provider lists them; those without a time stay where they are.
    static func inOrder(_ movements: [NIMovement]) -> [NIMovement] {
        guard movements.allSatisfy({ $0.at != nil }) else { return movements }
        return movements.enumerated().sorted { one, two in
            (one.element.at ?? 0, one.offset) < (two.element.at ?? 0, two.offset)
        }.map(\.element)
    }

    var isCapture: Bool { group.hasSuffix("CAPTURE") }
    var isRefund: Bool { group.hasSuffix("REFUND") }
}

/// One line of the report of payments. Here, and nowhere else, amounts are decimal text in major units.
struct NIListItem {
    let reference: String
    let at: Int64?
    let action: String
    let status: String
    let amount: Money?
    let refunded: Money?
    let channel: String?
    let outletName: String?
    let scheme: String?
    let holder: String?
    let maskedNumber: String?
    let lastEvent: String?
    let retrievalReference: String?
    let authorizationCode: String?

    init?(_ json: JSON) {
        guard let reference = json["reference"]?.string, let action = json["action"]?.string,
            let status = json["status"]?.string
        else { return nil }
        (self.reference, self.action, self.status) = (reference, action, status)
        at = json["createdDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        let currency = json["currencyCode"]?.string.flatMap { Currency.known($0) }
        func money(_ name: String) -> Money? {
            guard let currency, let text = json[name]?.string ?? json[name]?.number?.text else { return nil }
            return try? Money(wireDecimal: text, currency).believable()
        }
        amount = money("amount")
        // The report writes null where nothing was refunded; what can't be read stays unknown.
        refunded = json["refundedAmount"]?.isNull == true ? currency.map { .zero($0) } : money("refundedAmount")
        (channel, outletName, scheme) = (
            json["channel"]?.string, json["outletName"]?.string, json["cardScheme"]?.string
        )
        (holder, maskedNumber) = (json["cardholderName"]?.string, json["cardPan"]?.string)
        (lastEvent, retrievalReference) = (json["lastEvent"]?.string, json["rrn"]?.string)
        authorizationCode = json["authCode"]?.string
    }
}

/// A message about an order; it carries the order as the online API writes it.
struct NIWebhook {
    let event: String
    let outlet: String?
    let order: String
    /// The names of the captures and refunds in it, newest last.
    let captures: [String]
    let refunds: [String]

    init?(_ json: JSON?) {
        guard let json, let event = json["eventName"]?.string, let order = json["order"]?["reference"]?.string
        else { return nil }
        (self.event, self.order, outlet) = (event, order, json["outletId"]?.string)
        let parts = (json["order"]?["_embedded"]?["payment"]?.array ?? []).compactMap { $0["_embedded"] }
        captures = parts.flatMap { $0["cnp:capture"]?.array ?? [] }.compactMap { $0["createdTime"]?.string }
        refunds = parts.flatMap { $0["cnp:refund"]?.array ?? [] }.compactMap { refund in
            refund["_links"]?["self"]?["href"]?.string?.split(separator: "/").last.map { String($0) }
        }
    }
}

/// The body of a refusal; every member may be missing.
struct NIRefusal {
    let code: String
    let message: String

    init(_ json: JSON?) {
        let errors = json?["errors"]?.array ?? []
        code = errors.lazy.compactMap { $0["errorCode"]?.string ?? $0["errorCode"]?.number?.text }.first ?? ""
        let texts = errors.compactMap { $0["localizedMessage"]?.string ?? $0["message"]?.string }
        message = texts.isEmpty ? json?["message"]?.string ?? "" : texts.joined(separator: "; ")
    }
}

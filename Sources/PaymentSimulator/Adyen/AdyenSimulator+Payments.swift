internal import PaymentBase

extension AdyenSimulator {
    /// Decides a payment whose card was read; the books move here.
    static func decide(_ work: Work, _ card: Card, _ poiID: String, _ state: inout State, _ now: Int64) -> JSON {
        guard let asked = Asked(work.request) else { return failure("MessageFormat", "message=Amount") }
        // What a terminal approves on its own, the issuer decides when it is forwarded.
        let script = state.isCutOff ? .offline : AdyenTestAmount(asked.units)
        if let refusal = script?.refusal {
            return declined(refusal.condition, refusal.said, work, card, asked, &state, now)
        }
        switch card.pin {
        case .wrong:
            return declined(
                "WrongPIN", "refusalReason=129%20Invalid%20online%20PIN&message=INVALID_PIN", work, card, asked, &state,
                now)
        case .cancelled: return failure("Cancel", "message=102+Shopper+cancelled+pin+entry")
        case .none, .right: break
        }
        if work.request.body["PaymentData"]?["PaymentType"]?.string == "Refund" {
            return cardRefund(work, card, asked, &state, now)
        }
        let takesPart = work.request.acquirer("tenderOption")?.contains("AllowPartialAuthorisation") == true
        if script == .partial, !takesPart {
            return declined(
                "Refusal", "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE", work, card, asked,
                &state, now)
        }
        let tip = state.reading.tip(asked.tip)
        let whole = asked.units + tip.charged
        let units = script == .partial ? whole / 2 : whole + state.reading.added(to: whole)
        let holds =
            work.request.acquirer("authorisationType") == "PreAuth" || work.request.acquirer("manualCapture") == "true"
        let psp = state.reference()
        let reference = work.request.reference.isEmpty ? work.label : work.request.reference
        var payment = Payment(psp: psp, reference: reference, currency: asked.currency)
        payment.amounts.charge(
            units, holds: holds, .init(holds ? "authorise" : "sale", by: reference, entry: "reader", at: now),
            &state.ledger)
        state.payments.keep(payment)
        state.byReference[reference] = psp
        if !holds { state.uncaptured.append(psp) }
        if script == .offline { state.stored.append(psp) }
        if script != .offline {
            announce(
                Item("AUTHORISATION", psp: psp, reference: reference, units: units, currency: asked.currency, at: now),
                ["tenderReference": .string(tender(psp)), "terminalId": .string(poiID)], &state)
        }
        if work.request.body["SaleData"]?["TokenRequestedType"]?.string != nil {
            state.tokens["M" + psp] = work.request.acquirer("shopperReference") ?? ""
        }
        let isPartial = units < whole
        return approved(
            work, card, poiID, psp, units, asked, isPartial: isPartial, script, now, tip: isPartial ? 0 : tip.named)
    }

    /// A refund to whatever card is presented: received, and decided later unless its scheme answers at once.
    private static func cardRefund(
        _ work: Work, _ card: Card, _ asked: Asked, _ state: inout State, _ now: Int64
    ) -> JSON {
        let psp = state.reference()
        let reference = work.request.reference.isEmpty ? work.label : work.request.reference
        state.payments.keep(Payment(psp: psp, reference: reference, currency: asked.currency))
        let refund = receive(.cardRefund, psp, reference, asked.units, &state, now, psp: psp)
        if card.brand == "maestro" { decide(refund, succeeds: true, &state, at: now) }
        return approved(
            work, card, work.request.poiID, psp, asked.units, asked, isPartial: false, nil, now,
            more: card.brand == "maestro" ? "&acquirerResponseCode=APPROVED" : "")
    }

    /// The part of a payment's name that the terminal makes.
    static func tender(_ psp: String) -> String { "4r7i00" + psp.suffix(10) }

    static func declined(
        _ condition: String, _ said: String, _ work: Work, _ card: Card, _ asked: Asked, _ state: inout State,
        _ now: Int64
    ) -> JSON {
        let item = Item(
            "AUTHORISATION", psp: state.reference(), reference: work.request.reference, units: asked.units,
            currency: asked.currency, succeeds: false, reason: condition, at: now)
        announce(item, [:], &state)
        return [
            "Response": [
                "Result": "Failure", "ErrorCondition": .string(condition), "AdditionalResponse": .string(said),
            ],
            "SaleData": ["SaleTransactionID": work.request.body["SaleData"]?["SaleTransactionID"] ?? .null],
            "PaymentResult": ["PaymentInstrumentData": instrument(card)],
        ]
    }

    private static func instrument(_ card: Card) -> JSON {
        [
            "PaymentInstrumentType": "Card",
            "CardData": [
                "PaymentBrand": .string(card.brand), "MaskedPan": .string(card.maskedNumber),
                "EntryMode": [.string(card.entry)], "CardCountryCode": "056",
            ],
        ]
    }

    private static func approved(
        _ work: Work, _ card: Card, _ poiID: String, _ psp: String, _ units: Int64, _ asked: Asked, isPartial: Bool,
        _ script: AdyenTestAmount?, _ now: Int64, tip: Int64 = 0, more: String = ""
    ) -> JSON {
        let isOffline = script == .offline
        let decimal = AdyenUnits.decimal(units, asked.currency)
        var said =
            "tid=24688042&mid=1000&posEntryMode=CLESS_CHIP&transactionReferenceNumber=\(psp)&expiryMonth=03"
            + "&expiryYear=2030&fundingSource=CREDIT&issuerCountry=BE&cardHolderName=A%20B&cardSummary="
            + "\(card.maskedNumber.suffix(4))&AID=A0000000041010&tc=A1B2C3D4E5F60708&warnings=%2F%3D\(more)"
        if isOffline {
            said += "&offline=true&offlineAuthCode=98765"
        } else {
            said += "&pspReference=\(psp)&authCode=123456&posAuthAmountValue=\(units)"
            said += "&posAuthAmountCurrency=\(asked.currency)"
        }
        if work.request.body["SaleData"]?["TokenRequestedType"]?.string != nil {
            said += "&tokenization.storedPaymentMethodId=M\(psp)&tokenization.shopperReference="
            said += PercentEncoding.queryComponent(work.request.acquirer("shopperReference") ?? "")
        }
        var amounts: JSONObject = ["Currency": .string(asked.currency), "AuthorizedAmount": decimal]
        if tip > 0 { amounts["TipAmount"] = AdyenUnits.decimal(tip, asked.currency) }
        let name = isOffline ? tender(psp) : "\(tender(psp)).\(psp)"
        return [
            "Response": [
                "Result": isPartial ? "Partial" : "Success", "AdditionalResponse": .string(said),
            ],
            "SaleData": ["SaleTransactionID": work.request.body["SaleData"]?["SaleTransactionID"] ?? .null],
            "POIData": [
                "POITransactionID": ["TransactionID": .string(name), "TimeStamp": .string(stamp(now))]
            ],
            "PaymentResult": [
                "OnlineFlag": .bool(!isOffline), "PaymentInstrumentData": instrument(card),
                "AmountsResp": .object(amounts), "AuthenticationMethod": card.pin == .right ? ["OnlinePIN"] : [],
                "PaymentAcquirerData": [
                    "MerchantID": "TestMerchant", "AcquirerPOIID": .string(poiID), "ApprovalCode": "123456",
                ],
            ],
            "PaymentReceipt": .array([
                receipt("CashierReceipt", psp, decimal), receipt("CustomerReceipt", psp, decimal),
            ]),
        ]
    }

    private static func receipt(_ copy: String, _ psp: String, _ decimal: JSON) -> JSON {
        let lines = [
            "name=Total&value=\(decimal.number?.text ?? "")&key=totalAmount", "key=txRef&name=Reference&value=\(psp)",
            "key=filler",
        ]
        return [
            "DocumentQualifier": .string(copy), "RequiredSignatureFlag": false,
            "OutputContent": [
                "OutputFormat": "Text",
                "OutputText": .array(
                    lines.map { ["Text": .string($0), "CharacterStyle": "Bold", "EndOfLineFlag": true] }),
            ],
        ]
    }
}

extension AdyenSimulator {
    /// Takes something that is decided later.
    static func receive(
        _ kind: Modification.Kind, _ payment: String, _ reference: String, _ amount: Int64, _ state: inout State,
        _ now: Int64, psp: String? = nil, isTechnical: Bool = false
    ) -> Modification {
        var modification = Modification()
        (modification.kind, modification.psp, modification.payment) = (kind, psp ?? state.reference(), payment)
        (modification.reference, modification.amount) = (reference, amount)
        modification.currency = state.payments[payment]?.currency ?? ""
        (modification.decidesAt, modification.isTechnical) = (now + modificationMilliseconds, isTechnical)
        state.modifications.keep(modification)
        return modification
    }

    /// Decides one of them: the books move, and a webhook says so.
    static func decide(_ given: Modification, succeeds: Bool, _ state: inout State, at now: Int64) {
        var modification = given
        guard !modification.isDone, var payment = state.payments[modification.payment] else { return }
        modification.isDone = true
        modification.succeeded = succeeds && book(modification, &payment, &state.ledger, now)
        state.payments.keep(payment)
        state.modifications.keep(modification)
        let item = Item(
            code(modification), psp: modification.psp,
            original: modification.kind == .rescue ? "" : modification.payment, reference: modification.reference,
            units: modification.amount, currency: modification.currency, succeeds: modification.succeeded,
            reason: modification.succeeded
                ? "" : succeeds ? "Insufficient balance on payment" : "Refused by the issuer",
            at: now)
        announce(item, additional(modification), &state)
    }

    /// Moves the money of a modification; false where the payment does not allow it.
    private static func book(
        _ modification: Modification, _ payment: inout Payment, _ ledger: inout Ledger, _ now: Int64
    ) -> Bool {
        let units = modification.amount
        let reason = SimulatedPayment.Reason(modification.kind.rawValue, by: modification.reference, at: now)
        let amounts = payment.amounts
        switch modification.kind {
        case .capture:
            guard units <= amounts.held else { return false }
            payment.amounts.capture(units, reason, &ledger)
            payment.amounts.release(at: now, &ledger)
        case .refund, .terminalRefund:
            guard units <= amounts.refundable else { return false }
            payment.amounts.refund(units, reason, &ledger)
        case .cardRefund: payment.amounts.move(units, from: .funds, to: .refunded, reason, &ledger)
        case .cancel:
            guard amounts.captured == 0, amounts.held > 0 else { return false }
            payment.amounts.void(reason, &ledger)
        case .reversal:
            guard amounts.held > 0 || amounts.refunded == 0 && amounts.captured > 0 else { return false }
            if amounts.held > 0 {
                payment.amounts.move(amounts.held, from: .held, to: .cardholder, reason, &ledger)
            } else {
                payment.amounts.void(reason, &ledger)
            }
        case .adjust:
            guard amounts.captured == 0, amounts.held > 0 else { return false }
            payment.amounts.adjust(to: units, reason, &ledger)
        case .rescue: payment.amounts.charge(units, holds: false, saved(modification.reference, at: now), &ledger)
        }
        return true
    }

    private static func code(_ modification: Modification) -> String {
        switch modification.kind {
        case .capture: "CAPTURE"
        case .refund: "REFUND"
        case .cancel: modification.isTechnical ? "TECHNICAL_CANCEL" : "CANCELLATION"
        case .reversal: modification.isTechnical ? "TECHNICAL_CANCEL" : "CANCEL_OR_REFUND"
        case .terminalRefund: "CANCEL_OR_REFUND"
        case .cardRefund: "REFUND_WITH_DATA"
        case .adjust: "AUTHORISATION_ADJUSTMENT"
        case .rescue: "AUTHORISATION"
        }
    }

    private static func additional(_ modification: Modification) -> JSONObject {
        switch modification.kind {
        case .reversal: ["modification.action": "cancel"]
        case .terminalRefund: ["modification.action": "refund"]
        case .rescue: ["shopperInteraction": "ContAuth", "retry.rescueScheduled": "false"]
        case .capture, .refund, .cancel, .cardRefund, .adjust: [:]
        }
    }
}

extension AdyenSimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value { looking { body(&$0.outbox) } }

    public var nextDue: Int64? { looking { Self.nextDue(&$0) } }

    /// Decides what is pending under a reference now; gives the webhook that reports it, or nil when nothing is.
    public func decide(_ reference: String, succeeds: Bool) -> OutgoingWebhook? {
        looking { state in
            guard let found = state.modifications.named(reference).last(where: { !$0.isDone }) else { return nil }
            Self.decide(found, succeeds: succeeds, &state, at: clock.now)
            return state.outbox.handOverLast()
        }
    }

    /// Something that was done under a reference fails afterwards, and the money comes back.
    public func failLater(_ reference: String) -> OutgoingWebhook? {
        looking { state in
            let now = clock.now
            guard let done = state.modifications.named(reference).last(where: { $0.isDone && $0.succeeded }),
                var payment = state.payments[done.payment],
                !state.ledger.movements(attempt: done.reference).contains(where: { $0.cause.hasSuffix("Failed") })
            else { return nil }
            let code: String
            switch done.kind {
            case .refund, .terminalRefund, .cardRefund:
                code = "REFUND_FAILED"
                payment.amounts.move(
                    done.amount, from: .refunded, to: done.kind == .cardRefund ? .funds : .merchant,
                    .init("refundFailed", by: done.reference, at: now), &state.ledger)
            case .capture:
                code = "CAPTURE_FAILED"
                payment.amounts.move(
                    done.amount, from: .merchant, to: .cardholder,
                    .init("captureFailed", by: done.reference, at: now), &state.ledger)
            case .cancel, .reversal, .adjust, .rescue: return nil
            }
            state.payments.keep(payment)
            let item = Item(
                code, psp: done.psp, original: done.payment, reference: done.reference, units: done.amount,
                currency: done.currency, reason: "Rejected by card scheme", at: now)
            Self.announce(item, [:], &state)
            return state.outbox.handOverLast()
        }
    }
}

extension AdyenSimulator {
    /// The instrument that is there from the beginning, and whose it is.
    public static let savedInstrument = "M8815000000000000"
    /// Whose the instrument is that is there from the beginning.
    public static let savedCustomer = "customer-1"

    /// Charges an instrument that is kept, without its customer.
    static func chargeSaved(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        let body = call.json
        guard let units = AdyenUnits.value(body?["amount"]), let currency = body?["amount"]?["currency"]?.string,
            currency.count == 3
        else { return invalid("137", "Invalid amount specified") }
        guard let reference = body?["reference"]?.string, !reference.isEmpty, reference.count <= 80 else {
            return invalid("130", "Reference Missing")
        }
        guard body?["returnUrl"]?.string?.isEmpty == false else {
            return invalid("702", "Required field 'returnUrl' is not provided.")
        }
        guard let token = body?["paymentMethod"]?["storedPaymentMethodId"]?.string,
            let customer = state.tokens[token], customer == body?["shopperReference"]?.string,
            body?["shopperInteraction"]?.string == "ContAuth", body?["recurringProcessingModel"]?.string != nil
        else { return invalid("800", "Contract not found") }
        let psp = state.reference()
        var answer: JSONObject = [
            "pspReference": .string(psp), "merchantReference": .string(reference),
            "amount": ["currency": .string(currency), "value": .number(JSONNumber(units))],
        ]
        var item = Item(
            "AUTHORISATION", psp: psp, reference: reference, units: units, currency: currency, at: call.now)
        var more: JSONObject = ["shopperInteraction": "ContAuth"]
        if let refusal = AdyenTestAmount(units)?.refusalInOffice {
            answer["resultCode"] = "Refused"
            answer["refusalReason"] = .string(refusal.reason)
            answer["refusalReasonCode"] = .string(refusal.code)
            (item.succeeds, item.reason) = (false, refusal.reason)
            if state.reading.rescues != nil {
                answer["additionalData"] = ["retry.rescueScheduled": "true"]
                more["retry.rescueScheduled"] = "true"
                let again = state.reference()
                state.payments.keep(Payment(psp: again, reference: reference, currency: currency))
                _ = receive(.rescue, again, reference, units, &state, call.now, psp: again)
            }
        } else {
            answer["resultCode"] = "Authorised"
            answer["additionalData"] = ["cardSummary": "9999", "paymentMethod": "mc"]
            var payment = Payment(psp: psp, reference: reference, currency: currency)
            payment.amounts.charge(units, holds: false, saved(reference, at: call.now), &state.ledger)
            state.payments.keep(payment)
            state.byReference[reference] = psp
        }
        announce(item, more, &state)
        return .json(.object(answer))
    }

    private static func saved(_ reference: String, at now: Int64) -> SimulatedPayment.Reason {
        SimulatedPayment.Reason("sale", by: reference, entry: "saved", at: now)
    }
}

/// What the provider does, steered by the last three digits of the amount in its minor units.
///
/// Those up to 139 are the provider's own test amounts; those from 901 play what can happen on the way.
public enum AdyenTestAmount: Int64, Sendable, CaseIterable {
    /// Declines: not enough money.
    case notEnoughBalance = 124
    /// Declines: the card is blocked.
    case blockedCard = 125
    /// Declines: expired.
    case expiredCard = 126
    /// Declines without a plain reason.
    case declined = 127
    /// The card is not valid.
    case invalidCard = 128
    /// The PIN is wrong.
    case wrongPIN = 134
    /// Approves half, if the request allows a part.
    case partial = 139
    /// Does it and cuts the connection before it answers.
    case losesReply = 901
    /// Cuts the connection before it has read the request.
    case losesRequest = 902
    /// Does it and answers with a word that no document lists.
    case saysUnknownWord = 903
    /// Does it and answers with status 500.
    case failsAfter = 904
    /// Is busy once.
    case busyOnce = 905
    /// Does it and echoes another amount.
    case echoesOther = 906
    /// Rejects once: not delivered.
    case notDeliveredOnce = 907
    /// Does it, and the cloud says that no answer came from the terminal.
    case noAnswer = 908
    /// Approves without the network.
    case offline = 909

    /// The script of an amount.
    init?(_ units: Int64) { self.init(rawValue: units % 1_000) }

    /// The reason and its number in the back office, if it declines.
    var refusalInOffice: (reason: String, code: String)? {
        switch self {
        case .notEnoughBalance: ("Not enough balance", "12")
        case .blockedCard: ("Blocked Card", "5")
        case .expiredCard: ("Expired Card", "6")
        case .declined: ("Refused", "2")
        case .invalidCard: ("Invalid Card Number", "8")
        case .wrongPIN, .partial, .losesReply, .losesRequest, .saysUnknownWord, .failsAfter, .busyOnce, .echoesOther,
            .notDeliveredOnce, .noAnswer, .offline:
            nil
        }
    }

    /// The condition and what is said beside it, if it declines.
    var refusal: (condition: String, said: String)? {
        switch self {
        case .notEnoughBalance: ("Refusal", "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE")
        case .blockedCard: ("Refusal", "refusalReason=199%20Card%20blocked&message=BLOCK_CARD")
        case .expiredCard: ("Refusal", "refusalReason=228%20Card%20expired&message=CARD_EXPIRED")
        case .declined: ("Refusal", "refusalReason=214%20Declined%20online&message=INVALID_AMOUNT")
        case .invalidCard: ("InvalidCard", "refusalReason=214%20Declined%20online&message=INVALID_CARD")
        case .wrongPIN: ("WrongPIN", "refusalReason=129%20Invalid%20online%20PIN&message=INVALID_PIN")
        case .partial, .losesReply, .losesRequest, .saysUnknownWord, .failsAfter, .busyOnce, .echoesOther,
            .notDeliveredOnce, .noAnswer, .offline:
            nil
        }
    }
}

/// The provider's minor units, from its own list of currencies.
public enum AdyenUnits {
    private static let decimals: [String: Int] = [
        "CVE": 0, "DJF": 0, "GNF": 0, "IDR": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "VND": 0,
        "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]

    /// How many decimals the provider gives to a currency.
    public static func decimals(_ currency: String) -> Int { decimals[currency] ?? 2 }

    /// Minor units of a decimal in major units; nil where they can't hold it, or no payment is so large.
    static func units(_ json: JSON?, _ currency: String) -> Int64? {
        json?.number?.scaled(places: decimals(currency)).flatMap { $0 <= LedgerAmount.unitsMax ? $0 : nil }
    }

    /// Minor units as the interface for servers has them; nil where they are no amount of a payment.
    static func value(_ amount: JSON?) -> Int64? {
        amount?["value"]?.int64.flatMap { (1...LedgerAmount.unitsMax).contains($0) ? $0 : nil }
    }

    /// A decimal in major units of minor units.
    static func decimal(_ units: Int64, _ currency: String) -> JSON {
        .number(JSONNumber(units: units, places: decimals(currency)))
    }
}

internal import PaymentBase

extension AdyenSimulator {
    /// Decides a payment whose card was read; the books move here.
    static func decide(_ work: Work, _ card: Card, _ poiID: String, _ state: inout State, _ now: Int64) -> JSON {
        guard let asked = Asked(work.request) else { return failure("MessageFormat", "message=Amount") }
        let script = AdyenTestAmount(asked.units)
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
        let holds = work.request.acquirer("authorisationType") == "PreAuth"
        let psp = state.reference()
        let reference = work.request.reference.isEmpty ? work.label : work.request.reference
        var payment = Payment(psp: psp, reference: reference, currency: asked.currency)
        payment.amounts.charge(
            units, holds: holds, .init(holds ? "authorise" : "sale", by: reference, entry: "reader", at: now),
            &state.ledger)
        state.payments.keep(payment)
        state.byReference[reference] = psp
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

    private static func declined(
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

internal import PaymentBase

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
        if let refusal = AdyenTestAmount(units)?.refusalInOffice {
            answer["resultCode"] = "Refused"
            answer["refusalReason"] = .string(refusal.reason)
            answer["refusalReasonCode"] = .string(refusal.code)
            (item.succeeds, item.reason) = (false, refusal.reason)
        } else {
            answer["resultCode"] = "Authorised"
            answer["additionalData"] = ["cardSummary": "9999", "paymentMethod": "mc"]
            var payment = Payment(psp: psp, reference: reference, currency: currency)
            payment.amounts.charge(
                units, holds: false, .init("sale", by: reference, entry: "saved", at: call.now), &state.ledger)
            state.payments.keep(payment)
            state.byReference[reference] = psp
        }
        announce(item, ["shopperInteraction": "ContAuth"], &state)
        return .json(.object(answer))
    }
}

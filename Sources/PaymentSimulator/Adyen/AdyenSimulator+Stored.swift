internal import PaymentBase
internal import PaymentTransport

/// What the back office keeps for customers: listed and removed.
extension AdyenSimulator {
    /// Forgets an instrument, as the merchant does at the dashboard.
    public func forget(_ token: String) { looking { $0.tokens[token] = nil } }

    /// The stored payment methods of a customer; nothing for a customer that is not known.
    static func listStored(_ call: SimulatorRequest, _ merchant: String, _ state: State) -> SimulatorResponse {
        guard let customer = call.query("shopperReference"), call.query("merchantAccount") == merchant else {
            return stranger(call, merchant)
        }
        let items = state.tokens.filter { $0.value == customer }.keys.sorted().map { token -> JSON in
            [
                "id": .string(token), "type": "scheme", "name": "Mastercard", "brand": "mc", "lastFour": "9999",
                "expiryMonth": "3", "expiryYear": "30", "holderName": "A B", "shopperReference": .string(customer),
                "supportedRecurringProcessingModels": ["CardOnFile", "UnscheduledCardOnFile"],
            ]
        }
        return .json([
            "merchantAccount": .string(merchant), "shopperReference": .string(customer),
            "storedPaymentMethods": .array(items),
        ])
    }

    /// Removes one; a token of another customer is not found.
    static func removeStored(_ call: SimulatorRequest, _ merchant: String, _ state: inout State) -> SimulatorResponse {
        guard let customer = call.query("shopperReference"), call.query("merchantAccount") == merchant else {
            return stranger(call, merchant)
        }
        guard state.tokens[call["token"]] == customer else { return invalid("800", "Contract not found") }
        state.tokens[call["token"]] = nil
        return .empty()
    }

    private static func stranger(_ call: SimulatorRequest, _ merchant: String) -> SimulatorResponse {
        call.query("merchantAccount") == merchant
            ? invalid("803", "PaymentDetail not found") : invalid("901", "Invalid Merchant Account")
    }
}

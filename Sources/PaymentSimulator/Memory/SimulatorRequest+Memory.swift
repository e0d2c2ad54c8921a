internal import PaymentBase

extension SimulatorRequest {
    /// The amount that the memory provider's requests carry.
    var amount: LedgerAmount? {
        guard let units = json?["amount"]?["minorUnits"]?.int64, let currency = json?["amount"]?["currency"]?.string,
            (0...LedgerAmount.unitsMax).contains(units)
        else { return nil }
        return LedgerAmount(units, currency)
    }

    /// The reference that the memory provider's requests carry.
    var attempt: String { json?["attempt"]?.string ?? "" }
}

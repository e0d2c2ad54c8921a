public import PaymentAbstraction
internal import PaymentBase

extension SQLiteJournal {
    /// How many payments one import takes; more are imported in several.
    public static let importedMax = ImportedPayment.importedMax

    /// Adopts payments that were taken before our time, so that they can be refunded: all of the lines, or none.
    ///
    /// A line is a JSON object with `attempt`, `provider`, `adapter`, `environment`, `merchant`, `reference`,
    /// `minorUnits`, `currency`, `takenAt` (milliseconds since 1970), `references` (what the adapter keeps, and what the
    /// provider calls the payment) and, where there is one, `last4`; further `refunded` (what was given back of it
    /// before, in minor units), `holdsUntil` (up to which time of the provider's the amounts hold; `takenAt` without it)
    /// and `scope`. Anything else is refused, and so is what looks like a card number.
    ///
    /// Kept notices about it from up to `holdsUntil` are filed in its timeline and not counted, since the amounts hold
    /// them already; later ones are applied.
    ///
    /// - Returns: How many were adopted.
    /// - Throws: `invalidRequest`, nothing moved, naming the first line that is refused; `journal` when it can't be
    ///   written.
    @discardableResult
    public func adopt(_ lines: [String]) async throws(PaymentError) -> Int {
        let payments = try ImportedPayment.all(lines)
        let duplicate: Int?
        let now = OpeningOptions().now
        do {
            duplicate = try await writing { [payments] connection in
                try Importer(EntryWriter(connection), now).adopt(payments)
            }
        } catch { throw PaymentError.nothingMoved(.journal, "the import was not written: \(error)") }
        if let duplicate {
            throw ImportedPayment.refused(duplicate, "the payment is in the journal, or on an earlier line")
        }
        return payments.count
    }
}

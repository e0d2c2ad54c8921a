public import PaymentAbstraction

extension SQLiteJournal {
    /// How many payments one import takes; more are imported in several.
    public static let importedMax = 10_000

    /// Adopts payments that were taken before our time, so that they can be refunded: all of the lines, or none.
    ///
    /// A line is a JSON object with `attempt`, `provider`, `adapter`, `environment`, `merchant`, `reference`,
    /// `minorUnits`, `currency`, `takenAt` (milliseconds since 1970), `references` (what the adapter keeps) and, where
    /// there is one, `last4`. Anything else is refused, and so is what looks like a card number.
    ///
    /// - Returns: How many were adopted.
    /// - Throws: `invalidRequest`, nothing moved, naming the first line that is refused; `journal` when it can't be
    ///   written.
    @discardableResult
    public func adopt(_ lines: [String]) async throws(PaymentError) -> Int {
        guard lines.count <= Self.importedMax else {
            throw PaymentError.nothingMoved(
                .invalidRequest, "there are \(lines.count) lines; import \(Self.importedMax) at most at once")
        }
        var payments: [ImportedPayment] = []
        for (index, line) in lines.enumerated() {
            do { payments.append(try ImportedPayment(line)) } catch {
                let words = (error as? ImportedPayment.Refused)?.words ?? "it can't be read"
                throw Self.refused(index, words)
            }
        }
        do {
            let duplicate = try await writing { [payments] connection in
                try Self.adopt(payments, AttemptWriter(connection))
            }
            if let duplicate { throw Self.refused(duplicate, "the payment is in the journal, or on an earlier line") }
        } catch let error as PaymentError { throw error } catch {
            throw PaymentError.nothingMoved(.journal, "the import was not written: \(error)")
        }
        return payments.count
    }

    /// Writes them all; gives the place of the first duplicate, before anything is written.
    private static func adopt(_ payments: [ImportedPayment], _ writer: AttemptWriter) throws -> Int? {
        var attempts: Set<AttemptID> = []
        var references: Set<[String]> = []
        for (index, payment) in payments.enumerated() {
            let record = payment.record
            let account = [record.provider.id.rawValue, record.provider.environment, record.provider.merchant]
            let names = record.handles.map { account + [$0] }
            let isKnown = try writer.reader.row(record.intent.attempt) != nil
            let holders = try writer.reader.holding(record.provider, Array(record.handles))
            if isKnown || !holders.isEmpty || !attempts.insert(record.intent.attempt).inserted
                || names.contains(where: { references.contains($0) })
            {
                return index
            }
            references.formUnion(names)
        }
        for payment in payments { try writer.adopt(payment.record) }
        return nil
    }

    private static func refused(_ index: Int, _ words: String) -> PaymentError {
        PaymentError.nothingMoved(.invalidRequest, "line \(index + 1): \(words)")
    }
}

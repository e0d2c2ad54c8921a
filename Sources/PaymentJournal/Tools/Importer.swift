internal import PaymentAbstraction

/// Writes payments that come from elsewhere.
struct Importer {
    private let writer: EntryWriter
    private let now: JournalInstant

    init(_ writer: EntryWriter, _ now: JournalInstant) { (self.writer, self.now) = (writer, now) }

    /// Writes them all; gives the place of the first duplicate, before anything is written.
    func adopt(_ payments: [ImportedPayment]) throws -> Int? {
        var attempts: Set<AttemptKey> = []
        var taken: Set<[String]> = []
        for (index, payment) in payments.enumerated() {
            let key = payment.intent.key
            var isKnown = try writer.reader.heldSurely(key) != nil || writer.reader.isForgotten(key)
            for name in payment.names {
                let holders = try writer.reader.holders(name, payment.provider)
                isKnown = isKnown || !holders.held.isEmpty || !holders.forgotten.isEmpty
            }
            let names = payment.names.map { [FactCodec.text(payment.provider), $0] }
            if isKnown || !attempts.insert(key).inserted || names.contains(where: { taken.contains($0) }) {
                return index
            }
            taken.formUnion(names)
        }
        for payment in payments { try write(payment) }
        return nil
    }

    private func write(_ payment: ImportedPayment) throws {
        let id = "import-\(payment.intent.scope)-\(payment.intent.attempt)"
        try writer.adopt(payment.facts(at: now), WriteID(id), at: now)
        if let refund = try payment.refund(at: now) { try writer.adopt(refund, WriteID(id + "-refunded"), at: now) }
        try file(payment)
        // Names go by the rules, which apply what waits for them.
        let entry = JournalEntry(payment.intent.key, [.names(payment.provider, payment.names)])
        _ = try writer.write(entry, WriteID(id + "-names"), at: now)
    }

    /// Puts kept notices from before the import's time into the timeline.
    private func file(_ payment: ImportedPayment) throws {
        for name in payment.names {
            for (seq, notice) in try writer.reader.kept(name, payment.provider) {
                guard let time = notice.word.providerTime, time <= payment.holdsUntil else { continue }
                try writer.connection.run("DELETE FROM notice WHERE seq = ?1", [.integer(seq)], doing: "importing")
                try writer.append([payment.filed(notice, at: now)], scope: payment.intent.scope)
            }
        }
    }
}

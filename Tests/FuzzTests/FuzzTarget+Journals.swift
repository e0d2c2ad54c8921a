@testable import PaymentAbstraction
@testable import PaymentBase
@testable import PaymentSQLite

extension FuzzTarget {
    /// What a journal keeps, and what a person imports into one.
    static let journals: [FuzzTarget] = [
        FuzzTarget("log") { bytes in try? log(bytes) },
        FuzzTarget("events") { bytes in
            if let events = try? EventCodec.events(bytes) {
                let written = EventCodec.bytes(events)
                hold((try? EventCodec.events(written)).map { EventCodec.bytes($0) } == written, "events are others")
            }
            if let notice = try? EventCodec.notice(bytes) {
                let written = EventCodec.bytes(notice)
                hold((try? EventCodec.notice(written)).map { EventCodec.bytes($0) } == written, "a notice is another")
            }
            let text = String(fuzzed: bytes)
            if let account = try? EventCodec.account(text) {
                hold((try? EventCodec.account(EventCodec.text(account))) == account, "an account is another")
            }
            if let answer = try? StoredAnswer.read(bytes) {
                hold((try? StoredAnswer.read(answer.bytes)) == answer, "an answer is another")
            }
        },
        FuzzTarget("packed") { bytes in
            // With a right sum, which no input would find by itself.
            let sealed = PackedJSON.sealed(bytes)
            if let value = try? PackedJSON.value(sealed, EventCodecNames.packed) {
                let written = PackedJSON.bytes(value, EventCodecNames.packed)
                hold((try? PackedJSON.value(written, EventCodecNames.packed)) == value, "a packed value is another")
            }
            try? log(sealed)
            if let events = try? EventCodec.events(sealed) {
                hold((try? EventCodec.events(EventCodec.bytes(events))) == events, "packed events are others")
            }
            _ = try? EventCodec.notice(sealed)
            _ = try? StoredAnswer.read(sealed)
            var options = JSONReadOptions.standard
            options.depthMax = PackedForm.depthMax - 1
            if let json = try? JSONReader(options: options).read(bytes) {
                let written = PackedJSON.bytes(json, EventCodecNames.packed)
                hold(
                    (try? PackedJSON.value(written, EventCodecNames.packed)) == json, "plain JSON comes back as another"
                )
            }
        },
        FuzzTarget("import") { bytes in
            guard let payment = try? ImportedPayment(String(fuzzed: bytes)) else { return }
            guard let movement = try? payment.movement() else { return }
            hold(payment.intent.amount.minorUnits > 0, "nothing was imported as something")
            for intent in [movement.begin.intent] + (movement.refunded.map { [$0] } ?? []) {
                hold(intent.amount.minorUnits > 0, "a movement of nothing")
                hold(intent.amount.minorUnits <= payment.intent.amount.minorUnits, "more than was taken")
            }
            let entry = JournalEntry(.report(payment.intent.attempt, .imported(movement)))
            let now = JournalInstant(wall: 1_700_000_000_000, uptime: 1, boot: "b")
            var store = InMemoryStore()
            _ = store.write(entry, WriteID("fuzz"), at: now) { _ in false }
        },
    ]

    /// Reads what an entry appended, folds it, and writes it again.
    private static func log(_ bytes: [UInt8]) throws {
        let appended = try EventCodec.appended(bytes)
        let written = EventCodec.bytes(appended)
        let again = try? EventCodec.appended(written)
        hold(again.map { EventCodec.bytes($0) } == written, "what was appended is another when it was written")
        let attempts = appended.compactMap { Attempt($0.events) }
        for attempt in attempts {
            _ = (attempt.state, attempt.verdict, attempt.evidence, attempt.moved, MatchRow(attempt))
        }
        _ = PaymentRecord(attempts).amounts
        _ = PaymentRecord(attempts).referenceRow
    }
}

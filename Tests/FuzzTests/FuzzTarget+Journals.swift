@testable import PaymentAbstraction
@testable import PaymentBase
@testable import PaymentJournal

extension FuzzTarget {
    /// What a journal keeps, and what somebody imports into one.
    static let journals: [FuzzTarget] = [
        FuzzTarget("facts") { bytes in
            guard let facts = try? FactCodec.facts(bytes) else { return }
            let written = FactCodec.bytes(facts)
            let again = try? FactCodec.facts(written)
            hold(again.map { FactCodec.bytes($0) } == written, "facts are others when they were written")
            if let attempt = AttemptFacts(facts) { _ = (AttemptRecord(attempt), attempt.isEnded) }
        },
        FuzzTarget("events") { bytes in
            if let events = try? FactCodec.events(bytes) {
                let written = FactCodec.bytes(events)
                hold((try? FactCodec.events(written)).map { FactCodec.bytes($0) } == written, "events are others")
            }
            if let notice = try? FactCodec.notice(bytes) {
                let written = FactCodec.bytes(notice)
                hold((try? FactCodec.notice(written)).map { FactCodec.bytes($0) } == written, "a notice is another")
            }
            let text = String(fuzzed: bytes)
            if let account = try? FactCodec.account(text) {
                hold((try? FactCodec.account(FactCodec.text(account))) == account, "an account is another")
            }
            if let answer = try? FactCodec.answer(bytes, { _ in nil }) { _ = FactCodec.bytes(answer) }
        },
        FuzzTarget("packed") { bytes in
            // With a right sum, which no input would find by itself.
            let sealed = PackedJSON.sealed(bytes)
            if let value = try? PackedJSON.value(sealed, JournalWords.packed) {
                let written = PackedJSON.bytes(value, JournalWords.packed)
                hold((try? PackedJSON.value(written, JournalWords.packed)) == value, "a packed value is another")
            }
            if let facts = try? FactCodec.facts(sealed) {
                let written = FactCodec.bytes(facts)
                let again = try? FactCodec.facts(written)
                hold(again.map { FactCodec.bytes($0) } == written, "packed facts are others when they were written")
            }
            if let events = try? FactCodec.events(sealed) {
                hold((try? FactCodec.events(FactCodec.bytes(events))) == events, "packed events are others")
            }
            _ = try? FactCodec.notice(sealed)
            _ = try? FactCodec.answer(sealed) { _ in nil }
            var options = JSONReadOptions.standard
            options.depthMax = PackedForm.depthMax - 1
            if let json = try? JSONReader(options: options).read(bytes) {
                let written = PackedJSON.bytes(json, JournalWords.packed)
                hold((try? PackedJSON.value(written, JournalWords.packed)) == json, "plain JSON comes back as another")
            }
        },
        FuzzTarget("verdict") { bytes in
            _ = try? FactCodec.verdict(bytes)
            _ = try? FactCodec.names(bytes)
        },
        FuzzTarget("import") { bytes in
            guard let payment = try? ImportedPayment(String(fuzzed: bytes)) else { return }
            hold(payment.intent.amount.minorUnits > 0 && payment.takenAt > 0, "nothing was imported as something")
            if let refunded = payment.refunded {
                hold(refunded.minorUnits <= payment.intent.amount.minorUnits, "more was given back than was taken")
            }
            let now = JournalInstant(wall: 1_700_000_000_000, uptime: 1, boot: "b")
            hold(AttemptFacts(payment.facts(at: now)) != nil, "what was imported is no attempt")
            _ = try? payment.refund(at: now)
        },
    ]
}

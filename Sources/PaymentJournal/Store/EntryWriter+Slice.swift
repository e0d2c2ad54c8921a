internal import PaymentAbstraction

extension EntryWriter {
    /// What the rules are asked with, and the rows that it came from.
    struct Loaded {
        var slice = JournalSlice()
        var rows: [AttemptKey: AttemptRow] = [:]
        var kept: [(seq: Int64, notice: KeptNotice)] = []

        fileprivate mutating func take(_ held: FactReader.Held) -> AttemptFacts {
            rows[held.facts.intent.key] = held.row
            return held.facts
        }
    }

    /// Loads what an entry needs. What can't be read and is needed ends it; what stays unread there can be done again.
    func slice(_ entry: JournalEntry, _ reads: JournalReads) throws -> Loaded {
        var loaded = Loaded()
        for key in reads.told {
            // Who was told may be forgotten; that costs a conflict, never a charge.
            if let found = try? reader.held(key) { loaded.slice.told.append(loaded.take(found)) }
        }
        let intent = entry.beginning
        if intent != nil { loaded.slice.restoredAt = try reader.restoredAt() }
        if let intent, intent.isOrigin, reads.names.isEmpty, try reader.isNew(intent) { return loaded }
        if let key = reads.attempt { try load(key, intent, &loaded) }
        if let origin = reads.family {
            loaded.slice.family = try reader.wholeFamily(origin).map { loaded.take($0) }
            try compare(intent, loaded.slice)
        }
        if let text = reads.reference, let scope = reads.attempt?.scope {
            let blocking = try reader.find(
                "scope = ?1 AND reference = ?2 AND blocks = 1 ORDER BY seq", [.text(scope), .text(text)])
            loaded.slice.underReference = try blocking.map { loaded.take(try $0.get()) }
        }
        guard let provider = reads.provider else { return loaded }
        for name in reads.names.sorted() {
            let holders = try reader.holders(name, provider)
            loaded.slice.holders[name] =
                holders.held.map { loaded.take($0) }
                + holders.forgotten.map { FactCodec.forgotten($0, at: provider) }
            loaded.kept += try reader.kept(name, provider)
        }
        loaded.kept.sort { $0.seq < $1.seq }
        loaded.slice.kept = loaded.kept.map(\.notice)
        if reads.wantsRivals {
            let rivals = try reader.find(
                "account = ?1 AND is_rival = 1 ORDER BY seq", [.text(FactCodec.text(provider))])
            loaded.slice.rivals = try rivals.map { loaded.take(try $0.get()) }
        }
        return loaded
    }

    /// The attempt itself. Whatever may begin is found in two ways that no single index serves, since an index with a
    /// broken page hides rows without a word, and what is hidden would be done again: an origin by its id and as the
    /// head of its payment's family, a follow-up by its id and in its family.
    private func load(_ key: AttemptKey, _ intent: AttemptIntent?, _ loaded: inout Loaded) throws {
        guard let held = try reader.heldSurely(key) else { return }
        loaded.slice.attempt = loaded.take(held)
        guard intent?.isOrigin == true, held.row.isOrigin else { return }
        // An origin that is there has a family that begins with it.
        _ = try reader.wholeFamily(key)
    }

    /// A follow-up is in its family if and only if it is there at all; under another payment it is a conflict.
    private func compare(_ intent: AttemptIntent?, _ slice: JournalSlice) throws {
        guard let intent else { return }
        let inFamily = slice.family.contains { $0.intent.key == intent.key }
        let isThere = slice.attempt.map { $0.intent.origin == intent.origin } ?? false
        guard inFamily == isThere else { throw StoreFailure.damagedIndex(intent.key) }
    }
}

extension JournalEntry {
    /// What it begins, if anything.
    var beginning: AttemptIntent? {
        for case .begin(let intent, _) in parts { return intent }
        return nil
    }
}

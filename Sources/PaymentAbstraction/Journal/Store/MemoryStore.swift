internal import PaymentBase

/// What a memory journal holds, with an index for every question that is asked of it.
struct MemoryStore {
    /// Texts letter by letter, as a store on a disk compares them: to `String`, composed letters and those that are put
    /// together are the same.
    private struct Exact: Hashable {
        private var bytes: [UInt8] = []

        init(_ texts: String...) {
            bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 1 })
            for text in texts {
                bytes += text.utf8
                // It stands in no text, so that no two lists of texts are the same bytes.
                bytes.append(0xFF)
            }
        }

        /// All bytes at a time; a list takes them in one by one.
        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// Places under names. A value of its own, so that what is changed is held once: a method of the whole store would hold
    /// a copy of it meanwhile, and each change would copy every place there is.
    private struct Marks<Name: Hashable & Sendable>: Sendable {
        private var places: [Name: Set<Int>] = [:]

        /// The places under a name, the oldest first.
        subscript(name: Name) -> [Int] { (places[name] ?? []).sorted() }

        /// Puts a place among those under a name, or takes it out; where none is left, nothing is kept.
        mutating func mark(_ place: Int, under name: Name, _ holds: Bool) {
            if holds {
                places[name, default: []].insert(place)
            } else if places[name]?.remove(place) != nil, places[name]?.isEmpty == true {
                places[name] = nil
            }
        }
    }

    private typealias Named = Exact
    private typealias Reference = Exact

    private var rows: [AttemptFacts] = []
    private var places: [Exact: Int] = [:]
    private var families: [Exact: [Int]] = [:]
    private var references: [Reference: [Int]] = [:]
    private var blocking = Marks<Reference>()
    private var origins: [String: [Int]] = [:]
    private var open = Marks<String>()
    private var rivals = Marks<ProviderIdentity>()
    private var names: [Named: [Int]] = [:]
    private var inbox: [Named: [KeptNotice]] = [:]
    private var looks: [Int: (count: Int, next: Int64)] = [:]
    private var answered: [WriteID: JournalAnswer] = [:]
    private var waiters: [AttemptKey: [Promise<Bool>]] = [:]
    var timelines: [AttemptKey: [PaymentEvent]] = [:]
    private var nextNumber: Int64 = 1

    // MARK: - Writing

    mutating func write(
        _ entry: JournalEntry, _ id: WriteID, at now: JournalInstant
    ) -> (JournalAnswer, [Promise<Bool>]) {
        if let answer = answered[id] { return (answer.again { facts($0) }, []) }
        let reads = JournalRules.reads(entry)
        let decision = JournalRules.decide(entry, slice(reads), at: now)
        var woken: [Promise<Bool>] = []
        for change in decision.changes {
            keep(change, now)
            woken += waiters.removeValue(forKey: change.after.intent.key) ?? []
        }
        if let kept = decision.keeps { inbox[named(kept.provider, kept.name), default: []].append(kept) }
        if let provider = reads.provider { file(decision, provider) }
        let events = entry.events(beside: decision, at: now) { timelines[$0] ?? [] }
        let scope = decision.answer.facts?.intent.scope ?? entry.scope
        for event in events {
            guard let origin = event.payment else { continue }
            timelines[AttemptKey(origin.attempt, scope: scope), default: []].append(event)
        }
        if !decision.changes.isEmpty || decision.keeps != nil || !events.isEmpty { answered[id] = decision.answer }
        return (decision.answer, woken)
    }

    /// Takes out what was applied: of the messages under a name, those that are about this kind of operation.
    private mutating func file(_ decision: JournalDecision, _ provider: ProviderIdentity) {
        guard let operation = decision.changes.last?.after.intent.operation else { return }
        for name in decision.applied {
            inbox[named(provider, name)]?.removeAll { $0.operations.isEmpty || $0.operations.contains(operation) }
        }
    }

    private mutating func keep(_ change: JournalDecision.Change, _ now: JournalInstant) {
        let (facts, key) = (change.after, change.after.intent.key)
        let place: Int
        if let known = places[exact(key)] {
            place = known
            rows[place] = facts
        } else {
            place = rows.count
            rows.append(facts)
            places[exact(key)] = place
            families[exact(facts.intent.origin), default: []].append(place)
            if facts.intent.isOrigin { references[reference(facts), default: []].append(place) }
            if facts.intent.isOrigin { origins[key.scope, default: []].append(place) }
        }
        for case .name(let name) in change.facts {
            names[named(name.provider, name.value), default: []].append(place)
        }
        if facts.intent.isOrigin { blocking.mark(place, under: reference(facts), facts.blocks) }
        open.mark(place, under: key.scope, facts.isOpen)
        let isRival = facts.isOpen || facts.hasMoved && facts.names.isEmpty
        rivals.mark(place, under: facts.newest.provider, isRival)
        let count = looks[place]?.count ?? 0
        looks[place] = JournalRules.nextLook(facts, looks: count, at: now).map { (count, $0) }
    }

    private func reference(_ facts: AttemptFacts) -> Reference {
        Reference(facts.intent.scope, facts.intent.reference)
    }

    private func exact(_ key: AttemptKey) -> Exact { Exact(key.scope, key.attempt.text) }

    private func named(_ provider: ProviderIdentity, _ value: String) -> Named {
        Named(provider.id.rawValue, provider.adapter, provider.environment, provider.merchant, value)
    }

    // MARK: - Reading

    private func slice(_ reads: JournalReads) -> JournalSlice {
        var slice = JournalSlice()
        slice.attempt = reads.attempt.flatMap { facts($0) }
        if let origin = reads.family { slice.family = family(origin) }
        if let text = reads.reference, let scope = reads.attempt?.scope {
            slice.underReference = blocking[Reference(scope, text)].map { rows[$0] }
        }
        if let provider = reads.provider {
            for name in reads.names {
                let named = named(provider, name)
                slice.holders[name] = (names[named] ?? []).map { rows[$0] }
                slice.kept += inbox[named] ?? []
            }
            if reads.wantsRivals { slice.rivals = rivals[provider].map { rows[$0] } }
        }
        slice.told = reads.told.compactMap { facts($0) }
        return slice
    }

    func facts(_ key: AttemptKey) -> AttemptFacts? { places[exact(key)].map { rows[$0] } }

    func family(_ origin: AttemptKey) -> [AttemptFacts] { (families[exact(origin)] ?? []).map { rows[$0] } }

    func holders(_ name: String, _ provider: ProviderIdentity) -> [AttemptFacts] {
        (names[named(provider, name)] ?? []).map { rows[$0] }
    }

    func page(_ query: JournalQuery, _ scope: String, _ cursor: JournalCursor?, _ limit: Int) -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let after = cursor.map { Int($0.number) }
        let found: [Int]
        switch query {
        case .origins: found = newest(origins[scope] ?? [], before: after, limit)
        case .reference(let text):
            found = oldest(references[Reference(scope, text)] ?? [], after: after, limit)
        case .open: found = oldest(open[scope], after: after, limit)
        }
        let next = found.count == limit ? found.last.map { JournalCursor(Int64($0)) } : nil
        return JournalPage(found.map { rows[$0] }, next: next)
    }

    /// Places before one, the newest first; found by halves, so that a late page costs what the first does.
    private func newest(_ places: [Int], before place: Int?, _ limit: Int) -> [Int] {
        let end = place.map { firstIndex(of: $0, in: places) } ?? places.count
        var found: [Int] = []
        var index = end - 1
        while index >= 0, found.count < limit {
            if !rows[places[index]].isRehearsal { found.append(places[index]) }
            index -= 1
        }
        return found
    }

    private func oldest(_ places: [Int], after place: Int?, _ limit: Int) -> [Int] {
        let start = place.map { firstIndex(of: $0 + 1, in: places) } ?? 0
        return Array(places[start...].prefix(limit))
    }

    private func firstIndex(of place: Int, in places: [Int]) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func takeDue(_ scope: String, _ limit: Int, _ now: JournalInstant) -> [AttemptFacts] {
        let due = looks.filter { place, look in
            rows[place].intent.scope == scope && JournalRules.isDue(look.next, at: now)
        }
        var taken: [AttemptFacts] = []
        for (place, look) in due.sorted(by: { ($0.value.next, $0.key) < ($1.value.next, $1.key) }).prefix(max(0, limit))
        {
            let count = look.count + 1
            looks[place] = JournalRules.nextLook(rows[place], looks: count, at: now).map { (count, $0) }
            taken.append(rows[place])
        }
        return taken
    }

    /// Whether somebody has to wait: nothing was written beyond what is known.
    mutating func wait(for known: AttemptFacts, _ waiter: Promise<Bool>) -> Bool {
        guard facts(known.intent.key) == known else { return false }
        // Those who gave up are forgotten.
        waiters[known.intent.key, default: []].removeAll { $0.settled != nil }
        waiters[known.intent.key, default: []].append(waiter)
        return true
    }

    /// Takes numbers out; nil when there are none, or so many make no sense.
    mutating func draw(_ count: Int64) -> Int64? {
        let (next, overflow) = nextNumber.addingReportingOverflow(count)
        guard count > 0, !overflow else { return nil }
        defer { nextNumber = next }
        return nextNumber
    }
}

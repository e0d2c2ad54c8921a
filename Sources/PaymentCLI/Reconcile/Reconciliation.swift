internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentModel

/// Compares the journal with a provider's statement; reads and changes nothing.
///
/// Every row of the statement and every movement of the journal ends in exactly one item, and each item is in one of six
/// groups. So the groups add up to what was read, whatever the statement is like.
struct Reconciliation: Sendable {
    private(set) var books: OwnBooks
    let statement: Statement
    let days: ReconciledDays
    /// How long a movement of the journal may be missing there, in milliseconds.
    let transit: Int64
    /// Whose attempts are compared; nil for those of every scope.
    let scopes: Set<String>?

    private(set) var items: [ReconciledItem] = []
    /// What the statement says besides.
    private(set) var traces: StatementTraces
    /// Movements of the journal that the statement shows under their name or id.
    private(set) var named: [Int] = []
    /// How many steps it took: a count for each row, each movement and each name that was looked at.
    private(set) var steps = 0

    /// Refunds and chargebacks of the statement, by what it calls the payment.
    private(set) var followUps: [String: [Int]] = [:]
    /// Refunds that no attempt claims and that name no payment, so that any may be meant: the smallest and the latest of each
    /// currency; under nil those without an amount.
    private var namelessRefunds: [Currency?: (smallest: Int64, latest: Int64)] = [:]
    /// Payments of the journal that are not decided and that no row has claimed yet.
    private var open: [Alike: Set<Int>] = [:]
    private var isTaken: [Bool]
    /// Movements whose name is on a row that can't be read.
    private var unread: Set<Int> = []

    /// What the two sides of one payment have in common that has no name yet.
    private struct Alike: Hashable {
        let reference: String
        /// Nil for every amount.
        let amount: Money?
    }

    /// What the statement shows of one payment of the journal.
    private struct Shown {
        var payment: [Int] = []
        var captures: [Int] = []
        var refunds: [Int] = []
        var chargebacks: [Int] = []
        /// By the movement whose name they have.
        var named: [Int: [Int]] = [:]
    }

    init(
        _ books: OwnBooks, _ statement: Statement, _ days: ReconciledDays, transit: Int64, scopes: Set<String>? = nil
    ) {
        (self.books, self.statement, self.days) = (books, statement, days)
        (self.transit, self.scopes) = (transit, scopes)
        isTaken = Array(repeating: false, count: books.movements.count)
        traces = StatementTraces(statement)
        for (reference, numbers) in books.open {
            for number in numbers where isChosen(books.movements[number].scope) {
                open[Alike(reference: reference, amount: nil), default: []].insert(number)
                open[Alike(reference: reference, amount: books.movements[number].asked), default: []].insert(number)
            }
        }
        for row in statement.outside { leaveOut(row) }
        var shown: [Int: Shown] = [:]
        var strangers: [String: [Int]] = [:]
        var order: [String] = []
        for number in statement.listings.indices where !claim(number, &shown) {
            let listing = statement.listings[number]
            noteNameless(listing)
            let isAlone = listing.subject == .refund || listing.subject == .chargeback || listing.payment == nil
            let key = isAlone ? "\n\(number)" : listing.payment ?? ""
            if strangers[key] == nil { order.append(key) }
            strangers[key, default: []].append(number)
        }
        for movement in books.movements { traces.follow(movement) }
        rewind(shown)
        for (payment, shown) in shown.sorted(by: { $0.key < $1.key }) { settle(payment, shown) }
        for key in order { report(strangers[key] ?? [], nil, nil) }
        for number in books.movements.indices { miss(number) }
        // What to do is said at last, when every row has been seen.
        let seen = self
        items = items.map { item in
            guard item.isOpen else { return item }
            var proposed = item
            proposed.propose(in: seen)
            return proposed
        }
    }

    /// Says of attempts that were to be concluded, and were not, why they stay open.
    mutating func explain(_ tried: [StatementEvidence.Conclusion]) {
        var reasons: [AttemptID: String] = [:]
        for one in tried { reasons[one.attempt.attempt] = one.refusal }
        for index in items.indices where items[index].group == .onlyInJournal {
            guard let attempt = items[index].attempt, let reason = reasons[attempt] else { continue }
            items[index].because = reason
        }
    }

    /// Whether a statement of these days should show a movement of the journal.
    func isDue(_ movement: OwnMovement) -> Bool {
        movement.counts && days.contains(movement.begunAt) && isChosen(movement.scope)
    }

    /// Why the items are not exactly what was read; nil if they are, as they always should be.
    func discrepancy() -> String? {
        var rows = Array(repeating: false, count: statement.rows.count)
        var movements = Array(repeating: false, count: books.movements.count)
        for item in items {
            for row in item.rows {
                if rows[row] { return "\(statement.rows[row].place) is counted twice" }
                rows[row] = true
            }
            for number in item.movements {
                let movement = books.movements[number]
                if movements[number] { return "\(movement.attempt) is counted twice" }
                if item.rows.isEmpty, !isDue(movement) { return "\(movement.attempt) is of other days" }
                movements[number] = true
            }
        }
        if let row = rows.firstIndex(of: false) { return "\(statement.rows[row].place) is not counted" }
        let missing = books.movements.indices.first { !movements[$0] && isDue(books.movements[$0]) }
        if let missing { return "\(books.movements[missing].attempt) is not counted" }
        var (parts, whole) = (ReconciledSum(), ReconciledSum())
        for sum in sums.values { parts.add(sum) }
        for row in statement.rows { whole.add(row) }
        for number in books.movements.indices where movements[number] { whole.add(books.movements[number]) }
        return parts == whole ? nil : "the sums of the groups are not the sum of what was read"
    }

    /// How much is in each group.
    var sums: [ReconciledItem.Group: ReconciledSum] {
        var sums: [ReconciledItem.Group: ReconciledSum] = [:]
        for item in items { sums[item.group, default: .init()].add(item, statement, books) }
        return sums
    }

    private func isChosen(_ scope: String) -> Bool { scopes?.contains(scope) ?? true }

    // MARK: Whose a row is

    private mutating func noteNameless(_ listing: Statement.Listing) {
        // A payment of a list with totals says itself what was refunded of it.
        guard listing.subject == .refund, listing.payment == nil, !statement.hasRefundTotals,
            listing.state != .refused, listing.state != .undone
        else { return }
        let (units, at) = (listing.moved?.minorUnits ?? 0, listing.at ?? .max)
        let seen = namelessRefunds[listing.moved?.currency] ?? (smallest: units, latest: at)
        namelessRefunds[listing.moved?.currency] = (min(seen.smallest, units), max(seen.latest, at))
    }

    /// Whether a refund that names no payment may be of one over an amount: what is left of that is not known then.
    func mayBeRefunded(_ amount: Money, since at: Int64) -> Bool {
        [nil, amount.currency].contains { currency in
            namelessRefunds[currency].map { $0.smallest <= amount.minorUnits && $0.latest >= at } ?? false
        }
    }

    private mutating func leaveOut(_ outside: Statement.Outside) {
        steps += 1 + outside.names.count
        traces.leaveOut(outside)
        // A row of another account that carries the name of an attempt is about its money for all we know.
        let isOurs =
            outside.isOtherAccount
            && outside.names.contains { books.holder([$0], isOrigin: true) != nil || books.attempt($0) != nil }
        if outside.isUnreadable {
            for name in outside.names { if let found = books.holder([name], isOrigin: true) { unread.insert(found) } }
        }
        var item = ReconciledItem(.notComparable, rows: [outside.row])
        (item.why, item.weight) = (outside.why, outside.isUnreadable || isOurs ? .open : .foreign)
        (item.place, item.name) = (
            statement.rows[outside.row].place, outside.names.sorted().first.map(MaskedMessage.of)
        )
        items.append(item)
    }

    /// Finds the payment or movement of the journal that a listing is about; false if there is none.
    private mutating func claim(_ number: Int, _ shown: inout [Int: Shown]) -> Bool {
        let listing = statement.listings[number]
        steps += listing.rows.count + listing.names.count + 1
        let isPayment = listing.subject == .payment
        if isPayment || listing.subject == .capture, listing.state != .refused, listing.state != .undone {
            traces.addPayment(listing)
        }
        if listing.subject == .refund || listing.subject == .chargeback, let payment = listing.payment {
            followUps[payment, default: []].append(number)
        }
        let own = isPayment ? nil : holder(listing)
        guard
            let found = own ?? (isPayment ? books.holder(listing.names, isOrigin: true) : nil)
                ?? listing.payment.flatMap({ books.holder([$0], isOrigin: true) }) ?? books.attempt(listing.reference)
        else { return false }
        guard isChosen(books.movements[found].scope) else {
            add(.notComparable("rows of payments of other scopes"), [number], []) { $0.weight = .foreign }
            return true
        }
        var place = shown[books.movements[found].payment] ?? Shown()
        if own != nil || isPayment && !books.isOrigin(found) {
            named.append(found)
            place.named[found, default: []].append(number)
        } else {
            switch listing.subject {
            case .payment:
                place.payment.append(number)
                let isReceipt = listing.state != .refused && listing.state != .undone
                if isReceipt, statement.kind == .accounting { traces.show(books.movements[found]) }
            case .capture: place.captures.append(number)
            case .refund: place.refunds.append(number)
            case .chargeback: place.chargebacks.append(number)
            }
            if isPayment || listing.subject == .capture { named.append(found) }
        }
        shown[books.movements[found].payment] = place
        return true
    }

    /// The capture or refund of the journal that has a name of a listing; a void may be a refund there.
    private func holder(_ listing: Statement.Listing) -> Int? {
        guard let found = books.holder(listing.names, isOrigin: false) else { return nil }
        switch (listing.subject, books.movements[found].kind) {
        case (.capture, .capture), (.refund, .refund), (.refund, .void), (.chargeback, .chargeback): return found
        case (_, _): return nil
        }
    }

    // MARK: What the statement shows of a payment

    /// Takes the books back to the end of a report, which knows nothing of what came after. A list says how it is now.
    private mutating func rewind(_ shown: [Int: Shown]) {
        if statement.kind == .list { return }
        let end = max(statement.saidAt, days.end - 1)
        for number in books.payments.indices {
            let shown = shown[number] ?? Shown()
            // What the report itself shows as ended is left as it is now: a message of it may have come late.
            if showsEnd(shown.payment) { continue }
            var ended = Set(shown.named.filter { showsEnd($0.value) }.keys)
            if showsEnd(shown.captures + shown.refunds + shown.chargebacks) {
                ended.formUnion(books.payments[number].movements)
            }
            books.rewind(number, to: end, named: Set(shown.named.keys), ended: ended)
        }
    }

    private func showsEnd(_ listings: [Int]) -> Bool { listings.contains { statement.listings[$0].state == .undone } }

    /// Compares a payment as a whole with the rows about it, and each capture, refund and chargeback with its own.
    private mutating func settle(_ number: Int, _ shown: Shown) {
        let payment = books.payments[number]
        let origin = payment.movements[0]
        steps += payment.movements.count
        for extra in shown.payment.dropFirst() { report([extra], "a second one under the same name", number) }
        var (rows, rest) = (Array(shown.payment.prefix(1)), shown)
        let members = payment.movements.filter { isPart($0, of: origin) }
        // A list has a row of its own for each movement with a name.
        for member in members where member == origin || statement.kind != .list {
            rows += rest.named.removeValue(forKey: member) ?? []
        }
        let isCharge = books.movements[origin].kind == .charge
        if isCharge { (rows, rest.captures) = (rows + rest.captures, []) }
        // To the provider a refund without an original is a payment, and a void may be a refund.
        let isRefund = books.movements[origin].kind == .refund
        let isNameless = rest.refunds.allSatisfy { statement.listings[$0].names.isEmpty }
        if isRefund || isCharge && payment.isUndone && isNameless {
            (rows, rest.refunds) = (rows + rest.refunds, [])
        }
        if !rows.isEmpty { compare(isRefund ? [origin] : members, rows, isRefund ? nil : payment) }
        for (movement, listings) in rest.named.sorted(by: { $0.key < $1.key }) {
            if isTaken[movement] { report(listings, nil, number) } else { compare([movement], listings, nil) }
        }
        pool(number, .capture, rest.captures)
        pool(number, .refund, rest.refunds)
        pool(number, .chargeback, rest.chargebacks)
    }

    /// Whether the statement shows a movement by what it says of the payment as a whole.
    private func isPart(_ movement: Int, of origin: Int) -> Bool {
        guard movement != origin else { return true }
        guard let kind = books.movements[movement].kind, statement.lists.contains(kind) else { return false }
        switch kind {
        case .void, .change, .tip: return true
        case .capture: return statement.kind == .list || books.movements[origin].kind == .charge
        case .refund: return statement.kind == .list && statement.hasRefundTotals
        case .hold, .charge, .chargeback: return false
        }
    }

    /// Compares what has no name of its own, or one that the journal doesn't know, with what is left of the payment: with
    /// all of it, with that of the days, or with the moved money, whichever has the same sum.
    private mutating func pool(_ number: Int, _ kind: Statement.Movement, _ listings: [Int]) {
        guard !listings.isEmpty else { return }
        let isNameless = listings.contains { statement.listings[$0].names.isEmpty }
        let all = books.payments[number].movements.filter { books.movements[$0].kind == kind && !isTaken[$0] }
        let left = all.filter { index in
            let movement = books.movements[index]
            // The bank may take money back once more, months later.
            let mayBeMeant = kind != .chargeback || days.contains(movement.begunAt)
            return movement.counts && mayBeMeant
                && (isNameless || movement.names.isEmpty || movement.state != .moved)
        }
        // Rows without a name that say nothing but an end are about what ended in these days.
        let isEnd = isNameless && listings.allSatisfy { statement.listings[$0].state == .undone }
        let ended = all.filter { isEnd && books.movements[$0].endedAt.map(days.contains) ?? false }
        steps += books.payments[number].movements.count + listings.count
        let there = listings.map { statement.listings[$0].moved }.total
        let moved = left.filter { books.movements[$0].state == .moved }
        // Beside a movement that is not decided, a row without a name may be that one's.
        if isNameless, moved.count != left.count, !left.isEmpty { return compare(left, listings, nil) }
        let current = left.filter { days.contains(books.movements[$0].begunAt) }
        for some in [ended, left, current, moved] where !some.isEmpty {
            if some.map({ Optional(books.movements[$0].amount) }).total == there { return compare(some, listings, nil) }
        }
        if !moved.isEmpty, moved.count == left.count {
            return compare(current.isEmpty ? left : current, listings, nil)
        }
        for listing in listings { report([listing], nil, number) }
    }

    /// Compares movements with the listings about them.
    ///
    /// - Parameter payment: The payment if the movements are that as a whole; nil for captures and refunds.
    private mutating func compare(_ movements: [Int], _ numbers: [Int], _ payment: OwnPayment?) {
        let theirs = ListingSummary(numbers.map { statement.listings[$0] }, isPayment: payment != nil)
        let first = books.movements[movements[0]]
        let own = payment == nil ? movements.map { books.movements[$0] } : [first]
        let here = own.map { Optional($0.amount) }.total
        var amounts: (here: Money?, there: Money?)?
        var verdict = Verdict.matched
        if let problem = theirs.problem ?? misnamed(own, numbers) {
            verdict = .notComparable(problem)
        } else if own.contains(where: { $0.state == .open }) {
            verdict = .state
        } else if own.contains(where: { $0.state == .pending }) {
            verdict = theirs.state == .pending ? .matched : .state
        } else if own.allSatisfy({ $0.state == .nothing }) {
            // What is pending there may still be approved.
            let late = isYoung(movements) ? Verdict.inTransit : .state
            verdict = theirs.hasMoved ? .state : theirs.state == .pending ? late : .matched
        } else {
            verdict = state(payment, first, theirs, late: isYoung(movements) ? .inTransit : .state)
            if verdict == .matched {
                amounts =
                    payment.map { otherAmount($0, theirs) }
                    ?? [theirs.charged, theirs.repeated].first { $0 == nil || $0 != here }.map { (here, $0) }
                if amounts != nil { verdict = .amount }
            }
        }
        // What is open or pending beside a payment that is as it was before is not shown there.
        let counting = movements.filter { number in
            let state = books.movements[number].state
            return payment == nil || number == movements[0] || state == .moved
                || verdict != .matched && state != .nothing
        }
        if isMore(amounts) || theirs.problem != nil { traces.addUnclaimed(numbers, amounts?.there ?? theirs.amount) }
        add(verdict, numbers, counting) { item in
            (item.here, item.there) = (payment?.words ?? first.word, theirs.words)
            (item.hereAmount, item.thereAmount) = amounts ?? (here, theirs.amount)
        }
    }

    /// Why a movement that was found by its id may be another one: a person recorded it under a name that the statement doesn't
    /// have. What follows it would go to that name.
    private func misnamed(_ own: [OwnMovement], _ numbers: [Int]) -> String? {
        let theirs = Set(
            numbers.map { statement.listings[$0] }.flatMap { $0.names + [$0.payment].compactMap(\.self) })
        guard !theirs.isEmpty, let one = own.first(where: { !$0.typedNames.isEmpty }),
            theirs.isDisjoint(with: one.typedNames)
        else { return nil }
        return "a person recorded it as \(one.typedNames.sorted().joined(separator: ", ")), and the statement has "
            + theirs.sorted().joined(separator: ", ")
    }

    /// Whether the statement shows more than the journal: no attempt claims the rest.
    private func isMore(_ amounts: (here: Money?, there: Money?)?) -> Bool {
        guard let amounts, let there = amounts.there else { return amounts != nil }
        guard let here = amounts.here, here.currency == there.currency else { return true }
        return there.minorUnits > here.minorUnits
    }

    /// What is to be said about the state of the money here.
    private func state(_ payment: OwnPayment?, _ first: OwnMovement, _ theirs: ListingSummary, late: Verdict) -> Verdict
    {
        let isUndone = payment?.isUndone ?? false
        let isCharged =
            payment.map { (statement.kind == .list || first.kind == .charge) && !$0.amounts.captured.isZero } ?? true
        switch theirs.state {
        case .taken, .unread: return .matched
        case .refused: return .state
        case .pending: return late
        case .undone: return isUndone ? .matched : .state
        case .held: return isUndone || isCharged ? late : .matched
        case .charged: return isUndone || !isCharged ? .state : .matched
        }
    }

    /// The first amount of a payment that is another one there, where both are known.
    private func otherAmount(_ payment: OwnPayment, _ theirs: ListingSummary) -> (here: Money?, there: Money?)? {
        let amounts = payment.amounts
        let isCurrent = statement.kind == .list && theirs.state == .held
        let held = isCurrent ? [amounts.authorized] : [amounts.authorized, payment.approved]
        let isCharged = theirs.state == .charged
        // What a bank took back is no refund where the statement shows no chargebacks.
        let hasChargebacks = statement.lists.contains(.chargeback)
        let refunded = hasChargebacks ? amounts.refunded : amounts.refunded.less(amounts.chargedBack)
        let pairs: [(here: [Money], there: Money?)] = [
            ([amounts.captured], isCharged ? theirs.charged : nil),
            ([amounts.captured], isCharged ? theirs.repeated : nil), (held, theirs.held),
            (held + [payment.asked], theirs.received), ([refunded], theirs.refunded),
            (held, theirs.returned),
        ]
        let other = pairs.first { pair in pair.there.map { !pair.here.contains($0) } ?? false }
        return other.map { ($0.here.first, $0.there) }
    }

    /// Whether the newest of some movements may still be on its way into a statement.
    private func isYoung(_ movements: [Int]) -> Bool {
        days.end - (movements.map { books.movements[$0].begunAt }.max() ?? 0) <= transit
    }

    // MARK: What only one side has

    /// Adds an item for money there that no attempt of the journal claims.
    ///
    /// - Parameter payment: The payment of the journal that it belongs to, where the journal has that.
    private mutating func report(_ numbers: [Int], _ words: String?, _ payment: Int?) {
        let theirs = numbers.map { statement.listings[$0] }
        guard let first = theirs.first else { return }
        steps += numbers.count
        let whole = ListingSummary(theirs)
        let names = theirs.flatMap { $0.names + [$0.payment, $0.reference].compactMap(\.self) }
        traces.speak(first.rows.first ?? 0, "no attempt here claims it", Set(names))
        let hasEnded = theirs.allSatisfy { one in
            one.problem == nil
                && (one.state == .refused || one.state == .undone && (one.subject == .payment || one.repeated != nil))
        }
        if hasEnded {
            let why = "movements that came to nothing there and are not in the journal"
            return add(.notComparable(why), numbers, []) { $0.weight = .foreign }
        }
        traces.addUnclaimed(numbers, first.amount)
        if payment == nil, let open = lookAlike(first, whole.amount) {
            return add(.state, numbers, [open]) { [books] item in
                (item.here, item.hereAmount) = ("open", books.movements[open].asked)
                (item.there, item.thereAmount) = ("\(whole.words), under the same reference", whole.amount)
            }
        }
        // A list may go back to the provider's first day; a report is about the days that it was made for.
        guard statement.kind != .list || first.at.map(days.contains) ?? true else {
            return add(.notComparable("rows of other days"), numbers, []) { $0.weight = .foreign }
        }
        if payment == nil, let other = books.otherHolder(names) {
            let why = "this journal has the name at \(other)"
            return add(.notComparable(why), numbers, []) { item in
                (item.reference, item.there) = (first.reference.map(MaskedMessage.of), whole.words)
                item.thereAmount = whole.amount
            }
        }
        add(.onlyInStatement, numbers, []) { [books] item in
            if let payment {
                (item.payment, item.reference) = (books.payments[payment].id, books.payments[payment].reference)
                item.paymentNumber = payment
            }
            item.reference = item.reference ?? first.reference.map(MaskedMessage.of)
            let kind = first.subject == .chargeback ? "chargeback" : nil
            item.there = [kind, whole.words, words, whole.problem].compactMap(\.self).joined(separator: ", ")
            item.thereAmount = whole.amount
        }
    }

    /// The one open payment of the journal under the same reference and over the same amount.
    private func lookAlike(_ theirs: Statement.Listing, _ amount: Money?) -> Int? {
        guard theirs.subject == .payment || theirs.subject == .capture, let reference = theirs.reference,
            let alike = open[Alike(reference: reference, amount: amount)], alike.count == 1
        else { return nil }
        return alike.first
    }

    private mutating func miss(_ number: Int) {
        let movement = books.movements[number]
        steps += 1
        guard !isTaken[number], isDue(movement), let kind = movement.kind else { return }
        let payment = books.payments[movement.payment]
        let isHold = books.movements[payment.movements[0]].kind == .hold
        var verdict = isYoung([number]) ? Verdict.inTransit : .onlyInJournal
        var weight = ReconciledItem.Weight.open
        if !statement.lists.contains(kind) {
            verdict = .notComparable("\(statement.kind.shown) shows no \(kind.plural)")
            let isNoCharge =
                kind == .hold || kind == .change || kind == .void && (isHold || statement.kind == .settlement)
            if isNoCharge, movement.state == .moved { weight = .notListed }
        } else if statement.kind == .settlement, movement.state != .moved {
            verdict = .notComparable("open attempts, of which a settlement shows nothing")
        } else if statement.kind == .settlement, payment.isUndone {
            (verdict, weight) = (.notComparable("\(statement.kind.shown) shows no cancelled payments"), .notListed)
        }
        if verdict == .inTransit, unread.contains(number) {
            verdict = .notComparable("a row about it can't be read")
        }
        if verdict == .onlyInJournal, movement.state == .moved { traces.lack(movement) }
        add(verdict, [], [number]) { [books] item in
            (item.here, item.hereAmount) = (books.isOrigin(number) ? payment.words : movement.word, movement.amount)
            item.weight = weight
        }
    }

    /// Adds an item, and what every item says about its rows and movements.
    private mutating func add(
        _ verdict: Verdict, _ numbers: [Int], _ movements: [Int], _ more: (inout ReconciledItem) -> Void
    ) {
        for number in movements {
            isTaken[number] = true
            let movement = books.movements[number]
            guard movement.state == .open || movement.state == .pending, books.isOrigin(number) else { continue }
            for amount in [nil, movement.asked] {
                open[Alike(reference: movement.reference, amount: amount)]?.remove(number)
            }
        }
        var item = ReconciledItem(verdict.group, rows: numbers.flatMap { statement.listings[$0].rows })
        (item.movements, item.listings) = (movements, numbers)
        switch verdict {
        case .notComparable(let why): item.why = why
        case .amount: item.what = .amount
        case .state: item.what = .state
        case .matched, .onlyInJournal, .onlyInStatement, .inTransit: break
        }
        item.place = statement.place(item.rows)
        item.hasMoved = numbers.contains { statement.listings[$0].state.hasMoved }
        let open = movements.first { books.movements[$0].state == .open || books.movements[$0].state == .pending }
        let movement = (open ?? movements.first).map { books.movements[$0] }
        if let movement {
            (item.attempt, item.operation, item.reference) = (movement.attempt, movement.operation, movement.reference)
            (item.payment, item.scope) = (books.payments[movement.payment].id, movement.scope)
            item.paymentNumber = movement.payment
        }
        if let first = numbers.first.map({ statement.listings[$0] }) {
            let isPayment = first.subject == .payment || first.subject == .capture && movement?.kind != .capture
            item.name = isPayment ? first.payment ?? first.names.first : first.names.first ?? first.payment
        }
        item.isInDoubt = movement?.state == .open
        more(&item)
        items.append(item)
    }

    /// What a comparison came to.
    private enum Verdict: Equatable {
        case matched, amount, state, onlyInJournal, onlyInStatement, inTransit
        case notComparable(String)

        var group: ReconciledItem.Group {
            switch self {
            case .matched: .matched
            case .amount, .state: .differs
            case .onlyInJournal: .onlyInJournal
            case .onlyInStatement: .onlyInStatement
            case .inTransit: .inTransit
            case .notComparable: .notComparable
            }
        }
    }
}

/// What some listings say together.
struct ListingSummary: Sendable {
    var state = Statement.State.pending
    var words = ""
    var problem: String?
    var held: Money?
    var received: Money?
    var charged: Money?
    var repeated: Money?
    var refunded: Money?
    /// What went back by a void, where the rows don't show what was charged.
    var returned: Money?

    var amount: Money? { charged ?? held }
    var hasMoved: Bool { state.hasMoved && !(amount?.isZero ?? false) }

    /// - Parameter isPayment: Whether they are about a payment as a whole.
    init(_ listings: [Statement.Listing], isPayment: Bool = false) {
        words = listings.map(\.words).joined(separator: ", ")
        problem = listings.lazy.compactMap(\.problem).first
        let payment = listings.first { $0.subject == .payment }
        if let payment {
            (state, held, received) = (payment.state, payment.held, payment.repeated)
            (charged, repeated, refunded) = (payment.moved, payment.moved, payment.refunded)
        }
        let captures = listings.filter { $0.subject == .capture }
        let back = listings.filter { $0.subject != .payment && $0.subject != .capture }
        let moves = captures.isEmpty && !isPayment ? back : captures
        if !moves.isEmpty {
            if state == .refused || state == .undone {
                problem = problem ?? "the rows say that it ended, and that it was charged"
            }
            let moved = moves.filter { $0.state != .undone && $0.state != .refused }
            let some = moved.isEmpty ? moves : moved
            (charged, repeated) = (some.map(\.moved).total, some.map { $0.repeated ?? $0.moved }.total)
            state = moved.isEmpty ? .undone : moved.contains { $0.state == .pending } ? .pending : .charged
            if state == .charged, charged == nil { problem = problem ?? "the amounts can't be added up" }
        }
        // A void may be carried out as a refund of everything.
        guard isPayment, !back.isEmpty, back.allSatisfy({ $0.state == .charged }) else { return }
        let sum = back.map(\.moved).total
        if charged == nil { returned = sum }
        if charged == nil || sum == charged { state = .undone }
    }
}

extension [Money?] {
    /// The sum; nil if there is none, if an amount is missing, or if they can't be added up.
    var total: Money? {
        var total: Money?
        for amount in self {
            guard let amount else { return nil }
            guard let before = total else {
                total = amount
                continue
            }
            guard let sum = try? before.adding(amount) else { return nil }
            total = sum
        }
        return total
    }
}

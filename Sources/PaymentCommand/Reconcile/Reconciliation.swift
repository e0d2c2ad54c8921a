internal import PaymentAbstraction
internal import PaymentBase

/// Holds our journal against a provider's statement, payment by payment; reads and changes nothing.
struct Reconciliation: Sendable {
    let statement: Statement
    let days: ReconciledDays
    let provider: ProviderIdentity
    /// How long what moved here may be missing there, in milliseconds.
    let transit: Int64
    let books: BookIndex

    private(set) var differences: [BookDifference] = []
    /// How many of our payments have their like in the statement.
    private(set) var matched = 0
    /// What stands on one side and could not be held against the other, by why.
    private(set) var notCompared: [String: Int] = [:]
    /// Every attempt of ours that the statement shows.
    private(set) var shown: [String: BookIndex.Place] = [:]
    /// What the statement shows and nobody here claims.
    private(set) var strange: [(place: String, amount: Money?)] = []

    init(
        _ books: BookIndex, _ statement: Statement, _ days: ReconciledDays, _ provider: ProviderIdentity, transit: Int64
    ) {
        (self.books, self.statement, self.days, self.provider) = (books, statement, days, provider)
        self.transit = transit
        for payment in statement.payments { meet(payment) }
        for movement in statement.movements { meet(movement) }
        for payment in books.payments { miss(payment) }
        for index in differences.indices { propose(&differences[index]) }
        differences.sort {
            ($0.kind.order, $0.reference ?? "", $0.name ?? "") < ($1.kind.order, $1.reference ?? "", $1.name ?? "")
        }
    }

    /// Differences that are no mere matter of time.
    var disagreements: Int { differences.count { $0.kind != .inTransit } }

    mutating func conclude(_ attempts: Set<AttemptID>, because: [AttemptID: String]) {
        differences.removeAll { $0.attempt.map(attempts.contains) ?? false }
        for index in differences.indices {
            differences[index].because = differences[index].attempt.flatMap { because[$0] }
        }
    }

    // MARK: What the statement shows

    private mutating func meet(_ theirs: Statement.Payment) {
        if let place = books.holder(theirs.names, isPayment: true) ?? books.attempt(theirs.reference) {
            guard shown.updateValue(place, forKey: place.attempt.intent.attempt.text) == nil else {
                // Twice under one name of ours: the second is money that nobody here knows of.
                return report(theirs, "a second one under the same name of ours", nil)
            }
            if place.attempt.intent.isOrigin {
                matched += 1
                PaymentComparison(place.payment, theirs, young: isYoung(place.payment.begunAt)).tell(
                    &differences, &notCompared)
            } else {
                compare(place, theirs.amount, theirs.state, theirs.words, theirs.names, theirs.place)
            }
            return
        }
        guard theirs.state != .refused, theirs.state != .undone else { return }
        report(theirs, nil, lookAlike(theirs))
    }

    /// The one open payment of ours under the same reference and over the same amount.
    private func lookAlike(_ theirs: Statement.Payment) -> PaymentRecord? {
        let alike = books.payments(under: theirs.reference).filter { payment in
            payment.undecided.contains(where: \.intent.isOrigin)
                && (theirs.amount.map { $0 == payment.requested } ?? true)
        }
        return alike.count == 1 ? alike.first : nil
    }

    /// Tells of money there that no attempt of ours is called by.
    private mutating func report(_ theirs: Statement.Payment, _ words: String?, _ alike: PaymentRecord?) {
        strange.append((theirs.place, theirs.amount))
        if let alike {
            var found = BookDifference(.otherState, .recover)
            (found.payment, found.attempt, found.operation) = (alike.id, alike.id.attempt, alike.operation)
            (found.reference, found.name, found.place) = (alike.reference, theirs.names.first, theirs.place)
            (found.here, found.there) = (alike.words, "\(theirs.words), under the same reference")
            (found.hereAmount, found.thereAmount) = (alike.requested, theirs.amount)
            differences.append(found)
            shown[alike.id.attempt.text] = BookIndex.Place(payment: alike, attempt: alike.attempts[0])
            return
        }
        guard theirs.at.map(days.contains) ?? true else { return }
        let line = theirs.state == .charged ? importLine(theirs) : nil
        var found = BookDifference(.onlyThere, line == nil ? .ask : .import)
        (found.name, found.reference, found.place) = (theirs.names.first, theirs.reference, theirs.place)
        (found.there, found.thereAmount) = (
            [theirs.words, words].compactMap(\.self).joined(separator: ", "), theirs.amount
        )
        found.line = line
        differences.append(found)
    }

    private mutating func meet(_ theirs: Statement.Movement) {
        if let place = books.holder(theirs.names, isPayment: false) {
            shown[place.attempt.intent.attempt.text] = place
            if place.attempt.intent.isOrigin { matched += 1 }
            return compare(place, theirs.amount, theirs.state, theirs.words, theirs.names, theirs.place)
        }
        guard theirs.state != .refused, theirs.state != .undone else { return }
        strange.append((theirs.place, theirs.amount))
        let payment = theirs.payment.flatMap { books.holder([$0], isPayment: true) }?.payment
        let alike = payment?.undecided.filter { [.refund, .void].contains($0.intent.operation) } ?? []
        var found: BookDifference
        if let attempt = alike.first, alike.count == 1, attempt.intent.amount == theirs.amount {
            found = BookDifference(.otherState, .recover)
            (found.attempt, found.operation, found.here) = (
                attempt.intent.attempt, attempt.intent.operation, attempt.word
            )
            (found.hereAmount, found.reference) = (attempt.intent.amount, attempt.intent.reference)
            shown[attempt.intent.attempt.text] = payment.map { BookIndex.Place(payment: $0, attempt: attempt) }
        } else {
            guard theirs.at.map(days.contains) ?? true else { return }
            found = BookDifference(.onlyThere, .ask)
            (found.operation, found.reference) = (theirs.kind == .refund ? .refund : nil, payment?.reference)
        }
        (found.payment, found.name, found.place) = (payment?.id, theirs.names.first ?? theirs.payment, theirs.place)
        (found.there, found.thereAmount) = (theirs.words, theirs.amount)
        differences.append(found)
    }

    /// Compares an attempt that followed a payment, or a refund without one.
    private mutating func compare(
        _ place: BookIndex.Place, _ amount: Money?, _ state: Statement.State, _ words: String, _ names: [String],
        _ where: String
    ) {
        let ours = place.attempt
        var found: BookDifference?
        if ours.facts.hasMoved, state.hasMoved {
            let moved = ours.approval?.amount ?? ours.intent.amount
            if let amount, amount != moved { found = BookDifference(.otherAmount, .ask) }
        } else if ours.isUndecided, state != .pending || !ours.isPending {
            found = BookDifference(.otherState, .recover)
        } else if ours.facts.hasMoved != state.hasMoved, state != .unread, state != .pending {
            found = BookDifference(.otherState, .ask)
        }
        if state == .unread { notCompared["states in words that nobody here knows", default: 0] += 1 }
        guard var found else { return }
        (found.payment, found.attempt, found.operation) = (place.payment.id, ours.intent.attempt, ours.intent.operation)
        (found.reference, found.name, found.place) = (ours.intent.reference, names.first, `where`)
        (found.here, found.there) = (ours.word, words)
        (found.hereAmount, found.thereAmount) = (ours.approval?.amount ?? ours.intent.amount, amount)
        differences.append(found)
    }

    // MARK: What it doesn't show

    private mutating func miss(_ payment: PaymentRecord) {
        let sums = statement.payments.contains { $0.refunded != nil }
        for attempt in payment.attempts where days.contains(attempt.begunAt) {
            if shown[attempt.intent.attempt.text] != nil || attempt.facts.isRehearsal { continue }
            switch attempt.intent.operation {
            case .verify, .tokenize: continue
            case .capture, .void, .adjust, .tipAdjustment:
                // They are told by how the payment stands.
                continue
            case .refund:
                if sums || !attempt.movedMoney && !attempt.isUndecided { continue }
                if !statement.showsRefunds {
                    notCompared["refunds that the statement doesn't show", default: 0] += 1
                    continue
                }
            case .sale, .authorize, .debit, .unlinkedRefund: break
            }
            miss(attempt, of: payment)
        }
    }

    private mutating func miss(_ attempt: AttemptRecord, of payment: PaymentRecord) {
        let isOrigin = attempt.intent.isOrigin
        if statement.kind == .settlement {
            if attempt.isUndecided {
                notCompared["open attempts, of which a settlement's silence says nothing", default: 0] += 1
                return
            }
            if isOrigin, attempt.intent.operation != .unlinkedRefund, payment.amounts.captured.minorUnits == 0 {
                return
            }
        }
        guard attempt.movedMoney || attempt.isUndecided else { return }
        let isYoung = isYoung(attempt.begunAt)
        var found: BookDifference
        if isYoung {
            found = BookDifference(.inTransit, attempt.isInDoubt ? .recover : .wait)
        } else {
            found = BookDifference(.onlyHere, attempt.isUndecided ? .recover : .ask)
        }
        (found.payment, found.attempt, found.operation) = (payment.id, attempt.intent.attempt, attempt.intent.operation)
        (found.reference, found.here) = (attempt.intent.reference, isOrigin ? payment.words : attempt.word)
        found.hereAmount = attempt.approval?.amount ?? attempt.intent.amount
        differences.append(found)
    }

    /// Whether it may still be on its way into a statement.
    private func isYoung(_ begunAt: Int64) -> Bool { days.end - begunAt <= transit }

    /// What `payctl journal import` would take for a payment that nobody here knows.
    private func importLine(_ theirs: Statement.Payment) -> JSON? {
        guard let name = theirs.names.first, let amount = theirs.charged, amount.minorUnits > 0, let at = theirs.at,
            let attempt = try? AttemptID(
                "there-" + name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        let refunds = statement.movements.filter { $0.payment == name && $0.kind == .refund && $0.state.hasMoved }
        let sum = theirs.refunded?.minorUnits ?? refunds.reduce(0) { $0 + ($1.amount?.minorUnits ?? 0) }
        var references = JSONObject()
        references[ReconciledNames.key(of: provider.adapter)] = .string(name)
        var line: JSONObject = [
            "attempt": .string(attempt.text), "provider": .string(provider.id.rawValue),
            "adapter": .string(provider.adapter), "environment": .string(provider.environment),
            "merchant": .string(provider.merchant), "reference": .string(theirs.reference ?? name),
            "minorUnits": .number(JSONNumber(amount.minorUnits)), "currency": .string(amount.currency.code),
            "takenAt": .number(JSONNumber(at)),
            "references": .object(references),
        ]
        if sum > 0 { line["refunded"] = .number(JSONNumber(min(sum, amount.minorUnits))) }
        return .object(line)
    }
}

/// By which of its references each adapter's follow-ups go.
enum ReconciledNames {
    static func key(of adapter: String) -> String {
        ["adyen": "psp", "arise": "transaction", "halo": "transaction", "ni": "order"][adapter] ?? "payment"
    }
}

extension BookDifference.Kind {
    /// Its place in a report.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

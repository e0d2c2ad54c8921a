internal import PaymentBase
package import PaymentModel

extension PaymentRecord {
    /// What can be paid once: a reference in its scope, and refunded once.
    package struct Reference: Hashable, Sendable {
        package let scope: String
        package let isRefund: Bool
        package let text: String

        package init?(_ intent: Attempt.Intent) {
            guard intent.isOrigin, intent.operation.paysOnce, let text = intent.reference else { return nil }
            (scope, isRefund, self.text) = (intent.scope, intent.operation.movementKind == .refunds, text)
        }

        /// Under which names a payment that is pruned leaves its reference and part taken: the whole blocks every part,
        /// and a part itself and the whole.
        func namesLeft(part: String) -> [ProviderName] {
            part.isEmpty ? [name("whole", "")] : [name("part", part), name("some part", "")]
        }

        /// The names that would stand in a payment's way.
        func namesBlocking(part: String) -> [ProviderName] {
            part.isEmpty ? [name("whole", ""), name("some part", "")] : [name("whole", ""), name("part", part)]
        }

        private func name(_ kind: String, _ part: String) -> ProviderName {
            var name = kind
            name += " of"
            for text in [scope, isRefund ? "refund" : "payment", text, part] {
                name += " "
                name += String(text.utf8.count)
                name += " "
                name += text
            }
            return ProviderName(.none, name)
        }
    }

    /// What a store keeps of a payment beside its log, so that no other payment is loaded for the reference rule. Only
    /// the payment's own entries write it.
    package struct ReferenceRow: Hashable, Sendable {
        package let payment: PaymentID
        package let reference: Reference
        package let part: String
        /// The origin's state; another part waits while it is in doubt or pending.
        package let state: Attempt.State
        /// Until when the payment keeps its reference and part, by the journal's wall clock: 0 if it does not, `max`
        /// for ever.
        package let until: Int64
        /// From when a reference counts that is kept for a time; nil if it does not depend on a time.
        package var since: Attempt.Instant?

        package init(payment: PaymentID, reference: Reference, part: String, state: Attempt.State, until: Int64) {
            (self.payment, self.reference, self.part) = (payment, reference, part)
            (self.state, self.until) = (state, until)
        }

        /// A wall clock that was set forward by up to so many milliseconds frees no reference early: stores load the rows
        /// that ended so long ago.
        package static let clockMargin: Int64 = 3_600_000

        /// Whether the payment keeps its reference. A reference is kept for its time also if the wall clock was set
        /// forward: on the same start of the machine the time since then counts, on another one the time since its start.
        package func blocks(at now: Attempt.Instant) -> Bool {
            if until > now.wall { return true }
            guard let since, until.addingSaturating(Self.clockMargin) > now.wall else { return false }
            let passed = since.boot == now.boot ? since.uptime.until(now.uptime) : now.uptime
            return passed < since.wall.until(until)
        }

        /// Whether the payment keeps what another one has or asks for.
        package func blocks(_ other: ReferenceRow, at now: Attempt.Instant) -> Bool {
            payment != other.payment && reference == other.reference && excludes(other.part) && blocks(at: now)
        }

        /// Whether its part and another one can't be active at once: the whole and any part, and the same part.
        package func excludes(_ part: String) -> Bool { part == self.part || part.isEmpty || self.part.isEmpty }
    }

    /// The payment's row; nil if it has no reference that pays once.
    package var referenceRow: ReferenceRow? {
        guard let origin, !origin.isDryRun, let reference = Reference(origin.intent) else { return nil }
        let until = blocksUntil
        var row = ReferenceRow(
            payment: PaymentID(origin.intent.attempt), reference: reference, part: origin.intent.part,
            state: origin.state, until: until)
        if 0 < until, until < .max {
            row.since = keepingReference(for: origin.intent.holdsFor).compactMap(\.changedAt).max { $0.wall < $1.wall }
        }
        return row
    }

    /// The names that stay taken when it is pruned: the provider's, and its reference if it keeps that for ever.
    package var namesLeft: [ProviderName] {
        let names = attempts.flatMap { $0.names + $0.formerNames }.map { ProviderName($0.account, $0.value) }
        guard let row = referenceRow, row.until == .max else { return names }
        return names + row.reference.namesLeft(part: row.part)
    }

    /// The name of an attempt that turned out to be this payment; nil if no import made the payment.
    package var nameOfTheSame: ProviderName? {
        guard let origin, origin.importedUpTo != nil, let account = origin.newest?.account else { return nil }
        return ProviderName(account, origin.intent.attempt.nameOfTheSame)
    }

    /// Whether money of it is or may be at the provider: it is open, something can be captured, or more was captured
    /// than refunded. The sums decide it, whatever became of the attempt that started the payment.
    private func isActive(_ totals: @autoclosure () -> PaymentTotals) -> Bool {
        guard let origin, origin.intent.operation.paysOnce, !origin.acknowledged.contains(.reference) else {
            return false
        }
        if origin.isOpen || origin.absorbedBy != nil { return true }
        if origin.intent.operation == .unlinkedRefund {
            return origin.state == .approved && !totals().hasVoid
        }
        // Nothing follows most sales: what they moved is left.
        let isSale = origin.intent.operation == .sale || origin.intent.operation == .debit
        if attempts.count == 1, isSale, !origin.requests.isEmpty, !origin.isDryRun, !origin.hasHiddenDoubt {
            return origin.moved.map { $0.minorUnits > 0 } ?? false
        }
        // A capture that is open may leave nothing to capture, and is not captured yet.
        if attempts.contains(where: { $0.isOpen || $0.hasHiddenDoubt }) { return true }
        return totals().isLeft
    }

    /// Until when the payment keeps its reference and part.
    package var blocksUntil: Int64 {
        guard let origin else { return 0 }
        lazy var totals = self.totals()
        guard isActive(totals) else { return 0 }
        let keeping = keepingReference(for: origin.intent.holdsFor)
        let isSettled = keeping.allSatisfy { !$0.isUnsettled && !$0.isContradicted }
        guard isSettled, origin.absorbedBy == nil || origin.intent.holdsFor != nil else { return .max }
        let canCapture = origin.intent.operation == .authorize && totals.capturable.minorUnits > 0
        let hold = canCapture ? holdEndsAt ?? .max : 0
        // If nothing that was captured is left, only the hold keeps the reference.
        if canCapture, totals.kept.isZero { return hold }
        guard let time = origin.intent.holdsFor else { return .max }
        return max(hold, Self.lastChange(of: keeping).addingSaturating(time))
    }

    /// The attempts that decide how long a reference is kept. Another payment may use a reference whose time has ended: a
    /// refund, a void or a tip that begins after that does not bring it back.
    private func keepingReference(for time: Int64?) -> [Attempt] {
        guard let time else { return attempts }
        func isAfterwards(_ attempt: Attempt) -> Bool {
            if attempt.intent.operation == .tipAdjustment { return true }
            return [.refunds, .voids].contains(attempt.intent.operation.movementKind) && !attempt.intent.isOrigin
        }
        var keeping = attempts.filter { !isAfterwards($0) || $0.isContradicted }
        for attempt in attempts where isAfterwards(attempt) && !attempt.isContradicted {
            let lapses = Self.lastChange(of: keeping).addingSaturating(time)
            let isOpen = keeping.contains(where: \.isOpen)
            if isOpen || attempt.runs.first.map({ $0.begunAt.wall < lapses }) == true { keeping.append(attempt) }
        }
        return keeping
    }

    private static func lastChange(of attempts: [Attempt]) -> Int64 {
        attempts.compactMap(\.changedAt?.wall).max() ?? 0
    }

    /// When the hold is gone at the provider, although no message says so: its account's time after it was held or
    /// adjusted.
    var holdEndsAt: Int64? {
        guard let origin, origin.intent.operation == .authorize, origin.state == .approved, let at = origin.changedAt,
            !origin.holders.isEmpty
        else { return nil }
        // It is gone when the last account has let it go.
        var lifetime: Int64 = 0
        for account in origin.holders {
            guard let there = origin.runs.last(where: { $0.account.isExactly(account) })?.holdLifetime else {
                return nil
            }
            lifetime = max(lifetime, there)
        }
        let adjusted = attempts.filter { $0.intent.operation == .adjust && $0.state == .approved }
        let last = adjusted.compactMap(\.changedAt?.wall).reduce(at.wall, max)
        return last.addingSaturating(lifetime)
    }
}

extension AttemptID {
    /// The name of an attempt that is the same as this one, which was imported.
    var nameOfTheSame: String { "same as \(self)" }
}

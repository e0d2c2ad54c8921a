/// Decides whether an intent may begin; pure.
enum Admission {
    /// Why it may not; nil when it may.
    static func refusal(_ intent: AttemptIntent, _ terms: AdmissionTerms, _ slice: JournalSlice) -> JournalRefusal? {
        if intent.isDryRun { return nil }
        let refusal = intent.isOrigin ? origin(intent, terms, slice) : followUp(intent, terms, slice)
        if case .blocked(let by)? = refusal, by.isEmpty { return nil }
        return refusal
    }

    /// Nobody moves money anew under a reference before he has heard what came of the last time.
    private static func origin(
        _ intent: AttemptIntent, _ terms: AdmissionTerms, _ slice: JournalSlice
    ) -> JournalRefusal? {
        let blocking = slice.underReference.filter { facts in
            facts.intent.isOrigin && facts.intent.key != intent.key && facts.intent.scope == intent.scope
                && facts.intent.reference == intent.reference && facts.blocks(terms.after)
        }
        return .blocked(by: blocking.map(AttemptRecord.init))
    }

    private static func followUp(
        _ intent: AttemptIntent, _ terms: AdmissionTerms, _ slice: JournalSlice
    ) -> JournalRefusal? {
        let family = slice.family.filter { $0.intent.key != intent.key }.map(AttemptRecord.init)
        guard let origin = family.first(where: \.intent.isOrigin) else { return .noSuchPayment }
        // A refund without an original on the wire may go through another account than the payment's.
        if intent.operation != .unlinkedRefund, origin.provider != terms.provider {
            return .otherProvider(origin.provider)
        }
        let doubtful = family.filter { $0.state == .inDoubt }
        if !doubtful.isEmpty { return .blocked(by: doubtful) }
        if origin.isUndecided { return .blocked(by: [origin]) }
        if terms.showsTotalsOnly {
            let open = family.filter(\.isUndecided)
            if !open.isEmpty { return .blocked(by: open) }
        }
        guard let flow = PaymentFlow(family, captures: terms.captures) else { return .noSuchPayment }
        switch flow.permission(for: intent.operation, intent.amount) {
        case .granted:
            // Nobody gives back or charges once more before he has heard what came of the last time; what he has heard to be
            // pending reserves its part.
            let unheard = family.filter { other in
                guard other.intent.operation == intent.operation else { return false }
                guard other.isPending else { return other.facts.blocks(terms.after) }
                return !other.facts.isTold && !other.intent.isDryRun && !terms.after.contains(other.intent.attempt)
            }
            return .blocked(by: unheard)
        case .notAllowed(let why): return .notAllowed(why)
        case .exceeds(let left):
            return .exceeds(left: left, open: family.filter(\.reserves).map(\.intent.attempt))
        case .busy: return .blocked(by: family.filter(\.isUndecided))
        }
    }
}

extension AttemptFacts {
    /// Whether others under its reference, or of its kind on its payment, have to wait: it is open, or it moved and its
    /// caller was never told.
    func blocks(_ known: Set<AttemptID>) -> Bool {
        isOpen && !isRehearsal || isUnheard && !known.contains(intent.attempt)
    }

    /// Whether its caller can still be written down to have heard how it stands; what starts a payment is told once it
    /// moved.
    var isUntold: Bool { !isTold && (hasMoved || standing == .pending && !intent.isOrigin) }

    /// Whether others have to wait for it or for its caller.
    public var blocks: Bool { blocks([]) }

    private var isUnheard: Bool {
        switch intent.operation {
        case .verify, .tokenize: false
        case .sale, .authorize, .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .debit:
            hasMoved && !isTold && !isRehearsal && holdingWord?.isApproval == true
        }
    }

    /// Whether nothing real happened, as was asked: a dry run that moved money is no rehearsal.
    public var isRehearsal: Bool {
        guard intent.isDryRun else { return false }
        return movedWords.allSatisfy { word in
            if case .approved(let approval)? = word.verdict { return approval.isDryRun }
            return true
        }
    }
}

extension AttemptRecord {
    /// Whether it keeps a part of its payment from others until it is decided.
    fileprivate var reserves: Bool { isUndecided && intent.operation.takesFromPayment }
}

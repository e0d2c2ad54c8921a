internal import PaymentModel

// What is learned about an attempt: by a reply, a lookup, a person, an import. `record` is the one way in for verdicts.
extension Transaction {
    mutating func report(_ id: AttemptID, _ finding: Finding) -> JournalAnswer {
        if case .imported(let movement) = finding { return imported(movement) }
        guard let held = attempts[id], !held.runs.isEmpty else { return .refused(.noSuchAttempt, nil) }
        let refusal: JournalRefusal?
        switch finding {
        case .lookup(let result, let basis, let terms, let names):
            let asked = held.runs.indices.contains(basis.run - 1) ? held.runs[basis.run - 1].account : nil
            guard asked == basis.account else { return .refused(.noProof("Another provider was asked."), held) }
            refusal = lookup(result, held, basis, terms, names)
        case .person(let resolution, let basis, let quiet, let person, let reason):
            if case .acknowledge(let what) = resolution {
                refusal = acknowledge(what, held)
            } else {
                guard held.isEnded else { return .refused(.noProof("A process works on it."), held) }
                let evidence = Attempt.Evidence.person(by: person, reason: reason, known: basis.known)
                refusal = decide(resolution, held, basis, quiet, evidence)
            }
        case .imported: refusal = nil
        }
        if let refusal, attempts.changed.isEmpty, decision.alerts.isEmpty { return .refused(refusal, held) }
        return written(id, refusal)
    }

    // MARK: - Persons

    private mutating func decide(
        _ resolution: ManualResolution, _ held: Attempt, _ basis: Finding.Basis, _ quiet: Int64?,
        _ evidence: Attempt.Evidence
    ) -> JournalRefusal? {
        let id = held.intent.attempt
        switch resolution {
        case .withdrawn: return withdraw(held, evidence)
        case .executed(let name, let amount): return executed(name, amount, held, evidence)
        case .notExecuted(let besides):
            let isBusy = held.requests.contains {
                $0.ending == nil && slice.living.contains(held.runs[$0.run - 1].owner)
            }
            if isBusy, held.newest?.generation == slice.generation { return .noProof("A request of it may be open.") }
            if let why = whyAbsenceProvesNothing(held, basis, quiet: quiet, seesBack: nil, isPerson: true) {
                return .noProof(why)
            }
            let others = couldBe(held).filter { !besides.contains($0.name) }
            if !others.isEmpty { return .couldMatch(others) }
            append(.report(.init(.notExecuted, evidence, run: held.runs.count, entry: entry(id), at: now)), id)
        case .isTheSame(let other): return absorb(held, by: other)
        case .acknowledge: break
        }
        return nil
    }

    private mutating func executed(
        _ name: String, _ said: Money?, _ held: Attempt, _ evidence: Attempt.Evidence
    ) -> JournalRefusal? {
        let (id, run) = (held.intent.attempt, held.runInQuestion)
        let account = held.runs[run - 1].account
        let isCorrection = [.notExecuted, .declined, .reversed].contains(held.state) && held.absorbedBy == nil
        guard held.isOpen || isCorrection || held.hasHiddenDoubt else { return .noProof("It is decided.") }
        let asked = held.intent.amount
        // The movement that has the name, and gives way: the provider says what it was.
        let movement = holders(name, account).compactMap { attempts[$0] }
            .first { $0.intent.attempt != id && givesWay($0.intent.attempt, to: id) }
        if let movement, movement.state == .reversed || movement.state == .declined {
            return .noProof("\(name) failed at the provider. Give another reference, or resolve as not executed.")
        }
        let told = movement?.knownAmount
        if let said, let told, said != told, said.currency == told.currency {
            return .noProof("The provider says that \(name) is over \(told) (got \(said)). Leave the amount out.")
        }
        let known = told ?? held.disputes.last?.approval.amount
        let amount = said ?? known ?? asked
        guard amount.currency == asked.currency, amount.minorUnits > 0 else {
            return .noProof("The amount must be greater than zero, in \(asked.currency.code) (got \(amount)).")
        }
        if said == nil, known == nil, held.note(Attempt.partNote, run: run) != nil {
            return .noProof("Only a part was approved. Say how much with an amount.")
        }
        // A movement of the provider's own need not have a name.
        guard Self.isName(name) || held.isByProvider && name.isEmpty else {
            return .noProof("A provider's name has 1 to \(Attempt.Name.bytesMax) bytes (got \(name.utf8.count)).")
        }
        if let other = otherHolder([name], id, account) { return .claimed(by: other) }
        if slice.forgotten.contains(ProviderName(account, name)) {
            return .noProof("\(name) is a payment that was pruned from this journal.")
        }
        // More than was asked for, and than is left, is believed of the provider alone.
        let left = record(held.intent.paymentID).most(of: held) ?? (held.isByProvider ? nil : asked)
        if let left, amount != known, amount.minorUnits > max(asked.minorUnits, left.minorUnits) {
            let most = left.minorUnits > asked.minorUnits ? left : asked
            return .noProof("The amount must be at most \(most) (got \(amount)).")
        }
        // The provider said that this one failed: both are recorded, and a person sees it.
        let isOfFailed = held.state == .reversed && held.names.contains { $0.value == name && !$0.isByPerson }
        self.name([name], id, request: held.requests.last?.number, isByPerson: true)
        let approval = Approval(amount, references: name.isEmpty ? [:] : [Attempt.personReference: name])
        let refusal = record(.approved(approval), evidence, id, run: run, request: nil)
        if refusal == nil, isOfFailed { contradict(id) }
        return refusal
    }

    /// Our attempt is the payment that was imported. The import continues; all that is written is in our attempt's payment.
    private mutating func absorb(_ held: Attempt, by other: AttemptID) -> JournalRefusal? {
        let id = held.intent.attempt
        guard held.isOpen, held.intent.isOrigin, let imported = attempts[other], imported.importedUpTo != nil,
            imported.intent.isOrigin, imported.absorbedBy == nil, imported.intent.operation == held.intent.operation,
            imported.intent.scope == held.intent.scope, let account = held.newest?.account,
            imported.newest?.account == account
        else { return .notAllowed("\(other) is no import of the same operation at the same account.") }
        guard record(held.intent.paymentID).attempts.count == 1 else {
            return .notAllowed("Other operations followed the payment.")
        }
        let (said, asked) = (imported.moved ?? imported.intent.amount, held.intent.amount)
        guard said.currency == asked.currency else {
            return .notAllowed("\(other) is over \(said), and \(asked) was asked for.")
        }
        // One import is one attempt: the attempt has a name that no other one gets, and gives it back when it is withdrawn.
        let claim = ProviderName(account, other.nameOfTheSame)
        if !reads.names.contains(claim) { decision.needs.names.insert(claim) }
        if let first = otherHolder([claim.value], id, account) {
            return .notAllowed("\(other) is the payment of \(first) already.")
        }
        if slice.forgotten.contains(claim) {
            return .notAllowed("\(other) is the payment of an attempt that was pruned.")
        }
        append(.absorbed(by: other), id)
        append(.named(.init(account: account, value: claim.value, request: nil, isByPerson: true)), id)
        if said != asked { alert(.otherAmount(id)) }
        return nil
    }

    private mutating func acknowledge(_ what: Attempt.Acknowledgement, _ held: Attempt) -> JournalRefusal? {
        switch what {
        case .amount(let money):
            // More than was asked for may stay with the shop.
            if held.excess != nil, money == held.moved { break }
            let currency = record(held.intent.paymentID).origin?.intent.amount.currency
            guard held.isByProvider, money.currency == currency, money.minorUnits > 0 else {
                return .notAllowed(
                    "Say how much a movement of the provider's own was, or what was executed beyond what was asked.")
            }
            let told = held.moved ?? held.intent.amount
            guard told.isZero || told.currency != currency else {
                return .notAllowed("The provider says that the movement is over \(told).")
            }
        case .contradiction: guard held.isContradicted else { return .notAllowed("Nothing contradicts it.") }
        case .reference:
            guard held.intent.isOrigin, !held.isOpen else { return .notAllowed("It is open, or starts no payment.") }
            guard record(held.intent.paymentID).referenceRow?.blocks(at: now) == true else {
                return .notAllowed("The payment does not keep its reference now.")
            }
        case .chargeback:
            guard held.intent.operation == .chargeback else {
                return .notAllowed("It is no chargeback. `payctl show PAYMENT` lists those of a payment.")
            }
        }
        append(.acknowledged(what, at: now), held.intent.attempt)
        return nil
    }

    /// A person takes a statement back: what it said, the names that it gave, and what it absorbed. A reference that was
    /// freed is taken back first.
    private mutating func withdraw(_ held: Attempt, _ evidence: Attempt.Evidence) -> JournalRefusal? {
        let id = held.intent.attempt
        let statement = Attempt.Event.report(
            .init(.withdrawn, evidence, run: held.runInQuestion, entry: entry(id), at: now))
        if let other = held.absorbedBy, held.intent.isOrigin {
            append(.absorbed(by: nil), id)
            append(statement, id)
            append(.released([other.nameOfTheSame]), id)
            for name in held.formerNames {
                let known = ProviderName(name.account, name.value)
                if !reads.names.contains(known) { decision.needs.names.insert(known) }
                guard otherHolder([name.value], id, name.account) == nil else { continue }
                append(.named(name), id)
                waiting.append((name.value, name.account, id, name.request))
            }
            return nil
        }
        let no = held.reports.last { $0.what == .notExecuted }
        let isNo = held.state == .notExecuted && no?.evidence.isPerson == true && no?.run == held.runs.count
        if isNo || held.acknowledged.contains(.reference) {
            append(statement, id)
            // What began because of the person's no may be too much now.
            if isNo, record(held.intent.paymentID).mayExceed { contradict(id) }
            return nil
        }
        let given = held.names.filter(\.isByPerson).map(\.value)
        let isAlone = held.reports.filter(\.isApproval).allSatisfy { $0.evidence.isPerson || $0.carries(given) }
        let isPersons = held.reports.contains { $0.isApproval && $0.evidence.isPerson }
        var without = held
        without.apply(statement)
        let decides = isAlone || without.state != held.state
        guard held.hasApproval, isPersons, decides || !given.isEmpty else {
            return .noProof("Only a person's own statement can be withdrawn.")
        }
        let followers = record(held.intent.paymentID).attempts.filter { other in
            other.intent.attempt != id && (other.isOpen || other.state == .approved)
        }
        if held.intent.isOrigin, decides, !followers.isEmpty { return .blocked(by: followers.map(\.intent.attempt)) }
        let before = self
        append(statement, id)
        let moved = held.reports.filter { $0.carries(given) && !$0.evidence.isPerson }
        append(.released(given), id)
        returnReports(moved, held, given)
        let payment = held.intent.paymentID
        guard let why = record(payment).whyImpossible, before.record(payment).whyImpossible == nil else { return nil }
        self = before
        return .notAllowed("Other operations followed it. Without it \(why).")
    }

    /// What was said under a name that a person gave by mistake is the movement's own again, also what came since. If there is
    /// no such movement yet, it counts as if the messages came now.
    private mutating func returnReports(_ moved: [Attempt.Report], _ held: Attempt, _ given: [String]) {
        let id = held.intent.attempt
        var isBack = false
        for other in attempts.all where other.absorbedBy == id && other.isByProvider {
            let (account, otherID) = (other.runs[0].account, other.intent.attempt)
            guard given.contains(where: { .movement(account, other.intent.operation, $0) == otherID }) else { continue }
            isBack = true
            append(.absorbed(by: nil), otherID)
            name(other.formerNames.map(\.value), otherID, request: nil)
            for report in moved
            where !other.reports.contains(where: { $0.what == report.what && $0.evidence == report.evidence }) {
                append(
                    .report(.init(report.what, report.evidence, run: 1, entry: report.entry, at: report.at)), otherID)
            }
        }
        for report in moved where !isBack {
            guard case .webhook(let message, let time) = report.evidence, let verdict = report.verdict else { continue }
            let names = verdict.references.values.filter(given.contains).sorted()
            guard let first = names.first else { continue }
            let notice = Notice(
                message, held.runs[report.run - 1].account, .name(first), [held.intent.operation], verdict, at: time,
                names: names)
            if let origin = attempts[held.intent.paymentID.attempt], !held.intent.isOrigin {
                _ = adopt(notice, origin)
            } else {
                decision.keeps.append(notice)
            }
        }
    }

    /// What could be an attempt in doubt: what the provider did on its payment that the log does not show before the newest
    /// run began, and what is disputed.
    func couldBe(_ held: Attempt) -> [JournalRefusal.Candidate] {
        if held.isByProvider { return [] }
        var found: [JournalRefusal.Candidate] = []
        if held.hasOpenDispute {
            for dispute in held.disputes { found += dispute.names.map { .init($0, dispute.approval.amount) } }
        }
        guard let run = held.newest else { return found }
        for other in record(held.intent.paymentID).attempts where other.isByProvider && other.absorbedBy == nil {
            guard other.isOpen || other.state == .approved else { continue }
            let isLike = other.intent.operation.isLike(held.intent.operation)
            // What the provider did on a payment shows that the payment is there.
            guard held.intent.isOrigin || isLike && (other.runs.first?.entry ?? .min) >= run.entry else { continue }
            found += other.names.map { .init($0.value, other.moved ?? other.intent.amount) }
        }
        return found
    }

    // MARK: - Imports

    private mutating func imported(_ movement: ImportedMovement) -> JournalAnswer {
        let (intent, account) = (movement.begin.intent, movement.begin.account)
        let id = intent.attempt
        if id.isReserved {
            return .refused(.notAllowed("Ids that begin with \(AttemptID.reservedPrefix) are the journal's own."), nil)
        }
        if let other = otherHolder(movement.names, id, account, givesWay: false) {
            return .refused(.claimed(by: other), nil)
        }
        if let other = chargebackHolder(movement) { return .refused(.claimed(by: other), nil) }
        if let name = movement.names.first(where: { slice.forgotten.contains(ProviderName(account, $0)) }) {
            let why =
                "\(name) is a payment that was pruned from this journal. Give it back where the provider lists it."
            return .refused(.notAllowed(why), nil)
        }
        if let held = attempts[id] {
            // The list shows an id of this journal: it counts like a late approval.
            let run = held.run(about: account)
            guard held.intent.operation == intent.operation, let run else { return .refused(.conflict, held) }
            guard !held.hasApproval, movement.verdict.approval != nil, held.absorbedBy == nil else {
                if let refund = movement.refunded, held.listedUpTo != nil, attempts[refund.attempt]?.intent != refund {
                    let why = "It is known already, without the \(refund.amount) that was refunded of it."
                    return .refused(.notAllowed(why), held)
                }
                if let missing = movement.chargebacks.first(where: { attempts[$0.intent.attempt] == nil }) {
                    let why = "It is known already, without the chargeback \(missing.name)."
                    return .refused(.notAllowed(why), held)
                }
                return .known(held)
            }
            name(movement.names, id, request: nil)
            let refusal = record(movement.verdict, .imported(saidAt: movement.saidAt), id, run: run, request: nil)
            if refusal == nil {
                addRefund(movement)
                addChargebacks(movement)
            }
            return written(id, refusal)
        }
        if movement.hasToFit, let refusal = misfit(movement) { return .refused(refusal, nil) }
        let open = (movement.hasToFit ? [] : slice.matches).first { other in
            guard other.isOpen, other.account == account, other.operation == intent.operation else { return false }
            if intent.reference != nil, other.scope == intent.scope, other.reference == intent.reference { return true }
            guard other.amount.currency == intent.amount.currency else { return false }
            return movement.paidAt.map { other.isWithin($0, movement.terms) } ?? true
        }
        if let open { return .refused(.mayBe(open.attempt), nil) }
        if let same = ownPayment(like: movement) { return .refused(.mayBe(same), nil) }
        add(intent, movement.verdict, movement)
        name(movement.names, id, request: nil)
        addRefund(movement)
        addChargebacks(movement)
        return written(id)
    }

    private mutating func addRefund(_ movement: ImportedMovement) {
        guard let refund = movement.refunded, attempts[refund.attempt] == nil else { return }
        add(refund, .approved(Approval(refund.amount)), movement)
    }

    private mutating func add(_ intent: Attempt.Intent, _ verdict: Verdict, _ movement: ImportedMovement) {
        create(intent, at: movement.begin.account, isImported: true)
        say(verdict, .imported(saidAt: movement.saidAt), of: intent.attempt)
    }

    /// A payment of this journal under the imported reference, paid at the same account, over the same amount, when the
    /// statement says: it may be the same under another name.
    private mutating func ownPayment(like movement: ImportedMovement) -> AttemptID? {
        let intent = movement.begin.intent
        guard movement.verdict.approval != nil else { return nil }
        for row in slice.underReference
        where row.payment.attempt != intent.attempt && row.reference == reads.reference && row.part == intent.part
            && row.blocks(at: now)
        {
            guard let held = attempts[row.payment.attempt] else {
                decision.needs.payments.insert(row.payment)
                continue
            }
            guard held.isPaid(like: movement) else { continue }
            return held.intent.attempt
        }
        return nil
    }

    // MARK: - Names

    /// The attempts that have a name at an account.
    func holders(_ name: String, _ account: ProviderIdentity?) -> [AttemptID] {
        guard let account else { return [] }
        let named = ProviderName(account, name)
        return (slice.holders[named] ?? []).filter { attempts[$0]?.has(named) ?? false }
    }

    /// Another attempt that has one of these names and does not give way to this one.
    func otherHolder(
        _ names: [String], _ id: AttemptID, _ account: ProviderIdentity, givesWay: Bool = true
    ) -> AttemptID? {
        for name in names where !name.isEmpty {
            let other = holders(name, account).first { other in
                other != id && !isOriginOf(id, other) && !(givesWay && self.givesWay(other, to: id))
            }
            if let other { return other }
        }
        return nil
    }

    /// Whether an attempt started the payment that another one acts on: what the provider calls the payment is no name of what
    /// follows, but a reference to it.
    private func isOriginOf(_ id: AttemptID, _ other: AttemptID) -> Bool {
        guard let intent = attempts[id]?.intent, !intent.isOrigin else { return false }
        return intent.paymentID.attempt == other
    }

    /// Whether an attempt without a request, the provider's own or an imported follow-up, gives way within its payment to one
    /// that has a request.
    private func givesWay(_ other: AttemptID, to id: AttemptID) -> Bool {
        guard let other = attempts[other], let mine = attempts[id] else { return false }
        return other.requests.isEmpty && !other.intent.isOrigin && !mine.requests.isEmpty && !mine.intent.isOrigin
            && other.intent.paymentID == mine.intent.paymentID && other.intent.operation.isLike(mine.intent.operation)
    }

    /// Records provider names, and applies what waited for them. A name that a later request of the attempt gives again belongs
    /// to that request.
    ///
    /// - Parameters:
    ///   - isGiven: Whether the request itself gives the names.
    ///   - isProof: Whether the provider shows that the names are this attempt's, so that a person's withdrawal leaves them.
    ///   - account: Where the names are from, if no request gave them; where the newest run is, if nil.
    mutating func name(
        _ values: [String], _ id: AttemptID, request: Int?, at account: ProviderIdentity? = nil, isGiven: Bool = false,
        isByPerson: Bool = false, isProof: Bool = true
    ) {
        for value in values.prefix(JournalRules.namesMax) where !value.isEmpty {
            guard let held = attempts[id], let run = held.newest else { return }
            guard Self.isName(value) else {
                if held.longNames.contains(value) { continue }
                append(.note(.init(run: run.number, name: Attempt.longNameNote, value: value)), id)
                alert(.nameTaken(id, "a name of \(value.utf8.count) bytes"))
                continue
            }
            let account = request.map { held.runs[held.requests[$0 - 1].run - 1].account } ?? account ?? run.account
            if let known = held.names.last(where: { $0.value == value && $0.account == account }) {
                if known.isByPerson, !isByPerson, isProof {
                    append(.named(.init(account: account, value: value, request: known.request)), id)
                }
                if isGiven, let request, known.request.map({ $0 < request }) ?? true {
                    append(.named(.init(account: account, value: value, request: request)), id)
                }
                continue
            }
            if holders(value, account).contains(where: { isOriginOf(id, $0) }) { continue }
            if otherHolder([value], id, account) != nil || slice.forgotten.contains(ProviderName(account, value)) {
                alert(.nameTaken(id, value))
                continue
            }
            let about = request ?? held.requests.last?.number
            let gone = holders(value, account).filter { $0 != id && givesWay($0, to: id) }.compactMap { attempts[$0] }
            for other in gone { append(.absorbed(by: id), other.intent.attempt) }
            append(.named(.init(account: account, value: value, request: about, isByPerson: isByPerson)), id)
            let named = ProviderName(account, value)
            if !reads.names.contains(named) { decision.needs.names.insert(named) }
            for other in gone { takeOverReports(of: other, id, request: about, isByPerson: isByPerson) }
            waiting.append((value, account, id, about))
        }
        if values.count > JournalRules.namesMax { alert(.nameTaken(id, "\(values.count) names")) }
    }

    // MARK: - Verdicts

    /// Records a verdict if it counts; else says why not.
    ///
    /// - Parameters:
    ///   - other: The attempt that has one of the verdict's names.
    ///   - first: The number of the entry that first held it, if that is an earlier one.
    mutating func record(
        _ verdict: Verdict, _ evidence: Attempt.Evidence, _ id: AttemptID, run: Int?, request: Int?,
        claimedBy other: AttemptID? = nil, names: [String] = [], margin: Int64 = 60_000, first: Int? = nil
    ) -> JournalRefusal? {
        guard let held = attempts[id], !held.runs.isEmpty else { return .noSuchAttempt }
        let number = request.map { held.requests[$0 - 1].run } ?? run ?? held.runs.count
        let report = Attempt.Report(
            .verdict(verdict), evidence, run: number, request: request, entry: first ?? entry(id), at: now)
        // The same message again; or the same answer, unless that says once more that it is pending.
        let isKnown = held.reports.contains { known in
            known.what == report.what && known.evidence == evidence && known.run == number
                && (evidence.isWebhook || known.request == request && !report.isPending)
        }
        if isKnown { return nil }
        if isSaidOften(report, held) { return file("The provider has said the same \(Self.sameMessagesMax) times.") }
        switch verdict {
        case .approved(let approval):
            if let other { return dispute(approval, evidence, held, by: other, names) }
            if isOfAnotherSystem(approval, evidence, held, margin) {
                return dispute(approval, evidence, held, by: nil, names)
            }
            if !evidence.isPerson {
                if let refusal = check(approval, held) { return refusal }
                if let own = ownMovement(like: held, approval) {
                    return dispute(approval, evidence, held, by: own.intent.attempt, own.names.map(\.value))
                }
            }
            let isContradicted = held.isContradicted(by: report) || held.intent.isDryRun != approval.isDryRun
            append(.report(report), id)
            if isContradicted { contradict(id) }
        case .pending:
            if isOldPending(report, held) { return file("The request was declined since.") }
            let isContradicted = held.isContradicted(by: report)
            append(.report(report), id)
            if isContradicted { contradict(id) }
        case .declined, .cancelled: return recordDecline(report, held)
        }
        return nil
    }

    /// How many messages in a row with the same content are kept: all are compared whenever the payment is read.
    private static let sameMessagesMax = 16

    private func isSaidOften(_ report: Attempt.Report, _ held: Attempt) -> Bool {
        guard report.evidence.isWebhook else { return false }
        let last = held.reports.suffix(Self.sameMessagesMax)
        return last.count == Self.sameMessagesMax
            && last.allSatisfy { $0.what == report.what && $0.run == report.run && $0.evidence.isWebhook }
    }

    /// Counts for nothing, and stands in the timeline.
    mutating func file(_ why: String) -> JournalRefusal {
        decision.filed = why
        return .noProof(why)
    }

    /// Whether a pending report is older, by the provider's own time, than a recorded decline of its request.
    private func isOldPending(_ report: Attempt.Report, _ held: Attempt) -> Bool {
        guard let time = report.evidence.providerTime, let request = report.request else { return false }
        return held.reports.contains {
            $0.isDecline && $0.request == request && ($0.evidence.providerTime ?? time) > time
        }
    }

    mutating func contradict(_ id: AttemptID) {
        alert(.contradiction(id))
        if attempts[id]?.isContradicted == false { append(.contradiction(at: now), id) }
    }

    /// An approval that can't be taken as this attempt's is kept beside it, and decides nothing until a person has spoken.
    private mutating func dispute(
        _ approval: Approval, _ evidence: Attempt.Evidence, _ held: Attempt, by other: AttemptID?, _ given: [String]
    ) -> JournalRefusal {
        let id = held.intent.attempt
        let names = given.isEmpty ? approval.references.values.sorted() : given
        if !held.disputes.contains(where: { $0.names == names }) {
            append(
                .disputed(
                    .init(approval: approval, evidence: evidence, names: names, holder: other, entry: entry(id))), id)
            alert(.disputed(id, holder: other))
        }
        return .claimed(by: other)
    }

    /// Whether an approval is another system's: two journals at one account may use the same ids, and what was executed
    /// before the first request is not this attempt's. A reply is the answer to the attempt's own request.
    private func isOfAnotherSystem(
        _ approval: Approval, _ evidence: Attempt.Evidence, _ held: Attempt, _ margin: Int64
    ) -> Bool {
        guard let time = approval.executedAt, let first = held.requests.first else { return false }
        return (evidence.isLookup || evidence.isWebhook) && time < first.openedAt.wall.addingSaturating(-margin)
    }

    /// A movement that a message named since the run of a follow-up began, while the approval of the follow-up has no name:
    /// both may be one. Only a person can say so.
    private func ownMovement(like held: Attempt, _ approval: Approval) -> Attempt? {
        guard !held.intent.isOrigin, held.names.isEmpty, !held.hasApproval, let run = held.newest,
            !approval.references.values.contains(where: Self.isName)
        else { return nil }
        return record(held.intent.paymentID).attempts.first { other in
            other.isByProvider && other.state == .approved && other.intent.operation.isLike(held.intent.operation)
                && (other.runs.first?.entry ?? 0) >= run.entry
        }
    }

    /// Why an amount is not believed; nil if it is. Another currency, zero or less where more was asked, an amount that no
    /// payment has, and one that is off by 10, 100 or 1,000 and not explained are mistakes. Any other amount is believed, and
    /// raised unless the approval explains it.
    private mutating func check(_ approval: Approval, _ held: Attempt) -> JournalRefusal? {
        let (said, asked) = (approval.amount, held.intent.amount)
        if held.isByProvider || approval.isDryRun { return nil }
        var why: JournalRefusal { .noProof("The answer is over another amount (got \(said), asked for \(asked)).") }
        guard said.currency == asked.currency, said.isBelievable, said.minorUnits > 0 || asked.isZero else {
            alert(.otherAmount(held.intent.attempt))
            return why
        }
        if said == asked || held.explains(approval) { return nil }
        let isOff = said.isOffByTens(from: asked)
        // A part, or a tip on top, explains another amount; that a tip is nine times the rest, a person should know.
        if approval.isPartial, !isOff || said.minorUnits < asked.minorUnits { return nil }
        alert(.otherAmount(held.intent.attempt))
        return isOff && !approval.isPartial ? why : nil
    }

    /// Every decline is recorded. What it means follows from the fold; what means nothing alone is a hint.
    private mutating func recordDecline(_ given: Attempt.Report, _ held: Attempt) -> JournalRefusal? {
        let id = held.intent.attempt
        if given.isLateFailure {
            // What the payment's void did is no failure of the sale.
            if given.verdict?.wasReversed == true, held.intent.isOrigin, record(held.intent.paymentID).hasUndone(given)
            {
                return file("It is known what took it back.")
            }
            if given.verdict?.wasReversed == true, given.evidence.isWebhook, !held.hasApproval, held.intent.isOrigin,
                !held.isByProvider, held.runs[given.run - 1].canLookUp, !held.returnsPart(in: given.run)
            {
                return .noProof("It was not approved as far as is known.")
            }
            let account = held.runs[given.run - 1].account
            if let rest = record(held.intent.paymentID).restAfterCaptures(of: held, at: account) {
                return release(held, rest, given, at: account)
            }
            if held.isContradicted(by: given) { contradict(id) }
            append(.report(given), id)
            return nil
        }
        if held.isApprovedByPersonAlone { alert(.contradiction(id)) }
        if held.hasApproval, given.evidence.isWebhook, !held.isByProvider, held.runs[given.run - 1].canLookUp,
            !held.executions.contains(where: \.isOffline)
        {
            append(.report(given), id)
            return .noProof("The provider has to be asked.")
        }
        if held.hasApproval {
            let isAbout = held.isAboutExecution(given)
            if isAbout, held.isContradicted(by: given) { alert(.contradiction(id)) }
            append(.report(given), id)
            return isAbout || !given.evidence.isWebhook ? nil : .noProof("It need not be about what was approved.")
        }
        guard given.evidence.isWebhook, !held.isByProvider else {
            append(.report(given), id)
            return nil
        }
        var report = given
        if !held.runs[given.run - 1].canLookUp {
            report = .init(
                given.what, given.evidence, run: given.run, request: requestOfDecline(given, held), entry: given.entry,
                at: now)
        }
        append(.report(report), id)
        return held.counts(report) ? nil : .noProof("The provider has to be asked.")
    }

    /// Notes at a hold that it was raised as undone elsewhere.
    private static let undoneNote = "undone elsewhere"

    /// A hold of which something was captured ends: the rest is released, as by a void of the provider's own.
    private mutating func release(
        _ held: Attempt, _ rest: Money, _ report: Attempt.Report, at account: ProviderIdentity
    ) -> JournalRefusal? {
        let origin = held.intent.attempt
        let payment = record(held.intent.paymentID)
        // The provider shows it as undone, and our operations did not do that: what was captured may be back as well. A note
        // remembers that it was said.
        if report.evidence.isLookup, report.verdict?.wasReversed == true, !payment.takesBack,
            !payment.amounts.captured.isZero, !held.notes.contains(where: { $0.name == Self.undoneNote })
        {
            append(.note(.init(run: report.run, name: Self.undoneNote, value: "")), origin)
            contradict(origin)
        }
        guard let id = AttemptID.movement(account, .void, "end of \(origin)"), attempts[id] == nil else { return nil }
        if rest.isZero { return file("It was captured as a whole.") }
        var intent = Attempt.Intent(id, .void, rest, payment: held.intent.paymentID, scope: held.intent.scope)
        intent.releasesRest = true
        create(intent, at: account)
        say(.approved(Approval(rest)), report.evidence, of: id)
        return nil
    }

    /// The request that a pushed decline counts for where nothing can be looked up: the one of the newest run, or one of an
    /// older run that is pending, if the message carries its name.
    private func requestOfDecline(_ report: Attempt.Report, _ held: Attempt) -> Int? {
        guard let number = report.request else { return nil }
        let run = held.requests[number - 1].run
        if run == held.runs.count { return number }
        let isNamed = held.names.contains { $0.request == number && report.carries([$0.value]) }
        return isNamed && held.pendingRuns.contains(run) ? number : nil
    }
}

extension Attempt {
    /// Whether a person alone says that it was executed.
    fileprivate var isApprovedByPersonAlone: Bool {
        hasApproval && reports.allSatisfy { !$0.isApproval || $0.evidence.isPerson }
    }

    /// The amount of a movement as the provider says it, or a person where the provider does not; nil if it is not known.
    fileprivate var knownAmount: Money? {
        lastKnownAmount.isZero ? nil : lastKnownAmount
    }

    /// Whether a movement of a statement can be what our requests paid.
    fileprivate func isPaid(like movement: ImportedMovement) -> Bool {
        guard !requests.isEmpty, intent.operation == movement.begin.intent.operation,
            holders.contains(movement.begin.account), moved == movement.verdict.approval?.amount
        else { return false }
        guard let paid = movement.paidAt, let begun = runs.first?.begunAt.wall else { return true }
        let margin = movement.terms.clockMargin
        let ended = runs.compactMap(\.endedAt?.wall).max() ?? .max
        return paid >= begun.addingSaturating(-margin) && paid <= ended.addingSaturating(margin)
    }

    /// Whether the same amount was said before together with its reason: then it needs none once more.
    fileprivate func explains(_ approval: Approval) -> Bool {
        reports.contains {
            !$0.evidence.isPerson && $0.approval?.isPartial == true && $0.approval?.amount == approval.amount
        }
    }
}

public import PaymentProviderKit

extension EcommpayDriver: DetailsDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        if operation == .tokenize, let customer = inquiry.note(Self.ownerNote) {
            return try await token(inquiry, of: customer, context)
        }
        if operation.isOrigin { return try await origin(inquiry, context) }
        guard let payment = inquiry.payment, let name = payment.references["payment"] else {
            return .cannotTell("The payment's name is not known.")
        }
        let report = try await context.exchange { _ in try await status(name) }
        if inquiry.record.isImported { return try imported(report, inquiry) }
        switch operation {
        case .refund: return try await refund(report, name, inquiry, context)
        case .void:
            let isHold = payment.firstOperation == .authorize && payment.amounts.captured.minorUnits == 0
            if !isHold { return try await refund(report, name, inquiry, context) }
            return try changed(report, ["cancel"], "cancel", whole: inquiry.amount, inquiry)
        case .capture: return try changed(report, ["capture"], "capture", inquiry.amount, inquiry)
        case .adjust:
            let (asked, held) = (inquiry.amount, payment.amounts.capturable)
            let isMore = asked.minorUnits > held.minorUnits
            return try changed(
                report, ["incremental", "cancel"], isMore ? "incremental" : "cancel",
                try isMore ? asked.subtracting(held) : held.subtracting(asked), whole: asked, inquiry)
        case .sale, .authorize, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .debit, .chargeback:
            return .cannotTell("The provider can't be asked about this operation.")
        }
    }

    /// What became of a payment's beginning. What the provider has under the attempt's id and proves nothing may be the
    /// attempt's own all the same: a person who says that nothing was executed has to name it.
    private func origin(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        // Another program gave an id of its own to what was imported, and the import has it.
        let isImported = inquiry.record.isImported
        guard let name = isImported ? inquiry.verdict?.references["payment"] : inquiry.attempt.text else {
            return .cannotTell("The import has no id of the payment. Compare it in the Dashboard, then resolve it.")
        }
        let report = try await context.exchange { _ in try await status(name) }
        let shown = report.isUnknownSoFar ? [] : [report.payment]
        if isImported, report.isUnknownSoFar {
            return .cannotTell("The project shows no payment of the id that the import has.")
        }
        let claim = isImported ? EcommpayClaim.Answer.own : EcommpayClaim(inquiry).answer(report, operation)
        switch claim {
        case .own: break
        case .foreign: return .cannotTell("Another application has a payment of this id.")
        case .doubtful(let why):
            return .cannotTell(Self.taken(report.payment, why, .unknown).detail, shown: shown)
        }
        let known = inquiry.record.approval?.amount
        let standing: EcommpayMapping.Standing
        // An import calls a captured hold a sale.
        let isHold = isImported && operation == .sale && report.isCapturedHold
        let began = isHold ? PaymentOperation.authorize : operation
        do throws(PaymentError) {
            standing = try EcommpayMapping.standing(report, began, asked: inquiry.amount, known: known)
        } catch { return .cannotTell("The payment proves nothing: \(error.detail)", shown: shown) }
        if case .verdict(let verdict) = standing {
            if case .declined(let decline) = verdict, let card = inquiry.note(Self.registrationNote),
                try await isDebitedAgain(card, context)
            {
                return .found(
                    .pending(Pending(references: decline.references, provider: decline.provider, shouldPoll: false)))
            }
            return .found(verdict.told(against: inquiry.amount))
        }
        if inquiry.millisecondsSinceSent.map({ $0 >= Self.shownAfterMilliseconds }) ?? false {
            let own = try await unregistered(report, inquiry.note(Self.requestNote)) { request in
                try await context.exchange { _ in try await status(ofRequest: request, report.payment) }
            }
            if let own { return .found(own) }
        }
        return .cannotTell("The provider has not decided it yet.", shown: shown)
    }

    /// What became of a refund or a capture of another program's: the operation that the import names.
    private func imported(_ report: EcommpayReport, _ inquiry: LookupRequest) throws -> LookupResult {
        guard let own = inquiry.verdict?.references["operation"], !report.isTorn,
            let done = report.operations.first(where: { $0.id == own })
        else {
            return .cannotTell(
                "The payment does not show the operation that the import names. Compare it in the Dashboard, then "
                    + "resolve it.")
        }
        let named = try done.isRefund ? EcommpayMapping.refund(report, done.refund ?? "", request: done.request) : nil
        guard let verdict = try named ?? EcommpayMapping.verdict(done, done.type, of: report.payment) else {
            return .cannotTell("The provider has not decided the operation yet.")
        }
        return .found(verdict)
    }

    /// What became of a beginning that was accepted and then refused for a mistake in it: the payment says so, or, where the
    /// provider has never registered one, the request. For ten seconds after the request neither says anything.
    ///
    /// - Parameter request: What the provider calls the request; nil if it has not answered that.
    func unregistered(
        _ report: EcommpayReport, _ request: String?, _ ask: (String) async throws -> EcommpayReport?
    ) async throws -> Verdict? {
        if let refused = EcommpayMapping.unregistered(report) { return refused }
        guard report.isUnknownSoFar, let request, let own = try await ask(request) else { return nil }
        return EcommpayMapping.unregistered(own)
    }

    /// What became of a refund: by our own name for it, else by the provider's name for our request.
    private func refund(
        _ report: EcommpayReport, _ payment: String, _ inquiry: LookupRequest, _ context: LookupContext
    ) async throws -> LookupResult {
        let (name, request) = (inquiry.attempt.text, inquiry.note("request"))
        if let verdict = try EcommpayMapping.refund(report, name, request: request) { return .found(verdict) }
        // A list without names or requests can't say; the request itself can.
        let isNamed = report.operations.contains { $0.refund == name || $0.request == request && request != nil }
        guard !isNamed, let request, inquiry.millisecondsSinceSent.map({ $0 >= Self.shownAfterMilliseconds }) ?? true,
            let own = try await context.exchange({ _ in try await status(ofRequest: request, payment) }),
            own.operations.count == 1, let only = own.operations.first, only.isRefund,
            let verdict = try EcommpayMapping.verdict(only, "refund", of: payment)
        else { return .cannotTell("Neither the payment nor the request shows the refund.") }
        return .found(verdict)
    }

    /// What became of our change: told only when exactly one operation is new.
    ///
    /// - Parameters:
    ///   - amount: What the operation has to be about; nil where it is about all that was held.
    ///   - whole: What an approval is about, where that is not the operation's own amount.
    private func changed(
        _ report: EcommpayReport, _ types: Set<String>, _ type: String, _ amount: Money? = nil, whole: Money? = nil,
        _ inquiry: LookupRequest
    ) throws -> LookupResult {
        guard let note = inquiry.note(Self.baselineNote), !report.isTorn else {
            return .cannotTell("The operations of the payment can't be compared with those before the request.")
        }
        let known = Set(note.split(separator: " ").map { String($0) })
        let new = report.operations.filter { types.contains($0.type) && !known.contains($0.id) }
        // A hold that was let go, and shows no capture, was not captured and can't be any more.
        if new.isEmpty, type == "capture", EcommpayMapping.cancelled.contains(report.status) {
            let said = ProviderMessage(code: report.status)
            let references: PaymentReferences = ["payment": report.payment]
            return .found(.declined(Decline(.declinedByProvider, provider: said, references: references)))
        }
        guard new.count == 1, let only = new.first, only.type == type, amount.map({ only.amount == $0 }) ?? true else {
            return .cannotTell("The payment does not show exactly one new operation of this kind and amount.")
        }
        guard let verdict = try EcommpayMapping.verdict(only, type, of: report.payment) else {
            return .cannotTell("The provider has not decided the operation yet.")
        }
        guard case .approved(let approval) = verdict, let whole else { return .changed(verdict) }
        if amount == nil, !EcommpayMapping.cancelled.contains(report.status) {
            return .cannotTell("The payment is not cancelled as a whole.")
        }
        return .changed(.approved(Approval(whole, references: approval.references)))
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["payment"] else { return nil }
        let report = try await context.exchange { _ in try await status(name) }
        if report.isUnknownSoFar { return nil }
        var details = PaymentDetails(report.status, references: ["payment": report.payment])
        (details.at, details.kind) = (report.at, report.operations.first?.type)
        details.amount = report.operations.first?.amount
        details.card = EcommpayMapping.card(report.account)
        details.source = report.method
        details.captures = movements(report, ["capture", "sale", "recurring"])
        details.refunds = movements(report, ["refund", "reversal"])
        if let sum = report.sum, Self.refundable.contains(report.status), sum.minorUnits > 0 {
            details.operations = [PaymentDetails.AvailableOperation("refund", .refund, amount: sum)]
        }
        return details
    }

    /// Words under which something can be refunded.
    private static var refundable: Set<String> {
        ["success", "partially paid", "partially refunded", "partially reversed"]
    }

    private func movements(_ report: EcommpayReport, _ types: Set<String>) -> [PaymentDetails.Movement] {
        report.operations.filter { types.contains($0.type) }.compactMap { operation in
            operation.amount.map { amount in
                var movement = PaymentDetails.Movement(operation.id, amount, state: operation.status)
                movement.at = operation.at
                return movement
            }
        }
    }
}

/// Whether the payment that the provider has under an attempt's id is the attempt's own.
///
/// The id is all that names a payment at the provider, and it is unique in a project, not in a journal: another till or
/// another application of the merchant's may have used it before. No answer says who sent a payment, so its amount, its
/// currency and the time of its creation have to tell. A single difference may be the provider's doing: an amount that the
/// customer changed, a clock that is wrong. Nothing is concluded from it but that a person has to look.
struct EcommpayClaim {
    /// What a payment is, as far as the report shows.
    enum Answer: Hashable {
        /// Nothing speaks against it.
        case own
        /// It need not be the attempt's own; why.
        case doubtful(String)
        /// It was created before the attempt sent anything, whatever the clocks show; why.
        case foreign(String)
    }

    /// What the provider has answered to the attempt's requests.
    enum Evidence: String {
        /// It took one of them, so that the payment is the attempt's own unless the provider takes an id twice.
        case accepted
        /// It has a payment of the id, as the answer to the attempt's first request: another one's, or that of a copy of
        /// this very request, which overtook it.
        case thereAtFirst
        /// It has a payment of the id, or has answered nothing: the payment is that of an earlier request, unless that never
        /// arrived.
        case unproven
    }

    /// How far this machine's clock and the provider's may be apart, in milliseconds.
    static let clockMarginMilliseconds: Int64 = 5 * 60_000
    /// Beyond this no clock and no time zone that is set wrongly explains a difference, in milliseconds.
    static let certainMilliseconds: Int64 = 24 * 3_600_000
    /// The provider's times have no fractions: what happened within a second is as late as its end.
    private static let secondMilliseconds: Int64 = 999

    /// What was asked for.
    let asked: Money
    /// When the attempt's first request was opened, in milliseconds since 1970; nil if that is not known.
    let since: Int64?
    /// What the provider has answered.
    let evidence: Evidence

    /// What the payment of a report is.
    func answer(_ report: EcommpayReport, _ operation: PaymentOperation) -> Answer {
        let early = earliness(report)
        switch evidence {
        case .accepted: return early > Self.certainMilliseconds ? .doubtful(Self.time(report)) : .own
        case .thereAtFirst where early > Self.certainMilliseconds: return .foreign(Self.time(report))
        case .thereAtFirst where early > 0, .unproven where early > Self.clockMarginMilliseconds:
            return .doubtful(Self.time(report))
        case .thereAtFirst, .unproven: break
        }
        guard let amount = Self.amount(report, operation), amount != asked else { return .own }
        let isLess = amount.currency == asked.currency && amount.minorUnits < asked.minorUnits
        // Of what was asked a part may be approved, and less may be paid under the word for all of it.
        let isPart = isLess && (report.status == EcommpayMapping.partialWord || evidence == .unproven && early <= 0)
        return isPart ? .own : .doubtful("it is over \(amount), and \(asked) was asked for")
    }

    /// How long before the attempt's first request the payment was created at the latest, in milliseconds; zero or less
    /// if it may have been created since, or the report names no time.
    private func earliness(_ report: EcommpayReport) -> Int64 {
        guard let since, let created = report.createdAt else { return 0 }
        let latest = created.addingReportingOverflow(Self.secondMilliseconds)
        let early = since.subtractingReportingOverflow(latest.partialValue)
        return latest.overflow || early.overflow ? 0 : early.partialValue
    }

    private static func amount(_ report: EcommpayReport, _ operation: PaymentOperation) -> Money? {
        report.operations.lazy.filter { $0.type == EcommpayMapping.type(operation) }.compactMap(\.amount).first
    }

    private static func time(_ report: EcommpayReport) -> String {
        let time = report.createdAt.flatMap { Timestamp(milliseconds: $0)?.text() } ?? ""
        return "it was created at \(time), before the first request of this attempt"
    }
}

extension EcommpayClaim {
    /// What has to be compared with a payment that a lookup finds.
    init(_ inquiry: LookupRequest) {
        let requests = inquiry.requests
        let isAccepted = requests.contains { $0.ending == .answered }
        let noted = inquiry.note(EcommpayDriver.evidenceNote).flatMap { Evidence(rawValue: $0) }
        self.init(
            asked: inquiry.amount, since: requests.first?.openedAt.wall,
            evidence: noted ?? (isAccepted ? .accepted : .unproven))
    }
}

extension EcommpayReport {
    /// When the payment was created at the latest: the earliest moment that any of its operations names.
    ///
    /// The documents give a payment no time of its creation, its operations one that may be missing, and both the time of
    /// their last change.
    var createdAt: Int64? { operations.compactMap { $0.createdAt ?? $0.at }.min() }

    /// Whether it was held, and is captured at least in part.
    fileprivate var isCapturedHold: Bool {
        !operations.contains { $0.type == "sale" }
            && operations.contains { $0.type == "capture" && $0.status == "success" }
    }
}

extension EcommpayDriver {
    /// Under which name is kept what the provider has answered, where it has a payment of the attempt's id.
    static let evidenceNote = "evidence"
    /// Under which name is kept what the provider calls the request that begins a payment.
    static let requestNote = "request"

    /// Runs the request that begins a payment, which may be answered that there is one of its id.
    ///
    /// After an earlier request of the attempt this proves that the earlier one arrived. As the answer to the first one it
    /// doesn't: the payment is another till's, or a copy of the same request was carried out a moment ago. If the status
    /// shows that it is certainly another one, nothing moved, since an id is taken once.
    ///
    /// - Returns: The acknowledgement, and what has to be compared with the payment that is found.
    func beginning(
        _ operation: PaymentOperation, _ asked: Money, _ context: PaymentContext,
        _ send: () async throws -> EcommpayAck
    ) async throws -> (ack: EcommpayAck, claim: EcommpayClaim) {
        let name = context.attempt.text
        let ack: EcommpayAck
        do { ack = try await send() } catch let refusal as HTTPErrorResponse {
            guard isKnown(refusal) else { throw refusal }
            let evidence: EcommpayClaim.Evidence = context.mayHaveArrivedBefore ? .unproven : .thereAtFirst
            let claim = try await self.claim(asked, evidence, context)
            if evidence == .thereAtFirst, let report = try? await status(name),
                case .foreign(let why) = claim.answer(report, operation)
            {
                throw Self.taken(name, why, .notExecuted)
            }
            return (EcommpayAck(payment: name, request: nil), claim)
        }
        if let request = ack.request { try context.note(Self.requestNote, request) }
        return (ack, EcommpayClaim(asked: asked, since: context.firstSubmittedAt, evidence: .accepted))
    }

    /// What has to be compared with a payment that is there, kept with the attempt for later lookups.
    func claim(
        _ asked: Money, _ evidence: EcommpayClaim.Evidence, _ context: PaymentContext
    ) async throws(PaymentError) -> EcommpayClaim {
        try context.note(Self.evidenceNote, evidence.rawValue)
        return EcommpayClaim(asked: asked, since: context.firstSubmittedAt, evidence: evidence)
    }

    /// The claim to a payment that a session shows when it is opened.
    ///
    /// - Throws: `conflict`, nothing moved, where the attempt has sent nothing yet: then the payment is another one's,
    ///   whatever it shows.
    func claimBeforeSending(_ asked: Money, _ context: PaymentContext) async throws(PaymentError) -> EcommpayClaim {
        guard context.mayHaveArrivedBefore else {
            throw Self.taken(context.attempt.text, "it is there before this attempt has sent anything", .notExecuted)
        }
        return try await claim(asked, .unproven, context)
    }

    /// Throws unless the payment that a report shows may be the attempt's own.
    func believe(
        _ report: EcommpayReport, _ operation: PaymentOperation, by claim: EcommpayClaim
    ) throws(PaymentError) {
        switch claim.answer(report, operation) {
        case .own: break
        case .doubtful(let why), .foreign(let why): throw Self.taken(report.payment, why, .unknown)
        }
    }

    /// The failure of an attempt whose id has another payment at the provider, or may have.
    static func taken(_ name: String, _ why: String, _ outcome: PaymentError.Outcome) -> PaymentError {
        let advice =
            outcome == .notExecuted
            ? "Nothing was charged. Use an id once in a project, also across tills and applications."
            : "It need not be this attempt's. Compare it in the Dashboard, then decide the attempt."
        let said = ProviderMessage(code: alreadyThere)
        let detail = "The project has a payment with the id \(name) already: \(why). \(advice)"
        if outcome == .notExecuted { return .idInUse(said, detail) }
        return PaymentError(.mismatch, outcome: outcome, provider: said, detail: detail)
    }
}

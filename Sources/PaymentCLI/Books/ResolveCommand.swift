internal import PaymentCore
internal import PaymentProviderKit
internal import PaymentService

extension Command {
    /// A person decides.
    static let resolve = Command(
        name: "resolve", summary: "records a person's decision about an attempt that the provider can't tell about",
        example: "payctl resolve ATTEMPT --not-executed --because \"the bank's statement of 21 November lacks it\"",
        takes: AcceptedArguments(
            operands: ["ATTEMPT"],
            options: AcceptedArguments.Option.configured + [
                .value("executed", "NAME", "it was executed, and this is the provider's name for it"),
                .value("amount", "AMOUNT", "with --executed: how much; without it, as much as was asked for"),
                .flag("not-executed", "it was not executed"),
                .values("besides", "NAME", "with --not-executed: this movement of the provider's is another one"),
                .flag("withdrawn", "an earlier statement of a person was wrong"),
                .value("same-as", "ATTEMPT", "it is the payment that was imported under this id"),
                .value(
                    "acknowledge", "WHAT",
                    "contradiction, reference, chargeback (its own ATTEMPT), or an amount as 12.50: it blocks no longer"
                ),
                .flag("anyway", "with --executed: also if the provider says something else of that name"),
                .value("by", "NAME", "who decides; it is kept in the journal"),
                .value("because", "TEXT", "how you know; it is kept in the journal"), .scope,
            ])
    ) { call in
        let text = try call.operand(0, "ATTEMPT")
        let wish = try TypedResolution(call)
        guard let because = call.given["because"], !because.isEmpty else {
            throw UsageError(message: "--because TEXT is missing: a decision needs a reason")
        }
        return try await CommandSession.use(call, scope: call.given["scope"] ?? "") { till in
            let id = try await till.attempt(text)
            let resolution = try await wish.resolution(of: id, till)
            let asked = AskedProvider(till, id, isForced: call.given.has("anyway"))
            if let known = try await asked.before(resolution) {
                call.say(AttemptView.shape, await till.view(of: known), known.decidedLines(call.paint))
                return .fine
            }
            let record = try await till.client.resolve(
                id, as: resolution, by: call.given["by"] ?? "", reason: because)
            call.say(
                AttemptView.shape, await till.view(of: record),
                ["\(record.painted(call.paint)): \(record.intent.operation.rawValue) of \(record.knownAmount)"])
            return .fine
        }
    }
}

/// What a person says of an attempt on the command line.
private struct TypedResolution {
    private let call: Invocation

    init(_ call: Invocation) throws(UsageError) {
        self.call = call
        let ways = ["executed", "not-executed", "withdrawn", "same-as", "acknowledge"]
        guard ways.count(where: { call.given.has($0) || call.given[$0] != nil }) == 1 else {
            throw UsageError(message: "say one of \(ways.map { "--\($0)" }.joined(separator: ", "))")
        }
        if call.given["executed"]?.isEmpty == true {
            throw UsageError(message: "--executed needs the provider's name for it")
        }
        for name in ["amount", "anyway"] where call.given.has(name) && call.given["executed"] == nil {
            throw UsageError(message: "--\(name) goes with --executed")
        }
        if !call.given.all("besides").isEmpty, !call.given.has("not-executed") {
            throw UsageError(message: "--besides goes with --not-executed")
        }
    }

    func resolution(of attempt: AttemptID, _ till: CommandSession) async throws -> ManualResolution {
        if call.given.has("withdrawn") { return .withdrawn }
        if call.given.has("not-executed") { return .notExecuted(besides: call.given.all("besides")) }
        if let other = call.given["same-as"] { return .isTheSame(as: try await till.attempt(other)) }
        let held = try await till.client.attempt(attempt)
        var currency = held?.intent.amount.currency ?? .eur
        // What a movement was is said in the currency of its payment.
        if call.given["acknowledge"] != nil, let held, !held.intent.isOrigin {
            currency = try await till.client.payment(held.intent.paymentID).requested.currency
        }
        if let name = call.given["executed"] {
            return .executed(name: name, try call.given["amount"].map { try amount($0, currency) })
        }
        switch call.given["acknowledge"] {
        case "contradiction": return .acknowledge(.contradiction)
        case "reference": return .acknowledge(.reference)
        case "chargeback": return .acknowledge(.chargeback)
        case let text: return .acknowledge(.amount(try amount(text ?? "", currency)))
        }
    }

    /// An amount, which may name its currency: then that has to be the attempt's.
    private func amount(_ text: String, _ currency: Currency) throws(UsageError) -> Money {
        let parts = text.split(separator: " ")
        guard let last = parts.last, parts.count == 2 else { return try call.money(text, currency) }
        let named = try call.currency(String(last))
        guard named == currency else {
            throw UsageError(message: "the attempt is in \(currency), and \(text) is in \(named)")
        }
        return try call.money(String(parts[0]), currency)
    }
}

/// The provider, asked before a person decides: what it can say needs no person, and what it says of the named payment must
/// not be something else.
private struct AskedProvider {
    let till: CommandSession
    let id: AttemptID
    let isForced: Bool

    init(_ till: CommandSession, _ id: AttemptID, isForced: Bool) {
        (self.till, self.id, self.isForced) = (till, id, isForced)
    }

    /// The attempt if the provider has decided it as the person says, so that nothing is left to record.
    ///
    /// - Throws: `conflict` if the provider says something else.
    func before(_ resolution: ManualResolution) async throws -> Attempt? {
        let executed: (name: String, amount: Money?)?
        switch resolution {
        case .executed(let name, let amount): executed = (name, amount)
        case .notExecuted: executed = nil
        case .withdrawn, .isTheSame, .acknowledge: return nil
        }
        guard let attempt = try await till.client.attempt(id) else { return nil }
        if attempt.isInDoubt, let now = try await lookedUp(attempt) {
            let isSame = executed.map { one in
                now.state == .approved && now.names.contains { $0.value == one.name }
                    && (one.amount ?? now.intent.amount) == now.approval?.amount
            }
            if isSame ?? (now.state != .approved) { return now }
            throw AdvisedError(
                conflict(
                    "The provider was asked, and could tell: it is \(now.status). Nothing was recorded.",
                    now.state == .approved ? .executed : .notExecuted),
                next: till.call.command("show \(now.intent.paymentID)"))
        }
        if executed != nil { try refuseWhatTheProviderSaid(of: attempt) }
        if let executed { try await compare(attempt, executed.name, executed.amount ?? attempt.intent.amount) }
        return nil
    }

    /// Refuses to say that an attempt was executed of which the provider said that it was not, unless the person insists.
    private func refuseWhatTheProviderSaid(of attempt: Attempt) throws {
        // Of several runs that were declined, the provider's newest word, which need not be the one that is shown.
        let newest = attempt.reports.last { $0.isDecline && attempt.counts($0) }?.evidence
        switch (attempt.state, attempt.state == .declined ? newest : attempt.evidence) {
        case (.notExecuted, .lookup), (.notExecuted, .webhook), (.declined, .lookup), (.declined, .webhook),
            (.reversed, _):
            try refuse("\(attempt.account.id) could tell, and said of the attempt: \(attempt.status).")
        case (_, _): break
        }
    }

    private func conflict(_ words: String, _ outcome: PaymentError.Outcome = .unknown) -> PaymentError {
        PaymentError(.conflict, outcome: outcome, attempt: id, retry: .never, detail: words)
    }

    /// The attempt after a lookup that decided it; nil if it stays open, or if the provider could not be asked.
    private func lookedUp(_ attempt: Attempt) async throws -> Attempt? {
        do { _ = try await till.status(id) } catch {
            let isAsked = try await till.wasLookedUpInVain(attempt)
            if !isAsked { till.call.note("The provider could not be asked about the attempt: \(error.reasonInWords)") }
        }
        guard let now = try await till.client.attempt(id), !now.isOpen, !now.hasHiddenDoubt else {
            return nil
        }
        return now
    }

    /// Compares what the provider says of the named payment with what the person says.
    private func compare(_ attempt: Attempt, _ name: String, _ amount: Money) async throws {
        let view: ProviderClient
        do { view = try till.client.provider(attempt.account.id) } catch {
            return till.call.note("The provider could not be asked about \(name): \(error.reasonInWords)")
        }
        // The details of a payment say nothing of the names of what followed it.
        guard attempt.intent.isOrigin, view.capabilityTable["details"], let transactions = view.transactions else {
            return till.call.note("\(view.id) answers no question about \(name): you alone say so.")
        }
        let details: PaymentDetails?
        do { details = try await transactions.details([view.capabilities.manualName: name]) } catch {
            return till.call.note("The provider could not be asked about \(name): \(error.reasonInWords)")
        }
        guard let details else { return try refuse("\(view.id) knows no payment \(name).") }
        let listed = details.captured.flatMap { $0.isZero ? nil : $0 } ?? details.amount
        if let listed, listed.currency != amount.currency {
            throw AdvisedError(
                conflict("\(name) is over \(listed) at \(view.id), and the attempt is in \(amount.currency)."))
        }
        if let listed, listed != amount {
            try refuse("\(name) is over \(listed) at \(view.id), and you say \(amount): add --amount.")
        }
        if let reference = details.reference, reference != attempt.intent.reference,
            MerchantReference(reference).attempt != id.text
        {
            try refuse("\(name) is of the reference \(reference) at \(view.id).")
        }
        switch view.capabilities.listed?.words[details.state] {
        case .refused, .undone: try refuse("\(view.id) says of \(name): \(details.state).")
        case .payment, .refund, .noMoney, .pending, .held, .charged, .executed, nil: break
        }
    }

    /// Refuses, unless the person insists.
    private func refuse(_ words: String) throws {
        guard !isForced else { return till.call.note("\(words) It is recorded all the same, as you say.") }
        throw AdvisedError(
            conflict("\(words) Nothing was recorded. If you know better, say it again with --anyway."))
    }
}

extension PaymentError {
    /// Why something failed: the detail, or the code where there is none.
    fileprivate var reasonInWords: String { detail.isEmpty ? code.rawValue : detail }
}

extension Attempt {
    /// What it moved as far as that is known, and else what was asked for.
    var knownAmount: String { approval.map { "\($0.amount)" } ?? askedAmount }

    /// What the provider has decided just as the person said.
    fileprivate func decidedLines(_ paint: Paint) -> [String] {
        ["\(painted(paint)): \(intent.operation.rawValue) of \(knownAmount); the provider itself could tell"]
    }
}

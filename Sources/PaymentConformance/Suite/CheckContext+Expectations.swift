internal import PaymentBase
public import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit

extension CheckContext {
    /// Fails with a sentence unless something holds.
    public func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw CheckFailure(otherwise()) }
    }

    /// Fails unless two values are equal, and prints both.
    public func expect<Value: Equatable>(_ given: Value, is due: Value, _ what: String) throws {
        if given != due { throw CheckFailure("\(what): \(given), and \(due) was due") }
    }

    /// Fails unless an error has a code and an outcome.
    public func expect(
        _ error: PaymentError, _ code: PaymentError.Code, _ outcome: PaymentError.Outcome
    ) throws {
        try expect(
            error == PaymentError(code, outcome: outcome),
            "the error was \(error), due was \(code.rawValue), \(outcome)")
    }

    /// Fails unless the provider's books say that an attempt moved exactly this, this way, and nothing else.
    public func expectMoved(_ attempt: AttemptID, _ direction: LedgerView.Direction, _ amount: Money) throws {
        let entries = fixture.ledger.entries(of: attempt)
        let isRight = entries.allSatisfy { $0.direction == direction && $0.currency == amount.currency.code }
        let sum = fixture.ledger.sum(of: attempt, direction)
        guard isRight, sum == amount.minorUnits, entries.count == 1 else {
            throw CheckFailure("the ledger has \(Self.text(entries)), due was one \(direction) of \(amount.minorUnits)")
        }
    }

    /// Fails unless a replay gives what was recorded: everything but what a journal must not hold.
    public func expectSame(_ first: PaymentResult, _ again: PaymentResult) throws {
        switch (first, again) {
        case (.approved(let one), .approved(let other)):
            try expect(one.id, is: other.id, "the payment of a replay")
            try expect(one.approved, is: other.approved, "what was approved by a replay")
            try expect(one.amounts == other.amounts, "the replay gave other amounts")
            try expect(one.references, is: other.references, "the references of a replay")
        case (.declined(let one), .declined(let other)):
            try expect(one.reason, is: other.reason, "the reason of a replay")
            try expect(one.provider, is: other.provider, "what the provider said by a replay")
        default: try expect(first == again, "the replay gave something else")
        }
    }

    /// How a call said that nothing moved, in words; nil where it didn't.
    static func denial(_ told: Result<PaymentResult, PaymentError>) -> String? {
        switch told {
        case .success(.declined), .success(.cancelled): (try? told.get()).map { "it was reported as \(word($0))" }
        case .success(.approved), .success(.pending): nil
        case .failure(let error): error.outcome == .notExecuted ? "it was reported that nothing moved (\(error))" : nil
        }
    }

    /// Fails if a call says that nothing moved.
    func expectUndenied(_ told: Result<PaymentResult, PaymentError>, _ what: String) throws {
        if let denied = Self.denial(told) { throw CheckFailure("\(what): \(denied)") }
    }

    /// Fails unless a call ends as cancelled with nothing moved, as an error or as a result.
    func expectCancelled(_ call: () async throws -> PaymentResult) async throws {
        let result: PaymentResult
        do { result = try await call() } catch let error as PaymentError {
            throw CheckFailure("it ended as the error \(error.code.rawValue), and a cancelled reader ends as a result")
        }
        guard case .cancelled = result else { throw CheckFailure("it was not cancelled but \(Self.word(result))") }
    }

    /// Says that a check has nothing to say where the provider's terminal has the request before it has a card.
    func readsBeforeSending() throws {
        try expect(
            !driver.capabilities.usesProviderTerminal,
            or: "the provider's terminal has the request before it has a card")
    }

    /// Fails unless all that was asked for was charged, once.
    func expectCharged(_ payment: Payment) throws {
        try expectMoved(payment.attempt, .charge, payment.requested)
    }

    /// Fails unless an attempt is found approved, and its amount booked once, this way; all that was asked for unless it
    /// is said otherwise.
    func expectBooked(
        _ attempt: AttemptID, _ direction: LedgerView.Direction = .charge, _ amount: Money? = nil
    ) async throws {
        let payment = try approved(try await client.status(attempt))
        try expectMoved(attempt, direction, amount ?? payment.requested)
    }

    /// Fails unless a gateway's refusal was rightly left in doubt: nothing was sent again, since the provider can't prove
    /// within the call that the request never arrived, and a recovery finds out whatever can be found out.
    func expectNotRepeated(_ attempt: AttemptID) async throws { try await expectInDoubt(attempt, afterRequests: 1) }

    /// Fails unless an error about a gateway's refusal of every request says that nothing moved, or that it is unknown where
    /// the provider can't prove within the call that none of them arrived.
    func expectRefused(_ error: PaymentError, _ attempt: AttemptID) async throws {
        if error.outcome == .notExecuted { return }
        try expect(error.outcome, is: .unknown, "the outcome")
        try await expectInDoubt(attempt, afterRequests: 3)
    }

    private func expectInDoubt(_ attempt: AttemptID, afterRequests count: Int64) async throws {
        let plan = driver.lookupPlan(for: .sale)
        let quiet = plan?.quiet ?? .max
        let isInTime = quiet <= plan?.giveUpAfter ?? 0 && quiet <= Self.callMilliseconds / count
        try expect(!isInTime, "The provider can prove within the call that the request never arrived.")
        try expectNothingMoved(attempt)
        var (fresh, open) = try await recovered()
        // The quiet time of a request whose process is gone runs from the take-over.
        if plan?.quiet != nil { (fresh, open) = try await fresh.recovered() }
        try expect(open.contains(attempt) == (plan?.quiet == nil), "The outcome could be found out, and was not.")
    }

    /// For how long a caller waits who names no limit, in milliseconds.
    private static let callMilliseconds: Int64 = 180_000

    /// Fails unless a result is pending.
    func expectPending(_ result: PaymentResult) throws {
        guard case .pending = result else { throw CheckFailure("it is not pending") }
    }

    /// Fails if the provider's books know anything that an attempt moved.
    public func expectNothingMoved(_ attempt: AttemptID) throws {
        let entries = fixture.ledger.entries(of: attempt)
        if !entries.isEmpty { throw CheckFailure("the ledger has \(Self.text(entries)), and nothing was due") }
    }

    static func text(_ entries: [LedgerView.Entry]) -> String {
        entries.isEmpty
            ? "nothing"
            : entries.map { "\($0.direction) \($0.minorUnits) \($0.currency)" }.joined(separator: ", ")
    }

    /// Fails unless a call sends nothing at all.
    public func expectNoRequests<Value>(during what: String, _ call: () async throws -> Value) async throws -> Value {
        let before = log.count
        let value = try await call()
        let sent = log.exchanges.dropFirst(before)
        if let first = sent.first {
            throw CheckFailure("\(what) sent \(sent.count) requests, the first \(first.request)")
        }
        return value
    }

    /// Fails unless a call leaves the provider's books as they are.
    public func withoutMoving<Value>(_ what: String, _ call: () async throws -> Value) async throws -> Value {
        let before = fixture.ledger.entries.count
        let value = try await call()
        let moved = fixture.ledger.entries.dropFirst(before)
        if !moved.isEmpty { throw CheckFailure("\(what) moved \(Self.text(Array(moved)))") }
        return value
    }

    /// Fails unless a call is refused before anything is sent, with nothing moved and by its code where one is due.
    func expectRefused(
        _ code: PaymentError.Code? = nil, what: String = "it", _ call: () async throws -> Void
    ) async throws {
        let error = try await expectNoRequests(during: what) { try await failure("the call", call) }
        guard let code else { return try expect(error.outcome, is: .notExecuted, "the outcome") }
        try expect(error, code, .notExecuted)
    }

    /// Fails unless a call is refused as unsupported, clearly and without sending anything.
    public func expectUnsupported(_ what: String, _ call: () async throws -> Void) async throws {
        let error = try await expectNoRequests(during: what) { try await failure(what, call) }
        try expect(error, .unsupported, .notExecuted)
        try expect(error.detail.count > 8, "\(what) is refused without saying why")
    }

    /// Fails if a value prints a text anywhere: described, debugged or dumped.
    public func expectHidden(_ secrets: [String], in value: Any, _ what: String) throws {
        var printed = "\(value)\n" + String(reflecting: value)
        dump(value, to: &printed)
        if let error = value as? PaymentError { printed += error.debugDescription + error.message }
        for secret in secrets where !secret.isEmpty && printed.contains(secret) {
            throw CheckFailure("\(what) prints a secret")
        }
    }

    /// Judges everything at once: what the client wrote down against what the provider booked, payment by payment.
    public func audit() async throws { try await audit(fixture.ledger) }

    /// Judges what the client wrote down against the provider's books, as far as a driver can know them.
    func audit(_ ledger: LedgerView) async throws {
        try expect(ledger.isBalanced, "the provider's accounts don't add up")
        // A driver broken on purpose has to be caught by the check that is meant for it.
        if mutant == nil, let violation = fixture.violations.first {
            throw CheckFailure("not as published: \(violation)")
        }
        var seen: Set<String> = []
        for origin in try await journal.records(.origins(scope: nil), limit: Self.auditMax) {
            let family = try await journal.records(of: origin.intent.paymentID)
            for record in family {
                seen.insert(record.intent.attempt.text)
                try audit(record, ledger)
            }
            try await audit(family, origin.intent.paymentID, ledger)
        }
        for entry in ledger.entries where !entry.attempt.isEmpty && !seen.contains(entry.attempt) {
            throw CheckFailure("the ledger has \(Self.text([entry])) under an attempt that the journal does not know")
        }
    }

    /// How many payments one audit reads.
    static let auditMax = 1_000

    private func audit(_ record: Attempt, _ ledger: LedgerView) throws {
        let moves = ledger.entries(of: record.intent.attempt)
        let name = "\(record.intent.operation) \(record.intent.attempt)"
        switch record.state {
        case .approved:
            guard let direction = record.intent.operation.direction, let due = record.moved, !record.isDryRun,
                record.evidence?.word != "person"
            else { return }
            let isRight = moves.allSatisfy { $0.direction == direction && $0.currency == due.currency.code }
            if !isRight || ledger.sum(of: record.intent.attempt, direction) != due.minorUnits {
                throw CheckFailure("\(name): the journal has \(due), the ledger has \(Self.text(moves))")
            }
        case .declined, .notExecuted, .reversed:
            let net = moves.map(\.signed).sum
            if net != 0 {
                throw CheckFailure("\(name): not executed says the journal, the ledger has \(Self.text(moves))")
            }
        case .pending:
            if !moves.isEmpty { throw CheckFailure("\(name): pending, and the ledger has \(Self.text(moves))") }
        case .running, .inDoubt: break
        }
    }

    /// What a payment holds and has brought in, on both sides.
    private func audit(_ family: [Attempt], _ payment: PaymentID, _ ledger: LedgerView) async throws {
        let isDecided = family.allSatisfy { $0.isDecided && $0.evidence?.word != "person" && !$0.isDryRun }
        guard isDecided, family.first?.intent.operation != .unlinkedRefund else { return }
        let amounts = try await client.payment(payment).amounts
        let attempts = Set(family.filter { $0.intent.operation != .unlinkedRefund }.map(\.intent.attempt.text))
        var (merchant, held): (Int64, Int64) = (0, 0)
        let names = Set(ledger.entries.filter { attempts.contains($0.attempt) }.map(\.payment))
        // What the provider releases on its own, such as the rest after a capture, carries no attempt.
        let isReleased: (LedgerView.Entry) -> Bool = { entry in
            entry.attempt.isEmpty && entry.direction == .release && names.contains(entry.payment)
        }
        for entry in ledger.entries where attempts.contains(entry.attempt) || isReleased(entry) {
            let units = entry.minorUnits
            switch entry.direction {
            case .charge, .returned: merchant = merchant.adding(units)
            case .capture: (merchant, held) = (merchant.adding(units), held.subtracting(units))
            case .reversal, .refund: merchant = merchant.subtracting(units)
            case .hold: held = held.adding(units)
            case .release: held = held.subtracting(units)
            }
        }
        let ours = amounts.isVoided ? 0 : amounts.captured.minorUnits.subtracting(amounts.refunded.minorUnits)
        try expect(merchant, is: ours, "the merchant's money of \(payment)")
        let isHeld = family.first?.intent.operation == .authorize && family.first?.state == .approved
        // What was captured beyond what is held is missing there.
        let missing = min(0, amounts.authorized.minorUnits.subtracting(amounts.captured.minorUnits))
        let ourHeld = isHeld && !amounts.isVoided ? amounts.capturable.minorUnits.adding(missing) : 0
        try expect(held, is: ourHeld, "what is held for \(payment)")
    }
}

extension LedgerView.Direction {
    /// Whether it takes back what an attempt did, rather than counting for it.
    fileprivate var takesBack: Bool {
        switch self {
        case .charge, .hold, .capture, .refund: false
        case .release, .reversal, .returned: true
        }
    }
}

extension LedgerView.Entry {
    /// How much it counts for the attempt that did it; less than nothing where it takes back what that did.
    var signed: Int64 { direction.takesBack ? Int64(0).subtracting(minorUnits) : minorUnits }
}

extension PaymentOperation {
    /// The way in which money goes when it is approved; nil where an audit looks at the payment as a whole.
    var direction: LedgerView.Direction? {
        switch self {
        case .sale, .debit: .charge
        case .authorize: .hold
        case .capture: .capture
        case .refund, .unlinkedRefund: .refund
        case .adjust, .void, .tipAdjustment, .verify, .tokenize, .chargeback: nil
        }
    }
}

extension CheckContext {
    /// Says that a check has nothing to say unless something holds.
    func expect(_ holds: Bool, or reason: String) throws {
        if !holds { throw NotApplicable(reason) }
    }
}

extension CheckContext {
    /// Proves that what is not declared is refused clearly, before anything is sent; gives the reason to report.
    func proveAbsence(of capability: String) async throws -> NotApplicable {
        let isProven = try await isRefused(capability)
        let how = isProven ? "refused as unsupported, nothing sent" : "nothing to call"
        return NotApplicable("\(capability) is not declared: \(how)")
    }

    private func isRefused(_ capability: String) async throws -> Bool {
        if capability.hasPrefix("source.") { return try await isSourceRefused(String(capability.dropFirst(7))) }
        if capability.hasPrefix("request.") { return try await isFeatureRefused(String(capability.dropFirst(8))) }
        let card = Self.sample(.card), amount = try scripted().amount
        switch capability {
        case "sale":
            try await expectUnsupported("a sale") { _ = try await client.sale(amount, from: card, reference: "o") }
        case "authorize":
            try await expectUnsupported("an authorisation") {
                _ = try await client.authorize(amount, from: card, reference: "o")
            }
        case "refund.unlinked":
            let request = UnlinkedRefundRequest(amount, to: card, reference: "o")
            try await expectUnsupported("a refund without an original") {
                _ = try await client.refundUnlinked(request)
            }
        case "verify", "tokenize":
            let request = VerificationRequest(card, in: amount.currency, reference: "o")
            try await expectUnsupported(capability) {
                _ = try await capability == "verify" ? client.verify(request) : client.tokenize(request)
            }
        case "debit":
            let request = CardOnFileRequest(amount, of: .init(rawValue: "none"), reference: "o")
            try await expectUnsupported("a later charge") { _ = try await client.chargeCardOnFile(request) }
        case "webhooks":
            try await expectUnsupported("a webhook") {
                _ = try await client.receiveWebhook([], from: driver.identity.id)
            }
        case "details", "list": return try await isListRefused(capability)
        case "pricing", "settings", "devices", "saved", "offline", "reader", "session": return try isHidden(capability)
        default: return try await isFollowUpRefused(capability)
        }
        return true
    }

    private func isHidden(_ capability: String) throws -> Bool {
        let view = try self.view
        let isThere: [String: Bool] = [
            "pricing": view.pricing != nil, "settings": view.settings != nil, "devices": view.devices != nil,
            "saved": view.savedInstruments != nil, "offline": driver.capabilities.approvesOffline,
            "reader": view.reader != nil,
            "session": view.session != nil,
        ]
        try expect(isThere[capability] == false, "\(capability) is not declared, and there is a view of it")
        return true
    }

    private func isListRefused(_ capability: String) async throws -> Bool {
        guard let transactions = try view.transactions else { return true }
        try await expectUnsupported(capability) {
            if capability == "details" {
                _ = try await transactions.details([:])
            } else {
                _ = try await transactions.list()
            }
        }
        return true
    }

    private func isFollowUpRefused(_ capability: String) async throws -> Bool {
        guard try has("sale") else { return false }
        let payment = try await approvedSale()
        let part = Money(minorUnits: payment.requested.minorUnits / 2, payment.requested.currency)
        switch capability {
        case "void": try await expectUnsupported("a void") { try await client.void(payment.id) }
        case "refund": try await expectUnsupported("a refund") { try await client.refund(payment.id) }
        case "refund.partial": try await expectUnsupported("a part") { try await client.refund(payment.id, of: part) }
        case "adjust": try await expectUnsupported("an adjustment") { try await client.adjust(payment.id, to: part) }
        case "tip.adjust": try await expectUnsupported("a tip") { try await client.adjustTip(payment.id, to: part) }
        case "capture.partial":
            guard try has("authorize") else { return false }
            let held = try await authorized()
            try await expectUnsupported("a part") { try await client.capture(held.id, of: part) }
        default: return false
        }
        return true
    }

    private func isSourceRefused(_ name: String) async throws -> Bool {
        guard let kind = PaymentSource.Kind(rawValue: name), try has("sale") else { return false }
        let amount = try scripted().amount
        try await expectUnsupported("a sale from \(name)") {
            _ = try await client.sale(amount, from: Self.sample(kind), reference: "o")
        }
        return true
    }

    private func isFeatureRefused(_ name: String) async throws -> Bool {
        guard let feature = RequestFeature(rawValue: name), try has("sale") else { return false }
        let scripted = try scripted()
        var request = SaleRequest(scripted.amount, from: scripted.source, reference: "o")
        switch feature {
        case .tip: request.tip = Money(minorUnits: 1, scripted.amount.currency)
        case .customer: request.customer = "c"
        case .contact: request.contact = CustomerContact()
        case .billing: request.billing = PostalAddress()
        case .shipping: request.shipping = PostalAddress()
        case .displayText: request.displayText = "t"
        case .orderNumber: request.orderNumber = "1"
        case .language: request.language = "en"
        case .saveInstrument: request.savesInstrument = true
        case .cardOnFile: request.cardOnFile = CardOnFileTerms(.recurring)
        case .recipient: request.recipient = CustomerContact()
        case .partialApproval: request.acceptsPartialApproval = true
        case .dryRun: request.isDryRun = true
        case .presentation: try request.presentation.showSuccess(for: .seconds(1))
        case .preparedRequest: request.prepared = PreparedRequest([])
        case .quote: return false
        }
        let asked = request
        try await expectUnsupported("a sale with \(name)") { _ = try await client.sale(asked) }
        return true
    }

    /// A source that is well formed, whether or not the provider takes it.
    static func sample(_ kind: PaymentSource.Kind) -> PaymentSource {
        switch kind {
        case .reader: .reader
        case .card:
            (try? KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 40)).map { .card($0) } ?? .reader
        case .external: .external(ExternalCardData(.chip))
        case .wallet: .wallet(WalletToken(.applePay, payload: Secret("sample-wallet")))
        case .saved: .saved(.init(rawValue: "sample"))
        case .token: .token(Secret("sample-token"))
        case .bank: .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .page: .hostedPage
        }
    }
}

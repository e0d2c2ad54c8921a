public import PaymentCore
public import PaymentProviderKit

extension ProviderClient {
    /// What only ecommpay has beside payments; nil at every other provider.
    public var ecommpay: EcommpayGate? {
        (driver(as: EcommpayMobileDriver.self)?.apiDriver ?? driver(as: EcommpayDriver.self)).map {
            EcommpayGate($0, queries)
        }
    }
}

/// Tokens, customers and registered cards, as only the Gate of ecommpay has them; no money moves by it.
///
/// ```swift
/// let gate = try client.provider("ecommpay").ecommpay
/// try await gate?.end(registration, as: AttemptID("end-42"))
/// ```
///
/// What is asked for here is accepted first and done later. Where an answer is lost, what the provider shows decides;
/// an error of the code `inDoubt` means that it does not show it so far.
public struct EcommpayGate: Sendable {
    private let driver: EcommpayDriver
    private let reads: LookupContext

    init(_ driver: EcommpayDriver, _ reads: LookupContext) { (self.driver, self.reads) = (driver, reads) }

    // MARK: Customers and tokens

    /// What the provider knows about a customer; fields without a place of their own stand under its names. Nil where
    /// it knows no customer of that name.
    public func customer(_ customer: String) async throws(PaymentError) -> CustomerContact? {
        try await known(["3241"], driver.owner(customer), EcommpayPath.customer, reads) { json in
            json?["customer"]?["id"]?.string == customer ? json?["customer"].map(EcommpayMapping.contact) : nil
        }
    }

    /// The instrument behind a token of a customer's; nil where the token is none, or none any more.
    public func instrument(
        of token: Secret, customer: String
    ) async throws(PaymentError) -> SavedInstrument? {
        let body = driver.owner(customer, [("token", .string(token.expose()))])
        return try await known(["3027", "3221"], body, EcommpayPath.byToken, reads.hiding([token])) { json in
            json?["account"].flatMap { EcommpayMapping.instrument($0, of: customer) }
        }
    }

    /// Makes a token worthless; the provider forgets the saved card behind it too.
    public func revoke(_ token: Secret, of customer: String) async throws(PaymentError) {
        let body = driver.owner(customer, [("token", .string(token.expose()))])
        guard try await driver.isLost(body, EcommpayPath.revoke, reads.hiding([token])) else { return }
        if try await instrument(of: token, customer: customer) != nil { throw EcommpayDriver.undecided }
    }

    /// Asks for something; nil where the provider answers that there is no such thing.
    private func known<Message>(
        _ absent: Set<String>, _ body: JSON, _ path: String, _ reads: LookupContext,
        as read: (JSON?) -> Message?
    ) async throws(PaymentError) -> Message? {
        try await reads.exchange { _ -> Message? in
            do { return try await driver.ask(body, at: path, as: read) } catch let refusal as HTTPErrorResponse {
                guard refusal.status < 500, absent.contains(EcommpayRefusal(refusal.body).code) else { throw refusal }
                return nil
            }
        }
    }

    // MARK: Registered cards

    /// When and over what a registered card is charged.
    public func registration(_ id: SavedInstrument.ID) async throws(PaymentError) -> EcommpayRegistration {
        let body = try message(id, nil)
        return try await reads.exchange { _ in
            // The documents have no signature on this answer.
            try await driver.send(signed: body, to: EcommpayPath.registration) { json in
                EcommpayRegistration(json?["recurring"]).flatMap { $0.id == id ? $0 : nil }
            }
        }
    }

    /// Changes when and over what it is charged; what the terms leave out stays. What would let ecommpay charge the card
    /// on its own is refused: a period, a start, the name of charges to come.
    ///
    /// - Parameter name: Our name for the change, which is made once however often it is asked for.
    /// - Returns: How it is afterwards; a change that was accepted may show later.
    @discardableResult
    public func change(
        _ id: SavedInstrument.ID, to terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence? = nil,
        as name: AttemptID
    ) async throws(PaymentError) -> EcommpayRegistration {
        let before = try await registration(id)
        guard terms.amount.map({ $0.currency == before.currency }) ?? true, recurrence?.schedule.isEmpty ?? true else {
            throw PaymentError.notExecuted(
                .invalidRequest, "a change is in the registration's own currency, and has no single charges")
        }
        let body = try message(id, name, try EcommpayMapping.terms(terms, recurrence))
        let isLost = try await driver.isLost(body, EcommpayPath.changeRegistration, reads)
        let after = try await registration(id)
        guard !isLost || after.fits(terms, recurrence) else { throw EcommpayDriver.undecided }
        return after
    }

    /// Ends a registration: nothing is charged by it any more.
    ///
    /// - Parameter name: Our name for the end, which comes once however often it is asked for.
    /// - Returns: How it is afterwards; an end that was accepted may show later.
    @discardableResult
    public func end(
        _ id: SavedInstrument.ID, as name: AttemptID
    ) async throws(PaymentError) -> EcommpayRegistration {
        let isLost = try await driver.isLost(try message(id, name), EcommpayPath.endRegistration, reads)
        let after = try await registration(id)
        guard !isLost || after.isEnded else { throw EcommpayDriver.undecided }
        return after
    }

    /// Lets a debit that was declined not be tried again by the provider itself.
    ///
    /// - Parameter operation: The provider's number of the debit's operation: `operation` of its references.
    public func stopRetries(of operation: String, under id: SavedInstrument.ID) async throws(PaymentError) {
        guard let trigger = Int64(operation) else {
            throw PaymentError.notExecuted(.invalidRequest, "the name of an operation is a number here")
        }
        let body = try message(id, nil).adding("trigger_operation_id", EcommpayMapping.number(trigger))
        guard try await driver.isLost(body, EcommpayPath.stopRetries, reads) else { return }
        throw EcommpayDriver.undecided
    }

    private func message(
        _ id: SavedInstrument.ID, _ name: AttemptID?, _ terms: JSONObject = [:]
    ) throws(PaymentError) -> JSON {
        // The account decides: it may have another name where the card was registered.
        let here = driver.identity
        let named = ProviderIdentity(
            id.provider ?? here.id, adapter: here.adapter, environment: here.environment, merchant: here.merchant)
        guard id.isKept(at: named) else {
            throw PaymentError.notExecuted(.unsupported, "Another account keeps this registration. Ask that one.")
        }
        guard let number = EcommpayMapping.registrationNumber(id) else {
            throw PaymentError.notExecuted(.invalidRequest, "The id of a registration is r and its number here.")
        }
        var recurring = terms
        recurring["id"] = EcommpayMapping.number(number)
        let general: JSON = ["project_id": EcommpayMapping.number(driver.configuration.project)]
        return [
            "general": name.map { general.adding("payment_id", .string($0.text)) } ?? general,
            "recurring": .object(recurring),
        ]
    }
}

// Payments that begin at the Gate, on a server that may hold card numbers.

extension EcommpayDriver {
    /// Sends what is paid with, and follows the payment until it is decided or takes long.
    func begin(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        var order = order
        order.extras = await extras(operation, order, context)
        try authenticationRule(order)
        let (path, body) = try EcommpayMapping.beginning(operation, order, context.attempt, configuration)
        let name = context.attempt.text
        // A callback may be here before the answer.
        steps.expect(name)
        defer { steps.forget(name) }
        let (ack, claim) = try await context.exchange(.idempotent) { _ in
            try await beginning(operation, order.amount, context) {
                try await send(signed: body, to: path) { EcommpayAck($0, about: name) }
            }
        }
        guard ack.payment == name else {
            throw PaymentError.unknown(.mismatch, "the answer is about another payment")
        }
        return try await kept(try await follow(operation, order.amount, claim, context), order, context)
    }

    /// Asks the state of a payment until it is decided, and answers its steps.
    ///
    /// - Parameter claim: What has to be compared with the payment.
    private func follow(
        _ operation: PaymentOperation, _ amount: Money, _ claim: EcommpayClaim, _ context: PaymentContext
    ) async throws -> Verdict {
        let name = context.attempt.text
        let open = Verdict.pending(Pending(references: ["payment": name], shouldPoll: false))
        var (waits, refusals, answers) = (0, 0, 0)
        var last: EcommpayReport?
        var requestAt = context.uptime + Self.shownAfterMilliseconds
        for _ in 0..<Self.roundsMax {
            let report = try await context.exchange(.readOnly) { _ in try await status(name) }
            try believe(report, operation, by: claim)
            let isPatient = waits < Self.patience
            if let asked = step(report, again: last, isPatient: isPatient, isSecond: answers > 0) {
                last = asked.question.map { _ in asked }
                guard let question = asked.question else { return open }
                let heard = try await answer(question, asked, .gate(name), context)
                if heard == .answered {
                    (last, answers) = (nil, answers + 1)
                    continue
                }
                refusals += 1
                if heard == .refused, refusals < Self.refusalsMax { continue }
                return open
            }
            if !report.isUnknownSoFar {
                switch try EcommpayMapping.standing(report, operation, asked: amount) {
                case .verdict(let verdict): return verdict.told(against: amount)
                case .doubtful: return .pending(Pending(shouldPoll: true))
                case .waiting, .moving: break
                }
            } else if context.uptime >= requestAt {
                requestAt = context.uptime + Self.shownAfterMilliseconds
                let refused = try await unregistered(report, context.note(Self.requestNote)) { request in
                    try await context.exchange(.readOnly) { _ in try await status(ofRequest: request, name) }
                }
                if let refused { return refused }
            }
            waits += 1
            await context.pause(until: context.now + min(Int64(waits) * 1_000, Self.pollMillisecondsMax))
        }
        return open
    }

    /// The step that a payment waits for: told by a callback, the one whose answer was refused, or, where no callback
    /// comes for a while, shown by the status.
    ///
    /// The status doesn't say that a page belongs to another try, which needs the customer's consent: one that follows
    /// an answer or something that failed may.
    private func step(
        _ report: EcommpayReport, again refused: EcommpayReport?, isPatient: Bool, isSecond: Bool
    ) -> EcommpayReport? {
        guard EcommpayMapping.isWaiting(report.status) else { return nil }
        if let told = steps.take(report.payment) ?? refused { return told }
        guard report.question != nil, !isPatient else { return nil }
        var shown = report
        shown.isCascading =
            shown.isCascading || isSecond || report.operations.contains { EcommpayMapping.isOver($0.status) }
        return shown
    }

    /// How often a step's callback is waited for before the status is taken for it.
    private static var patience: Int { 3 }

    /// The approval with the account that a sale has kept, which the status doesn't name.
    private func kept(
        _ verdict: Verdict, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        guard case .approved(var approval) = verdict, approval.saved == nil, order.savesInstrument,
            case .card(let card) = order.source, let customer = order.customer
        else { return verdict }
        approval.saved = await kept(card.number.expose(), of: customer, context)
        return .approved(approval)
    }

    /// The only account of a customer that fits a card's number; nil where the list shows none, or several.
    func kept(_ number: String, of customer: String, _ context: PaymentContext) async -> SavedInstrument? {
        guard let list = try? await context.exchange(.readOnly, { _ in try await accounts(of: customer) }) else {
            return nil
        }
        let fitting = list.filter { $0["number"]?.string.map(EcommpayMapping.mark) == EcommpayMapping.mark(number) }
        return fitting.count == 1 ? fitting.first.flatMap { EcommpayMapping.instrument($0, of: customer) } : nil
    }
}

// Payments that the customer makes on the provider's Payment Page, for servers that may not keep card numbers.

extension EcommpayDriver {
    /// Hands a signed link over. The client sends nothing: from then on the customer may pay, and only the provider's
    /// word says whether that happened.
    ///
    /// Until when it can be paid is written in the link, by this machine's clock, and is judged by the provider's. So that
    /// nothing is shown of a payment proves nothing, before that time and after it.
    func lead(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        try context.needs(PaymentLink.self)
        var order = order
        order.extras = await extras(operation, order, context)
        let milliseconds = configuration.pageMinutes * 60_000
        let until = context.now + milliseconds
        let parameters = try EcommpayMapping.page(operation, order, context.attempt, until: until, configuration)
        let query = try await context.exchange(.readOnly) { _ in
            try EcommpayMapping.query(try await seal.signed(session: parameters))
        }
        let page = configuration.page ?? configuration.gate
        // The holder of the link may pay, and for how long: that is written down before it leaves.
        let address = try await context.send(.idempotent) { _ in
            Outgoing(validMilliseconds: milliseconds + EcommpayClaim.clockMarginMilliseconds) {
                "\(page)\(EcommpayPath.page)?\(query)"
            }
        }
        let open = Verdict.pending(Pending(references: ["payment": context.attempt.text], shouldPoll: false))
        let isBack = await context.ask(PaymentLink(context.attempt, address: address, until: until))
        guard isBack == true else { return open }
        return try await looked(operation, order.amount, context) ?? open
    }

    /// What the Gate says of a page whose customer is back; nil while it is open.
    private func looked(
        _ operation: PaymentOperation, _ amount: Money, _ context: PaymentContext
    ) async throws -> Verdict? {
        for round in 1...Self.looksMax {
            let report = try await context.exchange(.readOnly) { _ in try await status(context.attempt.text) }
            let claim = EcommpayClaim(asked: amount, since: context.firstSubmittedAt, evidence: .accepted)
            try believe(report, operation, by: claim)
            if !report.isUnknownSoFar, case .verdict(let said) = try EcommpayMapping.standing(report, operation) {
                return said.told(against: amount)
            }
            if round < Self.looksMax { await context.pause(until: context.now + Int64(round) * 1_000) }
        }
        return nil
    }

    /// How often the Gate is asked for a page whose customer is back: for longer than it may show nothing of a payment.
    private static var looksMax: Int { 6 }
}

/// The state of a registered card: when and over what it is charged, in the provider's words.
public struct EcommpayRegistration: Hashable, Sendable {
    /// What it is called among instruments: `r` and the provider's number, since stored accounts have numbers, too.
    public let id: SavedInstrument.ID
    /// The provider's word for its state, such as `active`.
    public let status: String
    /// The kind of charges that the customer agreed to.
    public let kind: CardOnFileTerms.Kind?
    /// The currency of the charges.
    public let currency: Currency?
    /// What is charged each time, where that is fixed.
    public let amount: Money?
    /// The unit of time between two charges.
    public let period: String?
    /// How many of these units lie between two charges.
    public let interval: Int?
    /// The day of the first charge.
    public let start: CalendarDate?
    /// The time of day of the charges.
    public let time: String?
    /// When it ends, as the provider writes it.
    public let until: String?
    /// When it was charged last, as the provider writes it.
    public let lastCharge: String?

    /// Whether nothing is charged by it any more.
    public var isEnded: Bool { EcommpayMapping.cancelled.contains(status) }

    init?(_ json: JSON?) {
        guard let json, let id = EcommpayRefusal.text(json["id"]), let status = json["status"]?.string else {
            return nil
        }
        (self.id, self.status) = (EcommpayMapping.registration(numbered: id), status)
        kind = EcommpayMapping.kinds.first { $0.letter == json["type"]?.string }?.kind
        let currency = json["currency"]?.string.flatMap { Currency.known($0) }
        let units = EcommpayRefusal.text(json["amount"]).flatMap { Int64($0) }
        amount = currency.flatMap { currency in
            units.flatMap { try? Money(minorUnits: $0, currency).believable() }
        }
        self.currency = currency
        period = json["period"]?.string
        interval = EcommpayRefusal.text(json["period_interval"]).flatMap { Int($0) }
        start = json["start_date"]?.string.flatMap { CalendarDate(iso: $0) }
        (time, until) = (json["start_time"]?.string, json["valid_thru"]?.string)
        lastCharge = json["last_payment_at"]?.string
    }

    /// Whether it shows what was asked for, as far as it shows that at all.
    func fits(_ terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence?) -> Bool {
        (terms.amount == nil || terms.amount == amount) && (terms.period == nil || terms.period == period)
            && (terms.until.map { until?.hasPrefix($0) ?? false } ?? true)
            && (recurrence?.interval == nil || recurrence?.interval == interval)
            && (recurrence?.start == nil || recurrence?.start == start)
    }
}

/// When later charges of a registered card are made, and over what.
///
/// A change of a registration takes `interval` and `time` alone, and a registration none: by the others ecommpay charges
/// the card on its own, and no attempt has those charges.
public struct EcommpayRecurrence: Hashable, Sendable {
    /// One charge that is due on a day.
    public struct Charge: Hashable, Sendable {
        /// The day on which it is made.
        public let date: CalendarDate
        /// What is charged then.
        public let amount: Money

        /// Makes a charge.
        public init(_ date: CalendarDate, _ amount: Money) { (self.date, self.amount) = (date, amount) }
    }

    /// How many periods lie between two charges.
    public private(set) var interval: Int?
    /// The time of day, as `HH:mm:ss`.
    public private(set) var time: String?
    /// The day of the first charge.
    public private(set) var start: CalendarDate?
    /// What the merchant calls the charges to come.
    public private(set) var scheduledPayment: String?
    /// Single charges, where they do not follow a rule.
    public private(set) var schedule: [Charge]

    /// Makes a recurrence.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when a part of it is none.
    public init(
        interval: Int? = nil, time: String? = nil, start: CalendarDate? = nil, scheduledPayment: String? = nil,
        schedule: [Charge] = []
    ) throws(PaymentError) {
        func refuse(_ why: String) -> PaymentError {
            PaymentError.notExecuted(.invalidRequest, why)
        }
        if let interval, !(1...100).contains(interval) { throw refuse("an interval is 1 to 100 periods") }
        if let time, !Self.isTime(time) { throw refuse("\(time) is no time of the form HH:mm:ss") }
        if let name = scheduledPayment, !(1...255).contains(name.utf8.count) {
            throw refuse("the name of charges to come has 1 to 255 characters")
        }
        if schedule.contains(where: { $0.amount.minorUnits <= 0 }) { throw refuse("a charge is more than nothing") }
        if Set(schedule.map(\.amount.currency)).count > 1 { throw refuse("a schedule has one currency") }
        (self.interval, self.time, self.start) = (interval, time, start)
        (self.scheduledPayment, self.schedule) = (scheduledPayment, schedule)
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return false }
        let numbers = parts.compactMap { UInt8($0) }
        return numbers.count == 3 && numbers[0] < 24 && numbers[1] < 60 && numbers[2] < 60
    }
}
